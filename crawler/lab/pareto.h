/* pareto.h -- who is not beaten in both of two figures? */
#ifndef LAB_PARETO_H
#define LAB_PARETO_H

#include <stdbool.h>
#include <stddef.h>

/* front[i]: nobody is at least as good as i in both and better in one.  Of
 * equal ones all are.  NAN is worse than anything. */
void pareto_front(const double *a, const double *b, size_t n, bool *front);

#endif
