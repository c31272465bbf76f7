/* unreported.c -- pages whose request has ended, and whose outcome is told
 * later: their hosts may be asked again meanwhile.
 *
 * A report waits until the document is durable, which takes as long as a sync
 * of the disk; where a host has no delay that is many times its request.  So a
 * crawler with free slots says which of its requests have ended well.  The page
 * leaves the queue for the table `unreported`, and with it goes its lease: only
 * who holds that ends the page, it comes back at its deadline, and when its
 * crawler starts anew.
 *
 * What a page of the host came to is not known then when the next is chosen.
 * So no more of a host are unreported than have been reported, and none of one
 * that has failed, or sent other pages in place of these, the last time. */
#include "base/hash.h"
#include "frontier/store/lowered.h"
#include "schedule_inside.h"

/* Behind the key of this row. */
static struct row_key
behind(struct row_position position)
{
    position.sequence++;
    return row_queue_key(position);
}

/* One comes back at this time; a date further ahead than a lease lasts was
 * written by another clock. */
static void
note_deadline(struct schedule *sched, uint64_t deadline_ms)
{
    uint64_t latest = sched->db->now_ms + sched->rules.lease_ms;

    if (deadline_ms > latest)
        deadline_ms = latest;
    if (deadline_ms < sched->unreported_ms)
        sched->unreported_ms = deadline_ms;
}

/* So many of the host, `max` at most. */
static enum status
count(struct schedule *sched, uint32_t host, size_t max, size_t *n)
{
    struct row_position p = {0};
    struct row_key at = row_host_key(host);
    enum status st = ST_OK;

    for (*n = 0; *n < max && st == ST_OK; *n += st == ST_OK) {
        st = url_store_unreported_next(sched->db, at, &p);
        if (st == ST_OK && p.host != host)
            st = ST_NONE;
        at = behind(p);
    }
    return st == ST_NONE ? ST_OK : st;
}

enum status
schedule_unreported_fill(struct schedule *sched, const struct host *h,
                         bool *full)
{
    uint64_t left = schedule_pages_left(sched, &h->row);
    size_t n;
    enum status st;

    *full = false;
    if (left > sched->unreported_n)
        return ST_OK;
    st = count(sched, h->id, (size_t)left, &n);
    *full = n >= left;
    return st;
}

/* One more failure may be the host's: its next report is waited for. */
static enum status
may_go_on(struct schedule *sched, const struct host *h, bool *may)
{
    uint64_t known = h->row.failures > 0 ? 0 : outcomes_there(&h->row.outcomes);
    uint64_t most = sched->rules.host_unreported_max;
    size_t max = (size_t)(known < most ? known : most), n;
    enum status st = count(sched, h->id, max, &n);

    *may = n < max;
    return st;
}

static enum status
put_seen(struct schedule *sched, const struct host *h,
         const struct row_queued *q, enum row_state state,
         struct row_position position)
{
    const struct row_seen seen = {.state = state, .position = position};
    struct str url = row_queued_url(q, h->row.name, sched->db->arena);

    return url_store_seen_put(
        sched->db, row_seen_key(sched->db->keys, h->row.name, url), &seen);
}

/* The page of the host's lease into the table. */
static enum status
take_out(struct schedule *sched, struct host *h)
{
    struct row_lease l = h->row.lease;
    const struct row_position position = l.position;
    struct row_queued q;
    enum status st = url_store_queue_read(sched->db, position, &q);

    if (st != ST_OK)
        return st;
    if (q.crashes > 0)
        return ST_OK; /* one suspect at a time */
    q.rest = arena_str(sched->db->arena, q.rest);
    l.position.priority = lowered_priority(sched->db, position);
    if ((st = url_store_queue_remove(sched->db, h, position)) != ST_OK ||
        (st = url_store_unreported_add(sched->db, h, position, &q, &l)) !=
            ST_OK)
        return st;
    note_deadline(sched, l.deadline_ms);
    sched->unreported_n++;
    schedule_lease_ended(sched, h);
    return put_seen(sched, h, &q, ROW_UNREPORTED, position);
}

enum status
schedule_request_ended(struct schedule *sched, const struct frontier_done *d,
                       uint64_t now_ms)
{
    const struct row_lease *l;
    struct row_url url;
    struct host *h;
    bool may;
    enum status st;

    if (!row_url_split(&url, d->url))
        return ST_OK;
    st = url_store_host_named(sched->db, url.authority, S(""), false, &h);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    l = &h->row.lease;
    if (!schedule_answers(d, l) || l->kind != FRONTIER_PAGE ||
        l->position.sequence == 0)
        return ST_OK; /* its report was faster */
    if ((st = may_go_on(sched, h, &may)) != ST_OK || !may)
        return st;
    if ((st = schedule_contact_ended(sched, h, d, now_ms)) != ST_OK)
        return st;
    return take_out(sched, h);
}

enum status
schedule_unreported_return(struct schedule *sched, struct row_position position)
{
    struct row_queued q;
    struct host *h;
    enum status st = url_store_host(sched->db, position.host, &h);

    if (st != ST_OK ||
        (st = url_store_unreported_read(sched->db, position, &q)) != ST_OK)
        return st;
    q.rest = arena_str(sched->db->arena, q.rest);
    url_store_count_queued(sched->db, position.priority, 1);
    if ((st = schedule_unreported_end(sched, position)) != ST_OK ||
        (st = url_store_queue_add(sched->db, h, position, &q)) != ST_OK)
        return st;
    return put_seen(sched, h, &q, ROW_QUEUED, position);
}

enum status
schedule_unreported_each(struct schedule *sched, schedule_unreported_do *act,
                         void *self)
{
    struct row_position p = {0};
    struct row_key at = {.n = 0};
    struct row_lease l;
    enum status st;

    while ((st = url_store_unreported_next(sched->db, at, &p)) == ST_OK) {
        if ((st = url_store_unreported_lease(sched->db, p, &l)) != ST_OK ||
            (st = act(sched, p, &l, self)) != ST_OK)
            return st;
        at = behind(p);
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
back_if_of(struct schedule *sched, struct row_position position,
           const struct row_lease *l, void *self)
{
    const uint64_t *crawler = self;

    return l->crawler == *crawler || !l->out
               ? schedule_unreported_return(sched, position)
               : ST_OK;
}

enum status
schedule_unreported_hello(struct schedule *sched, uint64_t crawler)
{
    return sched->unreported_n == 0
               ? ST_OK
               : schedule_unreported_each(sched, back_if_of, &crawler);
}

static enum status
void_if_over(struct schedule *sched, struct row_position position,
             const struct row_lease *l, void *self)
{
    const uint64_t *now_ms = self;
    struct str poison = S("");
    struct host *h;
    enum status st = ST_OK;

    if (l->deadline_ms > *now_ms &&
        l->deadline_ms <= *now_ms + sched->rules.lease_ms) {
        note_deadline(sched, l->deadline_ms);
        return ST_OK;
    }
    if (l->out && schedule_vanished(sched, l->crawler, *now_ms)) {
        if ((st = url_store_host(sched->db, position.host, &h)) == ST_OK)
            st = schedule_unreported_try_failed(sched, h, position, l, *now_ms,
                                                &poison);
    }
    return st == ST_OK && poison.n == 0
               ? schedule_unreported_return(sched, position)
               : st;
}

enum status
schedule_unreported_overdue(struct schedule *sched, uint64_t now_ms)
{
    if (now_ms < sched->unreported_ms)
        return ST_OK;
    sched->unreported_ms = SCHEDULER_NEVER;
    return schedule_unreported_each(sched, void_if_over, &now_ms);
}

static enum status
count_one(struct schedule *sched, struct row_position position,
          const struct row_lease *l, void *self)
{
    (void)position;
    (void)self;
    sched->unreported_n++;
    note_deadline(sched, l->deadline_ms);
    return ST_OK;
}

enum status
schedule_unreported_peek(struct schedule *sched)
{
    sched->unreported_n = 0;
    sched->unreported_ms = SCHEDULER_NEVER;
    return schedule_unreported_each(sched, count_one, NULL);
}

enum status
schedule_unreported_end(struct schedule *sched, struct row_position position)
{
    if (--sched->unreported_n == 0)
        sched->unreported_ms = SCHEDULER_NEVER;
    sched->db->counters.totals.leased--;
    return url_store_unreported_remove(sched->db, position);
}
