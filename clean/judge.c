/* judge.c -- see judge.h.
 *
 * The first network sees each block, its neighbours and where it stands; the
 * second sees the same and how the first one judged the neighbourhood.  What
 * the page gives is added to the hidden sums once per page. */
#include "judge.h"

#include <stdlib.h>
#include <unistd.h>

#include "network.h"
#include "second.h"
#include "winnow/log.h"

struct judge {
    struct network *first, *second; /* second: NULL if there is none */
};

enum { AROUND = 3 * FEATURES_LOCAL_N, PAGE = AROUND + FEATURES_AROUND_N };

static enum status
load(struct network **out, const char *path, uint32_t inputs_n)
{
    enum status st = network_load(out, path);

    if (st != ST_OK || network_inputs_n(*out) == inputs_n)
        return st;
    log_error("boilerplate",
              "%s has %u inputs, this program computes %u: make it anew with "
              "winnow train",
              path, network_inputs_n(*out), inputs_n);
    return ST_INVALID;
}

enum status
judge_open(struct judge **out, const char *path)
{
    struct arena *a = arena_new();
    struct str second = arena_printf(a, "%s.second", path);
    struct judge *j = calloc(1, sizeof *j);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (j == NULL)
        goto out;
    st = load(&j->first, path, FEATURES_N);
    if (st == ST_OK && access(second.p, F_OK) == 0)
        st = load(&j->second, second.p, FEATURES_N + SECOND_N);
out:
    if (st == ST_OK)
        *out = j;
    else
        judge_close(j);
    arena_free(a);
    return st;
}

void
judge_close(struct judge *j)
{
    if (j == NULL)
        return;
    network_free(j->first);
    network_free(j->second);
    free(j);
}

/* Blocks are judged together, slice of inputs by slice, so that the slice's
 * weights stay in the first-level cache. */
#define TOGETHER 32u

struct together {
    const struct network *net;
    const struct features *f;
    float (*extra)[SECOND_N];
    struct network_sums sums[TOGETHER];
    uint32_t block[TOGETHER], n;
};

static void
add_slices(struct together *t)
{
    const uint32_t local = FEATURES_LOCAL_N;
    const struct features *f = t->f;

    for (uint32_t k = 0; k < t->n; k++)
        network_add(t->net, &t->sums[k], 0, f->local[t->block[k]], local);
    for (uint32_t k = 0; k < t->n; k++)
        if (t->block[k] > 0)
            network_add(t->net, &t->sums[k], local, f->local[t->block[k] - 1],
                        local);
    for (uint32_t k = 0; k < t->n; k++)
        if (t->block[k] + 1 < f->n)
            network_add(t->net, &t->sums[k], 2 * local,
                        f->local[t->block[k] + 1], local);
    for (uint32_t k = 0; k < t->n; k++)
        network_add(t->net, &t->sums[k], AROUND, f->around[t->block[k]],
                    FEATURES_AROUND_N);
    for (uint32_t k = 0; k < t->n && t->extra != NULL; k++)
        network_add(t->net, &t->sums[k], FEATURES_N, t->extra[t->block[k]],
                    SECOND_N);
}

/* p and extra: for the second pass the first one's judgement and what follows
 * from it, else NULL. */
static void
run(const struct network *net, const struct features *f, const float *p,
    float (*extra)[SECOND_N], struct block *blocks)
{
    struct together t = {.net = net, .f = f, .extra = extra};
    struct network_sums page;

    network_start(net, &page);
    network_add(net, &page, PAGE, f->page, FEATURES_PAGE_N);
    for (uint32_t i = 0; i < f->n;) {
        for (t.n = 0; i < f->n && t.n < TOGETHER; i++)
            if (p == NULL || !second_settled(p, f->n, i)) {
                t.sums[t.n] = page;
                t.block[t.n++] = i;
            }
        add_slices(&t);
        for (uint32_t k = 0; k < t.n; k++)
            blocks[t.block[k]].boilerplate = network_output(net, &t.sums[k]);
    }
}

void
judge_page(const struct judge *j, struct document *d)
{
    float(*extra)[SECOND_N];
    struct features f;
    float *p;

    if (d->blocks_n == 0)
        return;
    features_page(&f, d);
    run(j->first, &f, NULL, NULL, d->blocks);
    if (j->second == NULL)
        return;
    p = arena_raw(d->arena, f.n * sizeof *p);
    extra = arena_raw(d->arena, f.n * sizeof *extra);
    for (uint32_t i = 0; i < f.n; i++)
        p[i] = 1 - d->blocks[i].boilerplate;
    second_features(&f, p, extra, d->arena);
    run(j->second, &f, p, extra, d->blocks);
}
