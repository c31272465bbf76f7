/* confusable_learn.c -- log-odds of stems between two lists of words.
 *
 * Lists of near languages are mixed: of what is called Bosnian on the web, much
 * is Croatian, and the other way round.  How much shows in the words that only
 * one of the languages has: no word of it is rarer in the other list than the
 * mixture makes it.  That share of one list is taken from the other before they
 * are compared.
 *
 * Lists should be of the same kind of text, or they tell the kinds apart.  Of
 * the language there are texts of other kinds, too: what they have, the
 * language has at least as often. */
#include "confusable_learn.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define STEMS_KEPT 5000
#define WORDS_MIN 1000
#define SHARE_FLOOR 3e-6 /* added to shares: what the tail of a list says */
#define WEIGHT_MIN 0.3
#define COMMON_SHARE 2e-5 /* words that show the mixture */
#define MIXED_AT 0.01     /* of their ratios, sorted */
#define MIXED_MAX 0.8
#define RATIO_FLOOR 1e-7

/* Kinds of text differ by this much more than those at hand do, and at least by
 * this share of the way to the confusable language; words come in bursts. */
#define KINDS_ELSEWHERE 1.4
#define KINDS_WAY 0.19
#define KINDS_MIN 0.02
#define BURSTS 1.25

#define SOURCES 3 /* enum confusable_source */

struct counted_word {
    struct str text;
    double share[SOURCES]; /* counts at first */
};

struct confusable_learner {
    struct arena *arena;
    struct counted_word *entries;
    size_t n, room;
    double sum[SOURCES];
};

struct confusable_learner *
confusable_learner_new(void)
{
    struct confusable_learner *l = memory_zero(1, sizeof *l);

    if (l != NULL)
        l->arena = arena_new();
    return l;
}

void
confusable_learner_free(struct confusable_learner *l)
{
    if (l == NULL)
        return;
    arena_free(l->arena);
    memory_free(l->entries);
    memory_free(l);
}

void
confusable_learner_add(struct confusable_learner *l, struct str word,
                       uint64_t count, enum confusable_source source)
{
    struct counted_word *e;

    if (l->n == l->room) {
        l->room = l->room ? l->room * 2 : 4096;
        l->entries = memory_need(
            memory_resize(l->entries, l->room * sizeof *l->entries));
    }
    e = &l->entries[l->n++];
    *e = (struct counted_word){.text = arena_str(l->arena, word)};
    e->share[source] = (double)count;
    l->sum[source] += (double)count;
}

static int
by_text(const void *a, const void *b)
{
    const struct counted_word *x = a, *y = b;

    return str_cmp(x->text, y->text);
}

/* Entries of the same text become one. */
static void
merge(struct confusable_learner *l)
{
    size_t merged = 0;

    qsort(l->entries, l->n, sizeof *l->entries, by_text);
    for (size_t i = 0; i < l->n; i++) {
        struct counted_word *last = merged > 0 ? &l->entries[merged - 1] : NULL;

        if (last == NULL || !str_eq(last->text, l->entries[i].text)) {
            l->entries[merged++] = l->entries[i];
            continue;
        }
        for (int k = 0; k < SOURCES; k++)
            last->share[k] += l->entries[i].share[k];
    }
    l->n = merged;
}

static int
by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* How much of list `in` is of the language of list `of`. */
static double
mixed(const struct confusable_learner *l, int in, int of)
{
    double *ratio = ARENA_ARRAY(l->arena, double, l->n);
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        if (l->entries[i].share[of] > COMMON_SHARE)
            ratio[n++] = (l->entries[i].share[in] + RATIO_FLOOR) /
                         l->entries[i].share[of];
    qsort(ratio, n, sizeof *ratio, by_size);
    return n == 0 ? 0 : fmin(MIXED_MAX, ratio[(size_t)(MIXED_AT * (double)n)]);
}

/* A stem that may be kept, and what it tells in a text. */
struct feature_choice {
    struct confusable_stem stem;
    double worth;
};

static int
by_worth(const void *a, const void *b)
{
    const struct feature_choice *x = a, *y = b;

    if (x->worth != y->worth)
        return x->worth > y->worth ? -1 : 1;
    return str_cmp(x->stem.text, y->stem.text);
}

static int
by_stem(const void *a, const void *b)
{
    const struct confusable_stem *x = a, *y = b;

    return str_cmp(x->text, y->text);
}

/* The share in one list without what the other language put there. */
static double
purified(const struct counted_word *e, int in, int of, double mix)
{
    return fmax(0, e->share[in] - mix * e->share[of]) / (1 - mix);
}

/* Weigh all stems; how many may be kept. */
static size_t
weigh(const struct confusable_learner *l, double own_mixed, double other_mixed,
      struct feature_choice *choices)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct counted_word *e = &l->entries[i];
        double own =
            purified(e, CONFUSABLE_LANGUAGE, CONFUSABLE_OTHER, own_mixed);
        double other =
            purified(e, CONFUSABLE_OTHER, CONFUSABLE_LANGUAGE, other_mixed);
        double weight, units;

        if (own < other)
            own = fmin(other, fmax(own, e->share[CONFUSABLE_TEXT]));
        weight = log((other + SHARE_FLOOR) / (own + SHARE_FLOOR));
        units = fmin(CONFUSABLE_WEIGHT_MAX,
                     fmax(-CONFUSABLE_WEIGHT_MAX, weight / CONFUSABLE_UNIT));
        if (fabs(weight) >= WEIGHT_MIN)
            choices[n++] = (struct feature_choice){
                {e->text, (int8_t)lround(units)}, fabs((other - own) * units)};
    }
    return n;
}

static struct confusable *
choose(struct confusable_learner *l, double own_mixed, double other_mixed,
       struct arena *a)
{
    struct feature_choice *choices =
        ARENA_ARRAY(l->arena, struct feature_choice, l->n);
    struct confusable *s = ARENA_NEW(a, struct confusable);
    size_t n = weigh(l, own_mixed, other_mixed, choices);

    qsort(choices, n, sizeof *choices, by_worth);
    s->stems_n = n < STEMS_KEPT ? (uint32_t)n : STEMS_KEPT;
    s->stems_read = s->stems_n;
    s->stems = ARENA_ARRAY(a, struct confusable_stem, s->stems_n);
    for (uint32_t i = 0; i < s->stems_n; i++)
        s->stems[i] = (struct confusable_stem){
            arena_str(a, choices[i].stem.text), choices[i].stem.weight};
    qsort(s->stems, s->stems_n, sizeof *s->stems, by_stem);
    confusable_finish(s, a);
    return s;
}

/* The leaning of one text. */
static double
lean(const struct confusable *s, const struct words *w, uint32_t from,
     uint32_t to, uint32_t *count)
{
    double sum = 0;

    if (from == to)
        return 0;
    for (uint32_t i = from; i < to; i++)
        count[w->sequence[i]]++;
    for (uint32_t i = from; i < to; i++) {
        uint32_t type = w->sequence[i];

        if (count[type] > 0)
            sum += confusable_weight(s, w->types[type].text) *
                   confusable_counted(count[type], to - from);
        count[type] = 0;
    }
    return sum / (to - from);
}

/* How far the two lists lean apart, as they are: what goes by the name of the
 * confusable language is mixed, too. */
static double
way(const struct confusable *s, const struct confusable_learner *l)
{
    double sum = 0;

    for (size_t i = 0; i < l->n; i++)
        sum += (l->entries[i].share[CONFUSABLE_OTHER] -
                l->entries[i].share[CONFUSABLE_LANGUAGE]) *
               confusable_weight(s, l->entries[i].text);
    return sum;
}

/* Sums over texts. */
struct text_sums {
    double words, leaning, squares, chance;
};

static void
sum_text(const struct confusable *s, const struct words *w, uint32_t from,
         uint32_t to, uint32_t *count, struct text_sums *sums)
{
    double x = lean(s, w, from, to, count);

    sums->words += to - from;
    sums->leaning += (to - from) * x;
    sums->squares += (to - from) * x * x;
    for (uint32_t i = from; i < to; i++) {
        double off = confusable_weight(s, w->types[w->sequence[i]].text) - x;

        sums->chance += off * off;
    }
}

static void
measure(struct confusable *s, const struct confusable_learner *l,
        const struct confusable_sample *running)
{
    uint32_t *count = ARENA_ARRAY(l->arena, uint32_t, running->words->types_n);
    struct text_sums all = {0};
    double chance, kinds;

    for (size_t t = 0; t < running->texts_n; t++)
        sum_text(s, running->words, running->start[t], running->start[t + 1],
                 count, &all);
    all.words = fmax(1, all.words);
    s->mean = all.leaning / all.words;
    chance = all.chance / all.words;
    kinds = all.squares / all.words - s->mean * s->mean -
            chance * (double)running->texts_n / all.words;
    s->spread = BURSTS * chance;
    s->kinds = fmax(KINDS_ELSEWHERE * sqrt(fmax(0, kinds)),
                    fmax(KINDS_MIN, KINDS_WAY * way(s, l)));
}

struct confusable *
confusable_learn(struct confusable_learner *l, struct str language,
                 const struct confusable_sample *running, struct arena *a)
{
    const struct words *w = running->words;
    double own_mixed, other_mixed;
    struct confusable *s;

    merge(l);
    if (l->n < WORDS_MIN || !(l->sum[CONFUSABLE_LANGUAGE] > 0) ||
        !(l->sum[CONFUSABLE_OTHER] > 0))
        return NULL;
    for (uint32_t i = 0; i < w->types_n; i++)
        confusable_learner_add(l, w->types[i].text, w->types[i].count,
                               CONFUSABLE_TEXT);
    merge(l);
    for (size_t i = 0; i < l->n; i++)
        for (int k = 0; k < SOURCES; k++)
            l->entries[i].share[k] /= fmax(1, l->sum[k]);
    own_mixed = mixed(l, CONFUSABLE_LANGUAGE, CONFUSABLE_OTHER);
    other_mixed = mixed(l, CONFUSABLE_OTHER, CONFUSABLE_LANGUAGE);
    for (size_t i = 0; i < l->n; i++)
        l->entries[i].text = confusable_stem(l->entries[i].text);
    merge(l);
    s = choose(l, own_mixed, other_mixed, a);
    s->language = arena_str(a, language);
    measure(s, l, running);
    return s;
}
