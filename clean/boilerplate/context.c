/* context.c -- see context.h.  Sums per container first, then one row a block;
 * windows come from running sums, so the whole is linear. */
#include "context.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "dom_path.h"
#include "feature_row.h"

#define REACH 5 /* neighbours on each side */
#define SURE 0.7f
#define SURE_WORDS 8u
#define SETTLED 0.98f
#define SETTLED_REACH 2u
#define LEVELS 64 /* of values, to order blocks by them */

/* Chosen on labelled pages (data/SOURCES.md). */
#define CUT_SURE 0.9f /* expected F1 of a page that is cut at a half */
#define CUT_SLOPE 0.8f
#define CUT_LEAST 0.12f

/* log(1 + n) of counts, which are nearly all small.  Where there are features
 * their table of logarithms is made. */
static float
log_count(uint32_t n)
{
    return n < FEATURE_LOGS ? feature_logs[n] : logf(1 + (float)n);
}

struct group_sum {
    float text, words, p, sure;
    uint32_t n;
};

struct pass {
    const struct features *f;
    const float *p;
    double *text, *words;                     /* running sums, [n + 1] */
    struct group_sum *group[FEATURES_GROUPS]; /* parents share the first */
    double kept_words; /* words of blocks that are more text than not */
    float most;
    uint32_t *sure_before, *sure_after; /* distance to the nearest, 0: none */
    struct dom_path_tree tree;
    struct dom_path dom_path[2];
};

static void
sum_groups(struct pass *x)
{
    for (uint32_t i = 0; i < x->f->n; i++) {
        const struct features_place *place = &x->f->place[i];
        float words = (float)place->words;

        for (int k = 0; k < FEATURES_GROUPS; k++) {
            struct group_sum *g = &x->group[k][place->group[k]];

            g->text += words * x->p[i];
            g->words += words;
            g->p += x->p[i];
            g->sure += x->p[i] > 0.5f ? words : 0;
            g->n++;
        }
        x->text[i + 1] = x->text[i] + (double)(words * x->p[i]);
        x->words[i + 1] = x->words[i] + (double)words;
        x->kept_words += x->p[i] > 0.5f ? place->words : 0;
        x->most = fmaxf(x->most, x->p[i]);
    }
}

static void
find_sure(struct pass *x)
{
    uint32_t n = x->f->n;

    for (uint32_t i = 0; i < n; i++) {
        bool sure = x->p[i] > SURE && x->f->place[i].words >= SURE_WORDS;
        uint32_t before = i > 0 ? x->sure_before[i - 1] : 0;

        x->sure_before[i] = sure ? 1 : before ? before + 1 : 0;
    }
    for (uint32_t i = n; i-- > 0;) {
        bool sure = x->p[i] > SURE && x->f->place[i].words >= SURE_WORDS;
        uint32_t after = i + 1 < n ? x->sure_after[i + 1] : 0;

        x->sure_after[i] = sure ? 1 : after ? after + 1 : 0;
    }
}

static double
window(const struct pass *x, uint32_t i, uint32_t reach)
{
    uint32_t from = i > reach ? i - reach : 0;
    uint32_t to = i + reach + 1 < x->f->n ? i + reach + 1 : x->f->n;

    return (x->text[to] - x->text[from]) /
           (x->words[to] - x->words[from] + 0.01);
}

static void
find_dom_paths(struct pass *x, struct arena *a)
{
    static const float share[] = {0.5f, 0.8f};
    uint32_t n = x->f->n;
    float *weight = arena_raw(a, 2 * n * sizeof *weight), *words = weight + n;
    uint32_t *container = arena_raw(a, n * sizeof *container);
    struct dom_path_blocks b = {weight, words, container, n};

    for (uint32_t i = 0; i < n; i++) {
        words[i] = (float)x->f->place[i].words;
        container[i] = x->f->place[i].group[0];
        weight[i] = words[i] * x->p[i];
    }
    dom_path_tree(&x->tree, &b, x->f->parent, x->f->groups_n[0], a);
    for (int k = 0; k < 2; k++)
        dom_path_find(&x->dom_path[k], &x->tree,
                      dom_path_heavy(&x->tree, share[k]), a);
}

static float *
dom_path_row(const struct pass *x, const struct dom_path *t, uint32_t i,
             float *o)
{
    const struct dom_path_way *w = &t->way[x->f->place[i].group[0]];
    const struct dom_path_sum *tip = &x->tree.sum[t->tip],
                              *branch = &x->tree.sum[w->branch];

    *o++ = log_count(w->up);
    *o++ = log_count(w->below);
    *o++ = i < tip->first ? -1 : i > tip->last;
    *o++ = log_count(i < tip->first  ? tip->first - i
                     : i > tip->last ? i - tip->last
                                     : 0);
    *o++ = w->branch == 0;
    *o++ = branch->weight / (branch->words + 0.01f);
    *o++ = branch->weight / (x->tree.sum[DOM_PATH_BODY].weight + 1);
    *o++ = tip->weight / (tip->words + 0.01f);
    return o;
}

static void
row(const struct pass *x, uint32_t i, float *out)
{
    static const uint32_t reach[] = {3, 8, 20};
    const uint32_t n = x->f->n;
    double text = x->text[n], words = x->words[n];
    float kept = x->kept_words > 1 ? (float)x->kept_words : 1;
    float *o = out;

    for (int k = -REACH; k <= REACH; k++) {
        int64_t at = (int64_t)i + k;

        *o++ = at >= 0 && at < (int64_t)n ? x->p[at] : 0;
    }
    for (int k = 0; k < FEATURES_GROUPS; k++) {
        const struct group_sum *g = &x->group[k][x->f->place[i].group[k]];

        *o++ = g->text / (g->words + 0.01f);
        *o++ = g->p / (float)g->n;
        *o++ = g->sure / kept;
    }
    *o++ = (float)(x->text[i] / (text + 1));
    *o++ = (float)((text - x->text[i + 1]) / (text + 1));
    *o++ = logf(1 + (float)x->text[i]);
    *o++ = logf(1 + (float)fmax(0, text - x->text[i + 1]));
    *o++ = (float)(text / (words + 1));
    *o++ = x->most;
    for (int k = 0; k < 3; k++)
        *o++ = (float)window(x, i, reach[k]);
    *o++ = x->sure_before[i] ? log_count(x->sure_before[i] - 1) : 8;
    *o++ = x->sure_after[i] ? log_count(x->sure_after[i] - 1) : 8;
    *o++ = x->f->place[i].heading ? x->p[x->f->place[i].heading - 1] : 0;
    for (int k = 0; k < 2; k++)
        o = dom_path_row(x, &x->dom_path[k], i, o);
    assert(o - out == CONTEXT_N);
}

void
context_features(const struct features *f, const float *p,
                 float (*out)[CONTEXT_N], struct arena *a)
{
    struct pass x = {.f = f, .p = p};

    x.text = arena_raw(a, (f->n + 1) * sizeof *x.text);
    x.words = arena_raw(a, (f->n + 1) * sizeof *x.words);
    x.text[0] = x.words[0] = 0;
    x.sure_before = arena_raw(a, f->n * sizeof *x.sure_before);
    x.sure_after = arena_raw(a, f->n * sizeof *x.sure_after);
    x.group[0] = ARENA_ARRAY(a, struct group_sum, f->groups_n[0]);
    for (int k = 1; k < FEATURES_GROUPS; k++)
        x.group[k] = k < BLOCK_PARENTS
                         ? x.group[0]
                         : ARENA_ARRAY(a, struct group_sum, f->groups_n[k]);
    sum_groups(&x);
    find_sure(&x);
    find_dom_paths(&x, a);
    for (uint32_t i = 0; i < f->n; i++)
        if (context_settled(p, f->n, i))
            memset(out[i], 0, sizeof out[i]);
        else
            row(&x, i, out[i]);
}

static float
logit(float p)
{
    return logf(p + 1e-9f) - logf(1 - p + 1e-9f);
}

float
context_mean(float first, float context)
{
    float mean =
        CONTEXT_WEIGHT * logit(context) + (1 - CONTEXT_WEIGHT) * logit(first);

    return 1 / (1 + expf(-mean));
}

bool
context_settled(const float *p, uint32_t n, uint32_t i)
{
    uint32_t from = i > SETTLED_REACH ? i - SETTLED_REACH : 0;
    uint32_t to = i + SETTLED_REACH < n ? i + SETTLED_REACH : n - 1;
    bool text = p[i] > 0.5f;

    for (uint32_t k = from; k <= to; k++)
        if (text ? p[k] < SETTLED : p[k] > 1 - SETTLED)
            return false;
    return true;
}

/* ---- where a page is cut ---- */

static int
level_of(float p)
{
    return (int)(p * (LEVELS - 1) + 0.5f);
}

/* The F1 that may be expected of the best cut, if the values are right: of what
 * is above a level, and of all there is. */
static float
best_f1(const struct features *f, const float *p)
{
    float text[LEVELS] = {0}, words[LEVELS] = {0};
    float hit = 0, kept = 0, all = 0, best = 0;

    for (uint32_t i = 0; i < f->n; i++) {
        float n = (float)f->place[i].words;

        text[level_of(p[i])] += n * p[i];
        words[level_of(p[i])] += n;
        all += n * p[i];
    }
    for (int level = LEVELS; level-- > 0;) {
        hit += text[level];
        kept += words[level];
        best = fmaxf(best, 2 * hit / (kept + all + 0.01f));
    }
    return best;
}

float
context_cut(const struct features *f, const float *p)
{
    float article = f->kind[PAGE_KIND_ARTICLE];
    float doubt = CUT_SURE - best_f1(f, p);

    return doubt > 0
               ? fmaxf(0.5f - CUT_SLOPE * doubt * (1 - article), CUT_LEAST)
               : 0.5f;
}

float
context_shifted(float p, float cut)
{
    float text = p * (1 - cut), other = (1 - p) * cut;

    return text / (text + other);
}
