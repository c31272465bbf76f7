/* job.c -- see job.h: lines in, lines out, counters. */
#include "job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clean/tools/text_lines.h"
#include "winnow/status.h"

const char *const job_phase_name[JOB_PHASES_N] = {"map", "combine", "reduce"};

struct job_run {
    const struct corpus_job *job;
    const struct job_settings *settings;
    const struct str *files;
    size_t files_n, next;
    struct text_lines *in;
    bool failed;
    uint64_t counter[JOB_COUNTERS_MAX];
    uint64_t too_long;
};

/* ---- options ---- */

void
job_preset(const struct corpus_job *j, struct job_settings *s)
{
    for (size_t i = 0; i < JOB_OPTIONS_MAX; i++)
        if (j->options[i].name == NULL ||
            !str_u64(str_c(j->options[i].preset), &s->value[i]))
            s->value[i] = 0;
}

bool
job_set(const struct corpus_job *j, struct job_settings *s, struct str given,
        const char **why)
{
    size_t equals = str_find(given, '=', 0);
    struct str name = str_sub(given, 0, equals);
    struct str value = str_sub(given, equals + 1, given.n);

    for (size_t i = 0; i < JOB_OPTIONS_MAX && j->options[i].name; i++) {
        const struct job_option *o = &j->options[i];
        uint64_t n;

        if (!str_eq(name, str_c(o->name)))
            continue;
        *why = "not a number in its bounds";
        if (!str_u64(value, &n) || n < o->low || n > o->high)
            return false;
        s->value[i] = n;
        return true;
    }
    *why = "the job has no such option";
    return false;
}

uint64_t
job_option(const struct job_run *r, const char *name)
{
    for (size_t i = 0; i < JOB_OPTIONS_MAX && r->job->options[i].name; i++)
        if (strcmp(r->job->options[i].name, name) == 0)
            return r->settings->value[i];
    return 0;
}

/* ---- lines ---- */

/* The next input; standard input when there are no files. */
static bool
open_next(struct job_run *r)
{
    const char *path = NULL;

    if (r->next > 0 && r->next >= r->files_n)
        return false;
    if (r->files_n > 0)
        path = r->files[r->next].p;
    r->next++;
    r->failed |= text_lines_open(&r->in, path) != ST_OK;
    return !r->failed;
}

/* Go to the end of a line of which a piece was read. */
static enum status
skip_line(struct job_run *r)
{
    struct str rest;
    bool ended = false;
    enum status st = ST_OK;

    r->too_long++;
    while (!ended && st == ST_OK)
        st = text_lines_next(r->in, &rest, &ended);
    return st;
}

bool
job_line(struct job_run *r, struct str *line)
{
    while (!r->failed && (r->in != NULL || open_next(r))) {
        bool ended;
        enum status st = text_lines_next(r->in, line, &ended);

        if (st == ST_OK && !ended && line->n >= TEXT_LINE_MAX)
            st = skip_line(r);
        else if (st == ST_OK)
            return true;
        if (st == ST_OK)
            continue;
        r->failed = st != ST_NONE;
        text_lines_close(r->in);
        r->in = NULL;
    }
    return false;
}

void
job_put(struct job_run *r, struct str line)
{
    (void)r;
    fwrite(line.p, 1, line.n, stdout);
    putc('\n', stdout);
}

void
job_count(struct job_run *r, unsigned counter, uint64_t n)
{
    r->counter[counter] += n;
}

bool
job_split(struct str line, struct str *key, struct str *value)
{
    size_t tab = str_find(line, '\t', 0);

    *key = str_sub(line, 0, tab);
    *value = str_sub(line, tab + 1, line.n);
    return tab < line.n;
}

void
job_copy(struct job_run *r)
{
    struct str line;

    while (job_line(r, &line))
        job_put(r, line);
}

static void
report(const struct job_run *r)
{
    for (size_t i = 0; i < JOB_COUNTERS_MAX && r->job->counters[i]; i++)
        if (r->counter[i] > 0)
            fprintf(stderr, "reporter:counter:winnow %s,%s,%" PRIu64 "\n",
                    r->job->name, r->job->counters[i], r->counter[i]);
    if (r->too_long > 0)
        fprintf(stderr,
                "reporter:counter:winnow %s,lines too long,%" PRIu64 "\n",
                r->job->name, r->too_long);
}

bool
job_run_phase(const struct corpus_job *j, enum job_phase phase,
              const struct job_settings *s, const struct str *files,
              size_t files_n)
{
    struct job_run r = {
        .job = j, .settings = s, .files = files, .files_n = files_n};

    j->phase[phase](&r);
    text_lines_close(r.in);
    report(&r);
    return !r.failed;
}
