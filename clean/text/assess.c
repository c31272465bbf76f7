/* assess.c -- one look-up per type of the document finds every profile that
 * has the word; what is dear, the order of the words, is looked at only for
 * languages that can still be the best.
 *
 * All words of all profiles stand in one hash table from the word's hash to its
 * uses, one a profile: as a type of the published badness, as a class of word
 * order, and as evidence for the language.
 *
 * Evidence of a word is the logarithm of its frequency in the language over
 * FLOOR, which is what it is taken for in languages that do not list it.  Its
 * sum over a text, compared between two languages, is their likelihood ratio.
 * What the ratio comes to in texts of either language follows from their
 * frequencies, and tells where between the two a text stands. */
#include "assess.h"

#include <math.h>
#include <stdlib.h>

#define FLOOR 1e-4
#define NOT_USED UINT8_MAX

/* A word is evidence for a language as often as the language has it, within
 * reason: in code and tables single letters are no words. */
#define OFTEN 3.0
#define OFTEN_MIN 3.0

/* A text that stands more than half the way to another language is nearer to
 * it; from there, and what chance may do, it takes this much to be all bad. */
#define NEARER 0.5
#define NEARER_ALL 0.35

struct use {
    uint16_t profile;
    uint8_t type, class; /* index, or NOT_USED */
    float share, evidence;
};

struct word {
    uint64_t hash;
    uint32_t first, n; /* its uses; n is 0 in free slots */
};

/* Of the evidence for the column less that for the row, per word of a text in
 * the row's language. */
struct rival {
    double mean, spread; /* spread: variance of one word */
};

struct assessor {
    const struct profiles *profiles;
    unsigned parts;
    struct arena *arena;
    struct word *slots;
    uint32_t slots_n;
    struct use *uses;
    struct rival *rivals; /* [row * n + column] */
};

/* A use while the table is made. */
struct pending {
    uint64_t hash;
    struct use use;
};

static int
by_hash(const void *a, const void *b)
{
    const struct pending *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->use.profile > y->use.profile) -
           (x->use.profile < y->use.profile);
}

/* One word of a profile: merged with the use that the same profile has of it,
 * as uses were sorted. */
static uint32_t
merge_uses(struct pending *list, uint32_t n)
{
    uint32_t merged = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct pending *last = merged > 0 ? &list[merged - 1] : NULL;

        if (last == NULL || last->hash != list[i].hash ||
            last->use.profile != list[i].use.profile) {
            list[merged++] = list[i];
            continue;
        }
        if (list[i].use.type != NOT_USED)
            last->use.type = list[i].use.type;
        if (list[i].use.class != NOT_USED) {
            last->use.class = list[i].use.class;
            last->use.share = list[i].use.share;
            last->use.evidence = list[i].use.evidence;
        }
    }
    return merged;
}

static uint32_t
gather_uses(const struct profiles *profiles, struct pending *list)
{
    uint32_t n = 0;

    for (size_t i = 0; i < profiles_n(profiles); i++) {
        const struct profile *p = profiles_at(profiles, i);
        const struct word_order *o = p->order;

        for (uint32_t k = 0; k < p->types_n; k++)
            list[n++] = (struct pending){p->types[k].hash,
                                         {.profile = (uint16_t)i,
                                          .type = (uint8_t)k,
                                          .class = NOT_USED}};
        for (uint32_t k = 0; o != NULL && k < o->words_n; k++) {
            double share = pow(10, o->classes[k].share);

            list[n++] = (struct pending){
                o->classes[k].hash,
                {.profile = (uint16_t)i,
                 .type = NOT_USED,
                 .class = (uint8_t)k,
                 .share = (float)share,
                 .evidence = (float)fmax(0, log(share / FLOOR))}};
        }
    }
    qsort(list, n, sizeof *list, by_hash);
    return merge_uses(list, n);
}

/* Words that both languages list make up the products; all the sums over one
 * language's words follow from them. */
static void
compare_languages(struct assessor *s, const struct pending *list, uint32_t n)
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
            double x = mean[at] - mean[own];

            s->rivals[at] = (struct rival){
                x, fmax(0, square[at] - 2 * product[at] + square[own] - x * x)};
        }
}

static void
index_words(struct assessor *s, const struct pending *list, uint32_t n)
{
    s->slots_n = 64;
    while (s->slots_n < n * 2)
        s->slots_n *= 2;
    s->slots = ARENA_ARRAY(s->arena, struct word, s->slots_n);
    s->uses = ARENA_ARRAY(s->arena, struct use, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)list[i].hash & (s->slots_n - 1);

        s->uses[i] = list[i].use;
        while (s->slots[at].n > 0 && s->slots[at].hash != list[i].hash)
            at = (at + 1) & (s->slots_n - 1);
        if (s->slots[at].n++ == 0) {
            s->slots[at].hash = list[i].hash;
            s->slots[at].first = i;
        }
    }
}

struct assessor *
assessor_new(const struct profiles *p, unsigned parts)
{
    struct assessor *s = calloc(1, sizeof *s);
    struct pending *list = calloc(
        profiles_n(p) * (PROFILE_TYPES_MAX + ORDER_WORDS_MAX), sizeof *list);
    uint32_t n;

    if (s == NULL || list == NULL) {
        free(s);
        free(list);
        return NULL;
    }
    s->arena = arena_new();
    s->profiles = p;
    s->parts = parts;
    n = gather_uses(p, list);
    index_words(s, list, n);
    compare_languages(s, list, n);
    free(list);
    return s;
}

void
assessor_free(struct assessor *s)
{
    if (s == NULL)
        return;
    arena_free(s->arena);
    free(s);
}

/* A word of the document that is a class of some profile. */
struct hit {
    uint32_t type;
    uint16_t profile;
    uint8_t class;
};

/* What is known of one document. */
struct findings {
    uint32_t (*counts)[PROFILE_TYPES_MAX]; /* of each profile's types */
    double *evidence;                      /* for each profile */
    struct badness_parts *parts;
    bool *ordered;  /* is the order part of parts[i] known? */
    size_t nearest; /* the profile with most evidence */
    struct hit *hits;
    uint32_t hits_n, hits_room;
    uint8_t *class; /* of the document's types, for one profile at a time */
};

static const struct word *
find_word(const struct assessor *s, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (s->slots_n - 1);

    while (s->slots[at].n > 0 && s->slots[at].hash != hash)
        at = (at + 1) & (s->slots_n - 1);
    return &s->slots[at];
}

static void
add_hit(struct findings *f, struct arena *a, struct hit h)
{
    if (f->hits_n == f->hits_room) {
        uint32_t room = f->hits_room ? f->hits_room * 2 : 512;

        f->hits = arena_grow(a, f->hits, f->hits_room * sizeof *f->hits,
                             room * sizeof *f->hits);
        f->hits_room = room;
    }
    f->hits[f->hits_n++] = h;
}

static void
look_up(const struct assessor *s, const struct document *d, struct findings *f)
{
    for (uint32_t i = 0; i < d->types_n; i++) {
        const struct word *w = find_word(s, d->types[i].hash);

        for (uint32_t k = w->first; k < w->first + w->n; k++) {
            const struct use *u = &s->uses[k];

            if (u->type != NOT_USED)
                f->counts[u->profile][u->type] = d->types[i].count;
            if (u->class != NOT_USED)
                add_hit(f, d->arena, (struct hit){i, u->profile, u->class});
            f->evidence[u->profile] +=
                (double)u->evidence *
                fmin(d->types[i].count,
                     OFTEN_MIN + OFTEN * (double)u->share * d->tokens_n);
        }
    }
}

/* How far the text is from profile i on the way to the nearest one: 0 to 1. */
static double
foreign(const struct assessor *s, const struct findings *f, size_t i,
        uint32_t tokens_n)
{
    size_t m = profiles_n(s->profiles), k = f->nearest;
    const struct rival *here = &s->rivals[i * m + k];
    const struct rival *there = &s->rivals[k * m + i];
    double way = -here->mean - there->mean, at, from;

    if (k == i || way <= 0 || profiles_at(s->profiles, i)->order == NULL)
        return 0;
    at = ((f->evidence[k] - f->evidence[i]) / tokens_n - here->mean) / way;
    from = NEARER + sqrt(here->spread / tokens_n) / way;
    return fmax(0, fmin(1, (at - from) / NEARER_ALL));
}

static double
order(const struct assessor *s, const struct document *d, struct findings *f,
      size_t i)
{
    const struct word_order *o = profiles_at(s->profiles, i)->order;

    if (o == NULL || d->tokens_n < 2)
        return 0;
    if (f->class == NULL)
        f->class = arena_raw(d->arena, d->types_n);
    for (uint32_t k = 0; k < d->types_n; k++)
        f->class[k] = order_ending(o, d->types[k].text);
    for (uint32_t k = 0; k < f->hits_n; k++)
        if (f->hits[k].profile == i)
            f->class[f->hits[k].type] = f->hits[k].class;
    return order_lost(o, order_sum(o, f->class, d->token_types, d->tokens_n),
                      d->tokens_n);
}

static double
sum(const struct badness_parts *b)
{
    return fmin(ASSESS_WORST, b->words + b->order + b->foreign);
}

/* The sum with the order part, which is looked at once. */
static double
whole(const struct assessor *s, const struct document *d, struct findings *f,
      size_t i)
{
    if (!f->ordered[i] && (s->parts & ASSESS_ORDER))
        f->parts[i].order = ASSESS_WORST * order(s, d, f, i);
    f->ordered[i] = true;
    return sum(&f->parts[i]);
}

/* The best of all profiles: order only adds, so it is looked at from the best
 * so far on, until none can be better. */
static size_t
find_best(const struct assessor *s, const struct document *d,
          struct findings *f)
{
    size_t n = profiles_n(s->profiles), best;

    do {
        best = 0;
        for (size_t i = 1; i < n; i++)
            if (sum(&f->parts[i]) < sum(&f->parts[best]))
                best = i;
    } while (!f->ordered[best] && whole(s, d, f, best) > 0);
    return best;
}

static void
assess_words(const struct assessor *s, const struct document *d,
             struct findings *f)
{
    size_t n = profiles_n(s->profiles);

    look_up(s, d, f);
    for (size_t i = 1; i < n; i++)
        if (f->evidence[i] > f->evidence[f->nearest])
            f->nearest = i;
    for (size_t i = 0; i < n; i++) {
        if (s->parts & (ASSESS_WORDS | ASSESS_PUBLISHED))
            f->parts[i].words =
                profile_badness(profiles_at(s->profiles, i), f->counts[i],
                                d->tokens_n, !(s->parts & ASSESS_PUBLISHED));
        if ((s->parts & ASSESS_FOREIGN) && d->tokens_n > 0)
            f->parts[i].foreign = ASSESS_WORST * foreign(s, f, i, d->tokens_n);
    }
}

void
assess(const struct assessor *s, struct document *d, const size_t *target,
       size_t targets_n, double enough)
{
    size_t n = profiles_n(s->profiles), best;
    struct findings f = {.counts = arena_alloc(d->arena, n * sizeof *f.counts),
                         .evidence = ARENA_ARRAY(d->arena, double, n),
                         .parts =
                             ARENA_ARRAY(d->arena, struct badness_parts, n),
                         .ordered = ARENA_ARRAY(d->arena, bool, n)};

    assess_words(s, d, &f);
    best = find_best(s, d, &f);
    d->badness_best = sum(&f.parts[best]);
    d->language_best = profiles_at(s->profiles, best)->language;
    for (size_t k = 0; k < targets_n; k++) {
        size_t i = target[k];

        if (k > 0 && (sum(&f.parts[i]) >= d->badness ||
                      whole(s, d, &f, i) >= d->badness))
            continue;
        d->badness = whole(s, d, &f, i);
        d->badness_parts = f.parts[i];
        d->language = profiles_at(s->profiles, i)->language;
        if (d->badness <= enough && enough > 0)
            break;
    }
}
