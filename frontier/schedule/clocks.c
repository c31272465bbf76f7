/* clocks.c -- dates in the store that cannot be true.
 *
 * now_ms comes from a clock that does not jump while a process lives
 * (timekeeper.h), but the next one may start on a machine whose clock was
 * wrong, or is now.  A date that lies further ahead than any rule allows was
 * written by a clock that was ahead: it is cut to the longest that is legal,
 *
 *   a host     the longest delay there is, growth_delay_ms of one that makes
 *              URLs without end; a day when it failed or said "later"
 *   robots.txt of a host: robots_ttl_seconds; asked again: a day
 *   a lease    frontier.lease_seconds
 *   an address politeness.address_delay_ms (politeness.c)
 *   a retry    a day, else it is queued now (queue.c; its host has a clock)
 *   a revisit  recrawl.interval_max_seconds, else its interval (revisit.c)
 *
 * in the store, as soon as a host is met, and for those in the scheduler when
 * the store is opened or now_ms is less than it was.
 *
 * The other way round nothing can be seen: a clock that was set forward looks
 * like time that has passed.  When nobody can tell which it was, every host
 * that was ever asked waits for one full delay from now (frontier_time_lost()).
 */
#include "schedule_inside.h"

#define BACK_MS 1000u /* now_ms may differ so much between threads */

static bool
cut(uint64_t *at_ms, uint64_t last_ms)
{
    if (*at_ms <= last_ms)
        return false;
    *at_ms = last_ms;
    return true;
}

static uint64_t
legal_ms(const struct schedule *sched, const struct row_host *h)
{
    uint64_t most = schedule_own_delay(sched, h);

    if (sched->rules.crawl_delay_max_ms > most)
        most = sched->rules.crawl_delay_max_ms;
    if (sched->rules.response_delay_max_ms > most)
        most = sched->rules.response_delay_max_ms;
    if (schedule_grows(sched, h) && sched->rules.growth_delay_ms > most)
        most = sched->rules.growth_delay_ms;
    most += sched->rules.random_delay_ms;
    return h->failures > 0 && most < SCHEDULE_BACKOFF_MAX_MS
               ? SCHEDULE_BACKOFF_MAX_MS
               : most;
}

bool
schedule_clocks_cut(void *self, struct row_host *h)
{
    const struct schedule *sched = self;
    uint64_t now = sched->db->now_ms;
    bool changed = cut(&h->next_contact_ms, now + legal_ms(sched, h));

    changed |= cut(&h->robots.retry_ms, now + SCHEDULE_BACKOFF_MAX_MS);
    changed |= cut(&h->robots.expiry_ms, now + sched->rules.robots_ttl_ms);
    if (h->lease.out)
        (void)cut(&h->lease.deadline_ms, now + sched->rules.lease_ms);
    return changed;
}

uint64_t
schedule_time_lost_until(const struct schedule *sched, const struct row_host *h)
{
    return sched->time_lost_ms == 0 || h->next_contact_ms == 0
               ? 0
               : sched->time_lost_ms + schedule_delay(sched, h);
}

/* Hosts of the scheduler whose dates lie far ahead. */
static enum status
cut_hosts(struct schedule *sched)
{
    uint64_t beyond = sched->db->now_ms + sched->rules.delay_ms +
                      sched->rules.random_delay_ms;
    size_t n = scheduler_beyond(sched->scheduler, beyond, NULL, 0);
    uint32_t *ids = arena_raw(sched->db->arena, n * sizeof *ids);
    struct host *h;
    enum status st = ST_OK;

    scheduler_beyond(sched->scheduler, beyond, ids, n);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        if ((st = url_store_host(sched->db, ids[i], &h)) == ST_OK)
            url_store_host_leased(sched->db, h);
    schedule_settle(sched);
    return st;
}

enum status
schedule_clocks_check(struct schedule *sched, uint64_t now_ms)
{
    bool back = now_ms + BACK_MS < sched->latest_ms;

    sched->latest_ms = now_ms;
    if (!back && !sched->unchecked)
        return ST_OK;
    sched->unchecked = false;
    sched->later_unchecked = sched->revisit_unchecked = true;
    addresses_cut(sched->addresses, now_ms + sched->rules.address_delay_ms);
    return cut_hosts(sched);
}
