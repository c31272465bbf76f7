/* assessor.c -- makes what all profiles come to (assessor.h).
 *
 * All words of all profiles stand in one hash table from the word's hash to its
 * uses, one a profile: as a type of the published badness, and as evidence for
 * the language (evidence.h).  Most words of a text are in no profile: a bit map
 * says so first. */
#include "assessor.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "evidence.h"
#include "script.h"

static bool
word_used(const void *slot)
{
    return ((const struct word *)slot)->n > 0;
}

static bool
word_is(const void *assessor, const void *slot, const void *hash)
{
    (void)assessor;
    return ((const struct word *)slot)->hash == *(const uint64_t *)hash;
}

static const struct hashmap_kind words_kind = {sizeof(struct word), word_used,
                                               word_is, NULL, NULL};

/* A use while the table is made. */
struct pending_words {
    uint64_t hash;
    struct use use;
};

static int
by_hash(const void *a, const void *b)
{
    const struct pending_words *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->use.profile > y->use.profile) -
           (x->use.profile < y->use.profile);
}

/* One word of a profile: merged with the use that the same profile has of it,
 * as uses were sorted. */
static uint32_t
merge_uses(struct pending_words *list, uint32_t n)
{
    uint32_t merged = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct pending_words *last = merged > 0 ? &list[merged - 1] : NULL;

        if (last == NULL || last->hash != list[i].hash ||
            last->use.profile != list[i].use.profile) {
            list[merged++] = list[i];
            continue;
        }
        if (list[i].use.type != NOT_USED)
            last->use.type = list[i].use.type;
        if (list[i].use.share > 0) {
            last->use.share = list[i].use.share;
            last->use.evidence = list[i].use.evidence;
        }
    }
    return merged;
}

static uint32_t
gather_uses(const struct profiles *profiles, struct pending_words *list)
{
    uint32_t n = 0;

    for (size_t i = 0; i < profiles_n(profiles); i++) {
        const struct profile *p = profiles_at(profiles, i);
        const struct word_order *o = p->order;

        for (uint32_t k = 0; k < p->types_n; k++)
            list[n++] = (struct pending_words){
                p->types[k].hash, {.profile = (uint16_t)i, .type = (uint8_t)k}};
        for (uint32_t k = 0; o != NULL && k < o->words_n; k++) {
            double share = pow(10, o->words[k].share);

            list[n++] =
                (struct pending_words){o->words[k].hash,
                                       {.profile = (uint16_t)i,
                                        .type = NOT_USED,
                                        .share = (float)share,
                                        .evidence = (float)evidence_of(share)}};
        }
    }
    qsort(list, n, sizeof *list, by_hash);
    return merge_uses(list, n);
}

/* Words that both languages list make up the products; all the sums over one
 * language's words follow from them. */
static void
compare_languages(struct assessor *s, const struct pending_words *list,
                  uint32_t n)
{
    size_t m = profiles_n(s->profiles);
    double *mean = ARENA_ARRAY(s->arena, double, m *m);
    double *square = ARENA_ARRAY(s->arena, double, m *m);
    double *product = ARENA_ARRAY(s->arena, double, m *m);

    for (uint32_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && list[to].hash == list[from].hash; to++)
            ;
        for (uint32_t i = from; i < to; i++)
            for (uint32_t k = from; k < to; k++) {
                double e = (double)list[k].use.evidence;
                double share = (double)list[i].use.share;
                size_t at = list[i].use.profile * m + list[k].use.profile;

                mean[at] += share * e;
                square[at] += share * e * e;
                product[at] += share * e * (double)list[i].use.evidence;
            }
    }
    s->rivals = ARENA_ARRAY(s->arena, struct rival, m * m);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++) {
            size_t at = i * m + k, own = i * m + i;
            double x = i == k ? mean[own] : mean[at] - mean[own];
            double y = i == k ? square[own]
                              : square[at] - 2 * product[at] + square[own];

            s->rivals[at] = (struct rival){x, fmax(0, y - x * x)};
        }
}

static void
index_words(struct assessor *s, const struct pending_words *list, uint32_t n)
{
    hashmap_init(&s->words, &words_kind, s->arena, n);
    s->uses = ARENA_ARRAY(s->arena, struct use, n);
    s->map = ARENA_ARRAY(s->arena, uint64_t, ASSESSOR_MAP_BITS / 64);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t hash = list[i].hash;
        struct word *w = hashmap_put(&s->words, &words_kind, s, hash, &hash);

        s->uses[i] = list[i].use;
        s->map[assessor_bit(hash) / 64] |= (uint64_t)1
                                           << assessor_bit(hash) % 64;
        if (w->n++ == 0) {
            w->hash = hash;
            w->first = i;
        }
    }
}

bool
assessor_by_types(const struct assessor *s, size_t i)
{
    return (s->parts & ASSESS_PUBLISHED) ||
           profiles_at(s->profiles, i)->order == NULL;
}

/* The scripts of its common words; a profile of Arabic has some English ones,
 * too. */
static uint32_t
scripts_of(const struct profile *p)
{
    uint32_t words[32] = {0}, n = p->order ? p->order->words_n : 0, scripts = 0;

    for (uint32_t i = 0; i < p->types_n; i++)
        words[__builtin_ctz(script_of(p->types[i].text))]++;
    for (uint32_t i = 0; i < n; i++)
        words[__builtin_ctz(script_of(p->order->words[i].text))]++;
    for (uint32_t i = 0; i < 32; i++)
        if (words[i] > 0 && words[i] >= SCRIPT_SHARE_MIN * (p->types_n + n))
            scripts |= UINT32_C(1) << i;
    return scripts;
}

static void
mark_confusable(struct assessor *s, size_t i)
{
    const struct profiles *p = s->profiles;
    size_t m = profiles_n(p);

    for (const struct confusable *b = profiles_at(p, i)->confusable; b != NULL;
         b = b->next)
        for (size_t k = 0; k < m; k++)
            if (str_eq(profiles_at(p, k)->language, b->language))
                s->confusable[i * m + k] = true;
}

struct assessor *
assessor_new(const struct profiles *p, unsigned parts)
{
    struct assessor *s = memory_zero(1, sizeof *s);
    struct pending_words *list = memory_zero(
        profiles_n(p) * (PROFILE_TYPES_MAX + ORDER_WORDS_MAX), sizeof *list);
    uint32_t n;

    if (s == NULL || list == NULL) {
        memory_free(s);
        memory_free(list);
        return NULL;
    }
    s->arena = arena_new();
    s->profiles = p;
    s->parts = parts;
    s->all = ARENA_ARRAY(s->arena, size_t, profiles_n(p));
    s->confusable = ARENA_ARRAY(s->arena, bool, profiles_n(p) * profiles_n(p));
    s->scripts = ARENA_ARRAY(s->arena, uint32_t, profiles_n(p));
    for (size_t i = 0; i < profiles_n(p); i++) {
        s->all[i] = i;
        mark_confusable(s, i);
        s->count_types |= assessor_by_types(s, i);
        s->scripts[i] = scripts_of(profiles_at(p, i));
    }
    n = gather_uses(p, list);
    index_words(s, list, n);
    compare_languages(s, list, n);
    memory_free(list);
    return s;
}

void
assessor_free(struct assessor *s)
{
    if (s == NULL)
        return;
    arena_free(s->arena);
    memory_free(s);
}

const struct word *
assessor_find(const struct assessor *s, uint64_t hash)
{
    return hashmap_find(&s->words, &words_kind, s, hash, &hash);
}
