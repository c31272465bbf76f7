/* lowered.c -- see lowered.h: a hash table of URL classes, of each its lowered
 * rows and the best of all others. */
#include "lowered.h"

#include "base/hash.h"

#define FIRST 64u

struct lowered {
    uint32_t host;
    uint8_t url_class;
    uint8_t n; /* lowered rows, 0: the slot is free */
    uint8_t high[LOWERED_ROWS + 1];
    uint16_t said[LOWERED_ROWS + 1]; /* the row's own priority */
    uint16_t counts[LOWERED_ROWS];   /* what it counts for */
    uint32_t low[LOWERED_ROWS + 1];  /* its sequence, with `high` */
};
_Static_assert(sizeof(struct lowered) == 148, "as lowered.h says");

#define OTHER LOWERED_ROWS /* the best of all others; says 0: there is none */

struct lowered_key {
    uint32_t host;
    uint8_t url_class;
};

static uint64_t
hash_of(uint32_t host, size_t url_class)
{
    return hash_mix((uint64_t)host << 8 | url_class);
}

static bool
slot_used(const void *slot)
{
    return ((const struct lowered *)slot)->n > 0;
}

static bool
slot_is(const void *store, const void *slot, const void *key)
{
    const struct lowered *l = slot;
    const struct lowered_key *k = key;

    (void)store;
    return l->host == k->host && l->url_class == k->url_class;
}

static uint64_t
slot_hash(const void *store, const void *slot)
{
    const struct lowered *l = slot;

    (void)store;
    return hash_of(l->host, l->url_class);
}

static const struct hashmap_kind kind = {sizeof(struct lowered), slot_used,
                                         slot_is, slot_hash, NULL};

/* NULL: nothing is remembered of it. */
static struct lowered *
find(const struct url_store *db, uint32_t host, size_t url_class)
{
    const struct lowered_key key = {host, (uint8_t)url_class};
    struct lowered *l;

    if (db->lowered.n == 0)
        return NULL;
    l = hashmap_find(&db->lowered, &kind, db, hash_of(host, url_class), &key);
    return slot_used(l) ? l : NULL;
}

static uint64_t
sequence_of(const struct lowered *l, size_t i)
{
    return (uint64_t)l->high[i] << 32 | l->low[i];
}

static void
note(struct lowered *l, size_t i, struct row_position p)
{
    l->said[i] = p.priority;
    l->low[i] = (uint32_t)p.sequence;
    l->high[i] = (uint8_t)(p.sequence >> 32);
}

/* Which of the lowered rows it is; l->n: none. */
static size_t
row_of(const struct lowered *l, uint64_t sequence)
{
    size_t i = 0;

    while (i < l->n && sequence_of(l, i) != sequence)
        i++;
    return i;
}

/* ---- what is asked ---- */

static bool
is_before(uint16_t priority, uint64_t sequence, const struct lowered_head *than)
{
    return priority != than->priority ? priority > than->priority
                                      : sequence < than->position.sequence;
}

struct lowered_head
lowered_head(const struct url_store *db, uint32_t host, size_t url_class,
             const struct url_class *s)
{
    const struct lowered *l = find(db, host, url_class);
    struct lowered_head best = {.position = {host, (uint8_t)url_class,
                                             s->head_priority,
                                             s->head_sequence},
                                .priority = s->head_priority};

    if (l == NULL)
        return best;
    best.priority = best.position.priority = l->said[OTHER];
    best.position.sequence = sequence_of(l, OTHER);
    for (size_t i = 0; i < l->n; i++)
        if (is_before(l->counts[i], sequence_of(l, i), &best)) {
            best.priority = l->counts[i];
            best.position.priority = l->said[i];
            best.position.sequence = sequence_of(l, i);
        }
    return best;
}

uint16_t
lowered_priority(const struct url_store *db, struct row_position position)
{
    const struct lowered *l = find(db, position.host, position.url_class);
    size_t i = l != NULL ? row_of(l, position.sequence) : 0;

    return l != NULL && i < l->n ? l->counts[i] : position.priority;
}

/* ---- what changes ---- */

/* The best of all others is the first row from `from` on that is not lowered.
 */
static enum status
find_other(struct url_store *db, struct lowered *l, struct row_position from)
{
    struct row_key at = row_queue_key(from);
    struct row_position p;
    struct str key, value;
    enum status st =
        tables_seek(db->tables, TABLE_QUEUE, row_bytes(&at), &key, &value);

    for (; st == ST_OK;
         st = tables_next(db->tables, TABLE_QUEUE, &key, &value)) {
        if (!row_queue_position(&p, key))
            return url_store_corrupt("queue");
        if (p.host != l->host || p.url_class != l->url_class)
            break;
        if (row_of(l, p.sequence) == l->n) {
            note(l, OTHER, p);
            return ST_OK;
        }
    }
    note(l, OTHER, (struct row_position){0});
    return st == ST_NONE ? ST_OK : st;
}

static struct lowered *
slot_for(struct url_store *db, struct row_position best)
{
    const struct lowered_key key = {best.host, best.url_class};

    if (db->lowered.n == LOWERED_MAX)
        return NULL;
    if (db->lowered.slots == NULL)
        hashmap_init(&db->lowered, &kind, NULL, FIRST);
    return hashmap_put(&db->lowered, &kind, db,
                       hash_of(best.host, best.url_class), &key);
}

enum status
lowered_set(struct url_store *db, struct row_position best, uint16_t priority)
{
    struct lowered *l = find(db, best.host, best.url_class);
    size_t i = l != NULL ? row_of(l, best.sequence) : 0;

    if (l != NULL && i < l->n) {
        l->counts[i] = priority;
        return ST_OK;
    }
    if (i == LOWERED_ROWS || (l == NULL && (l = slot_for(db, best)) == NULL))
        return ST_FULL;
    l->host = best.host;
    l->url_class = best.url_class;
    l->n = (uint8_t)(i + 1);
    l->counts[i] = priority;
    note(l, i, best);
    return find_other(db, l, best);
}

void
lowered_coming(struct url_store *db, struct row_position position)
{
    struct lowered *l = find(db, position.host, position.url_class);

    if (l != NULL && (position.priority > l->said[OTHER] ||
                      (position.priority == l->said[OTHER] &&
                       position.sequence < sequence_of(l, OTHER))))
        note(l, OTHER, position);
}

enum status
lowered_leaving(struct url_store *db, struct row_position position)
{
    struct lowered *l = find(db, position.host, position.url_class);
    size_t i = l != NULL ? row_of(l, position.sequence) : 0;

    if (l == NULL)
        return ST_OK;
    if (i == l->n)
        return position.sequence == sequence_of(l, OTHER)
                   ? find_other(db, l, position)
                   : ST_OK;
    if (l->n == 1) {
        hashmap_remove(&db->lowered, &kind, db, l);
        return ST_OK;
    }
    l->n--;
    l->counts[i] = l->counts[l->n];
    l->said[i] = l->said[l->n];
    l->low[i] = l->low[l->n];
    l->high[i] = l->high[l->n];
    return ST_OK;
}

void
lowered_clear(struct url_store *db)
{
    if (db->lowered.n > 0)
        hashmap_clear(&db->lowered, &kind);
}
