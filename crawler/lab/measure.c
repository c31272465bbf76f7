/* measure.c -- see measure.h. */
#include "measure.h"

#include <math.h>

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
