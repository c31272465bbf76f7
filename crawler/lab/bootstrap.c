/* bootstrap.c -- see bootstrap.h.  Efron & Tibshirani (1993), percentile
 * intervals of a cluster bootstrap. */
#include "bootstrap.h"

#include "base/memory.h"
#include "base/random.h"
#include "predict.h"

#include <math.h>
#include <stdlib.h>

#define MARKS_MAX 16

struct bootstrap {
    const struct experiment *e;
    uint16_t *times; /* [draw][host] */
};

/* Hosts that a crawl of everything asks for a page, into `met`; how many.  One
 * that has none costs fetches, too. */
static size_t
hosts_met(const struct experiment *e, uint32_t *met)
{
    const struct web *w = e->web;
    bool *is = memory_need(calloc(w->hosts.n + (size_t)1, sizeof *is));
    size_t n = 0;

    for (uint32_t i = 0; i < w->urls.n; i++)
        if (e->asked[i])
            is[w->page[i].host] = true;
    for (uint32_t h = 0; h < w->hosts.n; h++)
        if (is[h])
            met[n++] = h;
    free(is);
    return n;
}

struct bootstrap *
bootstrap_new(const struct experiment *e, uint64_t seed)
{
    struct bootstrap *b = memory_need(calloc(1, sizeof *b));
    size_t hosts = e->web->hosts.n, n;
    uint32_t *met = memory_need(calloc(hosts + 1, sizeof *met));
    struct random random = random_seed(seed);

    b->times =
        memory_need(calloc(BOOTSTRAP_DRAWS * (hosts + 1), sizeof *b->times));
    b->e = e;
    n = hosts_met(e, met);
    for (size_t draw = 0; draw < BOOTSTRAP_DRAWS; draw++)
        for (size_t i = 0; i < n; i++)
            b->times[draw * hosts + met[random_below(&random, n)]]++;
    free(met);
    return b;
}

void
bootstrap_free(struct bootstrap *b)
{
    if (b == NULL)
        return;
    free(b->times);
    free(b);
}

static int
by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* Sorts the values; those that are not known do not count. */
static struct bootstrap_interval
interval(double *value, size_t n)
{
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i]))
            value[known++] = value[i];
    if (known == 0)
        return (struct bootstrap_interval){NAN, NAN};
    qsort(value, known, sizeof *value, by_size);
    return (struct bootstrap_interval){
        value[(size_t)(0.025 * (double)(known - 1) + 0.5)],
        value[(size_t)(0.975 * (double)(known - 1) + 0.5)]};
}

/* Coverage at each mark, were every host there `times`. */
static void
draw_coverage(const struct bootstrap *b, const struct sim_run *r,
              const uint16_t *times, const double *percent, size_t n,
              double *out)
{
    const struct experiment *e = b->e;
    double pages = 0, total = 0, fetched = 0, kept = 0;
    size_t mark = 0;

    for (uint32_t h = 0; h < e->web->hosts.n; h++) {
        pages += (double)times[h] * e->reached[h];
        total += (double)times[h] * e->had[h];
    }
    for (size_t i = 0; i < r->fetches_n && mark < n; i++) {
        uint16_t t = times[e->web->page[r->fetch[i].page].host];

        while (mark < n && fetched >= percent[mark] / 100 * pages)
            out[mark++] = total > 0 ? kept / total : (double)NAN;
        fetched += t;
        kept += r->fetch[i].kept ? t : 0;
    }
    while (mark < n)
        out[mark++] = total > 0 ? kept / total : (double)NAN;
}

void
bootstrap_coverage(const struct bootstrap *b, const struct experiment_arm *arm,
                   const double *percent, size_t n,
                   struct bootstrap_interval *out)
{
    size_t hosts = b->e->web->hosts.n;
    double *value =
        memory_need(calloc((size_t)BOOTSTRAP_DRAWS * MARKS_MAX, sizeof *value));
    double mark[MARKS_MAX];

    n = n < MARKS_MAX ? n : MARKS_MAX;
    for (size_t draw = 0; draw < BOOTSTRAP_DRAWS; draw++) {
        draw_coverage(b, &arm->run[draw % arm->runs_n], b->times + draw * hosts,
                      percent, n, mark);
        for (size_t m = 0; m < n; m++)
            value[m * BOOTSTRAP_DRAWS + draw] = mark[m];
    }
    for (size_t m = 0; m < n; m++)
        out[m] = interval(value + m * BOOTSTRAP_DRAWS, BOOTSTRAP_DRAWS);
    free(value);
}

void
bootstrap_f1(const struct bootstrap *b, const struct bootstrap_counts *by_host,
             struct bootstrap_interval *out)
{
    size_t hosts = b->e->web->hosts.n;
    double *value = memory_need(calloc(BOOTSTRAP_DRAWS, sizeof *value));

    for (size_t draw = 0; draw < BOOTSTRAP_DRAWS; draw++) {
        const uint16_t *times = b->times + draw * hosts;
        double right = 0, wrong = 0, missed = 0;

        for (size_t h = 0; h < hosts; h++) {
            right += times[h] * by_host[h].right;
            wrong += times[h] * by_host[h].wrong;
            missed += times[h] * by_host[h].missed;
        }
        value[draw] = predict_f1(right, wrong, missed);
    }
    *out = interval(value, BOOTSTRAP_DRAWS);
    free(value);
}
