/* frontier.c -- the frontier's calls: it owns the transaction and puts those in
 * order that need several modules (parts.h).
 *
 * Reading order: row.h (what is kept), tables.c (where), scheduler.h (who is
 * due), put.c (links come in), lease.c (URLs go out), done.c and robots.c
 * (outcomes come back), why.c, dump.c and check.c (looking at it); service.c
 * and client.c put it on the wire.
 *
 * Everything durable is changed inside one LMDB transaction; counters and
 * scheduler follow at once and are put back when it fails.  One thread. */
#include "base/clock.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "frontier/parts.h"
#include "frontier/schedule/timekeeper.h"

#define MAINTAIN_AGAIN_MS 1000u /* after a failure: the disk is full */
#define READ_TRIES 200          /* while the writer commits, or merges links */

/* ---- transactions ---- */

/* A reader sees one moment: all that it has in memory is of this snapshot, too.
 */
static enum status
begin_reading(struct frontier *f)
{
    enum status st = url_store_read(f->db);

    if (st == ST_OK)
        st = intake_load(f->in);
    schedule_clear(f->sched);
    return st == ST_OK ? schedule_load(f->sched, f->db->now_ms) : st;
}

static enum status
begin(struct frontier *f)
{
    enum status st = url_store_begin(f->db);

    if (st != ST_OK)
        return st;
    f->begun = true;
    if (f->db->reader)
        st = begin_reading(f);
    if (st == ST_OK)
        st = intake_begin(f->in);
    if (st != ST_OK)
        frontier_abort(f);
    return st;
}

enum status
frontier_begin(struct frontier *f)
{
    enum status st;
    unsigned tries = 0;

    if (f->broken)
        return ST_STORE;
    url_store_hosts_forget(f->db);
    while ((st = begin(f)) == ST_BUSY && ++tries < READ_TRIES)
        clock_sleep_ms(tries / 10);
    if (st == ST_BUSY)
        log_error("frontier", "%s changes too fast to be looked at: try again",
                  f->db->dir);
    return st;
}

/* Memory as the store has it: nothing of the transaction has happened. */
void
frontier_abort(struct frontier *f)
{
    enum status st = ST_OK;

    if (!f->begun)
        return;
    f->begun = false;
    tables_abort(f->db->tables);
    f->db->counters = f->db->committed;
    schedule_aborted(f->sched);
    if (!f->db->reader) {
        intake_abort(f->in);
        st = tables_peek(f->db->tables);
    }
    if (!f->db->reader && st == ST_OK) {
        if ((st = scoring_rollback(f->sc)) == ST_OK)
            st = schedule_rollback(f->sched);
        tables_abort(f->db->tables);
    }
    url_store_hosts_forget(f->db);
    if (st != ST_OK) {
        log_error("frontier", "the store cannot be read any more: %s",
                  status_name(st));
        f->broken = true;
    }
}

static enum status
write_all(struct frontier *f)
{
    enum status st;

    schedule_settle(f->sched);
    if ((st = intake_merge_due(f->in)) != ST_OK)
        return st;
    schedule_settle(f->sched);
    if ((st = url_store_hosts_flush(f->db)) == ST_OK &&
        (st = scoring_save(f->sc)) == ST_OK &&
        (st = url_store_write_counters(f->db)) == ST_OK &&
        (st = intake_write(f->in)) == ST_OK)
        st = url_store_commit(f->db);
    return st;
}

enum status
frontier_commit(struct frontier *f)
{
    enum status st = f->db->reader ? ST_OK : write_all(f);

    if (st != ST_OK) {
        frontier_abort(f);
        return st;
    }
    intake_committed(f->in);
    prefetch_pool_waited(f->db->prefetch_pool, f->db->faults);
    tables_abort(f->db->tables);
    f->begun = false;
    if (!f->db->reader)
        scoring_saved(f->sc);
    f->db->committed = f->db->counters;
    schedule_committed(f->sched);
    url_store_hosts_forget(f->db);
    return ST_OK;
}

enum status
frontier_maintain(struct frontier *f, uint64_t now_ms, uint64_t *again_ms)
{
    enum status st = frontier_begin(f);

    *again_ms = MAINTAIN_AGAIN_MS;
    if (st != ST_OK)
        return st;
    f->db->now_ms = now_ms;
    if ((st = intake_maintain(f->in)) != ST_OK) {
        frontier_abort(f);
        return st;
    }
    if ((st = frontier_commit(f)) == ST_OK)
        *again_ms = frontier_maintain_due(f, now_ms);
    return st;
}

void
frontier_set_slice(struct frontier *f, uint64_t ms, size_t rows, bool leases)
{
    intake_set_slice(f->in, ms, rows, leases);
}

bool
frontier_slice_over(const struct frontier *f)
{
    return intake_slice_over(f->in);
}

bool
frontier_has_room(const struct frontier *f)
{
    return url_store_has_room(f->db);
}

bool
frontier_behind(const struct frontier *f)
{
    return intake_behind(f->in);
}

uint64_t
frontier_maintain_due(const struct frontier *f, uint64_t now_ms)
{
    uint64_t links = intake_due(f->in, now_ms);
    uint64_t save = tables_save_due(f->db->tables);

    return links < save ? links : save;
}

void
frontier_totals(const struct frontier *f, struct frontier_totals *out,
                uint64_t now_ms)
{
    *out = f->db->counters.totals;
    out->links_waiting = intake_waiting(f->in);
    schedule_totals(f->sched, out, now_ms);
}

uint64_t
frontier_now(const struct frontier *f)
{
    return timekeeper_peek(f->db->dir);
}

void
frontier_set_budget(struct frontier *f, uint64_t pages)
{
    schedule_set_budget(f->sched, pages);
}

const char *
frontier_scorer_name(const struct frontier *f)
{
    return scoring_scorer(f->sc)->name;
}

void
frontier_reliability(const struct frontier *f, struct buf *out)
{
    scoring_reliability(f->sc, out);
}

/* ---- links ---- */

enum status
frontier_seed(struct frontier *f, const struct frontier_link *links, size_t n,
              uint64_t now_ms, size_t *fresh)
{
    const struct row_parent by_hand = {.facts = {.seed = true}};
    struct row_link_counts counts = {0};
    enum status st;

    f->db->now_ms = now_ms;
    links = intake_spelled(f->in, links, n);
    st = intake_put(f->in, links, n, &by_hand, &counts);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = scoring_seeded(f->sc, links[i].url);
    *fresh = counts.fresh;
    return st;
}

static enum status
again(struct frontier *f, struct str url, size_t *queued)
{
    struct row_queued q = {.kind = FRONTIER_PAGE};
    struct row_url parts;
    struct row_seen_key key;
    struct row_seen s;
    enum status st;

    if (!row_url_split(&parts, url) || schedule_is_held(f->sched, url))
        return ST_OK;
    key = row_seen_key(f->db->keys, parts.authority, url);
    if ((st = url_store_seen_get(f->db, key, &s)) != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if (!row_has_ended(s.state))
        return ST_OK;
    ++*queued;
    st = schedule_revisit_another(f->sched, key, url, s.verdict, f->db->now_ms);
    return st == ST_OK ? url_store_queue_again(f->db, key, url, &q, &s) : st;
}

enum status
frontier_again(struct frontier *f, const struct frontier_link *links, size_t n,
               uint64_t now_ms, size_t *queued)
{
    enum status st = ST_OK;

    f->db->now_ms = now_ms;
    *queued = 0;
    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = again(f, links[i].url, queued);
    return st;
}

enum status
frontier_sitemap_put(struct frontier *f, struct str sitemap, struct str owner,
                     const struct frontier_link *links, size_t n,
                     uint64_t now_ms, struct frontier_put_counts *counts,
                     bool *enough)
{
    struct row_link_counts c;
    enum status st;

    f->db->now_ms = now_ms;
    st =
        intake_sitemap_put(f->in, sitemap, owner, links, n, now_ms, &c, enough);
    *counts = (struct frontier_put_counts){c.fresh, c.known, c.refused};
    return st;
}

/* ---- leases and reports ---- */

enum status
frontier_time_lost(struct frontier *f, uint64_t now_ms)
{
    enum status st = tables_peek(f->db->tables); /* which needs no room */

    if (st != ST_OK)
        return st;
    st = schedule_time_lost(f->sched, now_ms);
    tables_abort(f->db->tables);
    return st;
}

enum status
frontier_job(struct frontier *f, struct str facts, bool change, bool first,
             struct buf *differences)
{
    struct str was;
    enum status st = tables_get(f->db->tables, TABLE_META, S("job"), &was);

    if (st != ST_OK && st != ST_NONE)
        return st;
    if (st == ST_OK)
        opts_compare_facts(was, facts, differences);
    if (st == ST_OK && differences->n == 0)
        return ST_OK;
    if (st == ST_OK && !change && (!first || f->db->counters.totals.pages > 0))
        return ST_OK; /* not taken */
    buf_clear(differences);
    return tables_put(f->db->tables, TABLE_META, S("job"), facts);
}

enum status
frontier_hello(struct frontier *f, uint64_t crawler, uint64_t now_ms)
{
    return schedule_hello(f->sched, crawler, now_ms);
}

enum status
frontier_suspects(struct frontier *f, uint64_t crawler, const uint64_t *hashes,
                  size_t n, uint64_t now_ms, struct arena *a,
                  struct str **poison, size_t *poison_n)
{
    f->db->now_ms = now_ms;
    return schedule_suspects(f->sched, crawler, hashes, n, now_ms, a, poison,
                             poison_n);
}

/* Links that wait are merged before, and wanted after, when a lease finds too
 * little. */
enum status
frontier_lease(struct frontier *f, uint64_t crawler, uint64_t call, size_t max,
               uint64_t now_ms, struct arena *a, struct frontier_lease **out,
               size_t *n, uint64_t *wake_ms)
{
    struct schedule_call q = {.crawler = crawler,
                              .call = call,
                              .now_ms = now_ms,
                              .max = max,
                              .arena = a};
    enum status st;

    f->db->now_ms = now_ms;
    *n = 0;
    *wake_ms = 0;
    st = schedule_lease_begin(f->sched, &q);
    *out = q.leases;
    if (st != ST_OK || (!q.repeated && (st = intake_feed(f->in)) != ST_OK))
        return st;
    st = q.repeated ? schedule_lease_repeat(f->sched, &q)
                    : schedule_lease_choose(f->sched, &q);
    schedule_lease_end(f->sched, &q);
    if (q.holds == 0 || (q.hungry && intake_wanted(f->in, q.n == 0)))
        q.wake_ms = 1;
    *n = q.n;
    *wake_ms = q.wake_ms;
    return q.holds == 0 ? ST_OK : st;
}

enum status
frontier_request_ended(struct frontier *f, const struct frontier_done *d,
                       uint64_t now_ms)
{
    f->db->now_ms = now_ms;
    return schedule_request_ended(f->sched, d, now_ms);
}

_Static_assert(FRONTIER_UNMET_MAX == SCHEDULE_UNMET_MAX, "one bound");

enum status
frontier_unmet(struct frontier *f, struct arena *a, struct str **out, size_t *n)
{
    *out = ARENA_ARRAY(a, struct str, FRONTIER_UNMET_MAX);
    return schedule_unmet(f->sched, a, *out, n);
}

/* What a report has brought. */
static enum status
take_found(struct frontier *f, const struct schedule_found *found,
           uint64_t now_ms, struct row_link_counts *counts)
{
    enum status st;

    if (found->by == SCHEDULE_NOTHING)
        return ST_OK;
    if (found->by == SCHEDULE_ROBOTS)
        return intake_sitemaps_named(f->in, found->host, found->links,
                                     found->links_n);
    st =
        intake_put(f->in, found->links, found->links_n, &found->parent, counts);
    if (found->by == SCHEDULE_HOME) { /* no link of the page */
        f->db->counters.totals.home_pages += counts->fresh;
        *counts = (struct row_link_counts){0};
    }
    if (st == ST_OK && found->by == SCHEDULE_PAGE)
        schedule_growth(f->sched, found, counts, now_ms);
    return st;
}

enum status
frontier_done(struct frontier *f, const struct frontier_done *said,
              uint64_t now_ms, size_t *links_new, size_t *links_known,
              size_t *links_refused)
{
    struct frontier_done d = *said;
    struct schedule_found found;
    struct row_link_counts counts = {0};
    enum status st;

    f->db->now_ms = now_ms;
    d.verdict = verdict_fitting(said->outcome, said->verdict);
    d.links = intake_spelled(f->in, said->links, said->links_n);
    st = schedule_done(f->sched, &d, now_ms, &found);
    if (st == ST_OK)
        st = take_found(f, &found, now_ms, &counts);
    if (st == ST_OK)
        st = scoring_ended(f->sc, &d);
    *links_new = counts.fresh;
    *links_known = counts.known;
    *links_refused = counts.refused;
    return st == ST_NONE ? ST_OK : st;
}

enum status
frontier_robots(struct frontier *f, struct str authority, struct arena *a,
                struct frontier_robots *out, uint64_t *version)
{
    return schedule_robots(f->sched, intake_spelled_authority(f->in, authority),
                           a, out, version);
}

enum status
frontier_control(struct frontier *f, struct control_change *c, uint64_t now_ms)
{
    return schedule_control(f->sched, c, now_ms);
}

size_t
frontier_control_rules(const struct frontier *f,
                       const struct control_rule **out)
{
    return schedule_control_rules(f->sched, out);
}
