/* hosts.c -- hosts during a transaction: read once, written at its commit.
 *
 * The cache is a hash by id (open addressing) in the transaction's arena; it
 * holds the hosts a transaction meets, not all there are. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "lowered.h"

#define HOSTS_FIRST 128u
#define HOSTS_FEW 4096u /* room for so many is kept */

void
url_store_host_leased(struct url_store *db, struct host *h)
{
    if (h->stale)
        return;
    h->stale = true;
    h->stale_next = db->stale;
    db->stale = h;
}

void
url_store_host_changed(struct url_store *db, struct host *h)
{
    h->dirty = true;
    url_store_host_leased(db, h);
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
slot_is(const void *store, const void *slot, const void *id)
{
    (void)store;
    return host_in(slot)->id == *(const uint32_t *)id;
}

static uint64_t
slot_hash(const void *store, const void *slot)
{
    (void)store;
    return hash_mix(host_in(slot)->id);
}

static const struct hashmap_kind hosts_kind = {sizeof(struct host *), slot_used,
                                               slot_is, slot_hash, NULL};

struct host *
url_store_host_met(const struct url_store *db, uint32_t id)
{
    return db->hosts.n == 0 ? NULL
                            : host_in(hashmap_find(&db->hosts, &hosts_kind, db,
                                                   hash_mix(id), &id));
}

static void
cache(struct url_store *db, struct host *h)
{
    struct host **slot;

    if (db->hosts.slots == NULL)
        hashmap_init(&db->hosts, &hosts_kind, NULL, HOSTS_FIRST);
    slot = hashmap_put(&db->hosts, &hosts_kind, db, hash_mix(h->id), &h->id);
    *slot = h;
}

/* The slot of the next host in the cache (NULL: of the first one), or NULL. */
static struct host *const *
next_cached(const struct url_store *db, struct host *const *slot)
{
    return db->hosts.n == 0 ? NULL
                            : hashmap_next(&db->hosts, &hosts_kind, slot);
}

void
url_store_hosts_met(const struct url_store *db, url_store_host_each *each,
                    void *self)
{
    for (struct host *const *h = NULL; (h = next_cached(db, h)) != NULL;)
        each(self, *h);
}

/* A merge meets many hosts, a lease few, and should not pay for the others. */
void
url_store_hosts_forget(struct url_store *db)
{
    size_t places = hashmap_places(&db->hosts);

    if (places > HOSTS_FEW && db->hosts.n < places / 16)
        hashmap_free(&db->hosts);
    hashmap_clear(&db->hosts, &hosts_kind);
    db->stale = NULL;
    arena_reset(db->arena);
}

enum status
url_store_host_load(struct url_store *db, uint32_t id, struct row_host *row,
                    struct url_class *room)
{
    struct row_key key = row_host_key(id);
    struct str value;
    enum status st =
        tables_get(db->tables, TABLE_HOSTS, row_bytes(&key), &value);

    if (st == ST_OK && !row_host_read(row, value, room))
        st = url_store_corrupt("hosts");
    if (st != ST_OK)
        return st;
    st = tables_get(db->tables, TABLE_LEASES, row_bytes(&key), &value);
    if (st == ST_OK && !row_lease_read(&row->lease, value))
        st = url_store_corrupt("leases");
    row->lease.position.host = id;
    return st == ST_NONE ? ST_OK : st;
}

enum status
url_store_host(struct url_store *db, uint32_t id, struct host **out)
{
    struct host *h = url_store_host_met(db, id);
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    enum status st;

    if (h == NULL) {
        if ((st = url_store_host_load(db, id, &row, room)) != ST_OK)
            return st == ST_NONE ? url_store_corrupt("hosts") : st;
        h = ARENA_NEW(db->arena, struct host);
        h->id = id;
        h->row = row;
        h->leased = row.lease;
        h->row.name = arena_str(db->arena, row.name);
        h->row.domain = arena_str(db->arena, row.domain);
        h->row.url_classes.room = row.url_classes.n;
        h->row.url_classes.item =
            arena_raw(db->arena, row.url_classes.n * sizeof *room);
        memcpy(h->row.url_classes.item, room, row.url_classes.n * sizeof *room);
        cache(db, h);
        if (!db->reader && db->hooks.cut_dates(db->hooks.scheduler, &h->row))
            url_store_host_changed(db, h);
    }
    *out = h;
    return ST_OK;
}

static enum status
create_host(struct url_store *db, struct str authority, struct str domain,
            const struct row_key *name, struct host **out)
{
    struct host *h = ARENA_NEW(db->arena, struct host);
    struct row_key id;

    h->id = ++db->counters.host;
    h->row.name = arena_str(db->arena, authority);
    h->row.domain = arena_str(db->arena, str_sub(domain, 0, ROW_AUTHORITY_MAX));
    h->dirty = h->made = true;
    db->counters.totals.hosts++;
    cache(db, h);
    *out = h;
    id = row_host_key(h->id);
    return tables_put(db->tables, TABLE_NAMES, row_bytes(name), row_bytes(&id));
}

enum status
url_store_host_named(struct url_store *db, struct str authority,
                     struct str domain, bool create, struct host **out)
{
    struct row_key name = row_name_key(authority);
    struct str id;
    enum status st = tables_get(db->tables, TABLE_NAMES, row_bytes(&name), &id);

    if (st == ST_OK)
        return url_store_host(db, row_be32(id), out);
    return st == ST_NONE && create
               ? create_host(db, authority, domain, &name, out)
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
put_lease(struct url_store *db, uint32_t id, const struct row_lease *l)
{
    struct row_key key = row_host_key(id);

    row_lease_write(&db->row, l);
    return tables_put(db->tables, TABLE_LEASES, row_bytes(&key),
                      buf_view(&db->row));
}

static enum status
flush(struct url_store *db, struct host *h)
{
    struct row_key key = row_host_key(h->id);
    enum status st = ST_OK;

    if (h->dirty) {
        row_host_write(&db->row, &h->row);
        st = tables_put(db->tables, TABLE_HOSTS, row_bytes(&key),
                        buf_view(&db->row));
    }
    if (st != ST_OK || !lease_changed(h))
        return st;
    if (h->row.lease.out)
        return put_lease(db, h->id, &h->row.lease);
    return tables_delete(db->tables, TABLE_LEASES, row_bytes(&key));
}

static int
by_id(const void *x, const void *y)
{
    const struct host *a = *(struct host *const *)x,
                      *b = *(struct host *const *)y;

    return (a->id > b->id) - (a->id < b->id);
}

enum status
url_store_hosts_flush(struct url_store *db)
{
    struct host **changed;
    size_t n = 0;
    enum status st = ST_OK;

    arena_reset(db->scratch);
    changed = arena_raw(db->scratch, db->hosts.n * sizeof *changed);
    for (struct host *const *h = NULL; (h = next_cached(db, h)) != NULL;)
        if (is_changed(*h))
            changed[n++] = *h;
    qsort(changed, n, sizeof *changed, by_id);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = flush(db, changed[i]);
    return st;
}

/* Every host that was changed, as the store has it. */
enum status
url_store_hosts_rollback(struct url_store *db, url_store_host_back *back,
                         void *self)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    enum status st = ST_OK;

    lowered_clear(db);
    for (struct host *const *h = NULL; (h = next_cached(db, h)) != NULL;) {
        uint64_t now = (*h)->row.queued + (*h)->coming;

        if (!is_changed(*h) && (*h)->coming == 0)
            continue;
        row.queued = 0;
        st = url_store_host_load(db, (*h)->id, &row, room);
        if (st != ST_OK && st != ST_NONE)
            return st;
        db->hooks.queued(db->hooks.intake, &(*h)->row,
                         (int64_t)((st == ST_OK ? row.queued : 0) - now));
        if (st == ST_OK)
            (void)db->hooks.cut_dates(db->hooks.scheduler, &row);
        back(self, (*h)->id, st == ST_OK ? &row : NULL);
    }
    return ST_OK;
}
