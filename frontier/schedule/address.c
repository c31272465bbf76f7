/* address.c -- see address.h: a hash table of addresses; when it is made anew,
 * those that are free by then are dropped.  So its size follows the addresses
 * in use, not those ever met. */
#include "address.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"

#define GROUP 64u /* hosts that wake together */
#define ADDRESSES_FIRST 128u

struct address_entry {
    uint64_t address; /* 0: free slot */
    uint64_t due_ms;
    uint32_t holder; /* host whose contact due_ms waits for; 0: none */
    uint32_t parked; /* since the last hold */
};

struct addresses {
    struct hashmap entry;
    uint64_t now_ms; /* the latest time seen */
};

static bool
entry_used(const void *slot)
{
    return ((const struct address_entry *)slot)->address != 0;
}

static bool
entry_is(const void *addresses, const void *slot, const void *address)
{
    (void)addresses;
    return ((const struct address_entry *)slot)->address ==
           *(const uint64_t *)address;
}

static uint64_t
entry_hash(const void *addresses, const void *slot)
{
    (void)addresses;
    return hash_mix(((const struct address_entry *)slot)->address);
}

static bool
entry_waits(const void *addresses, const void *slot)
{
    const struct addresses *a = addresses;

    return ((const struct address_entry *)slot)->due_ms > a->now_ms;
}

static const struct hashmap_kind entries_kind = {sizeof(struct address_entry),
                                                 entry_used, entry_is,
                                                 entry_hash, entry_waits};

struct addresses *
addresses_new(void)
{
    struct addresses *a = memory_need(calloc(1, sizeof *a));

    hashmap_init(&a->entry, &entries_kind, NULL, ADDRESSES_FIRST);
    return a;
}

void
addresses_free(struct addresses *a)
{
    if (a == NULL)
        return;
    hashmap_free(&a->entry);
    free(a);
}

void
addresses_prune(struct addresses *a, uint64_t now_ms)
{
    a->now_ms = now_ms;
    if (a->entry.n > hashmap_places(&a->entry) / 4)
        hashmap_rebuild(&a->entry, &entries_kind, a);
}

/* The entry; made when there is none. */
static struct address_entry *
need(struct addresses *a, uint64_t address)
{
    struct address_entry *e =
        hashmap_put(&a->entry, &entries_kind, a, hash_mix(address), &address);

    e->address = address;
    return e;
}

uint64_t
addresses_due(const struct addresses *a, uint64_t address)
{
    const struct address_entry *e =
        hashmap_find(&a->entry, &entries_kind, a, hash_mix(address), &address);

    return e->due_ms; /* of a free slot, as of no address: 0 */
}

void
addresses_hold(struct addresses *a, uint64_t address, uint32_t host,
               uint64_t until_ms)
{
    struct address_entry *e;

    if (address == 0)
        return;
    e = need(a, address);
    e->holder = host;
    e->parked = 0;
    if (until_ms > e->due_ms)
        e->due_ms = until_ms;
}

void
addresses_raise(struct addresses *a, uint64_t address, uint64_t until_ms)
{
    struct address_entry *e;

    if (address == 0)
        return;
    e = need(a, address);
    if (until_ms > e->due_ms)
        e->due_ms = until_ms;
}

void
addresses_cut(struct addresses *a, uint64_t last_ms)
{
    for (struct address_entry *e = NULL;
         (e = hashmap_next(&a->entry, &entries_kind, e)) != NULL;)
        if (e->due_ms > last_ms)
            e->due_ms = last_ms;
}

void
addresses_release(struct addresses *a, uint64_t address, uint32_t host,
                  uint64_t next_ms)
{
    struct address_entry *e;

    if (address == 0)
        return;
    e = need(a, address);
    if (e->holder == host || next_ms > e->due_ms)
        e->due_ms = next_ms;
    if (e->holder == host) {
        e->holder = 0;
        e->parked = 0;
    }
}

uint64_t
addresses_park(struct addresses *a, uint64_t address, uint64_t now_ms,
               uint64_t step_ms)
{
    struct address_entry *e = need(a, address);
    uint64_t free_ms = e->due_ms;

    if (e->holder != 0 && free_ms > now_ms + step_ms)
        free_ms = now_ms + step_ms;
    return free_ms + e->parked++ / GROUP * step_ms;
}

size_t
addresses_n(const struct addresses *a)
{
    return a->entry.n;
}
