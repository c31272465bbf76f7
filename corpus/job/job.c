/* job.c -- see job.h: options, counters, and a phase at work. */
#include "job.h"

#include <inttypes.h>
#include <stdio.h>

const char *const job_phase_name[JOB_PHASES_N] = {"map", "combine", "reduce"};

struct job_run {
    const struct corpus_job *job;
    const struct job_settings *settings;
    const struct job_io *io;
    struct job_totals *totals;
    bool failed;
};

/* ---- options ---- */

static bool
is_text(const struct job_option *o)
{
    return o->low == 0 && o->high == 0;
}

void
job_preset(const struct corpus_job *j, struct job_settings *s)
{
    s->data = S("");
    s->set = NULL;
    s->set_n = 0;
    for (size_t i = 0; i < JOB_OPTIONS_MAX; i++) {
        const struct job_option *o = &j->options[i];

        s->value[i] = 0;
        s->text[i] = S("");
        if (o->name == NULL)
            continue;
        if (is_text(o))
            s->text[i] = str_c(o->preset);
        else if (!str_u64(str_c(o->preset), &s->value[i]))
            s->value[i] = o->low;
    }
}

const char *
job_next_set(const struct corpus_job *j, const struct job_settings *s,
             size_t *i)
{
    while (j->input == JOB_FILES && *i < s->set_n) {
        struct str given = str_c(s->set[(*i)++]);

        if ((str_starts(given, S("clean.")) &&
             !str_starts(given, S("clean.data="))) ||
            str_starts(given, S("scope.")) || str_starts(given, S("convert.")))
            return given.p;
    }
    return NULL;
}

static bool
is_among(struct str value, struct str words)
{
    struct str word;

    while (str_word(&words, &word))
        if (str_eq(value, word))
            return true;
    return false;
}

static bool
is_allowed(const struct job_option *o, struct str value)
{
    struct str word;

    if (o->words == NULL)
        return true;
    if (!o->list)
        return is_among(value, str_c(o->words));
    while (str_word(&value, &word))
        if (!is_among(word, str_c(o->words)))
            return false;
    return true;
}

/* "de", "sr-latn"; of "nl,fr" the first alone would count. */
static bool
is_one_language(struct str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (!ascii_alpha(value.p[i]) && !ascii_digit(value.p[i]) &&
            value.p[i] != '-' && value.p[i] != '_')
            return false;
    return true;
}

static bool
set_one(const struct job_option *o, struct job_settings *s, size_t i,
        struct str value, const char **why)
{
    uint64_t n;

    if (is_text(o)) {
        *why = o->words; /* what is allowed says it best */
        if (!is_allowed(o, value))
            return false;
        *why = "it takes one language; without it each document's own counts";
        if (o->language && !is_one_language(value))
            return false;
        s->text[i] = value;
        return true;
    }
    *why = "not a number in its bounds";
    if (!str_u64(value, &n) || n < o->low || n > o->high)
        return false;
    s->value[i] = n;
    return true;
}

/* JOB_OPTIONS_MAX: the job has none of that name. */
static size_t
option_at(const struct corpus_job *j, struct str name)
{
    for (size_t i = 0; i < JOB_OPTIONS_MAX && j->options[i].name; i++)
        if (str_eq(name, str_c(j->options[i].name)))
            return i;
    return JOB_OPTIONS_MAX;
}

bool
job_has_option(const struct corpus_job *j, struct str given)
{
    return option_at(j, str_sub(given, 0, str_find(given, '=', 0))) <
           JOB_OPTIONS_MAX;
}

bool
job_set(const struct corpus_job *j, struct job_settings *s, struct str given,
        const char **why)
{
    size_t equals = str_find(given, '=', 0);
    struct str name = str_sub(given, 0, equals);
    size_t i;

    *why = "no value (KEY=VALUE)";
    if (equals == given.n)
        return false;
    i = option_at(j, name);
    *why = "the job has no such option";
    return i < JOB_OPTIONS_MAX &&
           set_one(&j->options[i], s, i, str_sub(given, equals + 1, given.n),
                   why);
}

bool
job_check_files(const struct corpus_job *j, const struct job_settings *s,
                struct buf *why)
{
    for (size_t i = 0; i < JOB_OPTIONS_MAX && j->options[i].name; i++) {
        const struct job_option *o = &j->options[i];

        if (o->check_file == NULL || s->text[i].n == 0)
            continue;
        buf_clear(why);
        buf_printf(why, "%s=%.*s: ", o->name, STRF(s->text[i]));
        if (!o->check_file(s->text[i].p, why))
            return false;
    }
    return true;
}

static size_t
find_option(const struct job_run *r, const char *name)
{
    size_t i = 0;

    while (i + 1 < JOB_OPTIONS_MAX && r->job->options[i].name != NULL &&
           strcmp(r->job->options[i].name, name) != 0)
        i++;
    return i;
}

uint64_t
job_option(const struct job_run *r, const char *name)
{
    return r->settings->value[find_option(r, name)];
}

struct str
job_option_text(const struct job_run *r, const char *name)
{
    return r->settings->text[find_option(r, name)];
}

struct str
job_data(const struct job_run *r)
{
    return r->settings->data;
}

const char *
job_run_next_set(const struct job_run *r, size_t *i)
{
    return job_next_set(r->job, r->settings, i);
}

/* ---- lines ---- */

bool
job_line(struct job_run *r, struct str *line)
{
    enum status st = r->failed ? ST_NONE : r->io->line(r->io->self, line);

    r->failed |= st != ST_OK && st != ST_NONE;
    return st == ST_OK;
}

bool
job_file(struct job_run *r, const char **path)
{
    enum status st = r->failed ? ST_NONE : r->io->file(r->io->self, path);

    r->failed |= st != ST_OK && st != ST_NONE;
    return st == ST_OK;
}

void
job_put(struct job_run *r, struct str line)
{
    if (!r->failed && r->io->put(r->io->self, line) != ST_OK)
        r->failed = true;
}

void
job_keep(struct job_run *r)
{
    if (!r->failed && r->io->keep != NULL && r->io->keep(r->io->self) != ST_OK)
        r->failed = true;
}

void
job_fail(struct job_run *r)
{
    r->failed = true;
}

bool
job_has_failed(const struct job_run *r)
{
    return r->failed;
}

void
job_count(struct job_run *r, unsigned counter, uint64_t n)
{
    r->totals->counter[counter] += n;
}

void *
job_self(const struct job_run *r)
{
    return r->io->self;
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

/* ---- a phase ---- */

bool
job_run_phase(const struct corpus_job *j, enum job_phase phase,
              const struct job_settings *s, const struct job_io *io,
              struct job_totals *totals)
{
    struct job_run r = {.job = j, .settings = s, .io = io, .totals = totals};

    j->phase[phase](&r);
    return !r.failed;
}

static enum status
no_line(void *self, struct str *line)
{
    (void)self;
    *line = S("");
    return ST_NONE;
}

static enum status
no_file(void *self, const char **path)
{
    (void)self;
    *path = NULL;
    return ST_NONE;
}

static enum status
drop(void *self, struct str line)
{
    (void)self;
    (void)line;
    return ST_OK;
}

bool
job_begins(const struct corpus_job *j, const struct job_settings *s)
{
    const struct job_io nothing = {NULL, no_line, no_file, drop, NULL};
    struct job_totals none = {.too_long = 0};

    return job_run_phase(j, JOB_MAP, s, &nothing, &none);
}

bool
job_is_unread(struct str counter)
{
    return str_eq(counter, S(JOB_RECORDS_REJECTED)) ||
           str_eq(counter, S(JOB_INPUTS_DAMAGED));
}

void
job_totals_add(struct job_totals *to, const struct job_totals *from)
{
    for (size_t i = 0; i < JOB_COUNTERS_MAX; i++)
        to->counter[i] += from->counter[i];
    to->too_long += from->too_long;
}

void
job_totals_report(const struct corpus_job *j, const struct job_totals *t)
{
    for (size_t i = 0; i < JOB_COUNTERS_MAX && j->counters[i]; i++)
        if (t->counter[i] > 0)
            fprintf(stderr, "reporter:counter:winnow %s,%s,%" PRIu64 "\n",
                    j->name, j->counters[i], t->counter[i]);
    if (t->too_long > 0)
        fprintf(stderr,
                "reporter:counter:winnow %s,lines too long,%" PRIu64 "\n",
                j->name, t->too_long);
}
