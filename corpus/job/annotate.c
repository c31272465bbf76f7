/* annotate.c -- job annotate: parts of speech, by the tagger of the language or
 * by a command of the operator's.
 *
 * A command gets vertical text: <s>, a token a line, </s>; and writes the
 * same with columns behind the tokens, as TreeTagger and its like do.  It runs
 * over a batch of sentences at a time, so it may buffer as it likes.  When it
 * dies, or what comes back is not what went in, the sentences that came back
 * whole are taken, the next one is tried alone, and if it fails alone it stays
 * without tags and is counted; the others go on in a new batch.  A command that
 * is not there fails the job. */
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "job.h"
#include "pipe_batch.h"
#include "sentence_tokens.h"

enum { REJECTED, SENTENCES, TAGGED, FAILED, RESTARTS };
#define BYTES_MAX ((size_t)1 << 30)
#define FAILED_MAX 10u

struct annotation {
    struct job_run *r;
    char *command;
    uint64_t column, timeout_ms;
    struct buf lines; /* the batch, as it came */
    size_t *line;     /* where each begins; and the end */
    size_t n, room;
    struct buf in, got, out;
};

static struct str
line_of(const struct annotation *a, size_t i)
{
    return str_sub(buf_view(&a->lines), a->line[i], a->line[i + 1]);
}

/* ---- to the command ---- */

static void
add_vertical(struct buf *in, struct str line)
{
    struct str rest = str_sub(line, 0, str_find(line, '\t', 0)), token;

    buf_c(in, "<s>\n");
    while (str_cut(&rest, ' ', &token))
        if (token.n > 0) {
            buf_str(in, token);
            buf_char(in, '\n');
        }
    buf_c(in, "</s>\n");
}

/* ---- from it ---- */

static bool
column_of(struct str line, uint64_t i, struct str *column)
{
    struct str rest = line;

    for (; i > 0; i--)
        if (!str_cut(&rest, '\t', column))
            return false;
    return column->n > 0;
}

/* "TOKEN/<"; a token may have any byte but a blank, a TAB and a line end. */
static void
begin_tag(struct buf *out, struct str token, bool first)
{
    if (!first)
        buf_char(out, ' ');
    buf_str(out, token);
    buf_c(out, "/<");
}

/* The tags of one sentence, which are taken off *got, as WORD/<TAG> behind
 * `out`.  False: it is not this sentence, or not whole. */
static bool
take_sentence(const struct annotation *a, struct str *got, struct str line,
              struct buf *out)
{
    struct str rest = str_sub(line, 0, str_find(line, '\t', 0)), token, answer,
               tag;
    bool first = true;

    if (!str_cut(got, '\n', &answer) || !str_eq(answer, S("<s>")))
        return false;
    while (str_cut(&rest, ' ', &token)) {
        if (token.n == 0)
            continue;
        if (!str_cut(got, '\n', &answer) ||
            !column_of(answer, a->column, &tag) ||
            !str_eq(token, str_sub(answer, 0, str_find(answer, '\t', 0))))
            return false;
        begin_tag(out, token, first);
        buf_str(out, tag);
        buf_char(out, '>');
        first = false;
    }
    return str_cut(got, '\n', &answer) && str_eq(answer, S("</s>"));
}

static void
put(struct annotation *a, size_t i, bool tagged)
{
    struct str line = line_of(a, i);
    size_t tab = str_find(line, '\t', 0);

    if (!tagged) {
        buf_clear(&a->out);
        buf_str(&a->out, str_sub(line, 0, tab));
    }
    buf_str(&a->out, str_sub(line, tab, line.n));
    job_put(a->r, buf_view(&a->out));
    job_count(a->r, tagged ? TAGGED : FAILED, 1);
}

/* Sentences from `from` up to `to`: how many came back. */
static size_t
try_some(struct annotation *a, size_t from, size_t to)
{
    struct str got;
    size_t i = from;

    buf_clear(&a->in);
    buf_clear(&a->got);
    for (size_t k = from; k < to; k++)
        add_vertical(&a->in, line_of(a, k));
    if (pipe_batch(a->command, buf_view(&a->in), &a->got, BYTES_MAX,
                   a->timeout_ms) == PIPE_NO_START)
        job_fail(a->r);
    for (got = buf_view(&a->got); i < to; i++) {
        buf_clear(&a->out);
        if (!take_sentence(a, &got, line_of(a, i), &a->out))
            break;
        put(a, i, true);
    }
    return i - from;
}

/* A sentence that ends a batch is tried alone.  A command that cannot do so
 * many one after the other does not get the rest. */
static void
end_batch(struct annotation *a)
{
    unsigned failed = 0;

    for (size_t i = 0; i < a->n && !job_has_failed(a->r);) {
        size_t done = failed < FAILED_MAX ? try_some(a, i, a->n) : 0;

        i += done;
        if (i == a->n || job_has_failed(a->r))
            break;
        if (failed == FAILED_MAX) {
            put(a, i++, false);
            continue;
        }
        failed = done > 0 ? 0 : failed;
        job_count(a->r, RESTARTS, 1);
        if (try_some(a, i, i + 1) == 0) {
            put(a, i, false);
            failed++;
        }
        i++;
    }
    if (failed == FAILED_MAX)
        log_error("job", "command=\"%s\" fault=\"fails on every sentence\"",
                  a->command);
    a->n = 0;
    buf_clear(&a->lines);
}

static void
add_line(struct annotation *a, struct str line)
{
    if (a->n + 2 > a->room) {
        a->room = a->room ? 2 * a->room : 1024;
        a->line = memory_need(realloc(a->line, a->room * sizeof *a->line));
    }
    a->line[a->n++] = a->lines.n;
    buf_str(&a->lines, line);
    a->line[a->n] = a->lines.n;
}

static void
map_command(struct job_run *r)
{
    struct str command = job_option_text(r, "command"), line;
    uint64_t most = job_option(r, "batch");
    struct annotation a = {.r = r,
                           .column = job_option(r, "tag-column"),
                           .timeout_ms = job_option(r, "timeout") * 1000};

    a.command = memory_need(strndup(command.p, command.n));
    while (job_line(r, &line)) {
        if (str_trim(str_sub(line, 0, str_find(line, '\t', 0))).n == 0) {
            job_count(r, REJECTED, 1);
            continue;
        }
        job_count(r, SENTENCES, 1);
        add_line(&a, line);
        if (a.n >= most)
            end_batch(&a);
    }
    end_batch(&a);
    free(a.command);
    free(a.line);
    buf_free(&a.lines);
    buf_free(&a.in);
    buf_free(&a.got);
    buf_free(&a.out);
}

/* ---- by the tagger ---- */

static void
tag_line(struct sentence_tokens *s, const struct tagger *t, bool own,
         struct str line, struct buf *out)
{
    size_t tab = str_find(line, '\t', 0);

    buf_clear(out);
    sentence_tag(s, t);
    for (size_t i = 0; i < s->n; i++) {
        begin_tag(out, s->token[i].text, i == 0);
        sentence_put_tag(s, i, own, out);
        buf_char(out, '>');
    }
    buf_str(out, str_sub(line, tab, line.n));
}

static void
map_tagger(struct job_run *r)
{
    struct str language = job_option_text(r, "lang"), line;
    struct sentence_tokens s;
    const struct tagger *t;
    struct buf out = {0};
    bool own = str_eq(job_option_text(r, "tagset"), S("xpos"));

    sentence_tokens_open(&s, r);
    t = sentence_tagger(&s, language);
    if (t == NULL && !job_has_failed(r)) {
        log_error(
            "job",
            "job=annotate lang=\"%.*s\" fault=\"no tagger of this language "
            "(-D lang=...), and no command (-D command=...)\"",
            STRF(language));
        job_fail(r);
    }
    while (job_line(r, &line)) {
        struct str sentence = str_sub(line, 0, str_find(line, '\t', 0));

        if (!sentence_split(&s, language, sentence, true) || s.n == 0) {
            job_count(r, REJECTED, 1);
            continue;
        }
        tag_line(&s, t, own, line, &out);
        job_put(r, buf_view(&out));
        job_count(r, SENTENCES, 1);
        job_count(r, TAGGED, 1);
    }
    sentence_tokens_close(&s);
    buf_free(&out);
}

static void
map(struct job_run *r)
{
    if (job_option_text(r, "command").n > 0)
        map_command(r);
    else
        map_tagger(r);
}

const struct corpus_job job_annotate = {
    .name = "annotate",
    .summary = "Parts of speech, by the tagger of a language or a command.",
    .lines =
        "map: sentences of tokens in the first column -> WORD/<TAG>, other "
        "columns as they are",
    .phase = {map, NULL, NULL},
    .options =
        {JOB_LANGUAGE("Language whose tagger (data/taggers) it is, if there "
                      "is no command."),
         JOB_TEXT("tagset", "upos",
                  "The tagger's tags: UPOS, or those of the language's "
                  "own where its model has them.",
                  "upos xpos"),
         JOB_TEXT("command", "",
                  "Reads tokens, one a line, between <s> and </s>; "
                  "writes the same with columns behind each.",
                  NULL),
         JOB_NUMBER("tag-column", "2", "Which column is the tag.", 2, 100),
         JOB_NUMBER("batch", "10000", "Sentences for one run of it.", 1,
                    10000000),
         JOB_NUMBER("timeout", "300", "Seconds for a batch.", 1, 1000000)},
    .counters = {JOB_LINES_REJECTED, "sentences", "sentences tagged",
                 "sentences the command failed on", "restarts"},
};
