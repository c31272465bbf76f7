/* hashmap.h -- the hash table: open addressing, linear probing, at most half
 * full.
 *
 * A table is an array of slots of one size; a slot whose bytes are all zero is
 * free.  What stands in the others is up to the owner: a key with its value, a
 * pointer, or the number (from 1) of an item in an array of the owner's.  A
 * constant `struct hashmap_kind` says how to compare and to hash; since the
 * functions that look up are inline, the compiler makes of each kind a loop of
 * its own, as tight as one written by hand.
 *
 * Hashes are given by the caller; they have to be mixed (hash64(), hash_mix()).
 * Anyone can find 100,000 words whose hashes begin alike, and fill a page with
 * them: a place is the high bits of the hash times a secret number, another one
 * in each process, so the order of slots is no order.  Slots move when the
 * table grows or something is removed.  Memory comes from an arena or from the
 * heap; when there is none it is as with arenas (memory.h).  Reading is
 * thread-safe while nobody writes.
 */
#ifndef BASE_HASHMAP_H
#define BASE_HASHMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* `of` is what the caller hands on: the owner of the table. */
struct hashmap_kind {
    size_t size; /* of a slot */
    bool (*used)(const void *slot);
    bool (*equal)(const void *of, const void *slot, const void *key);

    /* The hash of the key in a slot; NULL: the table neither grows nor has
     * anything removed. */
    uint64_t (*hash)(const void *of, const void *slot);

    /* False: what is in the slot may be dropped when the table is made anew;
     * NULL: nothing may. */
    bool (*keep)(const void *of, const void *slot);
};

struct hashmap {
    void *slots;
    size_t mask, n, least; /* places - 1; used; places at first */
    struct arena *arena;   /* NULL: the heap */
    unsigned shift;        /* from a hash to its place */
    uint64_t secret;       /* 1: of slots that are those of a file */
};

/* With room for n before it grows.  With an arena there is nothing to free. */
void hashmap_init(struct hashmap *m, const struct hashmap_kind *k,
                  struct arena *a, size_t n);
/* In memory of the caller's: so many places, a power of two, of zeros.  It must
 * never be full (half full is best), and there is nothing to free. */
void hashmap_use(struct hashmap *m, const struct hashmap_kind *k, void *slots,
                 size_t places);
void hashmap_free(struct hashmap *m); /* one of zeros is allowed */

/* Everything is forgotten, the memory is kept. */
void hashmap_clear(struct hashmap *m, const struct hashmap_kind *k);

/* Made anew, as large as what is kept needs it. */
void hashmap_rebuild(struct hashmap *m, const struct hashmap_kind *k,
                     const void *of);

/* Free a used slot. */
void hashmap_remove(struct hashmap *m, const struct hashmap_kind *k,
                    const void *of, void *slot);

/* Larger, and then the free slot for this hash; for hashmap_put(). */
void *hashmap_grown(struct hashmap *m, const struct hashmap_kind *k,
                    const void *of, uint64_t hash);

/* Slots, used and free. */
static inline size_t
hashmap_places(const struct hashmap *m)
{
    return m->mask + 1;
}

/* Where the slot of this hash is, or the first of a row in which it is. */
static inline size_t
hashmap_place(const struct hashmap *m, uint64_t hash)
{
    return (size_t)(hash * m->secret >> m->shift);
}

/* The next used slot behind this one (NULL: the first of all); NULL: there is
 * none. */
static inline __attribute__((always_inline)) void *
hashmap_next(const struct hashmap *m, const struct hashmap_kind *k,
             const void *slot)
{
    const char *end = (char *)m->slots + hashmap_places(m) * k->size;
    const char *at = slot == NULL ? m->slots : (const char *)slot + k->size;

    while (at < end && !k->used(at))
        at += k->size;
    return at < end ? (void *)at : NULL;
}

/* For slots that are a number from 1 on. */
static inline bool
hashmap_numbered(const void *slot)
{
    return *(const uint32_t *)slot != 0;
}

/* The slot of a key, or the free one where it belongs. */
static inline __attribute__((always_inline)) void *
hashmap_find(const struct hashmap *m, const struct hashmap_kind *k,
             const void *of, uint64_t hash, const void *key)
{
    size_t at = hashmap_place(m, hash), mask = m->mask;
    char *slots = m->slots;

    while (k->used(slots + at * k->size) &&
           !k->equal(of, slots + at * k->size, key))
        at = (at + 1) & mask;
    return slots + at * k->size;
}

/* The same, to be filled at once when it is free: it is counted already. */
static inline __attribute__((always_inline)) void *
hashmap_put(struct hashmap *m, const struct hashmap_kind *k, const void *of,
            uint64_t hash, const void *key)
{
    void *slot = hashmap_find(m, k, of, hash, key);

    if (k->used(slot))
        return slot;
    if (k->hash != NULL && 2 * (m->n + 1) > m->mask + 1)
        slot = hashmap_grown(m, k, of, hash);
    m->n++;
    return slot;
}

#endif
