/* hosts.c -- hosts during a transaction, and when each of them is due.
 *
 * The cache is a hash by id (open addressing) in the transaction's arena; it
 * holds the hosts a transaction meets, not all there are. */
#include <stdlib.h>

#include "frontier/discover/pending.h"
#include "frontier/discover/quota.h"
#include "winnow/hash.h"
#include "winnow/log.h"
#include "winnow/memory.h"

#define HOSTS_FIRST 128u
#define HOSTS_FEW 4096u /* room for so many is kept */

uint64_t
frontier_delay(const struct frontier *f, const struct row_host *h)
{
    uint64_t crawl_delay = h->robots.crawl_delay_ms, delay = f->rules.delay_ms;
    double response = f->rules.response_factor * (double)h->response_ms;

    if (response > (double)f->rules.response_delay_max_ms)
        response = (double)f->rules.response_delay_max_ms;
    if (crawl_delay > f->rules.crawl_delay_max_ms)
        crawl_delay = f->rules.crawl_delay_max_ms;
    delay = crawl_delay > delay ? crawl_delay : delay;
    return response > (double)delay ? (uint64_t)response : delay;
}

/* Is a robots.txt queued that another host asked for? */
static bool
asked_by_others(const struct row_host *h)
{
    for (size_t i = 0; i < h->url_classes.n; i++)
        if (h->url_classes.item[i].head_priority == ROW_PRIORITY_ROBOTS)
            return true;
    return false;
}

/* A robots.txt that another host asked for is fetched before its own: it needs
 * no permission, and two hosts that redirect to each other must not wait for
 * each other. */
static uint64_t
own_due(const struct frontier *f, const struct row_host *h)
{
    uint64_t due = h->next_contact_ms, doubted = frontier_time_lost_until(f, h);

    due = doubted > due ? doubted : due;
    if (frontier_paused(f, h->name) != NULL)
        return SCHEDULER_NEVER;
    if (!asked_by_others(h) && f->rules.robots) {
        if (h->robots.pending)
            return SCHEDULER_NEVER;
        due = h->robots.retry_ms > due ? h->robots.retry_ms : due;
    }
    return due;
}

uint64_t
frontier_due(const struct frontier *f, const struct row_host *h)
{
    uint64_t due = own_due(f, h);
    uint64_t address = addresses_due(f->addresses, h->address);

    return address > due ? address : due;
}

bool
frontier_needs_robots(const struct frontier *f, const struct row_host *h,
                      uint64_t now_ms)
{
    return f->rules.robots && !asked_by_others(h) &&
           (h->robots.version == 0 || h->robots.expiry_ms <= now_ms);
}

uint64_t
frontier_backoff(struct frontier *f, uint64_t base_ms, uint64_t n)
{
    uint64_t ms = base_ms;

    while (n-- > 0 && ms < FRONTIER_BACKOFF_MAX_MS)
        ms *= 2;
    ms = (uint64_t)((double)ms * (0.75 + 0.5 * random_unit(&f->random)));
    return ms < FRONTIER_BACKOFF_MAX_MS ? ms : FRONTIER_BACKOFF_MAX_MS;
}

void
frontier_host_schedule(struct frontier *f, uint32_t id,
                       const struct row_host *row)
{
    struct scheduler_entry e = {.host = id, .out = row->lease.out};
    struct frontier_head head;

    if (frontier_head(f, id, row, &head)) {
        e.priority = head.effective;
        e.sequence = head.position.sequence;
    } else if (!row->lease.out) {
        scheduler_drop(f->scheduler, id);
        return;
    }
    e.fetched = row->fetched > UINT32_MAX ? UINT32_MAX : (uint32_t)row->fetched;
    e.due_ms = row->lease.out ? row->lease.deadline_ms : own_due(f, row);
    scheduler_set(f->scheduler, &e);
}

void
frontier_host_leased(struct frontier *f, struct host *h)
{
    if (h->stale)
        return;
    h->stale = true;
    h->stale_next = f->stale;
    f->stale = h;
}

void
frontier_host_changed(struct frontier *f, struct host *h)
{
    h->dirty = true;
    frontier_host_leased(f, h);
}

void
frontier_hosts_settle(struct frontier *f)
{
    for (struct host *h = f->stale; h != NULL; h = h->stale_next) {
        frontier_host_schedule(f, h->id, &h->row);
        h->stale = false;
    }
    f->stale = NULL;
}

/* ---- the cache ---- */

static struct host *
host_in(const void *slot)
{
    return *(struct host *const *)slot;
}

static bool
slot_used(const void *slot)
{
    return host_in(slot) != NULL;
}

static bool
slot_is(const void *frontier, const void *slot, const void *id)
{
    (void)frontier;
    return host_in(slot)->id == *(const uint32_t *)id;
}

static uint64_t
slot_hash(const void *frontier, const void *slot)
{
    (void)frontier;
    return hash_mix(host_in(slot)->id);
}

static const struct hashmap_kind hosts_kind = {sizeof(struct host *), slot_used,
                                               slot_is, slot_hash, NULL};

static struct host *
cached(const struct frontier *f, uint32_t id)
{
    return f->hosts.n == 0 ? NULL
                           : host_in(hashmap_find(&f->hosts, &hosts_kind, f,
                                                  hash_mix(id), &id));
}

static void
cache(struct frontier *f, struct host *h)
{
    struct host **slot;

    if (f->hosts.slots == NULL)
        hashmap_init(&f->hosts, &hosts_kind, NULL, HOSTS_FIRST);
    slot = hashmap_put(&f->hosts, &hosts_kind, f, hash_mix(h->id), &h->id);
    *slot = h;
}

/* The slot of the next host in the cache (NULL: of the first one), or NULL. */
static struct host *const *
next_cached(const struct frontier *f, struct host *const *slot)
{
    return f->hosts.n == 0 ? NULL : hashmap_next(&f->hosts, &hosts_kind, slot);
}

/* A merge meets many hosts, a lease few, and should not pay for the others. */
void
frontier_hosts_forget(struct frontier *f)
{
    size_t places = hashmap_places(&f->hosts);

    if (places > HOSTS_FEW && f->hosts.n < places / 16)
        hashmap_free(&f->hosts);
    hashmap_clear(&f->hosts, &hosts_kind);
    f->stale = NULL;
    arena_reset(f->arena);
}

enum status
frontier_host_load(struct frontier *f, uint32_t id, struct row_host *row,
                   struct url_class *room)
{
    const struct leaselog_entry *e;
    struct row_key key = row_host_key(id);
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_HOSTS, row_bytes(&key), &value);

    if (st == ST_OK && !row_host_read(row, value, room))
        st = frontier_corrupt("hosts");
    if (st != ST_OK)
        return st;
    if ((e = leaselog_find(f->leases, id)) != NULL)
        row->lease = e->lease;
    row->lease.position.host = id;
    if (e != NULL)
        return ST_OK;
    st = tables_get(f->tables, TABLE_LEASES, row_bytes(&key), &value);
    if (st == ST_OK && !row_lease_read(&row->lease, value))
        st = frontier_corrupt("leases");
    row->lease.position.host = id;
    return st == ST_NONE ? ST_OK : st;
}

enum status
frontier_host(struct frontier *f, uint32_t id, struct host **out)
{
    struct host *h = cached(f, id);
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    enum status st;

    if (h == NULL) {
        if ((st = frontier_host_load(f, id, &row, room)) != ST_OK)
            return st == ST_NONE ? frontier_corrupt("hosts") : st;
        h = ARENA_NEW(f->arena, struct host);
        h->id = id;
        h->row = row;
        h->leased = row.lease;
        h->row.name = arena_str(f->arena, row.name);
        h->row.domain = arena_str(f->arena, row.domain);
        h->row.url_classes.room = row.url_classes.n;
        h->row.url_classes.item =
            arena_raw(f->arena, row.url_classes.n * sizeof *room);
        memcpy(h->row.url_classes.item, room, row.url_classes.n * sizeof *room);
        cache(f, h);
        if (!f->reader && frontier_clocks_cut(f, &h->row))
            frontier_host_changed(f, h);
    }
    *out = h;
    return ST_OK;
}

static enum status
create_host(struct frontier *f, struct str authority, struct str domain,
            const struct row_key *name, struct host **out)
{
    struct host *h = ARENA_NEW(f->arena, struct host);
    struct row_key id;

    h->id = ++f->counters.host;
    h->row.name = arena_str(f->arena, authority);
    h->row.domain = arena_str(f->arena, str_sub(domain, 0, ROW_AUTHORITY_MAX));
    h->dirty = true;
    f->counters.totals.hosts++;
    cache(f, h);
    *out = h;
    id = row_host_key(h->id);
    return tables_put(f->tables, TABLE_NAMES, row_bytes(name), row_bytes(&id));
}

enum status
frontier_host_named(struct frontier *f, struct str authority, struct str domain,
                    bool create, struct host **out)
{
    struct row_key name = row_name_key(authority);
    struct str id;
    enum status st = tables_get(f->tables, TABLE_NAMES, row_bytes(&name), &id);

    if (st == ST_OK)
        return frontier_host(f, row_be32(id), out);
    return st == ST_NONE && create
               ? create_host(f, authority, domain, &name, out)
               : st;
}

static bool
lease_changed(const struct host *h)
{
    const struct row_lease *a = &h->row.lease, *b = &h->leased;

    return a->out != b->out ||
           (a->out &&
            (a->crawler != b->crawler || a->call != b->call ||
             a->started_ms != b->started_ms || a->url_hash != b->url_hash ||
             a->position.sequence != b->position.sequence));
}

static bool
is_changed(const struct host *h)
{
    return h != NULL && (h->dirty || lease_changed(h));
}

static enum status
put_lease(struct frontier *f, uint32_t id, const struct row_lease *l)
{
    struct row_key key = row_host_key(id);

    row_lease_write(&f->row, l);
    return tables_put(f->tables, TABLE_LEASES, row_bytes(&key),
                      buf_view(&f->row));
}

static enum status
flush(struct frontier *f, struct host *h)
{
    const struct leaselog_entry *e = leaselog_find(f->leases, h->id);
    struct row_key key = row_host_key(h->id);
    enum status st = ST_OK;

    if (h->dirty) {
        row_host_write(&f->row, &h->row);
        st = tables_put(f->tables, TABLE_HOSTS, row_bytes(&key),
                        buf_view(&f->row));
    }
    if (st != ST_OK || (!lease_changed(h) && e == NULL))
        return st;
    if (h->row.lease.out)
        return put_lease(f, h->id, &h->row.lease);
    return (e != NULL ? e->stored : h->leased.out)
               ? tables_delete(f->tables, TABLE_LEASES, row_bytes(&key))
               : ST_OK;
}

static int
by_id(const void *x, const void *y)
{
    const struct host *a = *(struct host *const *)x,
                      *b = *(struct host *const *)y;

    return (a->id > b->id) - (a->id < b->id);
}

/* Rows of what only the log of leases has. */
static enum status
store_leases(struct frontier *f)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < leaselog_n(f->leases) && st == ST_OK; i++) {
        const struct leaselog_entry *e = leaselog_at(f->leases, i);

        if (!is_changed(cached(f, e->host)))
            st = put_lease(f, e->host, &e->lease);
    }
    return st;
}

enum status
frontier_hosts_flush(struct frontier *f)
{
    struct host **changed;
    size_t n = 0;
    enum status st = ST_OK;

    arena_reset(f->scratch);
    changed = arena_raw(f->scratch, f->hosts.n * sizeof *changed);
    for (struct host *const *h = NULL; (h = next_cached(f, h)) != NULL;)
        if (is_changed(*h))
            changed[n++] = *h;
    qsort(changed, n, sizeof *changed, by_id);
    st = store_leases(f);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = flush(f, changed[i]);
    return st;
}

/* As the log is to have it. */
static bool
log_lease(struct frontier *f, const struct host *h)
{
    const struct leaselog_entry *before = leaselog_find(f->leases, h->id);
    const struct leaselog_entry e = {.lease = h->row.lease,
                                     .host = h->id,
                                     .stored = before != NULL ? before->stored
                                                              : h->leased.out};

    return h->row.lease.out && leaselog_add(f->leases, &e);
}

bool
frontier_hosts_only_leased(struct frontier *f, enum status *st)
{
    size_t n = 0;

    *st = ST_OK;
    if (f->rules.sync_leases || f->leases_due ||
        tables_changes(f->tables) > 0 || pending_changed(f->pending))
        return false;
    for (struct host *const *h = NULL; (h = next_cached(f, h)) != NULL;)
        if ((*h)->dirty)
            return false;
    for (struct host *const *h = NULL; (h = next_cached(f, h)) != NULL;) {
        if (!is_changed(*h))
            continue;
        if (!log_lease(f, *h)) {
            leaselog_undo(f->leases);
            return false;
        }
        n++;
    }
    if (n > 0)
        *st = leaselog_write(f->leases, frontier_commit_name(f), &f->counters);
    return n > 0;
}

/* Of its domain as many are queued as before the transaction. */
static void
recount(struct frontier *f, const struct host *h, uint64_t queued)
{
    if (f->domains != NULL)
        domains_add(f->domains, frontier_domain(&h->row),
                    (int64_t)(queued - h->row.queued - h->coming));
}

/* The scheduler as the store has it, for every host that was changed. */
enum status
frontier_hosts_rollback(struct frontier *f)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    enum status st = ST_OK;

    for (struct host *const *h = NULL; (h = next_cached(f, h)) != NULL;) {
        uint32_t id = (*h)->id;

        if (!is_changed(*h) && (*h)->coming == 0)
            continue;
        row.queued = 0;
        st = frontier_host_load(f, id, &row, room);
        recount(f, *h, st == ST_OK ? row.queued : 0);
        if (st == ST_OK)
            (void)frontier_clocks_cut(f, &row);
        if (st == ST_OK)
            frontier_host_schedule(f, id, &row);
        else if (st == ST_NONE)
            scheduler_drop(f->scheduler, id);
        else
            return st;
    }
    return ST_OK;
}
