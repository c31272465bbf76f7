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
#include "frontier/inside.h"
#include "winnow/hash.h"
#include "winnow/log.h"

#define LOOKS_MAX 256u       /* at URLs that may be worse than they were */
#define HOLDS_MAX 256u       /* paused URLs that one call takes out */
#define PATIENCE_WAKE_MS 20u /* look again after this long */
#define PATIENCE_REQUEST_MS 1000u
#define BUDGET_WAKE_MS 200u /* ... when pages of others are under way */

struct crawler *
frontier_crawler(struct frontier *f, uint64_t id)
{
    struct crawler *c;

    for (size_t i = 0; i < f->crawlers_n; i++)
        if (f->crawlers[i].id == id)
            return &f->crawlers[i];
    if (f->crawlers_n == FRONTIER_CRAWLERS_MAX)
        return NULL; /* works, but without the memory of its last call */
    c = &f->crawlers[f->crawlers_n++];
    *c = (struct crawler){.id = id};
    return c;
}

bool
frontier_answers(const struct frontier_done *d, const struct row_lease *l)
{
    return l->out && l->crawler == d->crawler &&
           (d->call == 0 || d->call == l->call) &&
           (d->kind == FRONTIER_ROBOTS) == (l->kind == FRONTIER_ROBOTS) &&
           l->url_hash == hash64(d->url);
}

/* Nothing of the host is out any more; the caller has moved the URL. */
void
frontier_lease_end(struct frontier *f, struct host *h)
{
    h->row.lease = (struct row_lease){0};
    url_store_host_changed(f->db, h);
}

static enum status
take_back(struct frontier *f, struct host *h, uint64_t now_ms)
{
    const struct row_lease *l = &h->row.lease;

    if (l->kind != FRONTIER_ROBOTS && l->position.sequence != 0) {
        f->db->counters.totals.leased--;
        url_store_count_queued(f->db, l->position.priority, 1);
    }
    frontier_lease_end(f, h);
    return frontier_contact_lost(f, h, now_ms);
}

/* Ids of the hosts that are out, in the scratch arena. */
static uint32_t *
hosts_out(struct frontier *f, size_t *n)
{
    uint32_t *ids;

    frontier_hosts_settle(f);
    *n = scheduler_out(f->scheduler, NULL, 0);
    arena_reset(f->db->scratch);
    ids = arena_raw(f->db->scratch, *n * sizeof *ids);
    scheduler_out(f->scheduler, ids, *n);
    return ids;
}

enum status
frontier_hello(struct frontier *f, uint64_t crawler, uint64_t now_ms)
{
    struct crawler *c = frontier_crawler(f, crawler);
    struct host *h;
    size_t n;
    const uint32_t *ids = hosts_out(f, &n);
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if ((st = url_store_host(f->db, ids[i], &h)) == ST_OK &&
            h->row.lease.crawler == crawler)
            st = take_back(f, h, now_ms);
    }
    if (c != NULL) {
        c->call = 0;
        c->heard_ms = now_ms;
    }
    return st;
}

static enum status
void_lease(struct frontier *f, struct host *h, uint64_t now_ms)
{
    struct str poison = S("");
    enum status st = ST_OK;

    if (h->row.lease.kind != FRONTIER_ROBOTS && frontier_vanished(f, h, now_ms))
        st = frontier_try_failed(f, h, now_ms, &poison);
    if (st != ST_OK || !h->row.lease.out)
        return st;
    log_info("frontier", "host=%.*s lease ended without an outcome",
             STRF(h->row.name));
    return take_back(f, h, now_ms);
}

static enum status
end_overdue(struct frontier *f, uint64_t now_ms)
{
    struct host *h;
    uint32_t id;
    enum status st;

    frontier_hosts_settle(f);
    while (scheduler_advance(f->scheduler, now_ms, &id)) {
        if ((st = url_store_host(f->db, id, &h)) != ST_OK)
            return st;
        if ((st = void_lease(f, h, now_ms)) != ST_OK)
            return st;
        frontier_hosts_settle(f);
    }
    return ST_OK;
}

static struct str
robots_url(struct arena *a, struct str authority, bool https)
{
    return arena_printf(a, "%s://%.*s/robots.txt", https ? "https" : "http",
                        STRF(authority));
}

/* What a conditional request needs, if the page was fetched before. */
static enum status
describe_revisit(struct frontier *f, const struct host *h, struct arena *a,
                 struct frontier_lease *out)
{
    struct row_revisit v;
    enum status st;

    if (f->rules.revisit_ms == 0)
        return ST_OK;
    st = url_store_revisit_get(f->db, row_seen_key(h->row.name, out->url), &v);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    out->revisit = v.times;
    out->etag = arena_str(a, v.etag);
    out->last_modified = arena_str(a, v.last_modified);
    return ST_OK;
}

/* What the host's lease says, with strings in `a`; `q` is its row of the queue
 * (NULL: to be read). */
static enum status
describe(struct frontier *f, const struct host *h, const struct row_queued *q,
         struct arena *a, struct frontier_lease *out)
{
    const struct row_lease *l = &h->row.lease;
    struct row_queued read;
    struct host *owner;
    enum status st;

    *out = (struct frontier_lease){.kind = l->kind,
                                   .call = l->call,
                                   .authority = arena_str(a, h->row.name),
                                   .address_known =
                                       f->rules.address_delay_ms == 0 ||
                                       h->row.address != ADDRESS_UNKNOWN};
    if (l->position.sequence == 0) { /* its own robots.txt */
        out->url = robots_url(a, h->row.name, false);
        if (hash64(out->url) != l->url_hash)
            out->url = robots_url(a, h->row.name, true);
        out->robots_of = out->authority;
        out->score = 1;
        return ST_OK;
    }
    if (q == NULL) {
        if ((st = url_store_queue_read(f->db, l->position, &read)) != ST_OK)
            return st;
        q = &read;
    }
    out->url = row_queued_url(q, h->row.name, a);
    out->score = (float)scoring_chance(f->sc, &h->row, l->position.url_class,
                                       l->position.priority);
    out->explored = l->explored;
    out->depth = q->facts.depth;
    out->redirects = q->facts.redirects;
    out->attempts = q->attempts;
    out->parent_badness = q->facts.badness;
    out->boilerplate = q->facts.boilerplate;
    if (l->kind != FRONTIER_PAGE) {
        out->score = l->kind == FRONTIER_ROBOTS ? 1 : out->score;
        if ((st = url_store_host(f->db, l->robots_of, &owner)) != ST_OK)
            return st;
        out->robots_of = arena_str(a, owner->row.name);
    }
    if (f->rules.robots && l->kind != FRONTIER_ROBOTS)
        out->robots_version = h->row.robots.version;
    return l->kind != FRONTIER_ROBOTS ? describe_revisit(f, h, a, out) : ST_OK;
}

enum status
frontier_lease_describe(struct frontier *f, const struct host *h,
                        struct arena *a, struct frontier_lease *out)
{
    return describe(f, h, NULL, a, out);
}

/* Lease the host's best URL, or its robots.txt when that must come first.
 * ST_NONE: its best URL is paused or misspelt, and out of the queue now;
 * ST_BUSY: it is suspect and waits for another one that is.  *q:
 * the URL's row, valid until the next change. */
static enum status
take(struct frontier *f, struct host *h, uint64_t crawler, uint64_t call,
     uint64_t now_ms, bool explored, struct row_queued *q)
{
    struct row_lease l = {.out = true,
                          .crawler = crawler,
                          .call = call,
                          .started_ms = now_ms,
                          .deadline_ms = now_ms + f->rules.lease_ms};
    struct scoring_head head;
    struct str url;
    bool held;
    enum status st;

    if (!scoring_head(f->sc, h->id, &h->row, &head))
        return url_store_corrupt("queue");
    if (explored && head.position.priority != ROW_PRIORITY_ROBOTS)
        scoring_any_head(f->sc, h, &head.position);
    if ((st = frontier_hold_chosen(f, head.position, &held)) != ST_OK || held)
        return st == ST_OK ? ST_NONE : st;
    if ((st = url_store_queue_read(f->db, head.position, q)) != ST_OK)
        return st;
    if (q->kind != FRONTIER_ROBOTS && !intake_is_spelled(f->in, h, q)) {
        st = intake_respell(f->in, h, head.position, q, now_ms);
        return st == ST_OK ? ST_NONE : st;
    }
    if ((st = frontier_one_suspect(f, h, crawler, q, now_ms)) != ST_OK)
        return st;
    arena_reset(f->db->scratch);
    if (frontier_needs_robots(f, &h->row, now_ms)) {
        l.kind = FRONTIER_ROBOTS;
        url = robots_url(f->db->scratch, h->row.name, q->https);
    } else {
        l.kind = q->kind;
        l.position = head.position;
        l.robots_of = q->robots_of;
        l.explored = explored;
        url = row_queued_url(q, h->row.name, f->db->scratch);
    }
    l.url_hash = hash64(url);
    if (l.kind != FRONTIER_ROBOTS) {
        f->db->counters.totals.leased++;
        url_store_count_queued(f->db, head.position.priority, -1);
    }
    h->row.lease = l;
    frontier_contact_begins(f, h, now_ms);
    url_store_host_leased(f->db, h);
    return ST_OK;
}

/* Its server's address is busy with another host, which the scheduler has not
 * heard of: look again when that is over. */
static bool
must_wait(struct frontier *f, const struct host *h, uint64_t now_ms)
{
    if (frontier_due(f, &h->row) <= now_ms)
        return false;
    scheduler_delay(f->scheduler, h->id,
                    addresses_park(f->addresses, h->row.address, now_ms,
                                   f->rules.address_delay_ms));
    return true;
}

static bool
budget_spent(const struct frontier *f)
{
    const struct frontier_totals *t = &f->db->counters.totals;

    return f->budget > 0 && t->pages + t->leased >= f->budget;
}

/* Its URL has ended by another's report; its crawler may not know. */
static bool
is_over(const struct row_lease *l)
{
    return l->kind != FRONTIER_ROBOTS && l->position.sequence == 0;
}

/* The URLs that the same call was given before and that are still out. */
static enum status
repeat(struct frontier *f, uint64_t crawler, uint64_t call, size_t max,
       struct arena *a, struct frontier_lease *leases, size_t *n)
{
    size_t ids_n;
    const uint32_t *ids = hosts_out(f, &ids_n);
    struct host *h;
    enum status st = ST_OK;

    for (size_t i = 0; i < ids_n && *n < max && st == ST_OK; i++) {
        if ((st = url_store_host(f->db, ids[i], &h)) == ST_OK &&
            h->row.lease.crawler == crawler && h->row.lease.call == call &&
            !is_over(&h->row.lease))
            st = describe(f, h, NULL, a, &leases[(*n)++]);
    }
    return st;
}

static uint64_t
wake(const struct frontier *f, uint64_t now_ms)
{
    uint64_t at = scheduler_wake(f->scheduler);

    if (f->later_ms < at)
        at = f->later_ms;
    if (f->revisit_due_ms < at)
        at = f->revisit_due_ms;
    if (at == SCHEDULER_NEVER)
        return scheduler_len(f->scheduler) + f->db->counters.totals.held > 0
                   ? 1000
                   : 0;
    return at > now_ms ? at - now_ms : 1;
}

static bool
is_patient(const struct frontier *f)
{
    return (scoring_scorer(f->sc)->defer || f->rules.all_patient) &&
           f->rules.patience > 0;
}

/* The best that a short wait would bring; 0 when nobody waits.  A request that
 * is under way will soon end, unless it has taken long: one server that hangs
 * must not keep the slots of all others. */
static uint16_t
best_soon(const struct frontier *f, uint64_t now_ms)
{
    const struct frontier_rules *r = &f->rules;
    uint64_t wait = r->patience_ms, out_ms = SCHEDULER_NEVER;
    uint64_t request = wait < PATIENCE_REQUEST_MS ? PATIENCE_REQUEST_MS : wait;

    if (!is_patient(f))
        return 0;
    if (r->delay_ms <= wait)
        out_ms = now_ms + (r->lease_ms > request ? r->lease_ms - request : 0);
    return scheduler_soon(f->scheduler, now_ms + wait, out_ms);
}

/* Is the best that is due far below that?  What is scarce is the fetched page,
 * not the second.  A host that is leased is one of those to wait for. */
static bool
worth_waiting(const struct frontier *f, const struct host *best, uint16_t *soon)
{
    struct scoring_head head;

    if (!is_patient(f) || !scoring_head(f->sc, best->id, &best->row, &head))
        return false;
    if ((double)head.effective < f->rules.patience * (double)*soon)
        return true;
    if (f->rules.delay_ms <= f->rules.patience_ms && head.effective > *soon)
        *soon = head.effective;
    return false;
}

/* The next host: the best one, now and then any of those that are ready, so
 * that what is thought badly of can show otherwise. */
static bool
choose(struct frontier *f, size_t *looks, struct host **h, bool *explored,
       enum status *st)
{
    uint32_t id;

    *explored = f->rules.explore > 0 && scoring_scorer(f->sc)->now != NULL &&
                random_unit(&f->random) < f->rules.explore;
    if (!*explored)
        return frontier_best(f, looks, h, st);
    if (!scheduler_any(f->scheduler, random_u64(&f->random), &id))
        return false;
    *st = url_store_host(f->db, id, h);
    return *st == ST_OK;
}

/* From now on patience leaves so many slots of the crawler idle. */
static void
note_idle(struct frontier *f, struct crawler *c, size_t slots, uint64_t now_ms)
{
    if (c == NULL)
        return;
    if (c->idle_slots > 0 && now_ms > c->idle_since_ms)
        f->idle_ms += c->idle_slots * (now_ms - c->idle_since_ms);
    c->idle_slots = slots;
    c->idle_since_ms = now_ms;
}

enum status
frontier_lease(struct frontier *f, uint64_t crawler, uint64_t call, size_t max,
               uint64_t now_ms, struct arena *a, struct frontier_lease **out,
               size_t *n, uint64_t *wake_ms)
{
    struct crawler *c = frontier_crawler(f, crawler);
    size_t looks = LOOKS_MAX, holds = HOLDS_MAX;
    struct row_queued q;
    struct host *h;
    bool patient = false, explored;
    enum status st;
    uint16_t soon;

    f->db->now_ms = now_ms;
    if (c != NULL)
        c->heard_ms = now_ms;
    *n = 0;
    *wake_ms = 0;
    *out = ARENA_ARRAY(a, struct frontier_lease, max);
    if ((st = frontier_clocks_check(f, now_ms)) != ST_OK ||
        (st = end_overdue(f, now_ms)) != ST_OK ||
        (st = frontier_later_promote(f, now_ms)) != ST_OK ||
        (st = frontier_revisit_promote(f, now_ms)) != ST_OK ||
        (st = frontier_control_go_on(f, now_ms)) != ST_OK)
        return st;
    addresses_prune(f->addresses, now_ms);
    if (call != 0 && c != NULL && call <= c->call) {
        st = repeat(f, crawler, call, max, a, *out, n);
    } else {
        if ((st = intake_feed(f->in)) != ST_OK)
            return st;
        frontier_hosts_settle(f); /* retries that have come into the queue */
        soon = best_soon(f, now_ms);
        while (*n < max && !budget_spent(f) &&
               choose(f, &looks, &h, &explored, &st)) {
            if (must_wait(f, h, now_ms))
                continue;
            patient = !explored && worth_waiting(f, h, &soon);
            if (patient)
                break;
            st = take(f, h, crawler, call, now_ms, explored, &q);
            if (st == ST_OK)
                st = describe(f, h, &q, a, &(*out)[(*n)++]);
            else if (st == ST_BUSY || (st == ST_NONE && --holds > 0))
                st = ST_OK; /* another one */
            if (st != ST_OK)
                break;
            frontier_hosts_settle(f);
        }
        if (c != NULL)
            c->call = call;
        note_idle(f, c, patient ? max - *n : 0, now_ms);
    }
    frontier_hosts_settle(f);
    frontier_prefetch_hosts(f, *out, *n);
    *wake_ms = patient           ? PATIENCE_WAKE_MS
               : budget_spent(f) ? BUDGET_WAKE_MS
                                 : wake(f, now_ms);
    if (holds == 0 || (*n < max && !patient && !budget_spent(f) &&
                       intake_wanted(f->in, *n == 0)))
        *wake_ms = 1;
    return holds == 0 ? ST_OK : st;
}
