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

#endif
