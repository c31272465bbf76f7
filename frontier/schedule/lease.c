/* lease.c -- handing out the best URLs of hosts that are due, and taking them
 * back from crawlers that start anew or let their time pass.
 *
 * A leased URL stays in its queue; its host's row says what is out, to whom
 * and until when, so that a lease is one small write and a lost crawler costs
 * nothing.  A host of which something is out is not asked again before the
 * outcome or the deadline; and since a request may have been under way when a
 * lease is void, such a host is then held back for one full delay.
 *
 * A lease call has a number that its crawler raises with each: a number that
 * was answered before (the answer was lost) gets the same URLs again. */
#include "base/hash.h"
#include "base/log.h"
#include "schedule_inside.h"

#define LOOKS_MAX 256u       /* at URLs that may be worse than they were */
#define HOLDS_MAX 256u       /* paused URLs that one call takes out */
#define PATIENCE_WAKE_MS 20u /* look again after this long */
#define PATIENCE_REQUEST_MS 1000u
#define BUDGET_WAKE_MS 200u /* ... when pages of others are under way */

static enum status
take_back(struct schedule *sched, struct host *h, uint64_t now_ms)
{
    const struct row_lease *l = &h->row.lease;

    if (!frontier_is_rules(l->kind) && l->position.sequence != 0) {
        sched->db->counters.totals.leased--;
        url_store_count_queued(sched->db, l->position.priority, 1);
    }
    schedule_lease_ended(sched, h);
    return schedule_contact_lost(sched, h, now_ms);
}

enum status
schedule_hello(struct schedule *sched, uint64_t crawler, uint64_t now_ms)
{
    struct crawler *c = schedule_crawler(sched, crawler);
    struct host *h;
    size_t n;
    const uint32_t *ids = schedule_hosts_out(sched, &n);
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if ((st = url_store_host(sched->db, ids[i], &h)) == ST_OK &&
            h->row.lease.crawler == crawler)
            st = take_back(sched, h, now_ms);
    }
    if (st == ST_OK)
        st = schedule_unreported_hello(sched, crawler);
    if (c != NULL) {
        c->call = 0;
        c->heard_ms = now_ms;
    }
    return st;
}

static enum status
void_lease(struct schedule *sched, struct host *h, uint64_t now_ms)
{
    struct str poison = S("");
    enum status st = ST_OK;

    if (!frontier_is_rules(h->row.lease.kind) &&
        schedule_vanished(sched, h->row.lease.crawler, now_ms))
        st = schedule_try_failed(sched, h, now_ms, &poison);
    if (st != ST_OK || !h->row.lease.out)
        return st;
    log_info("frontier", "host=%.*s lease ended without an outcome",
             STRF(h->row.name));
    return take_back(sched, h, now_ms);
}

static enum status
end_overdue(struct schedule *sched, uint64_t now_ms)
{
    struct host *h;
    uint32_t id;
    enum status st;

    schedule_settle(sched);
    while (scheduler_advance(sched->scheduler, now_ms, &id)) {
        if ((st = url_store_host(sched->db, id, &h)) != ST_OK)
            return st;
        if ((st = void_lease(sched, h, now_ms)) != ST_OK)
            return st;
        schedule_settle(sched);
    }
    return ST_OK;
}

/* Lease the host's best URL, or its robots.txt or tdmrep.json when those must
 * come first.
 * ST_NONE: its best URL is paused, and out of the queue now;
 * ST_BUSY: it is suspect and waits for another one that is.  *q:
 * the URL's row, valid until the next change. */
static enum status
take(struct schedule *sched, struct host *h, uint64_t crawler, uint64_t call,
     uint64_t now_ms, bool explored, struct row_queued *q)
{
    struct row_lease l = {.out = true,
                          .crawler = crawler,
                          .call = call,
                          .started_ms = now_ms,
                          .deadline_ms = now_ms + sched->rules.lease_ms};
    struct scoring_head head;
    enum frontier_kind rules;
    struct str url;
    bool held;
    enum status st;

    if (!scoring_head(sched->sc, h->id, &h->row, &head))
        return url_store_corrupt("queue");
    if (explored && head.position.priority != ROW_PRIORITY_ROBOTS)
        scoring_any_head(sched->sc, h, &head.position);
    if ((st = schedule_hold_chosen(sched, head.position, &held)) != ST_OK ||
        held)
        return st == ST_OK ? ST_NONE : st;
    if ((st = url_store_queue_read(sched->db, head.position, q)) != ST_OK)
        return st;
    if ((st = schedule_one_suspect(sched, h, crawler, q, now_ms)) != ST_OK)
        return st;
    arena_reset(sched->db->scratch);
    if ((rules = schedule_needs(sched, &h->row, now_ms)) != FRONTIER_PAGE) {
        l.kind = rules;
        url = schedule_rules_url(sched->db->scratch, rules, h->row.name,
                                 q->https);
    } else {
        l.kind = q->kind;
        l.position = head.position;
        l.owner = q->owner;
        l.explored = explored;
        url = row_queued_url(q, h->row.name, sched->db->scratch);
    }
    l.url_hash = hash64(url);
    if (!frontier_is_rules(l.kind)) {
        sched->db->counters.totals.leased++;
        url_store_count_queued(sched->db, head.position.priority, -1);
    }
    h->row.lease = l;
    schedule_contact_begins(sched, h, now_ms);
    url_store_host_leased(sched->db, h);
    return ST_OK;
}

/* Its server's address is busy with another host, which the scheduler has not
 * heard of: look again when that is over.  Or it has not heard of the host's
 * own date: it must, lest this host be the best one for ever. */
static bool
must_wait(struct schedule *sched, const struct host *h, uint64_t now_ms)
{
    if (schedule_due(sched, &h->row) <= now_ms)
        return false;
    if (addresses_due(sched->addresses, h->row.address) <= now_ms)
        schedule_host(sched, h->id, &h->row);
    else
        scheduler_delay(sched->scheduler, h->id,
                        addresses_park(sched->addresses, h->row.address, now_ms,
                                       sched->rules.address_delay_ms));
    return true;
}

/* As long as what is unreported of it may fill the host it waits for that. */
static bool
waits_to_be_full(struct schedule *sched, const struct host *h, enum status *st)
{
    bool full;

    *st = schedule_unreported_fill(sched, h, &full);
    if (*st != ST_OK || !full)
        return false;
    scheduler_delay(sched->scheduler, h->id, SCHEDULER_NEVER);
    return true;
}

static bool
budget_spent(const struct schedule *sched)
{
    const struct frontier_totals *t = &sched->db->counters.totals;

    return sched->budget > 0 && t->pages + t->leased >= sched->budget;
}

/* Its URL has ended by another's report; its crawler may not know. */
static bool
is_over(const struct row_lease *l)
{
    return !frontier_is_rules(l->kind) && l->position.sequence == 0;
}

/* The URLs that the same call was given before and that are still out. */
static enum status
repeat(struct schedule *sched, uint64_t crawler, uint64_t call, size_t max,
       struct arena *a, struct frontier_lease *leases, size_t *n)
{
    size_t ids_n;
    const uint32_t *ids = schedule_hosts_out(sched, &ids_n);
    struct host *h;
    enum status st = ST_OK;

    for (size_t i = 0; i < ids_n && *n < max && st == ST_OK; i++) {
        if ((st = url_store_host(sched->db, ids[i], &h)) == ST_OK &&
            h->row.lease.crawler == crawler && h->row.lease.call == call &&
            !is_over(&h->row.lease))
            st = schedule_describe(sched, h, NULL, a, &leases[(*n)++]);
    }
    return st;
}

static uint64_t
wake(const struct schedule *sched, uint64_t now_ms)
{
    uint64_t at = scheduler_wake(sched->scheduler);

    if (sched->later_ms < at)
        at = sched->later_ms;
    if (sched->revisit_due_ms < at)
        at = sched->revisit_due_ms;
    if (sched->unreported_ms < at)
        at = sched->unreported_ms;
    if (at == SCHEDULER_NEVER)
        return scheduler_len(sched->scheduler) >
                           scheduler_full_n(sched->scheduler) ||
                       (sched->db->counters.totals.held > 0 &&
                        sched->returns_n > 0)
                   ? 1000
                   : 0;
    return at > now_ms ? at - now_ms : 1;
}

static bool
is_patient(const struct schedule *sched)
{
    return (scoring_scorer(sched->sc)->defer || sched->rules.all_patient) &&
           sched->rules.patience > 0;
}

/* The best that a short wait would bring; 0 when nobody waits.  A request that
 * is under way will soon end, unless it has taken long: one server that hangs
 * must not keep the slots of all others. */
static uint16_t
best_soon(const struct schedule *sched, uint64_t now_ms)
{
    const struct schedule_rules *r = &sched->rules;
    uint64_t wait = r->patience_ms, out_ms = SCHEDULER_NEVER;
    uint64_t request = wait < PATIENCE_REQUEST_MS ? PATIENCE_REQUEST_MS : wait;

    if (!is_patient(sched))
        return 0;
    if (r->delay_ms <= wait)
        out_ms = now_ms + (r->lease_ms > request ? r->lease_ms - request : 0);
    return scheduler_soon(sched->scheduler, now_ms + wait, out_ms);
}

/* Is the best that is due far below that?  What is scarce is the fetched page,
 * not the second.  A host that is leased is one of those to wait for. */
static bool
worth_waiting(const struct schedule *sched, const struct host *best,
              uint16_t *soon)
{
    struct scoring_head head;

    if (!is_patient(sched) ||
        !scoring_head(sched->sc, best->id, &best->row, &head))
        return false;
    if ((double)head.effective < sched->rules.patience * (double)*soon)
        return true;
    if (sched->rules.delay_ms <= sched->rules.patience_ms &&
        head.effective > *soon)
        *soon = head.effective;
    return false;
}

/* The next host: the best one, now and then any of those that are ready, so
 * that what is thought badly of can show otherwise. */
static bool
choose(struct schedule *sched, size_t *looks, struct host **h, bool *explored,
       enum status *st)
{
    uint32_t id;

    *explored = sched->rules.explore > 0 &&
                scoring_scorer(sched->sc)->now != NULL &&
                random_unit(sched->random) < sched->rules.explore;
    if (!*explored)
        return schedule_best(sched, looks, h, st);
    if (!scheduler_any(sched->scheduler, random_u64(sched->random), &id))
        return false;
    *st = url_store_host(sched->db, id, h);
    return *st == ST_OK;
}

/* From now on patience leaves so many slots of the crawler idle. */
static void
note_idle(struct schedule *sched, struct crawler *c, size_t slots,
          uint64_t now_ms)
{
    if (c == NULL)
        return;
    if (c->idle_slots > 0 && now_ms > c->idle_since_ms)
        sched->idle_ms += c->idle_slots * (now_ms - c->idle_since_ms);
    c->idle_slots = slots;
    c->idle_since_ms = now_ms;
}

/* May this host's best URL be leased, when the scorer says what is next? */
static bool
is_next(const struct schedule *sched, const struct host *h)
{
    struct scoring_head head;

    return scoring_scorer(sched->sc)->next == NULL ||
           (scoring_head(sched->sc, h->id, &h->row, &head) &&
            head.effective >= SCORING_NEXT_PRIORITY);
}

/* ---- a call ---- */

enum status
schedule_lease_begin(struct schedule *sched, struct schedule_call *q)
{
    struct crawler *c = schedule_crawler(sched, q->crawler);
    enum status st;

    if (c != NULL)
        c->heard_ms = q->now_ms;
    q->leases = ARENA_ARRAY(q->arena, struct frontier_lease, q->max);
    q->holds = HOLDS_MAX;
    if ((st = schedule_clocks_check(sched, q->now_ms)) != ST_OK ||
        (st = end_overdue(sched, q->now_ms)) != ST_OK ||
        (st = schedule_unreported_overdue(sched, q->now_ms)) != ST_OK ||
        (st = schedule_later_promote(sched, q->now_ms)) != ST_OK ||
        (st = schedule_revisit_promote(sched, q->now_ms)) != ST_OK ||
        (st = schedule_control_go_on(sched, q->now_ms)) != ST_OK)
        return st;
    addresses_prune(sched->addresses, q->now_ms);
    q->repeated = q->call != 0 && c != NULL && q->call <= c->call;
    return ST_OK;
}

enum status
schedule_lease_repeat(struct schedule *sched, struct schedule_call *q)
{
    return repeat(sched, q->crawler, q->call, q->max, q->arena, q->leases,
                  &q->n);
}

/* A scorer that says what is next is asked. */
static enum status
find_next(struct schedule *sched, struct schedule_call *q)
{
    struct scorer_next next;
    enum status st = scoring_next(sched->sc, &next);

    q->over = next.kind == NEXT_NOTHING;
    q->patient = next.kind == NEXT_LATER;
    return st;
}

enum status
schedule_lease_choose(struct schedule *sched, struct schedule_call *q)
{
    struct crawler *c = schedule_crawler(sched, q->crawler);
    size_t looks = LOOKS_MAX;
    struct row_queued row;
    struct host *h;
    bool explored;
    uint16_t soon;
    enum status st = ST_OK;

    if (scoring_scorer(sched->sc)->next != NULL &&
        (st = find_next(sched, q)) != ST_OK)
        return st;
    schedule_settle(sched); /* retries that have come into the queue */
    soon = best_soon(sched, q->now_ms);
    while (q->n < q->max && !q->over && !q->patient && !budget_spent(sched) &&
           choose(sched, &looks, &h, &explored, &st)) {
        if (must_wait(sched, h, q->now_ms) || waits_to_be_full(sched, h, &st))
            continue;
        if (st != ST_OK)
            break;
        q->patient =
            !is_next(sched, h) || (!explored && worth_waiting(sched, h, &soon));
        if (q->patient)
            break;
        st = take(sched, h, q->crawler, q->call, q->now_ms, explored, &row);
        if (st == ST_OK)
            st =
                schedule_describe(sched, h, &row, q->arena, &q->leases[q->n++]);
        else if (st == ST_BUSY || (st == ST_NONE && --q->holds > 0))
            st = ST_OK; /* another one */
        if (st != ST_OK)
            break;
        schedule_settle(sched);
    }
    if (c != NULL)
        c->call = q->call;
    note_idle(sched, c, q->patient ? q->max - q->n : 0, q->now_ms);
    return st;
}

void
schedule_lease_end(struct schedule *sched, struct schedule_call *q)
{
    bool spent = budget_spent(sched);

    schedule_settle(sched);
    schedule_prefetch_hosts(sched, q->leases, q->n);
    q->wake_ms = q->over      ? 0
                 : q->patient ? PATIENCE_WAKE_MS
                 : spent      ? BUDGET_WAKE_MS
                              : wake(sched, q->now_ms);
    q->hungry = q->n < q->max && !q->patient && !q->over && !spent;
}
