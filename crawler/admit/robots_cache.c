/* robots_cache.c -- chained hash table threaded by a list in order of use.
 *
 * An authority stands for its 64-bit hash, a text of its own for another: a
 * host can only mistake its own texts for each other.  Bound: bytes of parsed
 * files.
 */
#include "robots_cache.h"

#include "base/hash.h"
#include "base/memory.h"
#include "tdmrep.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 4096u

struct cached_robots {
    uint64_t key, version, body; /* body: its hash */
    struct robots *robots;
    size_t memory;
    struct cached_robots *next;          /* in its bucket */
    struct cached_robots *newer, *older; /* in order of use */
};

struct robots_cache {
    pthread_mutex_t lock;
    struct cached_robots *bucket[BUCKETS];
    struct cached_robots *newest, *oldest;
    size_t n, memory, memory_max;
};

struct robots_cache *
robots_cache_new(size_t memory_max)
{
    struct robots_cache *c = memory_need(calloc(1, sizeof *c));

    pthread_mutex_init(&c->lock, NULL);
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
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static void
use(struct robots_cache *c, struct cached_robots *e)
{
    unlink_use(c, e);
    link_newest(c, e);
}

static void
put(struct robots_cache *c, const struct cached_robots *new)
{
    struct cached_robots **at = place(c, new->key), *e;

    if (*at != NULL)
        drop(c, at);
    e = memory_need(calloc(1, sizeof *e));
    *e = *new;
    e->memory = sizeof *e + robots_memory(e->robots);
    e->next = c->bucket[e->key % BUCKETS];
    c->bucket[e->key % BUCKETS] = e;
    link_newest(c, e);
    c->n++;
    c->memory += e->memory;
    while (c->memory > c->memory_max && c->oldest != e)
        drop(c, place(c, c->oldest->key));
}

void
robots_cache_put(struct robots_cache *c, struct str authority, uint64_t version,
                 struct str body, struct robots *r)
{
    const struct cached_robots new = {.key = hash64(authority),
                                      .version = version,
                                      .body = hash64(body),
                                      .robots = r};

    pthread_mutex_lock(&c->lock);
    put(c, &new);
    pthread_mutex_unlock(&c->lock);
}

bool
robots_cache_version(struct robots_cache *c, struct str authority,
                     uint64_t version, struct str body)
{
    struct cached_robots *e;
    bool known;

    pthread_mutex_lock(&c->lock);
    e = *place(c, hash64(authority));
    if ((known = e != NULL && e->body == hash64(body)))
        e->version = version;
    pthread_mutex_unlock(&c->lock);
    return known;
}

enum robots_answer
robots_cache_ask(struct robots_cache *c, struct str authority, uint64_t version,
                 struct str target)
{
    enum robots_answer answer = ROBOTS_UNKNOWN;
    struct cached_robots *e;

    pthread_mutex_lock(&c->lock);
    e = *place(c, hash64(authority));
    if (e != NULL && e->version == version) {
        use(c, e);
        answer =
            robots_allowed(e->robots, target) ? ROBOTS_ALLOW : ROBOTS_DISALLOW;
    }
    pthread_mutex_unlock(&c->lock);
    return answer;
}

struct site_rights
robots_cache_rights(struct robots_cache *c, struct str authority,
                    struct str target, struct arena *a)
{
    struct site_rights rights = {STR(""), STR("")};
    struct cached_robots *e;

    pthread_mutex_lock(&c->lock);
    e = *place(c, hash64(authority));
    if (e != NULL) {
        rights.robots = arena_str(a, robots_rights(e->robots));
        rights.tdmrep = arena_str(a, robots_tdmrep(e->robots));
    }
    pthread_mutex_unlock(&c->lock);
    rights.tdmrep = tdmrep_of(rights.tdmrep, target, a);
    return rights;
}

size_t
robots_cache_n(struct robots_cache *c)
{
    size_t n;

    pthread_mutex_lock(&c->lock);
    n = c->n;
    pthread_mutex_unlock(&c->lock);
    return n;
}
