/* hashmap.c -- see hashmap.h: what is not worth being inlined. */
#include "base/hashmap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/hash.h"
#include "base/memory.h"

#define PLACES_LEAST 16u

static uint64_t secret = 1;

/* What the kernel has drawn for this process: in a sandbox nobody can ask. */
__attribute__((constructor)) static void
draw_secret(void)
{
    const char *drawn = (const char *)getauxval(AT_RANDOM); /* 16 bytes */

    if (drawn != NULL)
        secret = hash64(str_n(drawn, 16)) | 1;
}

static void
set_places(struct hashmap *m, size_t places)
{
    m->mask = places - 1;
    m->shift = 64;
    for (; places > 1; places /= 2)
        m->shift--;
}

void
hashmap_use(struct hashmap *m, const struct hashmap_kind *k, void *slots,
            size_t places)
{
    *m = (struct hashmap){.slots = slots, .least = places, .secret = secret};
    set_places(m, places);
    assert(k->hash == NULL);
    (void)k;
}

static void
make_places(struct hashmap *m, const struct hashmap_kind *k, size_t places)
{
    m->slots = m->arena != NULL ? arena_array(m->arena, k->size, places)
                                : memory_need(memory_zero(places, k->size));
    set_places(m, places);
}

void
hashmap_init(struct hashmap *m, const struct hashmap_kind *k, struct arena *a,
             size_t n)
{
    *m = (struct hashmap){.arena = a, .least = PLACES_LEAST, .secret = secret};
    while (m->least / 2 < n)
        m->least *= 2;
    make_places(m, k, m->least);
}

void
hashmap_free(struct hashmap *m)
{
    if (m->arena == NULL)
        memory_free(m->slots);
    *m = (struct hashmap){0};
}

void
hashmap_clear(struct hashmap *m, const struct hashmap_kind *k)
{
    if (m->n > 0)
        memset(m->slots, 0, hashmap_places(m) * k->size);
    m->n = 0;
}

/* The first free slot from the place of a hash on. */
static void *
free_slot(const struct hashmap *m, const struct hashmap_kind *k, uint64_t hash)
{
    size_t at = hashmap_place(m, hash);

    while (k->used((char *)m->slots + at * k->size))
        at = (at + 1) & m->mask;
    return (char *)m->slots + at * k->size;
}

static size_t
count_kept(const struct hashmap *m, const struct hashmap_kind *k,
           const void *of)
{
    size_t n = 0;

    if (k->keep == NULL)
        return m->n;
    for (void *s = NULL; (s = hashmap_next(m, k, s)) != NULL;)
        n += k->keep(of, s);
    return n;
}

/* A quarter full, so that it is not soon made anew. */
void
hashmap_rebuild(struct hashmap *m, const struct hashmap_kind *k, const void *of)
{
    struct hashmap old = *m;
    size_t places = m->least, n = count_kept(m, k, of);

    while (places / 4 < n)
        places *= 2;
    make_places(m, k, places);
    m->n = n;
    for (void *s = NULL; (s = hashmap_next(&old, k, s)) != NULL;)
        if (k->keep == NULL || k->keep(of, s))
            memcpy(free_slot(m, k, k->hash(of, s)), s, k->size);
    if (m->arena == NULL)
        memory_free(old.slots);
}

void *
hashmap_grown(struct hashmap *m, const struct hashmap_kind *k, const void *of,
              uint64_t hash)
{
    hashmap_rebuild(m, k, of);
    return free_slot(m, k, hash);
}

/* Knuth, TAOCP 3, 6.4, algorithm R: what follows without a gap moves up, if its
 * own place is not behind the hole. */
void
hashmap_remove(struct hashmap *m, const struct hashmap_kind *k, const void *of,
               void *slot)
{
    char *slots = m->slots, *hole = slot;
    size_t i = (size_t)(hole - slots) / k->size, j = i;

    m->n--;
    for (;;) {
        size_t home;

        memset(hole, 0, k->size);
        do {
            j = (j + 1) & m->mask;
            if (!k->used(slots + j * k->size))
                return;
            home = hashmap_place(m, k->hash(of, slots + j * k->size));
        } while (i <= j ? i < home && home <= j : i < home || home <= j);
        memcpy(hole, slots + j * k->size, k->size);
        hole = slots + j * k->size;
        i = j;
    }
}
