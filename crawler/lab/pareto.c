/* pareto.c -- see pareto.h. */
#include "pareto.h"

#include <math.h>

static bool
at_least(double x, double y)
{
    return isnan(y) || x >= y;
}

static bool
beats(double a, double b, double of_a, double of_b)
{
    return at_least(a, of_a) && at_least(b, of_b) &&
           (!at_least(of_a, a) || !at_least(of_b, b));
}

void
pareto_front(const double *a, const double *b, size_t n, bool *front)
{
    for (size_t i = 0; i < n; i++) {
        front[i] = true;
        for (size_t k = 0; k < n && front[i]; k++)
            front[i] = !beats(a[k], b[k], a[i], b[i]);
    }
}
