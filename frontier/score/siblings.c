/* siblings.c -- see siblings.h: a direct-mapped cache with tags, 12 bytes a
 * page. */
#include "siblings.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

#define PAGES 16384u
#define COUNT_MOST 60000u

struct sibling_entry {
    uint32_t tag;
    struct sibling_counts n;
};

struct siblings {
    struct sibling_entry page[PAGES];
};

struct siblings *
siblings_new(void)
{
    return memory_need(calloc(1, sizeof(struct siblings)));
}

void
siblings_free(struct siblings *s)
{
    free(s);
}

static uint64_t
key_of(uint32_t host, uint64_t page)
{
    return hash_mix(page + hash_mix(host));
}

void
siblings_count(struct siblings *s, uint32_t host, uint64_t page, bool dead,
               bool kept)
{
    uint64_t key = key_of(host, page);
    struct sibling_entry *e = &s->page[key % PAGES];

    if (e->tag != (uint32_t)(key >> 32))
        *e = (struct sibling_entry){.tag = (uint32_t)(key >> 32)};
    if (e->n.ended == COUNT_MOST)
        return;
    e->n.ended++;
    e->n.dead = (uint16_t)(e->n.dead + dead);
    e->n.kept = (uint16_t)(e->n.kept + kept);
}

struct sibling_counts
siblings_of(const struct siblings *s, uint32_t host, uint64_t page)
{
    uint64_t key = key_of(host, page);
    const struct sibling_entry *e = &s->page[key % PAGES];

    return e->tag == (uint32_t)(key >> 32) ? e->n : (struct sibling_counts){0};
}
