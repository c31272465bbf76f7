/* scheduler.c -- see scheduler.h: entries in an array, two heaps (heap.h) that
 * name them by index, and a hash table from host to index.
 *
 * A change costs O(log n).  About 90 bytes a host.  Not thread-safe.  Out of
 * memory ends the program. */
#include "scheduler.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/memory.h"
#include "heap.h"

#define HOSTS_FIRST 32u
#define SOON_MAX 4096u /* hosts that scheduler_soon() looks at */

enum where { FREE, READY, WAITING };

struct host_slot {
    struct scheduler_entry e;
    uint32_t link; /* index + 1, 0 none: FREE: of the next free one; else of
                      its place among those that are out */
    uint32_t where;
};

struct scheduler {
    struct host_slot *slots;
    uint32_t slots_n, slots_cap, free; /* free: index + 1, 0 none */
    struct hashmap map;                /* of hosts: slot index + 1 */
    uint32_t *out;                     /* slots of hosts that are out */
    uint32_t out_n, out_cap, full_n;
    struct heap heap[3]; /* READY, WAITING */
    uint64_t now_ms;
};

static uint32_t
host_of(const struct scheduler *a, const void *number)
{
    return a->slots[*(const uint32_t *)number - 1].e.host;
}

static bool
number_is(const void *scheduler, const void *number, const void *host)
{
    return host_of(scheduler, number) == *(const uint32_t *)host;
}

static uint64_t
number_hash(const void *scheduler, const void *number)
{
    return hash_mix(host_of(scheduler, number));
}

static const struct hashmap_kind map_kind = {sizeof(uint32_t), hashmap_numbered,
                                             number_is, number_hash, NULL};

struct scheduler *
scheduler_new(void)
{
    struct scheduler *a = memory_need(calloc(1, sizeof *a));

    hashmap_init(&a->map, &map_kind, NULL, HOSTS_FIRST);
    return a;
}

void
scheduler_free(struct scheduler *a)
{
    if (a == NULL)
        return;
    free(a->slots);
    hashmap_free(&a->map);
    free(a->out);
    heap_free(&a->heap[READY]);
    heap_free(&a->heap[WAITING]);
    free(a);
}

/* ---- heaps ---- */

#define SEQUENCE_LOW 24 /* bits of a sequence (of 40) that stand in the tie */

/* The order of the heap as a number: waiting by time, then the host; ready by
 * priority, then who was fetched from least, then the older URL (no two hosts
 * have the same). */
static struct heap_node
node_of(const struct scheduler *a, enum where w, uint32_t slot)
{
    const struct scheduler_entry *e = &a->slots[slot].e;

    if (w == WAITING)
        return (struct heap_node){e->due_ms, e->host, slot};
    return (struct heap_node){(uint64_t)(UINT16_MAX - e->priority) << 48 |
                                  (uint64_t)e->fetched << 16 |
                                  (e->sequence >> SEQUENCE_LOW & UINT16_MAX),
                              (uint32_t)(e->sequence << (32 - SEQUENCE_LOW)),
                              slot};
}

static void
move(struct scheduler *a, uint32_t slot, enum where to)
{
    enum where from = (enum where)a->slots[slot].where;

    a->slots[slot].where = to;
    if (from == to && to != FREE) {
        heap_change(&a->heap[to], node_of(a, to, slot));
        return;
    }
    if (from != FREE)
        heap_take(&a->heap[from], slot);
    if (to != FREE)
        heap_add(&a->heap[to], node_of(a, to, slot));
}

/* ---- host to slot ---- */

/* The number of the host's slot; a free place of the map: 0. */
static uint32_t *
find(const struct scheduler *a, uint32_t host)
{
    return hashmap_find(&a->map, &map_kind, a, hash_mix(host), &host);
}

static uint32_t
slot_new(struct scheduler *a)
{
    uint32_t i;

    if (a->free != 0) {
        i = a->free - 1;
        a->free = a->slots[i].link;
        return i;
    }
    if (a->slots_n == a->slots_cap) {
        a->slots_cap = a->slots_cap ? 2 * a->slots_cap : 64;
        a->slots =
            memory_need(realloc(a->slots, a->slots_cap * sizeof *a->slots));
    }
    a->slots[a->slots_n].where = FREE;
    return a->slots_n++;
}

/* ---- hosts that are out: few, so that nobody looks for them among all ---- */

static void
out_add(struct scheduler *a, uint32_t slot)
{
    if (a->out_n == a->out_cap) {
        a->out_cap = a->out_cap ? 2 * a->out_cap : 64;
        a->out = memory_need(realloc(a->out, a->out_cap * sizeof *a->out));
    }
    a->out[a->out_n++] = slot;
    a->slots[slot].link = a->out_n;
}

static void
out_remove(struct scheduler *a, uint32_t slot)
{
    uint32_t at = a->slots[slot].link;

    if (at == 0)
        return;
    a->out[at - 1] = a->out[--a->out_n];
    a->slots[a->out[at - 1]].link = at;
    a->slots[slot].link = 0;
}

/* ---- the scheduler ---- */

void
scheduler_set(struct scheduler *a, const struct scheduler_entry *e)
{
    uint32_t *number =
        hashmap_put(&a->map, &map_kind, a, hash_mix(e->host), &e->host);
    uint32_t slot;

    if (*number != 0) {
        slot = *number - 1;
        out_remove(a, slot);
    } else {
        slot = slot_new(a);
        a->slots[slot].link = 0;
        a->slots[slot].e.full = false;
        *number = slot + 1;
    }
    a->full_n += e->full;
    a->full_n -= a->slots[slot].e.full;
    a->slots[slot].e = *e;
    if (e->out)
        out_add(a, slot);
    move(a, slot, !e->out && e->due_ms <= a->now_ms ? READY : WAITING);
}

void
scheduler_delay(struct scheduler *a, uint32_t host, uint64_t due_ms)
{
    const uint32_t *number = find(a, host);
    struct scheduler_entry e;

    if (*number == 0)
        return;
    e = a->slots[*number - 1].e;
    e.due_ms = due_ms;
    scheduler_set(a, &e);
}

void
scheduler_drop(struct scheduler *a, uint32_t host)
{
    uint32_t *number = find(a, host), slot;

    if (*number == 0)
        return;
    slot = *number - 1;
    move(a, slot, FREE);
    out_remove(a, slot);
    a->full_n -= a->slots[slot].e.full;
    hashmap_remove(&a->map, &map_kind, a, number);
    a->slots[slot].e.out = false;
    a->slots[slot].link = a->free;
    a->free = slot + 1;
}

/* The clock was set back: some who were due are not any more. */
static void
set_back(struct scheduler *a, uint64_t now_ms)
{
    for (uint32_t i = 0; i < a->slots_n; i++) {
        if (a->slots[i].where == READY && a->slots[i].e.due_ms > now_ms)
            move(a, i, WAITING);
    }
}

bool
scheduler_advance(struct scheduler *a, uint64_t now_ms, uint32_t *host)
{
    struct heap *w = &a->heap[WAITING];

    if (now_ms < a->now_ms)
        set_back(a, now_ms);
    a->now_ms = now_ms;
    while (w->n > 0) {
        uint32_t slot = w->node[0].id;
        const struct scheduler_entry *e = &a->slots[slot].e;

        if (e->due_ms > now_ms)
            break;
        if (e->out) {
            *host = e->host;
            return true;
        }
        move(a, slot, READY);
    }
    return false;
}

bool
scheduler_best(const struct scheduler *a, uint32_t *host)
{
    const struct heap *r = &a->heap[READY];

    if (r->n == 0)
        return false;
    *host = a->slots[r->node[0].id].e.host;
    return true;
}

size_t
scheduler_first(const struct scheduler *a, struct scheduler_entry *out,
                size_t max)
{
    uint32_t slot[SCHEDULER_FIRST_MAX];
    uint32_t n = heap_first(
        &a->heap[READY], slot,
        (uint32_t)(max < SCHEDULER_FIRST_MAX ? max : SCHEDULER_FIRST_MAX));

    for (uint32_t i = 0; i < n; i++)
        out[i] = a->slots[slot[i]].e;
    return n;
}

bool
scheduler_any(const struct scheduler *a, uint64_t chance, uint32_t *host)
{
    const struct heap *r = &a->heap[READY];

    if (r->n == 0)
        return false;
    *host = a->slots[r->node[chance % r->n].id].e.host;
    return true;
}

uint64_t
scheduler_wake(const struct scheduler *a)
{
    const struct heap *w = &a->heap[WAITING];

    if (a->heap[READY].n > 0)
        return a->now_ms;
    return w->n > 0 ? w->node[0].key : SCHEDULER_NEVER;
}

struct soon {
    uint64_t until_ms;
    uint32_t left; /* hosts that may still be looked at */
    uint16_t best;
};

static void
soon_below(const struct scheduler *a, uint32_t at, struct soon *s)
{
    const struct heap *w = &a->heap[WAITING];
    const struct scheduler_entry *e;

    if (at >= w->n || s->left == 0 || w->node[at].key > s->until_ms)
        return;
    e = &a->slots[w->node[at].id].e;
    s->left--;
    if (!e->out && e->priority > s->best)
        s->best = e->priority;
    for (uint32_t i = 1; i <= HEAP_CHILDREN; i++)
        soon_below(a, HEAP_CHILDREN * at + i, s);
}

uint16_t
scheduler_soon(const struct scheduler *a, uint64_t until_ms, uint64_t out_ms)
{
    struct soon s = {.until_ms = until_ms, .left = SOON_MAX};

    soon_below(a, 0, &s);
    for (uint32_t i = 0; i < a->out_n; i++) {
        const struct scheduler_entry *e = &a->slots[a->out[i]].e;

        if (e->due_ms >= out_ms && e->priority > s.best)
            s.best = e->priority;
    }
    return s.best;
}

size_t
scheduler_len(const struct scheduler *a)
{
    return a->map.n;
}

/* Those of the subtree at `at` that are due but not yet moved. */
static uint64_t
due_below(const struct scheduler *a, uint32_t at, uint64_t now_ms)
{
    const struct heap *w = &a->heap[WAITING];
    uint64_t n;

    if (at >= w->n || w->node[at].key > now_ms)
        return 0;
    n = !a->slots[w->node[at].id].e.out;
    for (uint32_t i = 1; i <= HEAP_CHILDREN; i++)
        n += due_below(a, HEAP_CHILDREN * at + i, now_ms);
    return n;
}

void
scheduler_count(const struct scheduler *a, uint64_t now_ms, uint64_t *due,
                uint64_t *waiting)
{
    *due = a->heap[READY].n + due_below(a, 0, now_ms);
    *waiting = a->map.n - a->out_n - a->full_n - *due;
}

size_t
scheduler_beyond(const struct scheduler *a, uint64_t at_ms, uint32_t *ids,
                 size_t max)
{
    size_t n = 0;

    for (uint32_t i = 0; i < a->slots_n; i++) {
        const struct scheduler_entry *e = &a->slots[i].e;

        if (a->slots[i].where == FREE || e->due_ms <= at_ms ||
            e->due_ms == SCHEDULER_NEVER)
            continue;
        if (n < max)
            ids[n] = e->host;
        n++;
    }
    return n;
}

size_t
scheduler_out_n(const struct scheduler *a)
{
    return a->out_n;
}

size_t
scheduler_full_n(const struct scheduler *a)
{
    return a->full_n;
}

size_t
scheduler_out(const struct scheduler *a, uint32_t *ids, size_t max)
{
    for (uint32_t i = 0; i < a->out_n && i < max; i++)
        ids[i] = a->slots[a->out[i]].e.host;
    return a->out_n;
}
