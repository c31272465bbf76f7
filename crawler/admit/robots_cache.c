/* robots_cache.c -- chained hash table threaded by a list in order of use.
 *
 * An authority stands for its 64-bit hash.  Bound: bytes of parsed files. */
#include "robots_cache.h"

#include "winnow/hash.h"
#include "winnow/memory.h"

#include <assert.h>
#include <stdlib.h>

#define BUCKETS 4096u

struct cached_robots {
    uint64_t key, version;
    struct robots *robots;
    size_t memory;
    struct cached_robots *next;          /* in its bucket */
    struct cached_robots *newer, *older; /* in order of use */
};

struct robots_cache {
    struct cached_robots *bucket[BUCKETS];
    struct cached_robots *newest, *oldest;
    size_t n, memory, memory_max;
};

struct robots_cache *
robots_cache_new(size_t memory_max)
{
    struct robots_cache *c = memory_need(calloc(1, sizeof *c));

    c->memory_max = memory_max;
    return c;
}

static struct cached_robots **
place(struct robots_cache *c, uint64_t key)
{
    struct cached_robots **e = &c->bucket[key % BUCKETS];

    while (*e != NULL && (*e)->key != key)
        e = &(*e)->next;
    return e;
}

static void
unlink_use(struct robots_cache *c, struct cached_robots *e)
{
    *(e->newer != NULL ? &e->newer->older : &c->newest) = e->older;
    *(e->older != NULL ? &e->older->newer : &c->oldest) = e->newer;
}

static void
link_newest(struct robots_cache *c, struct cached_robots *e)
{
    e->newer = NULL;
    e->older = c->newest;
    *(c->newest != NULL ? &c->newest->newer : &c->oldest) = e;
    c->newest = e;
}

static void
drop(struct robots_cache *c, struct cached_robots **at)
{
    struct cached_robots *e = *at;

    assert(e != NULL); /* what is in the order of use is in a bucket */
    *at = e->next;
    unlink_use(c, e);
    c->n--;
    c->memory -= e->memory;
    robots_free(e->robots);
    free(e);
}

void
robots_cache_free(struct robots_cache *c)
{
    if (c == NULL)
        return;
    while (c->oldest != NULL)
        drop(c, place(c, c->oldest->key));
    free(c);
}

const struct robots *
robots_cache_find(struct robots_cache *c, struct str authority,
                  uint64_t version)
{
    struct cached_robots *e = *place(c, hash64(authority));

    if (e == NULL || e->version != version)
        return NULL;
    unlink_use(c, e);
    link_newest(c, e);
    return e->robots;
}

void
robots_cache_put(struct robots_cache *c, struct str authority, uint64_t version,
                 struct robots *r)
{
    uint64_t key = hash64(authority);
    struct cached_robots **at = place(c, key), *e;

    if (*at != NULL)
        drop(c, at);
    e = memory_need(calloc(1, sizeof *e));
    *e = (struct cached_robots){.key = key,
                                .version = version,
                                .robots = r,
                                .memory = sizeof *e + robots_memory(r),
                                .next = c->bucket[key % BUCKETS]};
    c->bucket[key % BUCKETS] = e;
    link_newest(c, e);
    c->n++;
    c->memory += e->memory;
    while (c->memory > c->memory_max && c->oldest != e)
        drop(c, place(c, c->oldest->key));
}

size_t
robots_cache_n(const struct robots_cache *c)
{
    return c->n;
}
