/* Lines of documents and sentences: whatever they are, every job that maps
 * lines ends, writes whole lines, and reduces what it mapped. */
#include "base/buf.h"
#include "corpus/job/job.h"
#include "corpus/job/job_fields.h"
#include "fuzz.h"

struct lines {
    struct str rest;
    struct buf out;
};

static enum status
next(void *self, struct str *line)
{
    struct lines *l = self;

    return str_cut(&l->rest, '\n', line) ? ST_OK : ST_NONE;
}

static enum status
put(void *self, struct str line)
{
    struct lines *l = self;

    MUST(str_find(line, '\n', 0) == line.n);
    if (l->out.n < (size_t)1 << 20) {
        buf_str(&l->out, line);
        buf_char(&l->out, '\n');
    }
    return ST_OK;
}

/* A command, which there is none of. */
static bool
needs_more(const struct corpus_job *j)
{
    return str_eq(str_c(j->name), S("annotate"));
}

static void
run(const struct corpus_job *j, struct str text)
{
    struct job_totals totals = {.too_long = 0};
    struct lines from = {.rest = text};
    struct job_io io = {&from, next, NULL, put, NULL};
    struct job_settings s;
    struct buf mapped;

    job_preset(j, &s);
    if (j->phase[JOB_MAP] != NULL && j->input == JOB_LINES && !needs_more(j))
        MUST(job_run_phase(j, JOB_MAP, &s, &io, &totals));
    mapped = from.out;
    from = (struct lines){.rest = buf_view(&mapped)};
    if (j->phase[JOB_REDUCE] != NULL)
        MUST(job_run_phase(j, JOB_REDUCE, &s, &io, &totals));
    buf_free(&mapped);
    buf_free(&from.out);
}

/* The same as JSONL. */
static void
run_fields(struct str text)
{
    const struct corpus_job *j = job_find(S("ngram"));
    struct job_totals totals = {.too_long = 0};
    struct lines from = {.rest = text};
    struct job_io io, lines = {&from, next, NULL, put, NULL};
    struct job_fields fields;
    struct job_settings s;

    job_preset(j, &s);
    job_fields_open(&fields, &io, &lines, S("url,text:words,count"));
    MUST(job_run_phase(j, JOB_MAP, &s, &io, &totals));
    job_fields_close(&fields);
    buf_free(&from.out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = str_n((const char *)data, n);

    for (const struct corpus_job *const *j = job_table; *j != NULL; j++)
        run(*j, text);
    run_fields(text);
    return 0;
}
