/* politeness.c -- what a contact means for the clocks of a host and of the
 * server address behind it.
 *
 * A host's delay is the greatest of the configured one, its robots.txt's
 * Crawl-delay, and a multiple of how long its last response took (so a server
 * that labours is left alone for longer).  It runs from the end of a request.
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
 * as long as its Retry-After says.  Other failures are the page's at first. */
#include "frontier/inside.h"
#include "winnow/hash.h"
#include "winnow/log.h"

#define HOLD_MS 2000u
#define KEPT_MS ((uint64_t)3600 * 1000) /* rows of idle addresses */

/* ---- addresses ---- */

uint64_t
frontier_address(const struct frontier *f, struct str address)
{
    uint64_t hash;

    if (address.n == 0 || f->rules.address_delay_ms == 0)
        return ADDRESS_UNKNOWN;
    if (!f->rules.address_loopback &&
        (str_starts(address, S("127.")) || str_eq(address, S("::1")) ||
         str_starts(address, S("::ffff:127."))))
        return ADDRESS_EXEMPT;
    hash = hash64(address);
    return hash > ADDRESS_EXEMPT ? hash : ADDRESS_EXEMPT + 1;
}

static struct row_key
address_key(uint64_t address)
{
    struct row_key k = {.n = 8};

    for (int i = 0; i < 8; i++)
        k.bytes[i] = (unsigned char)(address >> (56 - 8 * i));
    return k;
}

/* `mine`: the contact that the address was held for has ended. */
static enum status
end_at(struct frontier *f, struct host *h, uint64_t next_ms, bool mine)
{
    struct row_key key = address_key(h->row.address), value;

    if (h->row.address <= ADDRESS_EXEMPT ||
        (next_ms == 0 && addresses_due(f->addresses, h->row.address) == 0))
        return ST_OK;
    if (mine)
        addresses_release(f->addresses, h->row.address, h->id, next_ms);
    else
        addresses_raise(f->addresses, h->row.address, next_ms);
    value = address_key(addresses_due(f->addresses, h->row.address));
    return tables_put(f->db->tables, TABLE_ADDRESSES, row_bytes(&key),
                      row_bytes(&value));
}

static uint64_t
be64(struct str s)
{
    uint64_t v = 0;

    for (size_t i = 0; i < 8 && i < s.n; i++)
        v = v << 8 | (unsigned char)s.p[i];
    return v;
}

/* Every address that is known, from now. */
static enum status
hold_addresses(struct frontier *f, uint64_t now_ms)
{
    struct str key, value;
    enum status st =
        tables_seek(f->db->tables, TABLE_ADDRESSES, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(f->db->tables, TABLE_ADDRESSES, &key, &value))
        addresses_raise(f->addresses, be64(key),
                        now_ms + f->rules.address_delay_ms);
    return st == ST_NONE ? ST_OK : st;
}

enum status
frontier_time_lost(struct frontier *f, uint64_t now_ms)
{
    enum status st = frontier_begin(f);

    if (st != ST_OK)
        return st;
    f->time_lost_ms = now_ms;
    if ((st = hold_addresses(f, now_ms)) == ST_OK &&
        (st = frontier_schedule_load(f, false)) == ST_OK)
        return frontier_commit(f);
    frontier_abort(f);
    return st;
}

/* Clocks that still run; rows of addresses that nobody has met for long go. */
enum status
frontier_addresses_load(struct frontier *f, uint64_t now_ms)
{
    struct str key, value;
    enum status st =
        tables_seek(f->db->tables, TABLE_ADDRESSES, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(f->db->tables, TABLE_ADDRESSES, &key, &value))
        if (be64(value) > now_ms)
            addresses_hold(f->addresses, be64(key), 0, be64(value));
    addresses_cut(f->addresses, now_ms + f->rules.address_delay_ms);
    return st == ST_NONE ? ST_OK : st;
}

enum status
frontier_addresses_tidy(struct frontier *f, uint64_t now_ms)
{
    uint64_t address = 0;
    struct row_key from = address_key(address);
    struct str key, value;
    enum status st;

    while ((st = tables_seek(f->db->tables, TABLE_ADDRESSES, row_bytes(&from),
                             &key, &value)) == ST_OK) {
        bool idle = be64(value) + KEPT_MS < now_ms;

        address = be64(key);
        from = address_key(address);
        if (idle && (st = tables_delete(f->db->tables, TABLE_ADDRESSES,
                                        row_bytes(&from))) != ST_OK)
            return st;
        if (++address == 0)
            return ST_OK;
        from = address_key(address);
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- contacts ---- */

void
frontier_contact_begins(struct frontier *f, const struct host *h,
                        uint64_t now_ms)
{
    uint64_t ms = f->rules.address_delay_ms > HOLD_MS
                      ? f->rules.address_delay_ms
                      : HOLD_MS;

    if (h->row.address > ADDRESS_EXEMPT)
        addresses_hold(f->addresses, h->row.address, h->id, now_ms + ms);
}

/* The lease is void; a request may have been under way. */
enum status
frontier_contact_lost(struct frontier *f, struct host *h, uint64_t now_ms)
{
    uint64_t next = now_ms + frontier_delay(f, &h->row);

    if (next > h->row.next_contact_ms)
        h->row.next_contact_ms = next;
    return end_at(f, h, now_ms + f->rules.address_delay_ms, true);
}

/* The delays run from the end of the request; a clock that is ahead of ours, or
 * behind the start of the lease, is not believed.  While something else of the
 * host is out, a late report ends no contact. */
enum status
frontier_contact_ended(struct frontier *f, struct host *h,
                       const struct frontier_done *d, uint64_t now_ms)
{
    uint64_t end = d->finished_ms, next;
    bool mine = !h->row.lease.out || frontier_answers(d, &h->row.lease);

    if (d->address.n > 0 && mine)
        h->row.address = frontier_address(f, d->address);
    if (!d->contacted)
        return mine ? end_at(f, h, 0, true) : ST_OK;
    if (end > now_ms || (h->row.lease.out && end < h->row.lease.started_ms))
        end = now_ms;
    h->row.response_ms = d->took_ms;
    next = end + frontier_delay(f, &h->row);
    if (next > h->row.next_contact_ms)
        h->row.next_contact_ms = next;
    f->db->counters.totals.fetched_bytes += d->fetched_bytes;
    h->row.fetched_bytes += d->fetched_bytes;
    return end_at(f, h, end + f->rules.address_delay_ms, mine);
}

/* ---- failures ---- */

void
frontier_hold_back(struct frontier *f, struct host *h,
                   const struct frontier_done *d, uint64_t now_ms)
{
    uint64_t ms = d->retry_after_ms, wait;
    uint32_t before = h->row.failures;
    bool unsaid = ms == 0 && verdict_holds_host(d->verdict); /* for how long */

    if (h->row.failures < UINT32_MAX)
        h->row.failures++;
    if (before > 0 || unsaid) {
        wait = frontier_backoff(f, f->rules.retry_ms,
                                unsaid ? before : before - 1);
        ms = wait > ms ? wait : ms;
    }
    if (ms > FRONTIER_BACKOFF_MAX_MS)
        ms = FRONTIER_BACKOFF_MAX_MS;
    if (verdict_holds_host(d->verdict) && ms > 0)
        log_info("frontier", "host=%.*s %s: left alone for %llu s",
                 STRF(h->row.name), verdict_name(d->verdict),
                 (unsigned long long)(ms + 999) / 1000);
    if (now_ms + ms > h->row.next_contact_ms)
        h->row.next_contact_ms = now_ms + ms;
}
