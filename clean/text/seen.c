/* seen.c -- see seen.h: a Bloom filter under one lock; an addition takes a
 * microsecond. */
#include "seen.h"

#include <pthread.h>

#include "base/bloom.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"

#define FIRST_N ((uint64_t)1 << 17) /* fits 1 MiB at an error of 1e-12 */

struct seen_set {
    pthread_mutex_t lock;
    struct bloom *bloom;
    const char *what;
    bool full;
};

enum status
seen_open(struct seen_set **out, const struct opts *o, const char *what)
{
    const struct bloom_options bloom = {
        BLOOM_SPREAD, o->clean_duplicates_error, FIRST_N,
        machine_cache_bytes(o->clean_duplicates_mib)};
    struct seen_set *s = memory_zero(1, sizeof *s);
    enum status st;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    if ((st = bloom_open(&s->bloom, &bloom)) != ST_OK) {
        memory_free(s);
        return st;
    }
    pthread_mutex_init(&s->lock, NULL);
    s->what = what;
    *out = s;
    return ST_OK;
}

void
seen_close(struct seen_set *s)
{
    if (s == NULL)
        return;
    pthread_mutex_destroy(&s->lock);
    bloom_close(s->bloom);
    memory_free(s);
}

void
seen_lock(struct seen_set *s)
{
    pthread_mutex_lock(&s->lock);
}

void
seen_unlock(struct seen_set *s)
{
    pthread_mutex_unlock(&s->lock);
}

bool
seen_has(const struct seen_set *s, struct hash128 key)
{
    return bloom_has(s->bloom, key);
}

bool
seen_add(struct seen_set *s, struct hash128 key)
{
    bool before = bloom_add(s->bloom, key);

    if (!s->full && bloom_stat(s->bloom).excess_n > 0) {
        s->full = true;
        log_warn("clean",
                 "clean.duplicates_mib, or half of the memory there is, is "
                 "used up: new %s are no longer remembered",
                 s->what);
    }
    return before;
}
