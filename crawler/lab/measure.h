/* measure.h -- what a run's order of pages was worth. */
#ifndef LAB_MEASURE_H
#define LAB_MEASURE_H

#include "experiment.h"

/* Weighted coverage (Olston & Najork 2010; the weight of a page is 1 when it is
 * kept, else 0): share of everything that can be kept that was collected when
 * `percent` of the reachable pages were fetched.  NAN: the run ended before, by
 * its own limit. */
double measure_coverage(const struct experiment *e, const struct sim_run *r,
                        double percent);

/* Kept documents / fetched pages, of the whole run; 0 for no pages. */
double measure_yield(const struct sim_run *r);

/* Does it hold?  Yield while the third quarter of what the run kept came in,
 * over that of the first; NAN: less than 8 were kept. */
double measure_late(const struct sim_run *r);

/* Least squares of yield (in MEASURE_BINS parts of the phase) over thousands of
 * pages. */
#define MEASURE_BINS 20u
struct measure_fit {
    uint64_t from, to; /* pages */
    double yield;      /* kept / fetched in the phase */
    double slope;      /* change of yield in a thousand pages */
    double intercept, r2;
    double adjusted; /* R2 for the number of points; NAN: less than 3 */
};

/* Phase i of n of the run. */
void measure_fit(struct measure_fit *out, const struct sim_run *r, size_t i,
                 size_t n);

/* y = intercept + slope * x; r2 is NAN without variance. */
void measure_line(const double *x, const double *y, size_t n,
                  struct measure_fit *out);

/* The mean of n runs; one in which the yield never changed has no R2, and does
 * not count for that. */
void measure_mean_fit(const struct measure_fit *fit, size_t n,
                      struct measure_fit *mean);

struct measure_bias { /* where the kept documents come from */
    double hosts;     /* that gave any */
    double top;       /* share of the host that gave most */
    double entropy;   /* bits, over hosts */
    double distance;  /* total variation from what all that can be kept is */
};

void measure_bias(struct measure_bias *out, const struct experiment *e,
                  const struct sim_run *r);

#endif
