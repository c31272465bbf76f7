/* curve.h -- what the runs of an arm had kept after so many fetches, and after
 * so much virtual time. */
#ifndef LAB_CURVE_H
#define LAB_CURVE_H

#include "experiment.h"

struct curve_point {
    double at;              /* pages fetched, or ms */
    double kept, low, high; /* documents: mean and range of the runs */
    double fetched;         /* mean */
};

enum curve_by { CURVE_FETCHES, CURVE_TIME };

/* n points, evenly spaced up to the longest run; one that has ended keeps what
 * it has.  Returns how many: 0 when nothing was fetched, or no time passed. */
size_t curve_make(const struct experiment_arm *arm, enum curve_by by,
                  struct curve_point *out, size_t n);

/* What a run has kept by then; *fetched may be NULL. */
uint64_t curve_kept(const struct sim_run *r, enum curve_by by, double at,
                    uint64_t *fetched);

#endif
