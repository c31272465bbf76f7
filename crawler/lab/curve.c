/* curve.c -- see curve.h.  Fetches stand in the order of their ends. */
#include "curve.h"

#include <math.h>

/* Go on in a run to the point. */
static void
go_on(const struct sim_run *r, enum curve_by by, double at, size_t *i,
      uint64_t *kept)
{
    while (*i < r->fetches_n &&
           (by == CURVE_TIME ? (double)r->fetch[*i].at_ms <= at
                             : (double)(*i + 1) <= at))
        *kept += r->fetch[(*i)++].kept;
}

uint64_t
curve_kept(const struct sim_run *r, enum curve_by by, double at,
           uint64_t *fetched)
{
    uint64_t kept = 0;
    size_t i = 0;

    go_on(r, by, at, &i, &kept);
    if (fetched != NULL)
        *fetched = i;
    return kept;
}

/* Where the run ends. */
static double
end_of(const struct sim_run *r, enum curve_by by)
{
    if (by == CURVE_FETCHES)
        return (double)r->fetches_n;
    return r->fetches_n > 0 ? (double)r->fetch[r->fetches_n - 1].at_ms : 0;
}

size_t
curve_make(const struct experiment_arm *arm, enum curve_by by,
           struct curve_point *out, size_t n)
{
    double top = 0;

    for (size_t k = 0; k < arm->runs_n; k++)
        top = fmax(top, end_of(&arm->run[k], by));
    if (!(top > 0))
        return 0;
    if (by == CURVE_FETCHES && top < (double)n)
        n = (size_t)top;
    for (size_t p = 0; p < n; p++)
        out[p] = (struct curve_point){.at = top * (double)(p + 1) / (double)n,
                                      .low = (double)INFINITY};
    for (size_t k = 0; k < arm->runs_n; k++) {
        uint64_t kept = 0;
        size_t i = 0;

        for (size_t p = 0; p < n; p++) {
            if (by == CURVE_FETCHES)
                out[p].at = floor(out[p].at + 1e-9);
            go_on(&arm->run[k], by, out[p].at, &i, &kept);
            out[p].kept += (double)kept / (double)arm->runs_n;
            out[p].fetched += (double)i / (double)arm->runs_n;
            out[p].low = fmin(out[p].low, (double)kept);
            out[p].high = fmax(out[p].high, (double)kept);
        }
    }
    return n;
}
