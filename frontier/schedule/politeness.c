/* politeness.c -- what a contact means for the clocks of a host and of the
 * server address behind it.
 *
 * A host's delay is the greatest of the configured one (its own, if there is
 * one), its robots.txt's Crawl-delay, and a multiple of how long its last
 * response took (so a server that labours is left alone for longer).  It runs
 * from the end of a request.
 *
 * Hosts behind one address take turns: while one of them is contacted, and
 * politeness.address_delay_ms after that, no other is handed out.  A contact
 * that drags on keeps its neighbours waiting for HOLD_MS only.  The clock is in
 * the store (`addresses`: be64 hash -> be64 next contact), so it survives
 * restarts like those of hosts.  Loopback addresses have no clock unless
 * politeness.address_loopback is set.
 *
 * 429, 503, challenges and block pages speak for the host: at the first one it
 * is left alone for a back-off that doubles with each further failure, or for
 * as long as its Retry-After says.  Other failures are the page's at first,
 * 500 for longer. */
#include "base/big_endian.h"
#include "base/hash.h"
#include "base/log.h"
#include "schedule_inside.h"

#define HOLD_MS 2000u
#define FREE_FAILURES 1u
#define FREE_FAILURES_500 4u
#define KEPT_MS ((uint64_t)3600 * 1000) /* rows of idle addresses */

/* ---- addresses ---- */

static uint64_t
address_of(const struct schedule *sched, struct str address)
{
    uint64_t hash;

    if (address.n == 0 || sched->rules.address_delay_ms == 0)
        return ADDRESS_UNKNOWN;
    if (!sched->rules.address_loopback &&
        (str_starts(address, S("127.")) || str_eq(address, S("::1")) ||
         str_starts(address, S("::ffff:127."))))
        return ADDRESS_EXEMPT;
    hash = hash64(address);
    return hash > ADDRESS_EXEMPT ? hash : ADDRESS_EXEMPT + 1;
}

/* An address that an earlier run has learned has none either when the option
 * says so. */
static bool
has_clock(const struct schedule *sched, const struct host *h)
{
    return h->row.address > ADDRESS_EXEMPT && sched->rules.address_delay_ms > 0;
}

/* `mine`: the contact that the address was held for has ended. */
static enum status
end_at(struct schedule *sched, struct host *h, uint64_t next_ms, bool mine)
{
    struct row_key key = row_address_key(h->row.address);
    char value[8];

    if (!has_clock(sched, h) ||
        (next_ms == 0 && addresses_due(sched->addresses, h->row.address) == 0))
        return ST_OK;
    if (mine)
        addresses_release(sched->addresses, h->row.address, h->id, next_ms);
    else
        addresses_raise(sched->addresses, h->row.address, next_ms);
    be64_put(value, addresses_due(sched->addresses, h->row.address));
    return tables_put(sched->db->tables, TABLE_ADDRESSES, row_bytes(&key),
                      str_n(value, sizeof value));
}

static uint64_t
be64(struct str s)
{
    return be_get(s.p, s.n < 8 ? s.n : 8);
}

/* Every address that is known, from now. */
enum status
schedule_addresses_hold(struct schedule *sched, uint64_t now_ms)
{
    struct str key, value;
    enum status st =
        tables_seek(sched->db->tables, TABLE_ADDRESSES, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_ADDRESSES, &key, &value))
        addresses_raise(sched->addresses, be64(key),
                        now_ms + sched->rules.address_delay_ms);
    return st == ST_NONE ? ST_OK : st;
}

/* Clocks that still run; rows of addresses that nobody has met for long go. */
enum status
schedule_addresses_load(struct schedule *sched, uint64_t now_ms)
{
    struct str key, value;
    enum status st =
        tables_seek(sched->db->tables, TABLE_ADDRESSES, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_ADDRESSES, &key, &value))
        if (be64(value) > now_ms)
            addresses_hold(sched->addresses, be64(key), 0, be64(value));
    addresses_cut(sched->addresses, now_ms + sched->rules.address_delay_ms);
    return st == ST_NONE ? ST_OK : st;
}

enum status
schedule_addresses_tidy(struct schedule *sched, uint64_t now_ms)
{
    uint64_t address = 0;
    struct row_key from = row_address_key(address);
    struct str key, value;
    enum status st;

    while ((st = tables_seek(sched->db->tables, TABLE_ADDRESSES,
                             row_bytes(&from), &key, &value)) == ST_OK) {
        bool idle = be64(value) + KEPT_MS < now_ms;

        address = be64(key);
        from = row_address_key(address);
        if (idle && (st = tables_delete(sched->db->tables, TABLE_ADDRESSES,
                                        row_bytes(&from))) != ST_OK)
            return st;
        if (++address == 0)
            return ST_OK;
        from = row_address_key(address);
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- contacts ---- */

void
schedule_contact_begins(struct schedule *sched, const struct host *h,
                        uint64_t now_ms)
{
    uint64_t ms = sched->rules.address_delay_ms > HOLD_MS
                      ? sched->rules.address_delay_ms
                      : HOLD_MS;

    if (has_clock(sched, h))
        addresses_hold(sched->addresses, h->row.address, h->id, now_ms + ms);
}

/* The lease is void; a request may have been under way. */
enum status
schedule_contact_lost(struct schedule *sched, struct host *h, uint64_t now_ms)
{
    uint64_t next = now_ms + schedule_delay(sched, &h->row);

    if (next > h->row.next_contact_ms)
        h->row.next_contact_ms = next;
    return end_at(sched, h, now_ms + sched->rules.address_delay_ms, true);
}

/* The delays run from the end of the request; a clock that is ahead of ours, or
 * behind the start of the lease, is not believed.  While something else of the
 * host is out, a late report ends no contact. */
enum status
schedule_contact_ended(struct schedule *sched, struct host *h,
                       const struct frontier_done *d, uint64_t now_ms)
{
    uint64_t end = d->finished_ms, next;
    bool mine = !h->row.lease.out || schedule_answers(d, &h->row.lease);

    if (d->address.n > 0 && mine)
        h->row.address = address_of(sched, d->address);
    if (!d->contacted)
        return mine ? end_at(sched, h, 0, true) : ST_OK;
    if (end > now_ms || (h->row.lease.out && end < h->row.lease.started_ms))
        end = now_ms;
    h->row.response_ms = d->took_ms;
    next = end + schedule_delay(sched, &h->row);
    if (sched->rules.random_delay_ms > 0)
        next += random_below(sched->random, sched->rules.random_delay_ms + 1);
    if (next > h->row.next_contact_ms)
        h->row.next_contact_ms = next;
    sched->db->counters.totals.fetched_bytes += d->fetched_bytes;
    h->row.fetched_bytes += d->fetched_bytes;
    return end_at(sched, h, end + sched->rules.address_delay_ms, mine);
}

/* ---- failures ---- */

/* Failures in a row that hold no host back.  500 is a mistake of the site's
 * program on that page, and may be one on all pages of its kind. */
static uint32_t
free_failures(enum verdict v)
{
    return v == verdict_http(500) ? FREE_FAILURES_500 : FREE_FAILURES;
}

void
schedule_hold_back(struct schedule *sched, struct host *h,
                   const struct frontier_done *d, bool own, uint64_t now_ms)
{
    uint64_t ms = d->retry_after_ms, wait;
    uint32_t before = h->row.failures, most = free_failures(d->verdict);
    bool unsaid = ms == 0 && verdict_holds_host(d->verdict); /* for how long */

    if (h->row.failures < UINT32_MAX &&
        (!own || most == FREE_FAILURES || before > most))
        h->row.failures++;
    if (h->row.failures > most || unsaid) {
        wait = schedule_backoff(sched, sched->rules.retry_ms,
                                unsaid ? before : h->row.failures - most - 1);
        ms = wait > ms ? wait : ms;
    }
    if (ms > SCHEDULE_BACKOFF_MAX_MS)
        ms = SCHEDULE_BACKOFF_MAX_MS;
    if (verdict_holds_host(d->verdict) && ms > 0)
        log_info("frontier", "host=%.*s %s: left alone for %llu s",
                 STRF(h->row.name), verdict_name(d->verdict),
                 (unsigned long long)(ms + 999) / 1000);
    if (now_ms + ms > h->row.next_contact_ms)
        h->row.next_contact_ms = now_ms + ms;
}
