/* feature_row.h -- writing a row of features with a cursor. */
#ifndef CLEAN_FEATURE_ROW_H
#define CLEAN_FEATURE_ROW_H

#include <math.h>
#include <stdint.h>

#define FEATURE_LOGS 1024
extern float feature_logs[FEATURE_LOGS]; /* log(1 + n); made by features.c */

struct row {
    float *p;
    uint32_t n;
};

static inline void
put(struct row *r, double x)
{
    r->p[r->n++] = (float)x;
}

/* log(1 + n) of a count; the small ones, which are nearly all, by table. */
static inline double
log_of(double n)
{
    return n < FEATURE_LOGS ? (double)feature_logs[(uint32_t)n] : log1p(n);
}

/* As fmin(), of numbers. */
static inline double
lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double
ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

#endif
