/* share.c -- see share.h.
 *
 * job_settle() has compared the job with that of the crawl's own folder; URLs
 * and corpus may be another folder's, and other crawlers' too. */
#include "share.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/facts.h"
#include "base/json.h"
#include "base/log.h"
#include "frontier/service/decides.h"
#include "rules.h"
#include "shingle/service/dedup_decides.h"

struct share {
    struct crawl *c;
    const struct crawl_setup *setup;
    const atomic_bool *stop;
    struct arena *a;
    /* One service after the other: */
    enum status (*say)(const struct share *x, bool change,
                       struct str *differences);
    struct str url;
    const char *what; /* for people */
};

static struct str
facts_of(const struct share *x)
{
    struct buf facts = {.arena = x->a};

    job_facts(x->setup->job, &facts);
    return buf_view(&facts);
}

/* Else a crawler would believe that its own delay is kept. */
static void
say_what_it_decides(const struct share *x, struct str others)
{
    struct str line;

    while (str_cut(&others, '\n', &line))
        if (line.n > 0)
            log_warn("crawl",
                     "%.*s: the %s service at %.*s decides it for all of its "
                     "crawlers",
                     STRF(line), x->what, STRF(x->url));
}

/* Its leases are the service's. */
static enum status
take_lease_time(const struct share *x, struct str decides)
{
    uint64_t seconds;

    if (!str_u64(facts_value(decides, S("frontier.lease_seconds")), &seconds))
        return ST_OK; /* of an older version */
    x->c->lease_ms = seconds * 1000;
    return crawl_check_lease(
        x->c->opts, seconds,
        arena_printf(x->a, "the frontier service at %.*s", STRF(x->url)));
}

static enum status
to_frontier(const struct share *x, bool change, struct str *differences)
{
    struct buf own = {.arena = x->a}, others = {.arena = x->a};
    struct frontier_client_answer answer;
    enum status st = frontier_client_job(x->c->frontier, facts_of(x), change,
                                         x->stop, x->a, &answer);

    *differences = answer.differences;
    if (st == ST_OK && answer.differences.n == 0 && answer.decides.n > 0 &&
        !crawl_is_own(x->url)) {
        frontier_decides(x->c->opts, &own);
        facts_compare(buf_view(&own), answer.decides, &others);
        st = take_lease_time(x, answer.decides);
        say_what_it_decides(x, buf_view(&others));
    }
    return st;
}

static enum status
to_dedup(const struct share *x, bool change, struct str *differences)
{
    struct buf provenance = {.arena = x->a}, own = {.arena = x->a},
               others = {.arena = x->a};
    struct dedup_job_answer answer;
    enum status st;
    struct json j = {.out = &provenance};

    /* another process's options are its own to say: corpus_job.c */
    job_json(x->setup->job, crawl_is_own(x->url) ? "" : "dedup", &j);
    buf_char(&provenance, '\n');
    st = dedup_client_job(
        x->c->dedup,
        &(struct dedup_job){.facts = facts_of(x),
                            .provenance = buf_view(&provenance),
                            .change = change,
                            .own = crawl_is_own(x->url)},
        x->stop, x->a, &answer);
    *differences = answer.differences;
    if (st == ST_OK && answer.differences.n == 0 && answer.decides.n > 0 &&
        !crawl_is_own(x->url)) {
        dedup_decides(x->c->opts, true, &own);
        facts_compare_given(buf_view(&own), answer.decides, &others);
        say_what_it_decides(x, buf_view(&others));
    }
    return st;
}

static void
refuse(const struct share *x, struct str differences)
{
    struct str line;

    while (str_cut(&differences, '\n', &line))
        if (line.n > 0)
            log_error("crawl", "the %s service at %.*s has another job: %.*s",
                      x->what, STRF(x->url), STRF(line));
    log_error("crawl",
              "that would mix two corpora: give the job of the others, or "
              "another %s.url; or say --change to go on with what is new, "
              "which job and corpus then record with the time",
              x->what);
}

/* The same in both services is one change. */
static bool
is_recorded(const struct job *job, struct str line, const char *now)
{
    for (size_t i = 0; i < job->changes_n; i++)
        if (str_eq(job->change[i].what, line) &&
            str_eq(str_sub(job->change[i].time, 0, 10), str_n(now, 10)))
            return true;
    return false;
}

static void
record(struct job *job, struct str differences)
{
    struct str line;
    char now[21];

    clock_iso(clock_wall_ms(), now);
    while (str_cut(&differences, '\n', &line)) {
        if (line.n == 0 || is_recorded(job, line, now))
            continue;
        log_warn("crawl", "job changed: %.*s", STRF(line));
        job_add_change(job, str_c(now), line);
    }
}

static enum status
share(const struct share *x)
{
    struct str differences;
    enum status st = x->say(x, crawl_is_own(x->url), &differences);

    if (st == ST_OK && differences.n > 0 && x->setup->change) {
        record(x->setup->job, differences);
        st = x->say(x, true, &differences);
    }
    if (st == ST_NONE) {
        log_warn("crawl",
                 "the %s service at %.*s is of a version that compares no jobs",
                 x->what, STRF(x->url));
        return ST_OK;
    }
    if (st == ST_OK && differences.n > 0) {
        refuse(x, differences);
        st = ST_USAGE;
    }
    return st;
}

enum status
crawl_share_job(struct crawl *c, const struct crawl_setup *setup,
                const atomic_bool *stop)
{
    struct share x = {.c = c, .setup = setup, .stop = stop, .a = arena_new()};
    enum status st;

    x.say = to_frontier;
    x.url = c->opts->frontier_url;
    x.what = "frontier";
    st = share(&x);
    x.say = to_dedup;
    x.url = c->opts->dedup_url;
    x.what = "dedup";
    if (st == ST_OK)
        st = share(&x);
    arena_free(x.a);
    return st;
}
