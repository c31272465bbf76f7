/* plot.h -- a plot: some series as lines or points, and their names. */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "base/buf.h"

struct plot_series {
    struct str name;
    const double *x, *y;
    const double *low, *high; /* a band around a line; NULL: none */
    size_t n;
    bool points; /* no line, but ... */
    bool ring;   /* ... points that are hollow */
    bool thin;   /* a line that is not the main one */
    bool dashed;
    unsigned colour; /* equal numbers, equal colours */
};

struct plot {
    const char *title, *x_name, *y_name; /* XML */
    const struct plot_series *series;
    size_t n;
    const double *mark; /* vertical lines */
    size_t marks_n;
};

/* x is counted, y is in percent; what is NAN is left out. */
void plot_svg(struct buf *out, const struct plot *p);

#endif
