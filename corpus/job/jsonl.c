/* jsonl.c -- job jsonl: documents as JSON lines, for who goes on without lines
 * of ours.
 *
 * Names and kinds are those of `winnow clean --format jsonl`, so job document
 * reads them again.  All are in every record with the same type, for readers
 * that take the columns' types from the first file: a badness that is not known
 * is -1, since 0 is a good one and null no number. */
#include "base/json.h"
#include "doc_line.h"
#include "job.h"

enum { REJECTED, DOCUMENTS };

static const char *const names[] = {
#define X(id, name) name,
    DOC_FACTS(X)
#undef X
};

struct jsonl_job {
    struct buf line, text, headings, value;
    struct json json; /* into line */
};

#define UNKNOWN (-1.0)

static void
put_count(struct json *j, struct str value)
{
    uint64_t n;

    json_u64(j, str_u64(value, &n) ? n : 0);
}

static void
put_real(struct json *j, struct str value)
{
    double x;

    json_real(j, str_real(value, &x) ? x : UNKNOWN);
}

static void
put_fact(struct jsonl_job *j, const struct doc_line *d, enum doc_fact fact)
{
    struct str value =
        doc_element(fact < DOC_FACT_LENGTH ? d->source : d->process, fact);

    json_key(&j->json, names[fact]);
    switch (fact) {
    case DOC_FACT_LENGTH:
    case DOC_FACT_MASKED: put_count(&j->json, value); break;
    case DOC_FACT_BADNESS:
    case DOC_FACT_BOILERPLATE: put_real(&j->json, value); break;
    case DOC_FACT_DUPLICATE:
    case DOC_FACT_ENCODING_ERROR:
        json_bool(&j->json, str_eq(value, S("true")));
        break;
    default:
        buf_clear(&j->value);
        doc_unescape(&j->value, value);
        json_str(&j->json, buf_view(&j->value));
    }
}

/* A paragraph a line, its sentences with blanks between them; which lines are
 * headings. */
static void
take_text(struct jsonl_job *j, struct str text)
{
    struct doc_piece piece;
    size_t begin = 0;
    unsigned lines = 0;

    buf_clear(&j->text);
    buf_clear(&j->headings);
    while ((piece = doc_next(&text)).kind != DOC_END) {
        if (piece.kind == DOC_P && doc_attribute(piece.text, "heading").n > 0)
            buf_printf(&j->headings, "%s%u", j->headings.n > 0 ? " " : "",
                       lines);
        if (piece.kind == DOC_TEXT && j->text.n > begin)
            buf_char(&j->text, ' ');
        if (piece.kind == DOC_TEXT)
            doc_unescape(&j->text, piece.text);
        if (piece.kind != DOC_P_END)
            continue;
        buf_char(&j->text, '\n');
        begin = j->text.n;
        lines++;
    }
}

static void
make_record(struct jsonl_job *j, const struct doc_line *d)
{
    buf_clear(&j->line);
    j->json = (struct json){.out = &j->line};
    json_object(&j->json);
    put_fact(j, d, DOC_FACT_ID);
    json_kstr(&j->json, "url", d->url);
    put_fact(j, d, DOC_FACT_TITLE);
    take_text(j, d->text);
    json_kstr(&j->json, "text", buf_view(&j->text));
    json_kstr(&j->json, "headings", buf_view(&j->headings));
    for (enum doc_fact fact = DOC_FACT_AUTHOR; fact < DOC_FACT_N; fact++)
        put_fact(j, d, fact);
    json_object_end(&j->json);
}

static void
map(struct job_run *r)
{
    struct jsonl_job j = {.json = {.out = NULL}};
    struct str line;

    while (job_line(r, &line)) {
        struct doc_line d;

        if (!doc_line_read(&d, line) || !doc_text_begins(d.text)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        make_record(&j, &d);
        job_put(r, buf_view(&j.line));
        job_count(r, DOCUMENTS, 1);
    }
    buf_free(&j.line);
    buf_free(&j.text);
    buf_free(&j.headings);
    buf_free(&j.value);
}

const struct corpus_job job_jsonl = {
    .name = "jsonl",
    .summary = "Documents as JSON lines, as winnow clean writes them.",
    .lines = "map: documents -> JSON objects: id, url, title, text, headings, "
             "author, date, timestamp, language, length, badness, "
             "boilerplate_mean (-1: not known), quality ...",
    .phase = {map, NULL, NULL},
    .counters = {"lines rejected", "documents"},
};
