/* train_table.c -- see train_table.h.
 *
 * Limits come from the values of some rows: a value that is frequent gets a
 * bin of its own, the others share the rest in equal parts (as in LightGBM, Ke
 * et al. 2017).  Labels have no part in it. */
#include "train_table.h"
#include "base/memory.h"

#include <stdlib.h>

#define SAMPLE 30000u

static void *
take(size_t n, size_t size)
{
    return memory_need(calloc(n + 1, size));
}

static int
compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* Values in order; a bin ends before a value that fills one alone, and once it
 * holds its share. */
static uint8_t
find_limits(float *limit, float *value, uint32_t n)
{
    uint32_t done = 0, from = 0, limits = 0;

    qsort(value, n, sizeof *value, compare);
    while (from < n && limits + 1 < TRAIN_BINS) {
        uint32_t share = (n - done) / (TRAIN_BINS - limits) + 1;
        uint32_t to = from + 1, next;

        while (to < n && !(value[to] > value[from]))
            to++;
        for (next = to; next < n && !(value[next] > value[to]);)
            next++;
        if (to < n && (to - done >= share || next - to >= share)) {
            limit[limits++] = value[to - 1] + (value[to] - value[to - 1]) / 2;
            done = to;
        }
        from = to;
    }
    return (uint8_t)limits;
}

static uint8_t
bin_of(const float *limit, uint32_t limits, float x)
{
    uint32_t low = 0, high = limits;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (x > limit[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)low;
}

static void
list_rows(struct train_table *t, const struct train_set *set, uint32_t *block)
{
    uint32_t n = 0;

    for (uint32_t p = 0; p < set->pages_n; p++) {
        const struct train_page *page = &set->page[p];

        for (uint32_t i = 0; !page->suspect && i < page->f.n; i++) {
            if (!(page->weight[i] > 0))
                continue;
            t->page[n] = p;
            t->weight[n] = page->weight[i];
            t->text[n] = page->target[i] >= 0.5f;
            block[n++] = i;
        }
    }
    t->rows_n = n;
}

static void
set_limits(struct train_table *t, const struct train_set *set, train_row *row,
           const uint32_t *block)
{
    uint32_t step = t->rows_n / SAMPLE + 1, n = 0;
    float *value = take((size_t)t->inputs_n * (SAMPLE + 1), sizeof *value);
    float *x = take(t->inputs_n, sizeof *x);

    for (uint32_t r = 0; r < t->rows_n; r += step, n++) {
        row(&set->page[t->page[r]], block[r], x);
        for (uint32_t i = 0; i < t->inputs_n; i++)
            value[(size_t)i * (SAMPLE + 1) + n] = x[i];
    }
    for (uint32_t i = 0; i < t->inputs_n; i++)
        t->limits_n[i] =
            find_limits(t->limit[i], value + (size_t)i * (SAMPLE + 1), n);
    free(x);
    free(value);
}

struct train_table *
train_table_new(const struct train_set *set, train_row *row, uint32_t inputs_n)
{
    struct train_table *t = take(1, sizeof *t);
    uint32_t *block, cap = 0;
    float *x = take(inputs_n, sizeof *x);

    for (uint32_t p = 0; p < set->pages_n; p++)
        cap += set->page[p].f.n;
    block = take(cap, sizeof *block);
    t->inputs_n = inputs_n;
    t->page = take(cap, sizeof *t->page);
    t->weight = take(cap, sizeof *t->weight);
    t->text = take(cap, sizeof *t->text);
    t->limit = take(inputs_n, sizeof *t->limit);
    t->limits_n = take(inputs_n, sizeof *t->limits_n);
    list_rows(t, set, block);
    set_limits(t, set, row, block);
    t->bin = take((size_t)inputs_n * t->rows_n, 1);
    for (uint32_t r = 0; r < t->rows_n; r++) {
        row(&set->page[t->page[r]], block[r], x);
        for (uint32_t i = 0; i < inputs_n; i++)
            t->bin[(size_t)i * t->rows_n + r] =
                bin_of(t->limit[i], t->limits_n[i], x[i]);
    }
    free(x);
    free(block);
    return t;
}

void
train_table_free(struct train_table *t)
{
    if (t == NULL)
        return;
    free(t->bin);
    free(t->limit);
    free(t->limits_n);
    free(t->page);
    free(t->weight);
    free(t->text);
    free(t);
}
