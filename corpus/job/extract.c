/* extract.c -- jobs sentence-extract and sentence-extract-compact: the
 * sentences of documents, one a line, and then each once.
 *
 * The date of a sentence is when its document was fetched, which is known of
 * all that a crawl has and has one form; where nobody says that, the document's
 * own. The first date is the least one as text, which is the earliest of dates
 * of one form; "" stands for an unknown one and is never the first.  URLs come
 * in the order of their bytes. */
#include <inttypes.h>

#include "doc_line.h"
#include "job.h"

/* ---- sentence-extract ---- */

enum { REJECTED, SENTENCES, TOO_LONG, UNKNOWN };

struct extraction {
    struct job_run *r;
    struct doc_line d;
    struct str date;
    uint64_t chars_max;
    struct buf out;
};

static void
put_sentence(struct extraction *e, struct str tag, struct str text)
{
    if (str_eq(doc_attribute(tag, "lani"), S("unknown"))) {
        job_count(e->r, UNKNOWN, 1);
        return;
    }
    if (doc_chars(text) > e->chars_max) {
        job_count(e->r, TOO_LONG, 1);
        return;
    }
    buf_clear(&e->out);
    doc_unescape(&e->out, text);
    buf_char(&e->out, '\t');
    buf_str(&e->out, e->d.url);
    buf_char(&e->out, '\t');
    buf_str(&e->out, e->date);
    job_put(e->r, buf_view(&e->out));
    job_count(e->r, SENTENCES, 1);
}

static void
put_document(struct extraction *e)
{
    struct str rest = e->d.text, tag = S("");
    struct doc_piece piece;
    bool inside = false;

    while ((piece = doc_next(&rest)).kind != DOC_END) {
        if (piece.kind == DOC_TEXT && inside)
            put_sentence(e, tag, piece.text);
        if (piece.kind == DOC_S)
            tag = piece.text;
        if (piece.kind != DOC_TEXT)
            inside = piece.kind == DOC_S;
    }
}

static void
map_extract(struct job_run *r)
{
    struct extraction e = {.r = r, .chars_max = job_option(r, "chars-max")};
    struct str line;

    while (job_line(r, &line)) {
        if (!doc_line_read(&e.d, line)) {
            job_count(r, REJECTED, 1);
            continue;
        }
        e.date = doc_element(e.d.source, DOC_FACT_TIMESTAMP);
        if (e.date.n == 0)
            e.date = doc_element(e.d.source, DOC_FACT_DATE);
        put_document(&e);
    }
    buf_free(&e.out);
}

const struct corpus_job job_sentence_extract = {
    .name = "sentence-extract",
    .summary = "The sentences of documents, one a line.",
    .lines = "map: documents with sentences -> sentence, URL, date of the "
             "fetch (where it is not known: of the document)",
    .phase = {map_extract, NULL, NULL},
    .options = {JOB_NUMBER("chars-max", "512",
                           "Characters; longer sentences are left out.", 1,
                           1000000000)},
    .counters = {JOB_LINES_REJECTED, "sentences", "sentences too long",
                 "sentences of no known language"},
};

/* ---- sentence-extract-compact ---- */

enum { C_REJECTED, C_LINES, C_SENTENCES };

struct equal {
    struct job_run *r;
    bool open;
    uint64_t n, urls_n, urls_max;
    struct buf sentence, date, urls, last, out;
};

static void
finish(struct equal *e)
{
    if (e->open) {
        buf_clear(&e->out);
        buf_str(&e->out, buf_view(&e->sentence));
        buf_printf(&e->out, "\t%" PRIu64 "\t", e->n);
        buf_str(&e->out, buf_view(&e->date));
        buf_str(&e->out, buf_view(&e->urls));
        job_put(e->r, buf_view(&e->out));
        job_count(e->r, C_SENTENCES, 1);
    }
    e->open = false;
    e->n = e->urls_n = 0;
    buf_clear(&e->sentence);
    buf_clear(&e->date);
    buf_clear(&e->urls);
    buf_clear(&e->last);
}

static void
add(struct equal *e, struct str url, struct str date)
{
    e->n++;
    if (date.n > 0 &&
        (e->date.n == 0 || str_cmp(date, buf_view(&e->date)) < 0)) {
        buf_clear(&e->date);
        buf_str(&e->date, date);
    }
    if (e->urls_n < e->urls_max && !str_eq(url, buf_view(&e->last))) {
        buf_char(&e->urls, '\t');
        buf_str(&e->urls, url);
        buf_clear(&e->last);
        buf_str(&e->last, url);
        e->urls_n++;
    }
}

static void
reduce_compact(struct job_run *r)
{
    struct equal e = {.r = r, .urls_max = job_option(r, "urls-max")};
    struct str line, key, value, url, date;

    while (job_line(r, &line)) {
        if (!job_split(line, &key, &value) || !job_split(value, &url, &date) ||
            key.n == 0) {
            job_count(r, C_REJECTED, 1);
            continue;
        }
        job_count(r, C_LINES, 1);
        if (!e.open || !str_eq(key, buf_view(&e.sentence))) {
            finish(&e);
            buf_str(&e.sentence, key);
            e.open = true;
        }
        add(&e, url, date);
    }
    finish(&e);
    buf_free(&e.sentence);
    buf_free(&e.date);
    buf_free(&e.urls);
    buf_free(&e.last);
    buf_free(&e.out);
}

const struct corpus_job job_sentence_extract_compact = {
    .name = "sentence-extract-compact",
    .summary = "Each sentence once: how often, since when, where.",
    .lines = "map: copies; reduce: sentence, URL, date -> sentence, N, first "
             "date, URLs",
    .phase = {job_copy, NULL, reduce_compact},
    .options = {JOB_NUMBER("urls-max", "10", "So many URLs are named.", 0,
                           1000000)},
    .counters = {JOB_LINES_REJECTED, "lines", "sentences"},
};
