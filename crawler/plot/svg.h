/* svg.h -- parts of plots in SVG: self-contained, no script, no outside font.
 *
 * Appends to a buf; the same numbers give the same bytes. */
#ifndef CRAWLER_SVG_H
#define CRAWLER_SVG_H

#include "base/buf.h"

#define SVG_BLUE "#1b5e8c"
#define SVG_ORANGE "#d9741a"
#define SVG_GREY "#8a949c"

struct svg_plot { /* a box with linear axes that begin at 0 */
    double left, right, top, bottom;
    double x_top, y_top;
};

void svg_begin(struct buf *out, int width, int height);
void svg_end(struct buf *out);

/* Text as XML; what is not ASCII becomes '?'. */
void svg_escaped(struct buf *out, struct str text);
/* `more`: attributes, with a blank before; `text` is XML. */
void svg_text(struct buf *out, double x, double y, const char *more,
              const char *text);

/* 1, 2 or 5 times a power of ten, so that some `parts` of it reach `top`. */
double svg_nice_step(double top, int parts);

/* Lines and numbers of both axes: x counts, y is in percent. */
void svg_axes(struct buf *out, const struct svg_plot *p, double y_step,
              const char *x_name, const char *y_name);

/* Where a value is in the picture; what is past an end of y is drawn at it. */
double svg_x(const struct svg_plot *p, double x);
double svg_y(const struct svg_plot *p, double y);

/* A line through n points; `more` as above. */
void svg_line(struct buf *out, const struct svg_plot *p, const double *x,
              const double *y, size_t n, const char *colour, double width,
              const char *more);

/* A ring or a disc. */
void svg_point(struct buf *out, double x, double y, const char *colour,
               bool ring);

#endif
