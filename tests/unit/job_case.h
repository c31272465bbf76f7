/* job_case.h -- phases of jobs over lines in memory. */
#ifndef TEST_JOB_CASE_H
#define TEST_JOB_CASE_H

#include "base/buf.h"
#include "corpus/job/job.h"
#include "test.h"

struct job_case {
    const struct corpus_job *job;
    struct job_settings settings;
    struct job_totals totals;
    struct str rest;
    const char *path; /* of the one file, for jobs that read files */
    struct buf out;
};

static inline enum status
job_case_line(void *self, struct str *line)
{
    struct job_case *c = self;

    return str_cut(&c->rest, '\n', line) ? ST_OK : ST_NONE;
}

static inline enum status
job_case_file(void *self, const char **path)
{
    struct job_case *c = self;

    *path = c->path;
    c->path = NULL;
    return *path != NULL ? ST_OK : ST_NONE;
}

static inline enum status
job_case_put(void *self, struct str line)
{
    struct job_case *c = self;

    buf_str(&c->out, line);
    buf_char(&c->out, '\n');
    return ST_OK;
}

/* `options` are KEY=VALUE with blanks between them. */
static inline void
job_case_open(struct job_case *c, const char *name, const char *options)
{
    struct str rest = str_c(options), given;
    const char *why;

    *c = (struct job_case){.job = job_find(str_c(name))};
    CHECK(c->job != NULL);
    job_preset(c->job, &c->settings);
    while (str_cut(&rest, ' ', &given))
        CHECK(job_set(c->job, &c->settings, given, &why));
}

static inline void
job_case_close(struct job_case *c)
{
    buf_free(&c->out);
}

/* What the phase makes of the lines; valid until the next call. */
static inline struct str
job_case_run(struct job_case *c, enum job_phase phase, struct str lines)
{
    struct job_io io = {c, job_case_line, job_case_file, job_case_put, NULL};
    struct buf in = {0};

    buf_str(&in, lines); /* may be what the last phase has made */
    buf_clear(&c->out);
    c->rest = buf_view(&in);
    CHECK(job_run_phase(c->job, phase, &c->settings, &io, &c->totals));
    buf_free(&in);
    return buf_view(&c->out);
}

static inline int
job_case_order(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* map, sort, reduce. */
static inline struct str
job_case_all(struct job_case *c, struct str lines)
{
    struct str mapped = job_case_run(c, JOB_MAP, lines), line[1000];
    struct buf sorted = {0};
    size_t n = 0;

    while (n < 1000 && str_cut(&mapped, '\n', &line[n]))
        n++;
    qsort(line, n, sizeof *line, job_case_order);
    for (size_t i = 0; i < n; i++) {
        buf_str(&sorted, line[i]);
        buf_char(&sorted, '\n');
    }
    mapped = job_case_run(c, JOB_REDUCE, buf_view(&sorted));
    buf_free(&sorted);
    return mapped;
}

/* The value of a counter. */
static inline uint64_t
job_case_counter(const struct job_case *c, const char *name)
{
    for (size_t i = 0; i < JOB_COUNTERS_MAX && c->job->counters[i]; i++)
        if (strcmp(c->job->counters[i], name) == 0)
            return c->totals.counter[i];
    return UINT64_MAX;
}

#define IS(got, expected)                                                      \
    do {                                                                       \
        struct str is_got = (got);                                             \
                                                                               \
        if (!str_eq(is_got, str_c(expected))) {                                \
            test_failed++;                                                     \
            fprintf(stderr, "%s:%d: got\n%.*s\nexpected\n%s\n", __FILE__,      \
                    __LINE__, STRF(is_got), expected);                         \
        }                                                                      \
    } while (0)

#endif
