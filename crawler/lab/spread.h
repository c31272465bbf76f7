/* spread.h -- a figure over several random seeds: its mean and range. */
#ifndef LAB_SPREAD_H
#define LAB_SPREAD_H

#include <math.h>
#include <stddef.h>

struct spread {
    double mean, low, high; /* NAN: nothing is known */
};

/* Values that are NAN do not count. */
static inline struct spread
spread_of(const double *x, size_t n)
{
    struct spread s = {0, (double)INFINITY, -(double)INFINITY};
    size_t known = 0;

    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        known++;
        s.mean += x[i];
        s.low = fmin(s.low, x[i]);
        s.high = fmax(s.high, x[i]);
    }
    if (known == 0)
        return (struct spread){(double)NAN, (double)NAN, (double)NAN};
    s.mean /= (double)known;
    return s;
}

#endif
