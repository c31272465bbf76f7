/* train_kinds.c -- learning what kind of page a page is.
 *
 * A softmax, all pages in each step (Adam, Kingma & Ba 2015), with a ridge that
 * is as strong as so few pages need.  Kinds are those of WCXB, whose ids end in
 * them; of the pages of other sets none is known. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "train.h"

#define STEPS 300
#define RATE 0.05f
#define RIDGE 15.f
#define INPUTS PAGE_KIND_INPUTS_N
#define WEIGHTS ((INPUTS + 1) * PAGE_KINDS_N)

struct kinds_learner {
    float (*x)[INPUTS]; /* scaled */
    int *kind;
    uint32_t n;
    float slope[PAGE_KINDS_N][INPUTS + 1], m[WEIGHTS], v[WEIGHTS];
};

int
train_kind_of(struct str id)
{
    size_t from = id.n;

    while (from > 0 && id.p[from - 1] != '-')
        from--;
    for (int k = 0; from > 0 && k < PAGE_KINDS_N; k++)
        if (str_eq(str_sub(id, from, id.n), str_c(page_kind_name(k))))
            return k;
    return -1;
}

static void
read_pages(struct kinds_learner *l, const struct train_set *set, uint32_t but)
{
    l->x = memory_need(calloc(set->pages_n + 1, sizeof *l->x));
    l->kind = memory_need(calloc(set->pages_n + 1, sizeof *l->kind));
    for (uint32_t p = 0; p < set->pages_n; p++) {
        const struct train_page *page = &set->page[p];

        if (page->kind < 0 || page->f.n == 0 || page->fold == but)
            continue;
        page_kind_inputs(&page->f, page->p[0], l->x[l->n]);
        l->kind[l->n++] = page->kind;
    }
}

static void
scale(struct kinds_learner *l, struct page_kind_model *m)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        double sum = 0, squares = 0, mean;

        for (uint32_t p = 0; p < l->n; p++)
            sum += (double)l->x[p][i];
        mean = sum / l->n;
        for (uint32_t p = 0; p < l->n; p++)
            squares += pow((double)l->x[p][i] - mean, 2);
        m->mean[i] = (float)mean;
        m->scale[i] = (float)(1 / (sqrt(squares / l->n) + 1e-3));
    }
}

static void
add_slopes(struct kinds_learner *l, const struct page_kind_model *m)
{
    float share[PAGE_KINDS_N], x[INPUTS];

    for (int k = 0; k < PAGE_KINDS_N; k++)
        for (uint32_t i = 0; i <= INPUTS; i++)
            l->slope[k][i] = RIDGE * m->weight[k][i] / (float)l->n;
    for (uint32_t p = 0; p < l->n; p++) {
        memcpy(x, l->x[p], sizeof x);
        page_kind_shares(m, x, share);
        for (int k = 0; k < PAGE_KINDS_N; k++) {
            float off = (share[k] - (float)(k == l->kind[p])) / (float)l->n;

            for (uint32_t i = 0; i < INPUTS; i++)
                l->slope[k][i] += off * x[i];
            l->slope[k][INPUTS] += off;
        }
    }
}

static void
step(struct kinds_learner *l, struct page_kind_model *m, int t)
{
    float *weight = m->weight[0];
    const float *slope = l->slope[0];

    for (uint32_t i = 0; i < WEIGHTS; i++) {
        l->m[i] = 0.9f * l->m[i] + 0.1f * slope[i];
        l->v[i] = 0.999f * l->v[i] + 0.001f * slope[i] * slope[i];
        weight[i] -= RATE * (l->m[i] / (1 - powf(0.9f, (float)t))) /
                     (sqrtf(l->v[i] / (1 - powf(0.999f, (float)t))) + 1e-8f);
    }
}

/* From the pages that are not in fold `but`. */
static bool
learn(struct page_kind_model *m, const struct train_set *set, uint32_t but)
{
    struct kinds_learner *l = memory_need(calloc(1, sizeof *l));
    bool known;

    memset(m, 0, sizeof *m);
    read_pages(l, set, but);
    known = l->n > 0;
    if (known)
        scale(l, m);
    for (int t = 1; known && t <= STEPS; t++) {
        add_slopes(l, m);
        step(l, m, t);
    }
    free(l->x);
    free(l->kind);
    free(l);
    return known;
}

void
train_kinds(struct train_set *set, uint32_t folds_n)
{
    struct page_kind_model *m = memory_need(calloc(1, sizeof *m));

    for (uint32_t k = 0; k < folds_n; k++) {
        if (!learn(m, set, k))
            continue;
        for (uint32_t p = 0; p < set->pages_n; p++) {
            struct train_page *page = &set->page[p];

            if (page->fold == k && page->f.n > 0)
                page_kind_run(m, &page->f, page->p[0]);
        }
    }
    free(m);
}

bool
train_kinds_all(const struct train_set *set, struct page_kind_model *m)
{
    return learn(m, set, UINT32_MAX);
}
