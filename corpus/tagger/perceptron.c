/* perceptron.c -- see perceptron.h. */
#include "perceptron.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define FULL 0.8      /* of the table */
#define HEAVIEST 10.0 /* a weight that becomes 127 */

static bool
feature_equal(const void *of, const void *slot, const void *key)
{
    const struct perceptron *p = of;

    return p->features[*(const uint32_t *)slot - 1].key ==
           *(const uint64_t *)key;
}

static uint64_t
feature_hash(const void *of, const void *slot)
{
    const struct perceptron *p = of;

    return p->features[*(const uint32_t *)slot - 1].key;
}

static const struct hashmap_kind feature_kind = {
    sizeof(uint32_t), hashmap_numbered, feature_equal, feature_hash, NULL};

void
perceptron_begin(struct perceptron *p, unsigned classes)
{
    *p = (struct perceptron){.classes = classes};
    hashmap_init(&p->index, &feature_kind, NULL, 1 << 16);
}

void
perceptron_end(struct perceptron *p)
{
    hashmap_free(&p->index);
    free(p->features);
}

static struct tag_weights *
feature_put(struct perceptron *p, uint64_t key)
{
    uint32_t *slot = hashmap_put(&p->index, &feature_kind, p, key, &key);

    if (*slot == 0) {
        if (p->n == p->room) {
            p->room = p->room ? p->room * 2 : 1 << 14;
            p->features = memory_need(
                realloc(p->features, p->room * sizeof *p->features));
        }
        memset(&p->features[p->n], 0, sizeof *p->features);
        p->features[p->n].key = key;
        *slot = ++p->n;
    }
    return &p->features[*slot - 1];
}

unsigned
perceptron_guess(const struct perceptron *p, const uint64_t *keys, size_t n,
                 unsigned classes)
{
    float scores[TAG_ROW] = {0};
    unsigned best = 0;

    for (size_t f = 0; f < n; f++) {
        const uint32_t *slot =
            hashmap_find(&p->index, &feature_kind, p, keys[f], &keys[f]);

        if (*slot != 0)
            for (unsigned t = 0; t < classes; t++)
                scores[t] += p->features[*slot - 1].weight[t];
    }
    for (unsigned t = 1; t < classes; t++)
        if (scores[t] > scores[best])
            best = t;
    return best;
}

static void
move(struct tag_weights *f, unsigned tag, float by, uint32_t step)
{
    f->sum[tag] += f->weight[tag] * (float)(step - f->since[tag]);
    f->since[tag] = step;
    f->weight[tag] += by;
}

void
perceptron_learn(struct perceptron *p, const uint64_t *keys, size_t n,
                 unsigned right, unsigned guessed)
{
    p->step++;
    if (right == guessed)
        return;
    for (size_t f = 0; f < n; f++) {
        struct tag_weights *x = feature_put(p, keys[f]);

        move(x, right, 1, p->step);
        move(x, guessed, -1, p->step);
    }
}

/* Means take the weights' place; sum[0] is how heavy the feature is. */
static void
average(struct perceptron *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        struct tag_weights *f = &p->features[i];
        float heavy = 0;

        for (unsigned t = 0; t < p->classes; t++) {
            move(f, t, 0, p->step);
            f->weight[t] = f->sum[t] / (float)(p->step + 1);
            heavy += fabsf(f->weight[t]);
        }
        f->sum[0] = heavy;
    }
}

void
perceptron_add(struct perceptron *to, struct perceptron *p, float share)
{
    average(p);
    for (uint32_t i = 0; i < p->n; i++) {
        struct tag_weights *sum = feature_put(to, p->features[i].key);

        for (unsigned t = 0; t < p->classes; t++)
            sum->sum[t] += share * p->features[i].weight[t];
    }
}

static int
heavier(const void *a, const void *b)
{
    const struct tag_weights *f = a, *g = b;

    if (f->sum[0] != g->sum[0])
        return f->sum[0] > g->sum[0] ? -1 : 1;
    return f->key < g->key ? -1 : f->key > g->key;
}

void
perceptron_put(struct perceptron *p, struct buf *out, unsigned bits)
{
    size_t slots = (size_t)1 << bits, most = (size_t)((double)slots * FULL);
    struct arena *a = arena_new();
    struct tag_table table;
    int8_t *rows = memory_need(calloc(slots, p->classes));

    average(p);
    tag_table_make(&table, a, bits);
    if (p->n > 0)
        qsort(p->features, p->n, sizeof *p->features, heavier);
    for (size_t i = 0; i < p->n && i < most; i++) {
        const struct tag_weights *f = &p->features[i];
        int8_t *row = rows + tag_table_add(&table, f->key) * p->classes;

        for (unsigned t = 0; t < p->classes; t++) {
            double w = f->weight[t] * (127 / HEAVIEST);

            row[t] = (int8_t)lround(fmax(-127, fmin(127, w)));
        }
    }
    buf_printf(out, "weights %u\n", bits);
    buf_add(out, table.slots.slots, slots * sizeof(uint16_t));
    buf_add(out, rows, slots * p->classes);
    arena_free(a);
    free(rows);
}
