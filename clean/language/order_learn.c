/* order_learn.c -- chooses words and endings, has them sorted into classes
 * (order_cluster.h), counts pairs of classes and turns them into cells.
 *
 * A cell is the logarithm of how often the pair occurred over how often it
 * would by chance, both counts raised by SMOOTH, so that rare pairs say little.
 * What running text has is measured on texts that the table was not made of:
 * FOLDS tables are made, each without the texts that it then scores. */
#include "order_learn.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "evidence.h"
#include "order_cluster.h"

#define FOLDS 5
#define SMOOTH 1.0
#define WORD_COUNT_MIN 20
#define WORD_TEXTS_MIN 0.1 /* share of the texts a word must be in */
#define ENDING_COUNT_MIN 100

/* A word of its own, an ending, or (the first) all else. */
struct item {
    struct str text;
    uint64_t key; /* in the index of word_order.h */
    uint32_t count;
};

struct order_learner {
    const struct order_sample *sample;
    size_t fold; /* texts i with i % FOLDS == fold are left out */
    uint32_t words_max;
    struct arena *arena;
    uint32_t *counts; /* of every type, in the texts */
    uint16_t *of;     /* item of every type */
    struct item *items;
    uint32_t items_n, tokens_n;
};

static bool
is_word(const struct item *i)
{
    return i->key >> 63;
}

static bool
left_out(const struct order_learner *l, size_t text)
{
    return text % FOLDS == l->fold;
}

static int
by_count(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return str_cmp(x->text, y->text);
}

/* How often each type occurs, and in how many texts. */
static uint32_t *
count_types(struct order_learner *l)
{
    const struct words *w = l->sample->words;
    uint32_t *having = ARENA_ARRAY(l->arena, uint32_t, w->types_n);
    uint32_t *last = ARENA_ARRAY(l->arena, uint32_t, w->types_n);

    l->counts = ARENA_ARRAY(l->arena, uint32_t, w->types_n);
    for (uint32_t t = 0; t < l->sample->texts_n; t++) {
        if (left_out(l, t))
            continue;
        for (uint32_t i = l->sample->start[t]; i < l->sample->start[t + 1];
             i++) {
            uint32_t type = w->sequence[i];

            having[type] += last[type] != t + 1;
            last[type] = t + 1;
            l->counts[type]++;
            l->tokens_n++;
        }
    }
    return having;
}

/* The commonest words that are in enough texts. */
static void
choose_words(struct order_learner *l)
{
    const struct words *w = l->sample->words;
    const uint32_t *having = count_types(l);
    struct item *found = ARENA_ARRAY(l->arena, struct item, w->types_n);
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->types_n; i++)
        if (l->counts[i] >= WORD_COUNT_MIN &&
            having[i] >= WORD_TEXTS_MIN * (double)l->sample->texts_n &&
            !words_have(l->sample->skip, w->types[i].hash))
            found[n++] =
                (struct item){w->types[i].text,
                              order_word_key(w->types[i].hash), l->counts[i]};
    qsort(found, n, sizeof *found, by_count);
    for (uint32_t i = 0; i < n && i < l->words_max; i++)
        l->items[l->items_n++] = found[i];
}

static int
by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* Find the item of every type, among those chosen so far. */
static void
find_items(struct order_learner *l)
{
    const struct words *w = l->sample->words;
    struct order_index x = order_index_new(l->arena, l->items_n);

    for (uint32_t i = 1; i < l->items_n; i++)
        order_index_add(&x, l->items[i].key, (uint16_t)i);
    for (uint32_t i = 0; i < w->types_n; i++)
        l->of[i] = order_index_find(&x, w->types[i].text, w->types[i].hash);
}

/* The commonest endings, of all lengths, of words that are no items. */
static void
choose_endings(struct order_learner *l)
{
    const struct words *w = l->sample->words;
    struct item *found = arena_raw(
        l->arena, (size_t)w->types_n * ORDER_ENDING_POINTS * sizeof *found);
    size_t n = 0, merged = 0;

    for (uint32_t i = 0; i < w->types_n; i++) {
        if (l->counts[i] == 0 || l->of[i] != 0)
            continue;
        for (uint32_t k = 1; k <= ORDER_ENDING_POINTS; k++) {
            struct str ending = w->types[i].text;
            uint64_t key = order_ending(&ending, k);

            if (key != 0)
                found[n++] = (struct item){ending, key, l->counts[i]};
        }
    }
    qsort(found, n, sizeof *found, by_key);
    for (size_t i = 0; i < n; i++)
        if (merged > 0 && found[merged - 1].key == found[i].key)
            found[merged - 1].count += found[i].count;
        else
            found[merged++] = found[i];
    qsort(found, merged, sizeof *found, by_count);
    for (size_t i = 0; i < merged && i < ORDER_ENDINGS_MAX &&
                       found[i].count >= ENDING_COUNT_MIN;
         i++)
        l->items[l->items_n++] = found[i];
}

/* How often each item follows each. */
static uint32_t *
count_pairs(const struct order_learner *l)
{
    const uint32_t *sequence = l->sample->words->sequence;
    uint32_t *pairs =
        ARENA_ARRAY(l->arena, uint32_t, (size_t)l->items_n * l->items_n);

    for (size_t t = 0; t < l->sample->texts_n; t++) {
        if (left_out(l, t))
            continue;
        for (uint32_t i = l->sample->start[t] + 1; i < l->sample->start[t + 1];
             i++)
            pairs[(size_t)l->of[sequence[i - 1]] * l->items_n +
                  l->of[sequence[i]]]++;
    }
    return pairs;
}

static void
fill_cells(const struct order_learner *l, struct word_order *o,
           const uint32_t *pairs, const uint8_t *class)
{
    double pair[ORDER_CLASSES_MAX][ORDER_CLASSES_MAX] = {{0}};
    double first[ORDER_CLASSES_MAX] = {0}, second[ORDER_CLASSES_MAX] = {0};
    double all = 0;

    for (uint32_t i = 0; i < l->items_n; i++)
        for (uint32_t k = 0; k < l->items_n; k++) {
            double n = pairs[(size_t)i * l->items_n + k];

            pair[class[i]][class[k]] += n;
            first[class[i]] += n;
            second[class[k]] += n;
            all += n;
        }
    for (uint32_t i = 0; i < o->classes_n; i++)
        for (uint32_t k = 0; k < o->classes_n; k++) {
            double chance = first[i] * second[k] / fmax(1, all);
            double cell = log((pair[i][k] + SMOOTH) / (chance + SMOOTH)) /
                          ORDER_CELL_UNIT;

            o->cells[i][k] = (int8_t)lround(
                fmax(ORDER_CELL_MIN, fmin(ORDER_CELL_MAX, cell)));
        }
}

static void
name_classes(const struct order_learner *l, struct word_order *o,
             const uint8_t *class, struct arena *a)
{
    struct buf endings = {0};

    for (uint32_t c = 0; c < o->classes_n; c++) {
        buf_clear(&endings);
        for (uint32_t i = 1; i < l->items_n; i++) {
            if (is_word(&l->items[i]) || class[i] != c)
                continue;
            if (buf_view(&endings).n > 0)
                buf_char(&endings, ' ');
            buf_str(&endings, l->items[i].text);
        }
        o->endings[c] = arena_str(a, buf_view(&endings));
    }
    buf_free(&endings);
    for (uint32_t i = 1; i < l->items_n; i++)
        if (is_word(&l->items[i]))
            o->words[o->words_read++] = (struct order_word){
                arena_str(a, l->items[i].text), hash64(l->items[i].text),
                log10((double)l->items[i].count / l->tokens_n), class[i]};
    o->classes_read = o->classes_n;
}

/* A table made of all texts but those of `fold`; all but `running`, `spread`
 * and `common` is filled in. */
static struct word_order *
learn_without(const struct order_sample *s, size_t fold, uint32_t words_n,
              struct arena *a)
{
    struct order_learner l = {.sample = s, .fold = fold, .words_max = words_n};
    struct word_order *o;
    uint32_t *pairs, n;
    uint8_t *class;

    l.arena = arena_new();
    l.items = ARENA_ARRAY(l.arena, struct item,
                          1 + ORDER_WORDS_MAX + ORDER_ENDINGS_MAX);
    l.of = ARENA_ARRAY(l.arena, uint16_t, s->words->types_n);
    l.items_n = 1;
    choose_words(&l);
    n = l.items_n - 1;
    find_items(&l);
    choose_endings(&l);
    qsort(l.items + 1, l.items_n - 1, sizeof *l.items, by_count);
    find_items(&l);
    pairs = count_pairs(&l);
    o = order_new(
        a, n, l.items_n < ORDER_CLASSES_MAX ? l.items_n : ORDER_CLASSES_MAX);
    class = arena_alloc(l.arena, l.items_n);
    order_cluster(class, pairs, l.items_n, o->classes_n, l.arena);
    fill_cells(&l, o, pairs, class);
    name_classes(&l, o, class, a);
    order_finish(o, a);
    arena_free(l.arena);
    return o;
}

/* What is measured on texts that a table was not made of. */
struct measured {
    double excess, squares, evidence, pairs, tokens;
};

static double
evidence_in(const struct word_order *o, const uint64_t *hashes, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < o->words_n; i++) {
        double share = pow(10, o->words[i].share);
        uint32_t count = 0;

        for (uint32_t k = 0; k < n; k++)
            count += hashes[k] == o->words[i].hash;
        sum += evidence_of(share) * evidence_counted(count, share, n);
    }
    return sum;
}

static void
measure_text(const struct order_sample *s, size_t text,
             const struct word_order *o, const uint8_t *class,
             struct measured *m)
{
    const uint32_t *sequence = s->words->sequence + s->start[text];
    uint32_t n = s->start[text + 1] - s->start[text];
    double mean, sum = 0;

    if (n < 2)
        return;
    for (uint32_t i = 1; i < n; i++)
        sum += o->cells[class[sequence[i - 1]]][class[sequence[i]]];
    mean = sum / (n - 1);
    for (uint32_t i = 1; i < n; i++) {
        double x = o->cells[class[sequence[i - 1]]][class[sequence[i]]] - mean;

        m->squares += x * x;
    }
    m->excess += (n - 1) * order_excess(o, class, sequence, n);
    m->evidence += evidence_in(o, s->words->hashes + s->start[text], n);
    m->pairs += n - 1;
    m->tokens += n;
}

static void
measure_fold(const struct order_sample *s, size_t fold, uint32_t words_n,
             struct measured *m)
{
    struct arena *a = arena_new();
    struct word_order *o = learn_without(s, fold, words_n, a);
    uint8_t *class = arena_alloc(a, s->words->types_n);

    for (uint32_t i = 0; i < s->words->types_n; i++)
        class[i] =
            order_class(o, s->words->types[i].text, s->words->types[i].hash);
    for (size_t t = fold; t < s->texts_n; t += FOLDS)
        measure_text(s, t, o, class, m);
    arena_free(a);
}

struct word_order *
order_learn(const struct order_sample *s, uint32_t words_n, double elsewhere,
            struct arena *a)
{
    struct measured m = {0};
    struct word_order *o;

    if (s->texts_n < 2)
        return NULL;
    for (size_t fold = 0; fold < FOLDS; fold++)
        measure_fold(s, fold, words_n, &m);
    o = learn_without(s, FOLDS, words_n, a);
    if (m.pairs > 0) {
        o->running = fmax(0, elsewhere * m.excess / m.pairs);
        o->spread = m.squares / m.pairs;
        o->common = elsewhere * m.evidence / m.tokens;
    }
    return o;
}
