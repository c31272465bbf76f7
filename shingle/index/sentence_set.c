/* sentence_set.c -- see sentence_set.h: a filter, and a table of what the batch
 * has added.  With `latest` there are two filters of half of the memory: when
 * one is full the older one goes. */
#include "sentence_set.h"

#include <stdlib.h>

#include "base/bloom.h"
#include "base/hashmap.h"
#include "base/log.h"

#define ERROR 1e-6
#define FIRST_N ((uint64_t)1 << 17)

struct sentence_set {
    struct bloom *bloom, *older; /* older: NULL as long as there is none */
    struct bloom_options made_as;
    bool latest;
    struct hashmap batch;
    bool full;
};

static bool
slot_used(const void *slot)
{
    return *(const uint64_t *)slot != 0;
}

static bool
slot_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return *(const uint64_t *)slot == *(const uint64_t *)key;
}

static uint64_t
slot_hash(const void *of, const void *slot)
{
    (void)of;
    return hash_mix(*(const uint64_t *)slot);
}

static const struct hashmap_kind kind = {.size = sizeof(uint64_t),
                                         .used = slot_used,
                                         .equal = slot_equal,
                                         .hash = slot_hash};

/* 0 is a free slot. */
static uint64_t
slot_of(uint64_t hash)
{
    return hash != 0 ? hash : 1;
}

static struct hash128
key_of(uint64_t hash)
{
    return (struct hash128){hash_mix(slot_of(hash)), slot_of(hash)};
}

enum status
sentence_set_open(struct sentence_set **out, uint64_t bytes_max, bool latest)
{
    const struct bloom_options o = {latest ? BLOOM_BLOCKED : BLOOM_SPREAD,
                                    ERROR, FIRST_N,
                                    latest ? bytes_max / 2 : bytes_max};
    struct sentence_set *s = calloc(1, sizeof *s);
    enum status st;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    if ((st = bloom_open(&s->bloom, &o)) != ST_OK) {
        free(s);
        return st;
    }
    s->made_as = o;
    s->latest = latest;
    hashmap_init(&s->batch, &kind, NULL, 1024);
    *out = s;
    return ST_OK;
}

void
sentence_set_close(struct sentence_set *s)
{
    if (s == NULL)
        return;
    hashmap_free(&s->batch);
    bloom_close(s->bloom);
    bloom_close(s->older);
    free(s);
}

static uint64_t *
slot_in_batch(const struct sentence_set *s, uint64_t slot)
{
    return hashmap_find(&s->batch, &kind, NULL, hash_mix(slot), &slot);
}

bool
sentence_set_has(const struct sentence_set *s, uint64_t hash)
{
    return *slot_in_batch(s, slot_of(hash)) != 0 ||
           bloom_has(s->bloom, key_of(hash)) ||
           (s->older != NULL && bloom_has(s->older, key_of(hash)));
}

/* Without memory for another filter this one goes on, and errs more often. */
static void
begin_another(struct sentence_set *s)
{
    struct bloom *b;

    if (bloom_open(&b, &s->made_as) != ST_OK)
        return;
    bloom_close(s->older);
    s->older = s->bloom;
    s->bloom = b;
}

void
sentence_set_put(struct sentence_set *s, uint64_t hash)
{
    (void)bloom_add(s->bloom, key_of(hash));
    if (s->full || bloom_stat(s->bloom).excess_n == 0)
        return;
    if (s->latest) {
        begin_another(s);
        return;
    }
    s->full = true;
    log_warn("dedup",
             "dedup.known_sentences_mib, or half of the memory there is, is "
             "used up: new sentences are no longer remembered");
}

void
sentence_set_add(struct sentence_set *s, uint64_t hash)
{
    uint64_t slot = slot_of(hash);

    *(uint64_t *)hashmap_put(&s->batch, &kind, NULL, hash_mix(slot), &slot) =
        slot;
}

void
sentence_set_end(struct sentence_set *s)
{
    const uint64_t *slot = NULL;

    while ((slot = hashmap_next(&s->batch, &kind, slot)) != NULL)
        sentence_set_put(s, *slot);
    sentence_set_undo(s);
}

void
sentence_set_undo(struct sentence_set *s)
{
    if (s->batch.n > 0)
        hashmap_clear(&s->batch, &kind);
}
