/* share.c -- see share.h.
 *
 * job_settle() has compared the job with that of the crawl's own folder; the
 * corpus may be another folder's, and other crawlers' too. */
#include "share.h"

#include "winnow/buf.h"
#include "winnow/clock.h"
#include "winnow/json.h"
#include "winnow/log.h"

static enum status
say(struct crawl *c, const struct crawl_setup *setup, bool change,
    const atomic_bool *stop, struct arena *a, struct str *differences)
{
    struct buf facts = {.arena = a}, provenance = {.arena = a};
    struct json j = {.out = &provenance};

    job_facts(setup->job, &facts);
    job_json(setup->job, &j);
    buf_char(&provenance, '\n');
    return dedup_client_job(
        c->dedup,
        &(struct dedup_job){.facts = buf_view(&facts),
                            .provenance = buf_view(&provenance),
                            .change = change,
                            .own =
                                str_starts(c->opts->dedup_url, S("inproc://"))},
        stop, a, differences);
}

static void
refuse(const struct crawl *c, struct str differences)
{
    struct str line;

    while (str_cut(&differences, '\n', &line))
        if (line.n > 0)
            log_error("crawl",
                      "the corpus of the dedup service at %.*s is of another "
                      "job: %.*s",
                      STRF(c->opts->dedup_url), STRF(line));
    log_error("crawl",
              "that would mix two corpora: give the job of the others, or "
              "another dedup.url; or say --change to go on with what is new, "
              "which the corpus then records with the time");
}

/* What --change makes of the corpus, in this crawl's own job as well. */
static void
record(struct job *job, struct str differences)
{
    struct str line;
    char now[21];

    clock_iso(clock_wall_ms(), now);
    while (str_cut(&differences, '\n', &line)) {
        if (line.n == 0)
            continue;
        log_warn("crawl", "the corpus's job changed: %.*s", STRF(line));
        job_add_change(job, str_c(now), line);
    }
}

enum status
crawl_share_job(struct crawl *c, const struct crawl_setup *setup,
                const atomic_bool *stop)
{
    struct arena *a = arena_new();
    struct str differences;
    /* Changes of the folder's own job are recorded already. */
    bool own = str_starts(c->opts->dedup_url, S("inproc://"));
    enum status st = say(c, setup, own, stop, a, &differences);

    if (st == ST_OK && differences.n > 0 && setup->change) {
        record(setup->job, differences);
        st = say(c, setup, true, stop, a, &differences);
    }
    if (st == ST_NONE) {
        log_warn("crawl",
                 "the dedup service at %.*s is of a version that compares no "
                 "jobs",
                 STRF(c->opts->dedup_url));
        st = ST_OK;
    } else if (st == ST_OK && differences.n > 0) {
        refuse(c, differences);
        st = ST_USAGE;
    }
    arena_free(a);
    return st;
}
