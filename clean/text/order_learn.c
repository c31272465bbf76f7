/* order_learn.c -- counts pairs of classes and turns them into cells.
 *
 * A cell is the logarithm of how often the pair occurred over how often it
 * would by chance, both counts raised by SMOOTH, so that rare pairs say little.
 * What running text scores is measured on texts that the table was not made
 * of: FOLDS tables are made, each without the texts that it then judges. */
#include "order_learn.h"

#include <math.h>
#include <stdlib.h>

#include "clean/chain/codepoint.h"

#define FOLDS 5
#define SMOOTH 1.0
#define ENDING_SHARE_MIN 0.002 /* of all words; rarer letters are the rest */
#define WORD_TEXTS_MIN 0.1     /* share of the texts a word must be in */

struct learner {
    const struct words *words;
    const uint32_t *start;
    size_t texts_n;
    struct word_order *o;
    uint8_t *class;   /* of every type */
    uint32_t *counts; /* of every type, in the texts */
};

struct counts {
    uint32_t pair[ORDER_CLASSES_MAX][ORDER_CLASSES_MAX];
    uint32_t first[ORDER_CLASSES_MAX], second[ORDER_CLASSES_MAX], n;
};

struct ranked {
    uint32_t type, count;
    struct str text;
};

static int
by_count(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return str_cmp(x->text, y->text);
}

/* In how many texts each type occurs. */
static uint32_t *
texts_having(const struct learner *l, struct arena *a)
{
    uint32_t *having = ARENA_ARRAY(a, uint32_t, l->words->types_n);
    uint32_t *last = ARENA_ARRAY(a, uint32_t, l->words->types_n);

    for (uint32_t t = 0; t < l->texts_n; t++)
        for (uint32_t i = l->start[t]; i < l->start[t + 1]; i++) {
            uint32_t type = l->words->sequence[i];

            having[type] += last[type] != t + 1;
            last[type] = t + 1;
        }
    return having;
}

static void
add_class(struct word_order *o, struct arena *a, struct str text, uint32_t n,
          uint32_t of)
{
    o->classes[o->classes_n++] = (struct order_class){
        arena_str(a, text), hash64(text), log10(fmax(n, 0.5) / of)};
}

/* The commonest words that are in enough texts. */
static void
choose_words(struct learner *l, const struct words *skip, uint32_t words_n,
             struct arena *a)
{
    const struct words *w = l->words;
    struct ranked *rank = ARENA_ARRAY(a, struct ranked, w->types_n);
    uint32_t *having = texts_having(l, a);

    for (uint32_t i = 0; i < w->types_n; i++)
        rank[i] = (struct ranked){i, l->counts[i], w->types[i].text};
    qsort(rank, w->types_n, sizeof *rank, by_count);
    memset(l->class, UINT8_MAX, w->types_n);
    for (uint32_t i = 0; i < w->types_n && l->o->words_n < words_n; i++) {
        uint32_t type = rank[i].type;

        if (words_have(skip, w->types[type].hash) ||
            having[type] < WORD_TEXTS_MIN * (double)l->texts_n)
            continue;
        l->class[type] = (uint8_t)l->o->words_n++;
        add_class(l->o, a, rank[i].text, rank[i].count, w->hashes_n);
    }
}

struct letter {
    uint32_t letter, count;
};

static int
by_letter(const void *a, const void *b)
{
    uint32_t x = ((const struct letter *)a)->letter;
    uint32_t y = ((const struct letter *)b)->letter;

    return x < y ? -1 : x > y;
}

static int
by_letter_count(const void *a, const void *b)
{
    const struct letter *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return by_letter(a, b);
}

/* The last letters of all words without a class, the commonest first. */
static uint32_t
count_endings(const struct learner *l, struct letter *out)
{
    const struct words *w = l->words;
    uint32_t n = 0, merged = 0;

    for (uint32_t i = 0; i < w->types_n; i++)
        if (l->class[i] == UINT8_MAX)
            out[n++] = (struct letter){order_last_letter(w->types[i].text),
                                       l->counts[i]};
    qsort(out, n, sizeof *out, by_letter);
    for (uint32_t i = 0; i < n; i++)
        if (merged > 0 && out[merged - 1].letter == out[i].letter)
            out[merged - 1].count += out[i].count;
        else
            out[merged++] = out[i];
    qsort(out, merged, sizeof *out, by_letter_count);
    return merged;
}

/* The commonest endings get a class each; what is left is the rest. */
static void
choose_endings(struct learner *l, struct arena *a)
{
    const struct words *w = l->words;
    struct letter *letters = ARENA_ARRAY(a, struct letter, w->types_n);
    uint32_t n = count_endings(l, letters), left = 0;
    struct word_order *o = l->o;

    for (uint32_t i = 0; i < n; i++) {
        char text[4];

        if (o->endings_n == ORDER_ENDINGS_MAX ||
            letters[i].count < ENDING_SHARE_MIN * w->hashes_n) {
            left += letters[i].count;
            continue;
        }
        add_class(o, a, str_n(text, codepoint_put(text, letters[i].letter)),
                  letters[i].count, w->hashes_n);
        o->endings_n++;
    }
    add_class(o, a, S(""), left, w->hashes_n);
}

/* Count the pairs of all texts but those of `fold`. */
static void
count_pairs(const struct learner *l, size_t fold, struct counts *c)
{
    memset(c, 0, sizeof *c);
    for (size_t t = 0; t < l->texts_n; t++) {
        if (t % FOLDS == fold)
            continue;
        for (uint32_t i = l->start[t] + 1; i < l->start[t + 1]; i++) {
            uint8_t before = l->class[l->words->sequence[i - 1]];
            uint8_t after = l->class[l->words->sequence[i]];

            c->pair[before][after]++;
            c->first[before]++;
            c->second[after]++;
            c->n++;
        }
    }
}

static void
fill_cells(const struct learner *l, size_t fold, struct counts *c)
{
    struct word_order *o = l->o;

    count_pairs(l, fold, c);
    for (uint32_t i = 0; i < o->classes_n; i++)
        for (uint32_t k = 0; k < o->classes_n; k++) {
            double chance = (double)c->first[i] * c->second[k] / fmax(1, c->n);
            double cell = log((c->pair[i][k] + SMOOTH) / (chance + SMOOTH)) /
                          ORDER_CELL_UNIT;

            o->cells[i * ORDER_CLASSES_MAX + k] = (int8_t)lround(
                fmax(ORDER_CELL_MIN, fmin(ORDER_CELL_MAX, cell)));
        }
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Mean of a text's cells; adds their squared distances from it to *squares. */
static double
text_mean(const struct learner *l, size_t text, double *squares)
{
    const uint32_t *sequence = l->words->sequence + l->start[text];
    uint32_t n = l->start[text + 1] - l->start[text];
    double mean = (double)order_sum(l->o, l->class, sequence, n) / (n - 1);

    for (uint32_t i = 1; i < n; i++) {
        double x = l->o->cells[l->class[sequence[i - 1]] * ORDER_CLASSES_MAX +
                               l->class[sequence[i]]] -
                   mean;

        *squares += x * x;
    }
    return mean;
}

/* Over texts that the cells were not made of.  A quarter of them is below
 * `running`: kinds of text differ, and the sample has not all of them. */
static void
measure_running(const struct learner *l, struct counts *c, struct arena *a)
{
    double *means = ARENA_ARRAY(a, double, l->texts_n);
    double squares = 0, pairs = 0;
    size_t n = 0;

    for (size_t fold = 0; fold < FOLDS; fold++) {
        fill_cells(l, fold, c);
        for (size_t t = fold; t < l->texts_n; t += FOLDS)
            if (l->start[t + 1] - l->start[t] >= 2) {
                means[n++] = text_mean(l, t, &squares);
                pairs += l->start[t + 1] - l->start[t] - 1;
            }
    }
    if (n == 0)
        return;
    qsort(means, n, sizeof *means, by_value);
    l->o->running = means[n / 4];
    l->o->spread = squares / pairs;
}

struct word_order *
order_learn(const struct words *words, const struct words *skip,
            const uint32_t *start, size_t texts_n, uint32_t words_n,
            struct arena *a)
{
    struct learner l = {words, start, texts_n, NULL, NULL, NULL};
    struct counts *c = ARENA_NEW(a, struct counts);

    if (texts_n < 2)
        return NULL;
    l.o = order_new(a);
    l.class = arena_raw(a, words->types_n);
    l.counts = ARENA_ARRAY(a, uint32_t, words->types_n);
    for (uint32_t i = 0; i < words->hashes_n; i++)
        l.counts[words->sequence[i]]++;
    choose_words(&l, skip, words_n, a);
    choose_endings(&l, a);
    order_finish(l.o); /* so that endings are found */
    for (uint32_t i = 0; i < words->types_n; i++)
        if (l.class[i] == UINT8_MAX)
            l.class[i] = order_ending(l.o, words->types[i].text);
    measure_running(&l, c, a);
    fill_cells(&l, FOLDS, c);
    order_finish(l.o);
    return l.o;
}
