/* classifier.c -- see classifier.h.
 *
 * In the first pass a network, and a forest if there is one (the mean of their
 * logits), see each block, its neighbours and where it stands; in the context
 * pass a network, a forest, or both see the same and the values that the first
 * one gave the neighbourhood, and the passes are weighed against each other
 * (context_mean()).  Blocks of which the first pass is sure, as it is of their
 * neighbours, are left out there. What the page gives is added to the hidden
 * sums once per page. */
#include "classifier.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "columns.h"
#include "context.h"
#include "forest.h"
#include "network.h"
#include "page_kind.h"
#include "texrex_features.h"

struct classifier {
    struct network *first, *context; /* context: NULL if there is none */
    struct forest *first_forest;     /* beside the first network; or NULL */
    struct forest *forest; /* beside the context network or alone; or NULL */
    struct page_kind_model *kinds; /* or NULL */
    struct letters *letters; /* for texrex's features; NULL: ours are seen */
};

enum { AROUND = 3 * FEATURES_LOCAL_N, PAGE = AROUND + FEATURES_AROUND_N };

static enum status
load(struct network **out, const char *path, uint32_t inputs_n)
{
    enum status st = network_load(out, path);

    if (st != ST_OK || network_inputs_n(*out) == inputs_n)
        return st;
    log_error("boilerplate",
              "%s has %u inputs, clean.features gives %u: set clean.features, "
              "or make it anew with winnow train or winnow tenet",
              path, network_inputs_n(*out), inputs_n);
    return ST_INVALID;
}

/* NULL where there is no such file. */
static enum status
load_forest(struct forest **out, const char *path, uint32_t inputs_n)
{
    enum status st = access(path, F_OK) == 0 ? forest_load(out, path) : ST_OK;

    if (st != ST_OK || *out == NULL || (*out)->inputs_n == inputs_n)
        return st;
    log_error("boilerplate",
              "%s has %u inputs, this program computes %u: make it anew with "
              "winnow train",
              path, (*out)->inputs_n, inputs_n);
    return ST_INVALID;
}

static enum status
load_kinds(struct page_kind_model **out, const char *path)
{
    struct page_kind_model *m = memory_zero(1, sizeof *m);
    enum status st = m != NULL ? page_kind_load(m, path) : ST_NOMEM;

    if (st == ST_OK)
        *out = m;
    else
        memory_free(m);
    return st;
}

static void
close_held(void *j)
{
    classifier_close(j);
}

enum status
classifier_open(struct classifier **out, const char *path)
{
    struct arena *a = arena_new();
    struct str context = arena_printf(a, "%s.second", path);
    struct str first = arena_printf(a, "%s.first", path);
    struct str forest = arena_printf(a, "%s.forest", path);
    struct str kinds = arena_printf(a, "%s.kinds", path);
    struct classifier *j = memory_zero(1, sizeof *j);
    struct memory_held held;
    enum status st = ST_NOMEM;

    *out = NULL;
    if (j == NULL)
        goto out;
    memory_hold(&held, close_held, j);
    st = load(&j->first, path, FEATURES_N);
    if (st == ST_OK && access(context.p, F_OK) == 0)
        st = load(&j->context, context.p, FEATURES_N + CONTEXT_N);
    if (st == ST_OK)
        st = load_forest(&j->first_forest, first.p, FEATURES_N);
    if (st == ST_OK)
        st = load_forest(&j->forest, forest.p, FEATURES_N + CONTEXT_N);
    if (st == ST_OK && access(kinds.p, F_OK) == 0)
        st = load_kinds(&j->kinds, kinds.p);
    memory_let_go(&held);
out:
    if (st == ST_OK)
        *out = j;
    else
        classifier_close(j);
    arena_free(a);
    return st;
}

enum status
classifier_open_texrex(struct classifier **out, const char *path)
{
    struct classifier *j = memory_zero(1, sizeof *j);
    struct memory_held held;
    enum status st = ST_NOMEM;

    *out = NULL;
    if (j == NULL || (j->letters = letters_new()) == NULL) {
        classifier_close(j);
        return st;
    }
    memory_hold(&held, close_held, j);
    st = load(&j->first, path, TEXREX_N);
    memory_let_go(&held);
    if (st == ST_OK)
        *out = j;
    else
        classifier_close(j);
    return st;
}

void
classifier_close(struct classifier *j)
{
    if (j == NULL)
        return;
    network_free(j->first);
    network_free(j->context);
    forest_free(j->first_forest);
    forest_free(j->forest);
    memory_free(j->kinds);
    letters_free(j->letters);
    memory_free(j);
}

/* What the networks take in: of every row, where it is not 0. */
struct rows {
    const struct features *f;
    struct simd_row *local, *around, *extra; /* extra: NULL in the first pass */
};

static struct simd_row *
rows_of(const float *value, uint32_t width, uint32_t n, struct arena *a)
{
    struct simd_row *row = arena_raw(a, n * sizeof *row);
    uint16_t *at = arena_raw(a, (size_t)n * width * sizeof *at);

    for (uint32_t i = 0; i < n; i++) {
        row[i] = network_row(value + (size_t)i * width, width, at);
        at += row[i].n;
    }
    return row;
}

/* Blocks are classified together, slice of inputs by slice, so that the slice's
 * weights stay in the first-level cache, and the sums beside them. */
#define TOGETHER 16u

struct together {
    const struct network *net;
    const struct rows *rows;
    struct network_sums sums[TOGETHER];
    uint32_t block[TOGETHER], n;
};

/* Add row (block + shift) of a slice, where there is one. */
static void
add_slice(struct together *t, uint32_t from, const struct simd_row *rows,
          int shift)
{
    for (uint32_t k = 0; k < t->n; k++) {
        int64_t i = (int64_t)t->block[k] + shift;

        if (i >= 0 && i < (int64_t)t->rows->f->n)
            network_add_row(t->net, &t->sums[k], from, &rows[i]);
    }
}

static void
add_slices(struct together *t)
{
    const struct rows *rows = t->rows;

    add_slice(t, 0, rows->local, 0);
    add_slice(t, FEATURES_LOCAL_N, rows->local, -1);
    add_slice(t, 2 * FEATURES_LOCAL_N, rows->local, 1);
    add_slice(t, AROUND, rows->around, 0);
    if (rows->extra != NULL)
        add_slice(t, FEATURES_N, rows->extra, 0);
}

/* What a network says is brought to where probabilities are: linear outputs, of
 * texrex's networks for one, go beyond. */
static float
to_unit(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* Networks that have no faster form, row by row; extra: NULL in the first
 * pass. */
static void
run_whole(const struct network *net, const struct features *f, const float *p,
          float (*extra)[CONTEXT_N], struct block *blocks)
{
    struct fann *copy = network_borrow(net);
    float row[FEATURES_N + CONTEXT_N];

    for (uint32_t i = 0; i < f->n; i++) {
        if (p != NULL && context_settled(p, f->n, i))
            continue;
        features_row(f, i, row);
        if (extra != NULL)
            memcpy(row + FEATURES_N, extra[i], sizeof extra[i]);
        blocks[i].boilerplate = to_unit(network_ask(net, copy, row));
    }
    network_return(net, copy);
}

/* p: for the context pass the first one's values, else NULL. */
static void
run_in_parts(const struct network *net, const struct rows *rows, const float *p,
             struct block *blocks)
{
    struct together t; /* sums are set block by block */
    const struct features *f = rows->f;
    struct network_sums page;

    t.net = net;
    t.rows = rows;
    network_start(net, &page);
    network_add(net, &page, PAGE, f->page, FEATURES_PAGE_N);
    for (uint32_t i = 0; i < f->n;) {
        for (t.n = 0; i < f->n && t.n < TOGETHER; i++)
            if (p == NULL || !context_settled(p, f->n, i)) {
                t.sums[t.n] = page;
                t.block[t.n++] = i;
            }
        add_slices(&t);
        for (uint32_t k = 0; k < t.n; k++)
            blocks[t.block[k]].boilerplate = network_output(net, &t.sums[k]);
    }
}

/* extra: what the context pass sees beside the features, with p; else both are
 * NULL.  Rows that the first pass has made serve the context pass, too. */
static void
run(const struct network *net, struct rows *rows, const float *p,
    float (*extra)[CONTEXT_N], struct document *d)
{
    const struct features *f = rows->f;
    struct arena *a = d->arena;

    if (!network_in_parts(net)) {
        run_whole(net, f, p, extra, d->blocks);
        return;
    }
    if (rows->local == NULL) {
        rows->local = rows_of(f->local[0], FEATURES_LOCAL_N, f->n, a);
        rows->around = rows_of(f->around[0], FEATURES_AROUND_N, f->n, a);
    }
    if (extra != NULL)
        rows->extra = rows_of(extra[0], CONTEXT_N, f->n, a);
    run_in_parts(net, rows, p, d->blocks);
}

/* Is block i to be judged?  p: NULL in the first pass. */
static bool
is_open(const float *p, const struct columns *c, uint32_t i)
{
    return p == NULL || !context_settled(p, c->f->n, i);
}

/* Groups of rows that hold at least one block to be judged, from *i on. */
static uint32_t
next_groups(const float *p, const struct columns *c, uint32_t *i,
            uint32_t from[FOREST_GROUPS])
{
    uint32_t groups = 0;

    while (*i < c->n && groups < FOREST_GROUPS) {
        if (is_open(p, c, c->first + *i)) {
            from[groups++] = *i;
            *i += FOREST_ROWS;
        } else {
            ++*i;
        }
    }
    return groups;
}

/* The mean with what a network said before. */
static float
logit_mean(float logit, float value)
{
    return (logit + logf(value + 1e-9f) - logf(1 - value + 1e-9f)) / 2;
}

/* The blocks that the columns hold. */
static void
run_held(const struct forest *forest, const struct columns *c, const float *p,
         bool also, uint8_t *bins, struct block *blocks)
{
    float logit[FOREST_GROUPS * FOREST_ROWS];
    uint32_t from[FOREST_GROUPS], groups, i = 0;

    while ((groups = next_groups(p, c, &i, from)) > 0) {
        forest_run(forest, c->input, from, groups, bins, logit);
        for (uint32_t k = 0; k < groups * FOREST_ROWS; k++) {
            uint32_t row = from[k / FOREST_ROWS] + k % FOREST_ROWS;
            float *value;

            if (row >= c->n || !is_open(p, c, c->first + row))
                continue;
            value = &blocks[c->first + row].boilerplate;
            if (also)
                logit[k] = logit_mean(logit[k], *value);
            *value = 1 / (1 + simd_exp(-logit[k]));
        }
    }
}

/* As run(): `also` says that a network was there before, with whose logit the
 * mean is taken. */
static void
run_forest(const struct forest *forest, struct columns *c, const float *p,
           bool also, struct document *d)
{
    uint8_t *bins =
        arena_raw(d->arena, (size_t)forest->columns_n * SIMD_ROWS_MAX);

    for (uint32_t first = 0; first < c->f->n; first += COLUMNS_ROWS) {
        columns_hold(c, first);
        run_held(forest, c, p, also, bins, d->blocks);
    }
}

static void
run_texrex(const struct classifier *j, struct document *d)
{
    struct texrex_features f;
    struct fann *copy;

    texrex_features(&f, d, j->letters);
    copy = network_borrow(j->first);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const float *row = texrex_block_row(&f, d, i);

        d->blocks[i].boilerplate =
            row != NULL ? to_unit(network_ask(j->first, copy, row)) : 1;
    }
    network_return(j->first, copy);
}

/* What kind of page it is, by what the first pass said (p), and where such a
 * page is cut. */
static void
cut(const struct classifier *j, struct features *f, float *p,
    struct document *d)
{
    float at;

    page_kind_run(j->kinds, f, p);
    memcpy(d->page_kind, f->kind, sizeof f->kind);
    for (uint32_t i = 0; i < f->n; i++)
        p[i] = 1 - d->blocks[i].boilerplate;
    at = context_cut(f, p);
    for (uint32_t i = 0; i < f->n && at < 0.5f; i++)
        d->blocks[i].boilerplate = 1 - context_shifted(p[i], at);
}

void
classifier_run(const struct classifier *j, struct document *d)
{
    struct arena *a = d->arena;
    float(*extra)[CONTEXT_N];
    struct features f;
    struct rows rows = {.f = &f};
    struct columns c;
    float *p;

    if (d->blocks_n == 0)
        return;
    if (j->letters != NULL) {
        run_texrex(j, d);
        return;
    }
    features_page(&f, d);
    run(j->first, &rows, NULL, NULL, d);
    if (j->first_forest != NULL || j->forest != NULL)
        columns_open(&c, &f, a);
    if (j->first_forest != NULL)
        run_forest(j->first_forest, &c, NULL, true, d);
    if (j->context == NULL && j->forest == NULL)
        return;
    p = arena_raw(a, f.n * sizeof *p);
    extra = arena_raw(a, f.n * sizeof *extra);
    for (uint32_t i = 0; i < f.n; i++)
        p[i] = 1 - d->blocks[i].boilerplate;
    context_features(&f, p, extra, a);
    if (j->context != NULL)
        run(j->context, &rows, p, extra, d);
    if (j->forest != NULL) {
        columns_add_context(&c, extra, a);
        run_forest(j->forest, &c, p, j->context != NULL, d);
    }
    for (uint32_t i = 0; i < f.n; i++) {
        float *value = &d->blocks[i].boilerplate;

        if (!context_settled(p, f.n, i))
            *value = context_mean(1 - p[i], *value);
    }
    if (j->kinds != NULL)
        cut(j, &f, p, d);
}
