/* train_forest.c -- see train_forest.h.
 *
 * Gradient boosting of the logistic loss with Newton steps (Friedman 2001).
 * Each tree sees a share of the inputs and of the rows; rows are drawn in
 * proportion to the size of their gradient and count for as much more as they
 * are drawn less (minimal variance sampling, Ibragimov & Gusev 2019).  A level
 * takes the question that serves all its nodes together best.  One thread, no
 * shared state. */
#include "train_forest.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

#define RIDGE 1.0f          /* added to each sum of second derivatives */
#define GRADIENT_PART 1e-2f /* of second derivatives in a row's size */

struct gradient_pair {
    float g, h;
};

struct forest_learner {
    const struct train_table *t;
    const struct train_options *o;
    struct random random;
    float *logit;  /* [rows_n] */
    uint32_t *use; /* rows to learn from */
    uint32_t use_n;
    float weight_scale;

    /* The rows drawn for this tree. */
    struct gradient_pair
        *size;      /* of all rows to learn from, by place in `use` */
    uint8_t *place; /* the leaf of each of them */
    uint32_t *row;
    struct gradient_pair *slope;
    uint8_t *leaf;
    uint32_t n;
    uint32_t *input, inputs_n; /* drawn, too */

    uint32_t *few, few_n;  /* places of rows in the lesser of two leaves */
    struct bin_sums *sums; /* [inputs_n], of the leaves of the last level */
};

/* Of one input, by leaf and bin. */
struct bin_sums {
    struct gradient_pair of[FOREST_LEAVES / 2][TRAIN_BINS];
};

static void
slopes(struct forest_learner *l)
{
    for (uint32_t k = 0; k < l->use_n; k++) {
        uint32_t r = l->use[k];
        float w = l->t->weight[r] * l->weight_scale;
        float p = 1 / (1 + simd_exp(-l->logit[r]));

        l->size[k] = (struct gradient_pair){w * (p - (float)!l->t->text[r]),
                                            w * p * (1 - p) + 1e-6f};
    }
}

static float
size_of(const struct gradient_pair *s)
{
    return sqrtf(s->g * s->g + GRADIENT_PART * s->h * s->h);
}

/* The size from which on a row is drawn surely, so that `share` of all are. */
static float
sure_size(const struct forest_learner *l, double share)
{
    float low = 0, high = 1e6f;

    for (int i = 0; i < 40; i++) {
        float middle = i < 20 ? sqrtf((low + 1e-9f) * high) : (low + high) / 2;
        double drawn = 0;
        uint32_t n = 0;

        for (uint32_t k = 0; k < l->use_n; k += 37, n++)
            drawn += fminf(1, size_of(&l->size[k]) / middle);
        if (drawn > share * n)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void
draw_rows(struct forest_learner *l)
{
    float sure = sure_size(l, l->o->rows);

    l->n = 0;
    for (uint32_t k = 0; k < l->use_n; k++) {
        float chance = size_of(&l->size[k]) / sure, more = 1;

        if (chance < 1) {
            if ((float)random_unit(&l->random) >= chance)
                continue;
            more = 1 / chance;
        }
        l->row[l->n] = l->use[k];
        l->slope[l->n] =
            (struct gradient_pair){l->size[k].g * more, l->size[k].h * more};
        l->leaf[l->n++] = 0;
    }
}

static void
draw_inputs(struct forest_learner *l)
{
    uint32_t all = l->t->inputs_n;

    l->inputs_n = (uint32_t)(l->o->inputs * all) + 1;
    if (l->inputs_n > all)
        l->inputs_n = all;
    for (uint32_t i = 0; i < l->inputs_n; i++) {
        uint32_t k = i + (uint32_t)random_below(&l->random, all - i);
        uint32_t input = l->input[k];

        l->input[k] = l->input[i];
        l->input[i] = input;
    }
}

/* From the sums of a level to those of the next: only the lesser leaf of two
 * is summed up, the other one is what is left of their parent. */
static void
sum_up(struct forest_learner *l, uint32_t i, uint32_t leaves, const bool *upper)
{
    const uint8_t *bin = l->t->bin + (size_t)l->input[i] * l->t->rows_n;
    struct bin_sums *sum = &l->sums[i];
    const size_t one = sizeof sum->of[0];

    if (leaves == 1)
        memset(sum->of[0], 0, one);
    for (uint32_t k = leaves / 2; k-- > 0;) {
        memmove(sum->of[2 * k + !upper[k]], sum->of[k], one);
        memset(sum->of[2 * k + upper[k]], 0, one);
    }
    for (uint32_t k = 0; k < l->few_n; k++) {
        uint32_t at = l->few[k];
        struct gradient_pair *s = &sum->of[l->leaf[at]][bin[l->row[at]]];

        s->g += l->slope[at].g;
        s->h += l->slope[at].h;
    }
    for (uint32_t k = 0; k < leaves / 2; k++) {
        const struct gradient_pair *few = sum->of[2 * k + upper[k]];
        struct gradient_pair *rest = sum->of[2 * k + !upper[k]];

        for (uint32_t b = 0; b < TRAIN_BINS; b++) {
            rest[b].g -= few[b].g;
            rest[b].h = fmaxf(0, rest[b].h - few[b].h);
        }
    }
}

/* Which leaf of two is the lesser, and its rows. */
static void
list_few(struct forest_learner *l, uint32_t leaves, bool *upper)
{
    uint32_t n[FOREST_LEAVES] = {0};

    for (uint32_t k = 0; k < l->n; k++)
        n[l->leaf[k]]++;
    for (uint32_t k = 0; k < leaves / 2; k++)
        upper[k] = n[2 * k + 1] < n[2 * k];
    l->few_n = 0;
    for (uint32_t k = 0; k < l->n; k++)
        if (leaves == 1 || (l->leaf[k] & 1) == upper[l->leaf[k] / 2])
            l->few[l->few_n++] = k;
}

static float
score(float g, float h)
{
    return g * g / (h + RIDGE);
}

/* gain[b] += what asking for more than limit b gains in one leaf. */
static void
add_gains(const struct gradient_pair *sum, uint32_t limits, float *gain)
{
    struct gradient_pair all = {0, 0}, left = {0, 0};

    for (uint32_t b = 0; b <= limits; b++) {
        all.g += sum[b].g;
        all.h += sum[b].h;
    }
    if (!(all.h > 0))
        return;
    for (uint32_t b = 0; b < limits; b++) {
        left.g += sum[b].g;
        left.h += sum[b].h;
        gain[b] += score(left.g, left.h) +
                   score(all.g - left.g, all.h - left.h) - score(all.g, all.h);
    }
}

static void
ask(struct forest_learner *l, struct forest_tree *tree, uint32_t level)
{
    const struct train_table *t = l->t;
    uint32_t leaves = 1u << level, best_input = l->input[0], best_bin = 0;
    bool upper[FOREST_LEAVES];
    float best = -1;
    const uint8_t *bin;

    list_few(l, leaves, upper);
    for (uint32_t i = 0; i < l->inputs_n; i++) {
        uint32_t input = l->input[i];
        float gain[TRAIN_BINS] = {0};

        sum_up(l, i, leaves, upper);
        for (uint32_t k = 0; k < leaves; k++)
            add_gains(l->sums[i].of[k], t->limits_n[input], gain);
        for (uint32_t b = 0; b < t->limits_n[input]; b++) {
            if (gain[b] > best) {
                best = gain[b];
                best_input = input;
                best_bin = b;
            }
        }
    }
    tree->input[level] = (uint16_t)best_input;
    tree->limit[level] = t->limit[best_input][best_bin];
    bin = t->bin + (size_t)best_input * t->rows_n;
    for (uint32_t k = 0; k < l->n; k++)
        l->leaf[k] = (uint8_t)(2 * l->leaf[k] + (bin[l->row[k]] > best_bin));
    for (uint32_t k = 0; k < l->use_n; k++)
        l->place[k] = (uint8_t)(2 * l->place[k] + (bin[l->use[k]] > best_bin));
}

static void
set_leaves(struct forest_learner *l, struct forest_tree *tree)
{
    struct gradient_pair sum[FOREST_LEAVES] = {{0, 0}};

    for (uint32_t k = 0; k < l->n; k++) {
        sum[l->leaf[k]].g += l->slope[k].g;
        sum[l->leaf[k]].h += l->slope[k].h;
    }
    for (uint32_t i = 0; i < FOREST_LEAVES; i++) {
        double x = -l->o->step * (double)sum[i].g / (double)(sum[i].h + RIDGE);

        x = fmin(fmax(x, -(double)FOREST_LEAF_MAX), (double)FOREST_LEAF_MAX);
        tree->leaf[i] = (float)(round(x * 1e4) / 1e4); /* as in the file */
    }
}

static void
grow(struct forest_learner *l, struct forest_tree *tree)
{
    slopes(l);
    draw_rows(l);
    draw_inputs(l);
    memset(l->place, 0, l->use_n);
    for (uint32_t level = 0; level < FOREST_DEPTH; level++)
        ask(l, tree, level);
    set_leaves(l, tree);
    for (uint32_t k = 0; k < l->use_n; k++)
        l->logit[l->use[k]] += tree->leaf[l->place[k]];
}

static void
start(struct forest_learner *l, struct forest *f, const bool *use)
{
    const struct train_table *t = l->t;
    double all = 0, text = 0;

    for (uint32_t r = 0; r < t->rows_n; r++) {
        if (!use[t->page[r]])
            continue;
        l->use[l->use_n++] = r;
        all += (double)t->weight[r];
        text += t->text[r] ? (double)t->weight[r] : 0;
    }
    l->weight_scale = (float)((l->use_n + 1) / (all + 1e-9));
    f->base = (float)(round(log((all - text + 1) / (text + 1)) * 1e6) / 1e6);
    for (uint32_t r = 0; r < t->rows_n; r++)
        l->logit[r] = f->base;
    for (uint32_t i = 0; i < t->inputs_n; i++)
        l->input[i] = i;
}

struct forest *
train_forest_learn(const struct train_table *t, const bool *use,
                   const struct train_options *o, uint64_t seed)
{
    struct forest *f = memory_need(calloc(1, sizeof *f));
    struct forest_learner *l = memory_need(calloc(1, sizeof *l));
    size_t n = t->rows_n + 1;

    *l = (struct forest_learner){.t = t, .o = o, .random = random_seed(seed)};
    l->logit = memory_need(malloc(n * sizeof *l->logit));
    l->use = memory_need(malloc(n * sizeof *l->use));
    l->size = memory_need(malloc(n * sizeof *l->size));
    l->row = memory_need(malloc(n * sizeof *l->row));
    l->slope = memory_need(malloc(n * sizeof *l->slope));
    l->leaf = memory_need(malloc(n));
    l->place = memory_need(malloc(n));
    l->few = memory_need(malloc(n * sizeof *l->few));
    l->sums = memory_need(malloc((t->inputs_n + 1) * sizeof *l->sums));
    l->input = memory_need(malloc((t->inputs_n + 1) * sizeof *l->input));
    f->inputs_n = t->inputs_n;
    f->trees_n = o->trees;
    f->tree = memory_need(calloc(o->trees + 1, sizeof *f->tree));
    start(l, f, use);
    for (uint32_t k = 0; k < f->trees_n; k++)
        grow(l, &f->tree[k]);
    free(l->logit);
    free(l->use);
    free(l->size);
    free(l->row);
    free(l->slope);
    free(l->leaf);
    free(l->place);
    free(l->few);
    free(l->sums);
    free(l->input);
    free(l);
    return f;
}

float
train_forest_run(const struct forest *f, const float *x)
{
    float sum = f->base;

    for (uint32_t k = 0; k < f->trees_n; k++) {
        const struct forest_tree *tree = &f->tree[k];
        uint32_t leaf = 0;

        for (uint32_t d = 0; d < FOREST_DEPTH; d++)
            leaf = 2 * leaf + (x[tree->input[d]] > tree->limit[d]);
        sum += tree->leaf[leaf];
    }
    return sum;
}
