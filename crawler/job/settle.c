/* settle.c -- which job a crawl goes on with: see job_settle() in job.h.
 *
 * A job file is a whole job: what it leaves out has its preset.  Without one,
 * the folder's own job stands, and --set and the environment change it.  In
 * both cases the result is compared with what the folder had; nothing was
 * fetched yet means nothing can be mixed. */
#include "job.h"
#include "traces.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "crawler/admit/address_policy.h"
#include "crawler/admit/robots.h"
#include "crawler/report/crawl_log.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct settle {
    struct opts *o; /* as the run is to have them */
    const struct job_request *r;
    const struct job *old; /* NULL: the first run */
    struct job *job;
    struct buf what; /* "clean.language: nl -> de" */
    char now[21];
    bool recorded;           /* a change of the corpus is: --change */
    unsigned mixing, models; /* differences; models among them */
};

static bool
is_there(const char *dir, const char *name, bool with_bytes)
{
    struct buf path = {0};
    struct stat sb;
    bool there;

    buf_printf(&path, "%s/%s", dir, name);
    there = stat(path.p, &sb) == 0 && (!with_bytes || sb.st_size > 0);
    buf_free(&path);
    return there;
}

/* ---- what the folder adds ---- */

static bool
anything_given(const struct opts *o)
{
    for (size_t i = 0; i < opt_table_n; i++)
        if (opt_table[i].change != OPT_ASIDE &&
            opts_given(o, opt_table[i].section, opt_table[i].key))
            return true;
    return false;
}

/* Seeds that are in the frontier need their file no more. */
static void
forget_lost_seeds(struct opts *o, const char *dir)
{
    const struct opt *row = opt_find(S("seeds"), S("file"));

    if (o->seeds_file.n == 0 || access(o->seeds_file.p, R_OK) == 0 ||
        !is_there(dir, "frontier", false))
        return;
    log_warn("crawl",
             "seeds.file = %.*s is not there any more: its seeds are in the "
             "frontier",
             STRF(o->seeds_file));
    (void)opts_assign(o, "seeds.file", row, S(""));
}

static void
adopt(struct settle *s)
{
    job_adopt(s->old, s->o);
    if (!opts_given(s->o, "seeds", "file"))
        forget_lost_seeds(s->o, s->r->dir);
}

/* ---- what is different ---- */

/* One difference is in s->what. */
static void
differs(struct settle *s, enum opt_change kind)
{
    if (kind == OPT_FREE) {
        log_info("crawl", "job: %.*s", STRF(buf_view(&s->what)));
    } else if (!s->recorded) {
        s->mixing++;
        log_error("crawl", "%s is a crawl with another job: %.*s", s->r->dir,
                  STRF(buf_view(&s->what)));
    } else {
        log_warn("crawl", "job changed: %.*s", STRF(buf_view(&s->what)));
        job_add_change(s->job, str_c(s->now), buf_view(&s->what));
    }
}

static void
compare_options(struct settle *s)
{
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        size_t from;

        if (row->change == OPT_ASIDE ||
            opts_same(&s->old->opts, &s->job->opts, row))
            continue;
        buf_clear(&s->what);
        buf_printf(&s->what, "%s.%s: ", row->section, row->key);
        from = s->what.n;
        opts_show(&s->old->opts, row, &s->what);
        buf_c(&s->what, s->what.n == from ? "(empty) -> " : " -> ");
        from = s->what.n;
        opts_show(&s->job->opts, row, &s->what);
        if (s->what.n == from)
            buf_c(&s->what, "(empty)");
        differs(s, row->change);
    }
}

/* The log alone does not tell: it may have been moved away. */
static bool
has_fetched(const char *dir)
{
    return is_there(dir, CRAWL_LOG_FILE, true) || traces_older_log(dir) ||
           traces_documents(dir);
}

static bool
was_set(const struct settle *s, const struct opt *row)
{
    struct buf value = {0};
    bool set;

    opts_show(&s->old->opts, row, &value);
    set = value.n > 0;
    buf_free(&value);
    return set;
}

/* A trial: hosts that were not in the hosts file were refused. */
static void
warn_of_a_trial(const struct settle *s)
{
    const struct opts *was = &s->old->opts, *is = &s->job->opts;

    if (was->fetch_hosts_file.n == 0 ||
        address_policy_has_contact(was->fetch_user_agent))
        return;
    if (address_policy_has_contact(is->fetch_user_agent) ||
        !str_eq(was->fetch_hosts_file, is->fetch_hosts_file))
        log_warn("crawl", "fetch.hosts_file: URLs of hosts that it did not "
                          "have were refused for want of a contact "
                          "(no_contact) and stay refused; a crawl of them "
                          "begins in a folder of its own");
}

/* Of a wider scope, or other addresses. */
static void
warn_of_what_was_left_out(const struct settle *s)
{
    static const char *const scope[] = {"tld",     "domains",      "hosts",
                                        "exclude", "exclude_file", "visit"};
    const struct opt *row = opt_find(S("fetch"), S("allow_private"));
    const struct opt *also = opt_find(S("politeness"), S("robots_also"));
    struct str was = robots_agent(&s->old->opts);

    if (!str_eq_nocase(was, robots_agent(&s->job->opts)))
        log_warn("crawl",
                 "robots.txt: URLs that it has refused to %.*s stay "
                 "refused",
                 STRF(was));
    if (!opts_same(&s->old->opts, &s->job->opts, also))
        log_warn("crawl", "politeness.robots_also: URLs that were refused by "
                          "it stay refused, documents that were kept before "
                          "stay until --forget");
    warn_of_a_trial(s);
    if (!opts_same(&s->old->opts, &s->job->opts, row))
        log_warn("crawl", "fetch.allow_private: URLs that were refused for "
                          "their address before stay refused");
    for (size_t i = 0; i < sizeof scope / sizeof *scope; i++) {
        row = opt_find(S("scope"), str_c(scope[i]));
        if (opts_same(&s->old->opts, &s->job->opts, row) || !was_set(s, row))
            continue;
        log_warn("crawl", "scope: links that were out of it were not kept; "
                          "those of pages fetched from now on are");
        return;
    }
}

/* What a change cannot bring back. */
static void
warn_of_the_past(const struct settle *s)
{
    const struct opts *was = &s->old->opts, *is = &s->job->opts;

    if (was->limits_depth > 0 &&
        (is->limits_depth == 0 || is->limits_depth > was->limits_depth))
        log_warn("crawl",
                 "limits.depth: links beyond %llu were not kept; pages fetched "
                 "from now on are followed further",
                 (unsigned long long)was->limits_depth);
    if (is->limits_depth > 0 &&
        (was->limits_depth == 0 || is->limits_depth < was->limits_depth))
        log_warn("crawl", "limits.depth: links that wait already are followed, "
                          "however deep they are");
    if (was->recrawl_interval_seconds == 0 && is->recrawl_interval_seconds > 0)
        log_warn("crawl", "recrawl.interval_seconds: pages that were kept "
                          "while it was 0 are not fetched again (but by "
                          "--again FILE); those kept from now on are");
}

static void
compare_model(struct settle *s, struct str name)
{
    struct str was = models_digest(&s->old->models, name),
               is = models_digest(&s->job->models, name);

    if (str_eq(was, is))
        return;
    buf_clear(&s->what);
    buf_printf(&s->what, "model %.*s: %.*s -> %.*s", STRF(name), STRF(was),
               STRF(is));
    s->models++;
    differs(s, OPT_CORPUS);
}

static void
compare_models(struct settle *s)
{
    const struct models *was = &s->old->models, *is = &s->job->models;

    for (size_t i = 0; i < was->n; i++)
        compare_model(s, was->item[i].name);
    for (size_t i = 0; i < is->n; i++)
        if (str_eq(models_digest(was, is->item[i].name), S("none")))
            compare_model(s, is->item[i].name);
}

/* Another version may clean otherwise; that is no reason to stay with it. */
static void
compare_version(struct settle *s)
{
    if (str_eq(s->old->version, s->job->version))
        return;
    buf_clear(&s->what);
    buf_printf(&s->what, "winnow: %.*s -> %.*s", STRF(s->old->version),
               STRF(s->job->version));
    log_warn("crawl", "job changed: %.*s", STRF(buf_view(&s->what)));
    job_add_change(s->job, str_c(s->now), buf_view(&s->what));
}

/* The folder's own job alone brings no models of another version back. */
static void
say_mixing(const struct settle *s)
{
    const char *dir = s->r->dir;
    bool own = s->mixing > s->models;

    log_error("crawl",
              "that would mix two corpora in %s: give another --dir; %s%s%sor "
              "say --change to go on with what is new, which %s/" JOB_FILE
              " then records with the time",
              dir, own ? "or go on with its own job (winnow crawl --dir " : "",
              own ? dir : "", own ? "); " : "", dir);
    if (s->models > 0)
        log_error("crawl",
                  "its own models are not in %s: to go on with those of "
                  "another version of winnow say --set clean.data=FOLDER, "
                  "where that version has them (its PREFIX/share/winnow)",
                  dir);
}

static enum status
compare(struct settle *s)
{
    bool fetched = has_fetched(s->r->dir);

    s->recorded = s->r->change || !fetched;
    compare_version(s);
    compare_options(s);
    compare_models(s);
    warn_of_the_past(s);
    if (fetched && s->mixing == 0)
        warn_of_what_was_left_out(s);
    if (s->mixing == 0)
        return ST_OK;
    say_mixing(s);
    return ST_USAGE;
}

/* ---- the job that comes of it ---- */

/* user:password@ of a seed is sent to nobody, and stored nowhere. */
static void
forget_passwords(struct job *job)
{
    const struct opt *row = opt_find(S("seeds"), S("url"));
    const struct opt_list *list = &job->opts.seeds_url;
    struct buf text = {0};

    for (size_t i = 0; i < list->n; i++) {
        struct str url = list->item[i];
        const char *slashes = memmem(url.p, url.n, "//", 2);
        size_t from = slashes ? (size_t)(slashes - url.p) + 2 : 0, at = from;

        for (size_t k = from; k < url.n && strchr("/?#", url.p[k]) == NULL; k++)
            if (url.p[k] == '@')
                at = k + 1;
        buf_str(&text, str_sub(url, 0, from));
        buf_str(&text, str_sub(url, at, url.n));
        buf_char(&text, ' ');
    }
    (void)opts_assign(&job->opts, "seeds.url", row, str_trim(buf_view(&text)));
    buf_free(&text);
}

static struct job *
job_of(const struct settle *s)
{
    struct job *job = job_new();

    for (size_t i = 0; i < opt_table_n; i++)
        opts_copy(&job->opts, s->o, &opt_table[i]);
    forget_passwords(job);
    job->version = S(WINNOW_VERSION);
    job->started =
        arena_str(job->arena, s->old ? s->old->started : str_c(s->now));
    for (size_t i = 0; s->old && i < s->old->changes_n; i++)
        job_add_change(job, s->old->change[i].time, s->old->change[i].what);
    models_of(&job->models, job->arena, s->o);
    return job;
}

/* A folder with a frontier and without a job: loaded, or ended before it was
 * written. */
static enum status
check_old_folder(const struct settle *s)
{
    const char *dir = s->r->dir;

    if (!is_there(dir, "frontier", false))
        return ST_OK;
    if (s->r->file || anything_given(s->o)) {
        log_warn("crawl",
                 "%s holds a frontier and no job: from now on it is this one",
                 dir);
        return ST_OK;
    }
    log_error("crawl",
              "%s holds a frontier and no job: name its job file (winnow crawl "
              "JOB.ini --dir %s)",
              dir, dir);
    return ST_USAGE;
}

enum status
job_settle(struct job **out, struct opts *o, const struct job_request *r)
{
    struct settle s = {.o = o, .r = r};
    struct job *old = NULL;
    enum status st = job_read(&old, r->dir);

    *out = NULL;
    clock_iso(clock_wall_ms(), s.now);
    s.old = old;
    if (st == ST_NONE)
        st = check_old_folder(&s);
    else if (st != ST_OK)
        st = ST_USAGE;
    if (st == ST_OK && old != NULL && !r->file)
        adopt(&s);
    if (st == ST_OK) {
        s.job = job_of(&s);
        if (old != NULL)
            st = compare(&s);
    }
    if (st == ST_OK)
        *out = s.job;
    else
        job_free(s.job);
    job_free(old);
    buf_free(&s.what);
    return st;
}
