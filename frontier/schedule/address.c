/* address.c -- see address.h: a hash of addresses, open addressing, linear
 * probing; made anew when half full, without those that are free by then.  So
 * its size follows the addresses in use, not those ever met. */
#include "address.h"

#include "winnow/memory.h"

#include <stdlib.h>

#define GROUP 64u /* hosts that wake together */
#define SIZE_LEAST 256u

struct entry {
    uint64_t address; /* 0: empty */
    uint64_t due_ms;
    uint32_t holder; /* host whose contact due_ms waits for; 0: none */
    uint32_t parked; /* since the last hold */
};

struct addresses {
    struct entry *entry;
    size_t size, n;
    uint64_t now_ms; /* the latest time seen */
};

struct addresses *
addresses_new(void)
{
    struct addresses *a = memory_need(calloc(1, sizeof *a));

    a->size = SIZE_LEAST;
    a->entry = memory_need(calloc(a->size, sizeof(struct entry)));
    return a;
}

void
addresses_free(struct addresses *a)
{
    if (a == NULL)
        return;
    free(a->entry);
    free(a);
}

static struct entry *
find(const struct addresses *a, uint64_t address)
{
    size_t i = (size_t)address & (a->size - 1);

    while (a->entry[i].address != 0 && a->entry[i].address != address)
        i = (i + 1) & (a->size - 1);
    return &a->entry[i];
}

static void
rebuild(struct addresses *a, uint64_t now_ms)
{
    struct entry *old = a->entry;
    size_t size = a->size, live = 0;

    for (size_t i = 0; i < size; i++)
        live += old[i].address != 0 && old[i].due_ms > now_ms;
    for (a->size = SIZE_LEAST; a->size < 4 * live; a->size *= 2)
        ;
    a->entry = memory_need(calloc(a->size, sizeof(struct entry)));
    a->n = live;
    for (size_t i = 0; i < size; i++)
        if (old[i].address != 0 && old[i].due_ms > now_ms)
            *find(a, old[i].address) = old[i];
    free(old);
}

void
addresses_prune(struct addresses *a, uint64_t now_ms)
{
    a->now_ms = now_ms;
    if (a->n > a->size / 4)
        rebuild(a, now_ms);
}

/* The entry; made when there is none. */
static struct entry *
need(struct addresses *a, uint64_t address)
{
    struct entry *e = find(a, address);

    if (e->address != 0)
        return e;
    if (a->n + 1 > a->size / 2) {
        rebuild(a, a->now_ms);
        e = find(a, address);
    }
    a->n++;
    *e = (struct entry){.address = address};
    return e;
}

uint64_t
addresses_due(const struct addresses *a, uint64_t address)
{
    return address == 0 ? 0 : find(a, address)->due_ms;
}

void
addresses_hold(struct addresses *a, uint64_t address, uint32_t host,
               uint64_t until_ms)
{
    struct entry *e;

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
    struct entry *e;

    if (address == 0)
        return;
    e = need(a, address);
    if (until_ms > e->due_ms)
        e->due_ms = until_ms;
}

void
addresses_cut(struct addresses *a, uint64_t last_ms)
{
    for (size_t i = 0; i < a->size; i++)
        if (a->entry[i].address != 0 && a->entry[i].due_ms > last_ms)
            a->entry[i].due_ms = last_ms;
}

void
addresses_release(struct addresses *a, uint64_t address, uint32_t host,
                  uint64_t next_ms)
{
    struct entry *e;

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
    struct entry *e = need(a, address);
    uint64_t free_ms = e->due_ms;

    if (e->holder != 0 && free_ms > now_ms + step_ms)
        free_ms = now_ms + step_ms;
    return free_ms + e->parked++ / GROUP * step_ms;
}

size_t
addresses_n(const struct addresses *a)
{
    return a->n;
}
