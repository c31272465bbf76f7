/* assess.c -- one look-up per type of the document finds every profile that
 * has the word; what is dear, the order of the words and the stems of a
 * confusable language, is looked at only for languages that can still be the
 * best.
 *
 * All words of all profiles stand in one hash table from the word's hash to its
 * uses, one a profile: as a type of the published badness, and as evidence for
 * the language (evidence.h).  Most words of a text are in no profile: a bit map
 * says so first.
 *
 * Evidence tells how much of a text are common words of a language; and, from
 * the words' frequencies in two languages, what the difference of the evidence
 * for them comes to in texts of either, and so where between the two a text
 * stands. */
#include "assess.h"

#include <math.h>
#include <stdlib.h>

#include "base/hashmap.h"
#include "evidence.h"
#include "sample.h"
#include "winnow/memory.h"

#define NOT_USED UINT8_MAX

/* By how much kinds of text differ, as shares of what is measured: the excess
 * of word order, the evidence in a word, the way to another language; and by
 * the evidence in a word again, which tells when the way is short. */
#define KINDS_ORDER 0.23
#define KINDS_WORDS 0.23
#define KINDS_FOREIGN 0.19
#define KINDS_NEAR 0.08

/* Sentences with many names or figures have fewer common words, and fewer pairs
 * of these: the order to be expected of them goes with this power of their
 * share.  Below the least share they are too few anyway. */
#define ORDER_BY_WORDS 0.3
#define ORDER_WORDS_MIN 0.3

#define MAP_BITS (1u << 16)

struct use {
    uint16_t profile;
    uint8_t type; /* index, or NOT_USED */
    float share, evidence;
};

struct word {
    uint64_t hash;
    uint32_t first, n; /* its uses; n is 0 in free slots */
};

/* Of the evidence for the column less that for the row, per word of a text in
 * the row's language; on the diagonal, the evidence for it itself. */
struct rival {
    double mean, spread; /* spread: variance of one word */
};

struct assessor {
    const struct profiles *profiles;
    unsigned parts;
    bool count_types; /* is any of the profiles scored by its types? */
    struct arena *arena;
    struct hashmap words;
    uint64_t *map; /* a bit for every word that there is */
    struct use *uses;
    struct rival *rivals; /* [row * n + column] */
    size_t *all;          /* every profile's index */
};

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

static uint32_t
map_bit(uint64_t hash)
{
    return (uint32_t)(hash >> 40) & (MAP_BITS - 1);
}

static void
index_words(struct assessor *s, const struct pending_words *list, uint32_t n)
{
    hashmap_init(&s->words, &words_kind, s->arena, n);
    s->uses = ARENA_ARRAY(s->arena, struct use, n);
    s->map = ARENA_ARRAY(s->arena, uint64_t, MAP_BITS / 64);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t hash = list[i].hash;
        struct word *w = hashmap_put(&s->words, &words_kind, s, hash, &hash);

        s->uses[i] = list[i].use;
        s->map[map_bit(hash) / 64] |= (uint64_t)1 << map_bit(hash) % 64;
        if (w->n++ == 0) {
            w->hash = hash;
            w->first = i;
        }
    }
}

/* By the published formula? */
static bool
by_types(const struct assessor *s, size_t i)
{
    return (s->parts & ASSESS_PUBLISHED) ||
           profiles_at(s->profiles, i)->order == NULL;
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
    for (size_t i = 0; i < profiles_n(p); i++) {
        s->all[i] = i;
        s->count_types |= by_types(s, i);
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

/* What is known of one document. */
struct assessment {
    uint32_t (*counts)[PROFILE_TYPES_MAX]; /* of each profile's types; NULL:
                                              not asked for */
    double *evidence;                      /* for each profile */
    struct badness_parts *parts;
    bool *whole;    /* is what is dear of parts[i] known? */
    size_t nearest; /* the profile with most evidence */
    uint8_t *class; /* of the document's types, for one profile at a time */
};

static const struct word *
find_word(const struct assessor *s, uint64_t hash)
{
    return hashmap_find(&s->words, &words_kind, s, hash, &hash);
}

static void
look_up(const struct assessor *s, const struct sample *x, struct assessment *f)
{
    for (uint32_t i = 0; i < x->types_n; i++) {
        const struct token_type *t = &x->types[i];
        uint32_t bit = map_bit(t->hash);
        const struct word *w;

        if ((s->map[bit / 64] >> bit % 64 & 1) == 0)
            continue;
        w = find_word(s, t->hash);
        for (uint32_t k = w->first; k < w->first + w->n; k++) {
            const struct use *u = &s->uses[k];

            if (f->counts != NULL && u->type != NOT_USED)
                f->counts[u->profile][u->type] = t->count;
            f->evidence[u->profile] +=
                (double)u->evidence *
                evidence_counted(t->count, (double)u->share, x->tokens_n);
        }
    }
}

/* The part for something that is `off` from running text, as a share of what
 * running text has; `variance`: what chance does to it. */
static double
part(double off, double kinds, double variance)
{
    if (off <= 0)
        return 0;
    return fmin(ASSESS_WORST,
                ASSESS_WORST / 2 * off * off /
                    (ASSESS_LIMIT * ASSESS_LIMIT * (kinds * kinds + variance)));
}

static double
words(const struct assessor *s, const struct assessment *f, size_t i,
      uint32_t tokens_n)
{
    const struct profile *p = profiles_at(s->profiles, i);
    const struct rival *own = &s->rivals[i * profiles_n(s->profiles) + i];
    double common;

    if (by_types(s, i))
        return profile_badness(p, f->counts[i], tokens_n);
    common = p->order->common;
    if (tokens_n == 0)
        return ASSESS_WORST;
    if (common <= 0)
        return 0;
    return part(1 - f->evidence[i] / tokens_n / common, KINDS_WORDS,
                own->spread / tokens_n / (common * common));
}

/* How far the text is from language i on the way to the nearest one. */
static double
foreign(const struct assessor *s, const struct assessment *f, size_t i,
        uint32_t tokens_n)
{
    size_t m = profiles_n(s->profiles), k = f->nearest;
    const struct rival *here = &s->rivals[i * m + k];
    const struct rival *there = &s->rivals[k * m + i];
    double way = -here->mean - there->mean, at, near;

    if (k == i || way <= 0 || profiles_at(s->profiles, i)->order == NULL)
        return 0;
    at = (f->evidence[k] - f->evidence[i]) / tokens_n - here->mean;
    near = KINDS_NEAR * s->rivals[i * m + i].mean;
    return part(at / way, KINDS_FOREIGN,
                (near * near + here->spread / tokens_n) / (way * way));
}

/* The excess of word order in running text with such words. */
static double
expected_order(const struct word_order *o, const struct sample *x,
               double evidence)
{
    double share = evidence / x->tokens_n / o->common;

    if (!x->running || o->common <= 0)
        return o->running;
    return o->running *
           pow(fmin(1, fmax(ORDER_WORDS_MIN, share)), ORDER_BY_WORDS);
}

static double
order(const struct assessor *s, const struct sample *x, struct assessment *f,
      size_t i)
{
    const struct word_order *o = profiles_at(s->profiles, i)->order;
    double excess, expected;

    if (o == NULL || o->running <= 0 || x->tokens_n < 2)
        return 0;
    if (f->class == NULL)
        f->class = arena_raw(x->arena, x->types_n);
    for (uint32_t k = 0; k < x->types_n; k++)
        f->class[k] = order_class(o, x->types[k].text, x->types[k].hash);
    excess = order_excess_of(o, f->class, x->tokens, x->runs, x->runs_n);
    expected = expected_order(o, x, f->evidence[i]);
    return part(1 - excess / expected, KINDS_ORDER,
                o->spread / (x->tokens_n - 1) / (expected * expected));
}

/* Does the text lean to a confusable language of language i? */
static double
confusable(const struct assessor *s, const struct sample *x, size_t i)
{
    const struct confusable *b = profiles_at(s->profiles, i)->confusable;

    if (b == NULL || x->tokens_n == 0)
        return 0;
    return part(confusable_leaning(b, x->types, x->types_n, x->tokens_n) -
                    b->mean,
                b->kinds, b->spread / x->tokens_n);
}

static double
worst(const struct badness_parts *b)
{
    return fmin(ASSESS_WORST, fmax(fmax(b->words, b->order), b->foreign));
}

/* The badness with word order and stems, which are looked at once, and only if
 * they can make a difference. */
static double
whole(const struct assessor *s, const struct sample *x, struct assessment *f,
      size_t i)
{
    struct badness_parts *b = &f->parts[i];

    if (!f->whole[i] && (s->parts & ASSESS_FOREIGN) && worst(b) < ASSESS_WORST)
        b->foreign = fmax(b->foreign, confusable(s, x, i));
    if (!f->whole[i] && (s->parts & ASSESS_ORDER) && worst(b) < ASSESS_WORST)
        b->order = order(s, x, f, i);
    f->whole[i] = true;
    return worst(b);
}

/* The best of so many profiles, the first of equal ones: what is dear only
 * makes worse, so it is looked at from the best so far on, until none can be
 * better.
 */
static size_t
find_best(const struct assessor *s, const struct sample *x,
          struct assessment *f, const size_t *among, size_t n)
{
    size_t best;

    do {
        best = among[0];
        for (size_t k = 1; k < n; k++)
            if (worst(&f->parts[among[k]]) < worst(&f->parts[best]))
                best = among[k];
    } while (!f->whole[best] && whole(s, x, f, best) > 0);
    return best;
}

/* The first of so many profiles with a badness of at most `enough`, else the
 * best. */
static size_t
find_enough(const struct assessor *s, const struct sample *x,
            struct assessment *f, const size_t *among, size_t n, double enough)
{
    for (size_t k = 0; k < n; k++)
        if (worst(&f->parts[among[k]]) <= enough &&
            whole(s, x, f, among[k]) <= enough)
            return among[k];
    return find_best(s, x, f, among, n);
}

static void
assess_words(const struct assessor *s, const struct sample *x,
             struct assessment *f)
{
    size_t n = profiles_n(s->profiles);

    look_up(s, x, f);
    for (size_t i = 1; i < n; i++)
        if (f->evidence[i] > f->evidence[f->nearest])
            f->nearest = i;
    for (size_t i = 0; i < n; i++) {
        if (s->parts & (ASSESS_WORDS | ASSESS_PUBLISHED))
            f->parts[i].words = words(s, f, i, x->tokens_n);
        if ((s->parts & ASSESS_FOREIGN) && x->tokens_n > 0)
            f->parts[i].foreign = foreign(s, f, i, x->tokens_n);
    }
}

void
assess(const struct assessor *s, struct document *d, const size_t *target,
       size_t targets_n, double enough)
{
    size_t n = profiles_n(s->profiles), best;
    struct assessment f = {.evidence = ARENA_ARRAY(d->arena, double, n),
                           .parts =
                               ARENA_ARRAY(d->arena, struct badness_parts, n),
                           .whole = ARENA_ARRAY(d->arena, bool, n)};
    struct sample x;

    sample_take(&x, d, s->parts & ASSESS_PUBLISHED);
    if (s->count_types)
        f.counts = arena_alloc(d->arena, n * sizeof *f.counts);
    assess_words(s, &x, &f);
    best = find_best(s, &x, &f, s->all, n);
    d->badness_best = worst(&f.parts[best]);
    d->language_best = profiles_at(s->profiles, best)->language;
    if (enough > 0)
        best = find_enough(s, &x, &f, target, targets_n, enough);
    else
        best = find_best(s, &x, &f, target, targets_n);
    d->badness = whole(s, &x, &f, best);
    d->badness_parts = f.parts[best];
    d->language = profiles_at(s->profiles, best)->language;
}
