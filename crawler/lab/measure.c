/* measure.c -- see measure.h.  Pure: no state, no I/O. */
#include "measure.h"

#include "base/memory.h"
#include "spread.h"

#include <math.h>
#include <stdlib.h>

#define LATE_LEAST 8u

double
measure_coverage(const struct experiment *e, const struct sim_run *r,
                 double percent)
{
    size_t n = (size_t)ceil(percent / 100 * (double)e->pages);
    uint64_t kept = 0;

    if (n > r->fetches_n && !r->ended)
        return NAN;
    for (size_t i = 0; i < n && i < r->fetches_n; i++)
        kept += r->fetch[i].kept;
    return e->kept_total ? (double)kept / (double)e->kept_total : 0;
}

double
measure_yield(const struct sim_run *r)
{
    return r->fetches_n ? (double)r->kept / (double)r->fetches_n : 0;
}

double
measure_late(const struct sim_run *r)
{
    size_t at[4] = {0}; /* pages fetched when 0, 1, 2, 3 quarters were in */
    uint64_t quarter[4], kept = 0;

    if (r->kept < LATE_LEAST)
        return NAN;
    for (unsigned q = 0; q <= 3; q++)
        quarter[q] = r->kept * q / 4;
    for (size_t i = 0; i < r->fetches_n; i++) {
        if (!r->fetch[i].kept)
            continue;
        kept++;
        for (unsigned q = 1; q <= 3; q++)
            if (kept == quarter[q])
                at[q] = i + 1;
    }
    return (double)at[1] / (double)(at[3] - at[2]) *
           (double)(quarter[3] - quarter[2]) / (double)quarter[1];
}

void
measure_line(const double *x, const double *y, size_t n,
             struct measure_fit *out)
{
    double mx = 0, my = 0, sxx = 0, sxy = 0, syy = 0;

    for (size_t i = 0; i < n; i++) {
        mx += x[i] / (double)n;
        my += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        sxx += (x[i] - mx) * (x[i] - mx);
        sxy += (x[i] - mx) * (y[i] - my);
        syy += (y[i] - my) * (y[i] - my);
    }
    out->slope = sxx > 0 ? sxy / sxx : 0;
    out->intercept = my - out->slope * mx;
    out->r2 = sxx > 0 && syy > 0 ? sxy * sxy / sxx / syy : (double)NAN;
    out->adjusted = n > 2
                        ? 1 - (1 - out->r2) * (double)(n - 1) / (double)(n - 2)
                        : (double)NAN;
}

void
measure_fit(struct measure_fit *out, const struct sim_run *r, size_t i,
            size_t n)
{
    size_t from = r->fetches_n * i / n, to = r->fetches_n * (i + 1) / n;
    double x[MEASURE_BINS] = {0}, y[MEASURE_BINS] = {0};
    size_t bins = to - from < MEASURE_BINS ? to - from : MEASURE_BINS;
    uint64_t all = 0;

    for (size_t b = 0; b < bins; b++) {
        size_t first = from + (to - from) * b / bins,
               end = from + (to - from) * (b + 1) / bins;
        uint64_t kept = 0;

        for (size_t k = first; k < end; k++)
            kept += r->fetch[k].kept;
        all += kept;
        x[b] = (double)(first + end) / 2000;
        y[b] = (double)kept / (double)(end - first);
    }
    *out = (struct measure_fit){.from = from, .to = to};
    out->yield = to > from ? (double)all / (double)(to - from) : 0;
    measure_line(x, y, bins, out);
}

void
measure_mean_fit(const struct measure_fit *fit, size_t n,
                 struct measure_fit *mean)
{
    double r2[EXPERIMENT_CHANCES_MAX], adjusted[EXPERIMENT_CHANCES_MAX];

    *mean = (struct measure_fit){.from = fit[0].from, .to = fit[0].to};
    for (size_t i = 0; i < n; i++) {
        mean->yield += fit[i].yield / (double)n;
        mean->slope += fit[i].slope / (double)n;
        mean->intercept += fit[i].intercept / (double)n;
        r2[i] = fit[i].r2;
        adjusted[i] = fit[i].adjusted;
    }
    mean->r2 = spread_of(r2, n).mean;
    mean->adjusted = spread_of(adjusted, n).mean;
}

void
measure_bias(struct measure_bias *out, const struct experiment *e,
             const struct sim_run *r)
{
    uint32_t hosts = e->web->hosts.n;
    uint32_t *kept = memory_need(calloc(hosts + 1, sizeof *kept));

    *out = (struct measure_bias){0};
    for (size_t i = 0; i < r->fetches_n; i++)
        kept[e->web->page[r->fetch[i].page].host] += r->fetch[i].kept;
    for (uint32_t h = 0; h < hosts; h++) {
        double share = r->kept ? (double)kept[h] / (double)r->kept : 0,
               whole = e->kept_total ? (double)e->had[h] / (double)e->kept_total
                                     : 0;

        out->hosts += kept[h] > 0;
        out->top = share > out->top ? share : out->top;
        out->entropy -= share > 0 ? share * log2(share) : 0;
        out->distance += fabs(share - whole) / 2;
    }
    free(kept);
}
