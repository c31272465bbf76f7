/* job.c -- see job.h: the file, as text and as values. */
#include "job.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/ini.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX ((size_t)16 << 20)
#define SECTION "job"

struct job *
job_new(void)
{
    struct job *job = memory_need(calloc(1, sizeof *job));

    job->arena = arena_new();
    opts_init(&job->opts);
    return job;
}

void
job_free(struct job *job)
{
    if (job == NULL)
        return;
    opts_free(&job->opts);
    arena_free(job->arena);
    free(job);
}

void
job_add_change(struct job *job, struct str time, struct str what)
{
    size_t n = job->changes_n;

    job->change = arena_grow(job->arena, job->change, n * sizeof *job->change,
                             (n + 1) * sizeof *job->change);
    job->change[job->changes_n++] = (struct job_change){
        arena_str(job->arena, time), arena_str(job->arena, what)};
}

/* ---- text to values ---- */

/* "FIRST REST" */
static struct str
first_word(struct str *rest)
{
    struct str word;

    str_cut(rest, ' ', &word);
    return word;
}

static bool
take_own(struct job *job, struct str key, struct str value)
{
    struct str rest = value, first;

    if (str_eq(key, S("version"))) {
        job->version = arena_str(job->arena, value);
    } else if (str_eq(key, S("started"))) {
        job->started = arena_str(job->arena, value);
    } else if (str_eq(key, S("model"))) {
        first = first_word(&rest);
        if (!str_starts(first, S("sha256:")) || rest.n == 0 ||
            !models_add(&job->models, job->arena, rest, first))
            return false;
    } else if (str_eq(key, S("changed"))) {
        first = first_word(&rest);
        if (rest.n == 0)
            return false;
        job_add_change(job, first, rest);
    }
    return true; /* or of a newer version */
}

static bool
assign(struct job *job, const char *name, const struct opt *row,
       struct str value)
{
    char *why = NULL;
    size_t why_n = 0;
    FILE *faults = memory_need(open_memstream(&why, &why_n));
    bool good;

    job->opts.faults = faults;
    good = opts_assign(&job->opts, name, row, value) == ST_OK;
    job->opts.faults = NULL;
    fclose(faults);
    if (!good)
        log_error("job", "%.*s", STRF(str_trim(str_n(why, why_n))));
    free(why);
    return good;
}

static bool
take(struct job *job, const char *name, const struct ini_entry *e)
{
    const struct opt *row = opt_find(e->section, e->key);

    if (e->kind == INI_SECTION)
        return true;
    if (e->kind == INI_VALUE && str_eq(e->section, S(SECTION)) &&
        take_own(job, e->key, e->value))
        return true;
    if (e->kind == INI_FAULT || str_eq(e->section, S(SECTION))) {
        log_error("job", "%s:%u: %s", name, e->line,
                  e->fault != NULL ? e->fault : "not a line of a crawl's job");
        return false;
    }
    if (row != NULL)
        return assign(job, name, row, e->value);
    log_warn("job",
             "%s:%u: this version of winnow has no option %.*s.%.*s: left out",
             name, e->line, STRF(e->section), STRF(e->key));
    return true;
}

enum status
job_parse(struct job **out, const char *name, struct str text)
{
    struct job *job = job_new();
    struct ini ini = {.rest = text};
    struct ini_entry e;
    bool good = true;

    while (good && ini_next(&ini, job->arena, &e))
        good = take(job, name, &e);
    if (good && job->version.n == 0) {
        log_error("job", "%s: not the job of a crawl: no version in [job]",
                  name);
        good = false;
    }
    if (!good) {
        job_free(job);
        job = NULL;
    }
    *out = job;
    return good ? ST_OK : ST_INVALID;
}

enum status
job_read(struct job **out, const char *dir)
{
    struct buf path = {0}, text = {0};
    enum status st;
    struct stat sb;

    *out = NULL;
    buf_printf(&path, "%s/" JOB_FILE, dir);
    if (stat(path.p, &sb) != 0 && errno == ENOENT) {
        st = ST_NONE;
    } else if ((st = file_read(&text, path.p, FILE_BYTES_MAX)) != ST_OK) {
        log_error("job", "%s: %s", path.p,
                  st == ST_LIMIT ? "too large" : strerror(errno));
        st = st == ST_LIMIT ? ST_INVALID : ST_IO;
    } else {
        st = job_parse(out, path.p, buf_view(&text));
    }
    buf_free(&path);
    buf_free(&text);
    return st;
}

void
job_adopt(const struct job *job, struct opts *o)
{
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (row->change != OPT_ASIDE && !opts_given(o, row->section, row->key))
            opts_copy(o, &job->opts, row);
    }
}

enum status
job_adopt_folder(struct opts *o, const char *dir)
{
    struct job *job;
    enum status st = job_read(&job, dir);

    if (st == ST_OK)
        job_adopt(job, o);
    job_free(job);
    return st == ST_NONE ? ST_OK : st;
}

/* ---- values to text ---- */

static void
line(struct buf *out, const char *key, struct str value)
{
    buf_printf(out, "%s = ", key);
    ini_show(value, out);
    buf_char(out, '\n');
}

static void
render_own(const struct job *job, struct buf *out)
{
    struct buf value = {0};

    buf_c(out, "# What this crawl is: `winnow crawl --dir` goes on with it.\n"
               "# Written by winnow; not to be edited.\n\n[" SECTION "]\n");
    line(out, "version", job->version);
    line(out, "started", job->started);
    for (size_t i = 0; i < job->models.n; i++) {
        buf_clear(&value);
        buf_printf(&value, "%.*s %.*s", STRF(job->models.item[i].digest),
                   STRF(job->models.item[i].name));
        line(out, "model", buf_view(&value));
    }
    for (size_t i = 0; i < job->changes_n; i++) {
        buf_clear(&value);
        buf_printf(&value, "%.*s %.*s", STRF(job->change[i].time),
                   STRF(job->change[i].what));
        line(out, "changed", buf_view(&value));
    }
    buf_free(&value);
}

void
job_render(const struct job *job, struct buf *out)
{
    const char *section = "";
    struct opts presets;

    render_own(job, out);
    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (row->change == OPT_ASIDE ||
            (row->change == OPT_FREE && opts_same(&job->opts, &presets, row)))
            continue;
        if (strcmp(section, row->section) != 0)
            buf_printf(out, "\n[%s]\n", row->section);
        section = row->section;
        buf_printf(out, "%s = ", row->key);
        opts_show(&job->opts, row, out);
        buf_char(out, '\n');
    }
    opts_free(&presets);
}

enum status
job_write(const struct job *job, const char *dir)
{
    struct buf path = {0}, text = {0};
    enum status st;

    buf_printf(&path, "%s/" JOB_FILE, dir);
    job_render(job, &text);
    if ((st = file_write(path.p, buf_view(&text))) != ST_OK)
        log_error("job", "%s: %s", path.p, strerror(errno));
    buf_free(&path);
    buf_free(&text);
    return st;
}
