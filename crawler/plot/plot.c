/* plot.c -- see plot.h. */
#include "plot.h"

#include "svg.h"

#include <math.h>

#define WIDTH 1000
#define HEIGHT 420
#define COLOURS 8u

static const char *const colour[COLOURS] = {SVG_BLUE,  SVG_ORANGE, "#3a8f4d",
                                            "#a33b5c", "#6b5bb3",  "#8a6d1d",
                                            "#2a9d9a", SVG_GREY};

static const char *
colour_of(const struct plot_series *s)
{
    return colour[s->colour % COLOURS];
}

/* Where the axes end. */
static void
fit(const struct plot *p, struct svg_plot *box, double *step)
{
    double top = 0;

    box->x_top = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct plot_series *s = &p->series[i];

        for (size_t k = 0; k < s->n; k++) {
            if (isnan(s->x[k]) || isnan(s->y[k]))
                continue;
            box->x_top = fmax(box->x_top, s->x[k]);
            top = fmax(top, s->y[k]);
        }
    }
    if (!(box->x_top > 0))
        box->x_top = 1;
    top = top > 0 ? fmin(top, 1) : 1;
    *step = svg_nice_step(top, 5);
    box->y_top = ceil(top / *step - 1e-9) * *step;
}

static void
band(struct buf *out, const struct svg_plot *b, const struct plot_series *s)
{
    buf_printf(out,
               "<polygon fill=\"%s\" fill-opacity=\"0.15\" stroke=\"none\" "
               "points=\"",
               colour_of(s));
    for (size_t i = 0; i < s->n; i++)
        buf_printf(out, "%s%.1f,%.1f", i ? " " : "", svg_x(b, s->x[i]),
                   svg_y(b, s->high[i]));
    for (size_t i = s->n; i-- > 0;)
        buf_printf(out, " %.1f,%.1f", svg_x(b, s->x[i]), svg_y(b, s->low[i]));
    buf_c(out, "\"/>\n");
}

static const char *
dashes(const struct plot_series *s)
{
    return s->dashed ? " stroke-dasharray=\"6 4\"" : "";
}

static void
points(struct buf *out, const struct svg_plot *b, const struct plot_series *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->x[i]) && !isnan(s->y[i]))
            svg_point(out, svg_x(b, s->x[i]), svg_y(b, s->y[i]), colour_of(s),
                      s->ring);
}

static void
name(struct buf *out, const struct plot_series *s, double y)
{
    if (s->points)
        svg_point(out, 812, y, colour_of(s), s->ring);
    else
        buf_printf(out,
                   "<line x1=\"800\" y1=\"%.1f\" x2=\"824\" y2=\"%.1f\" "
                   "stroke=\"%s\" stroke-width=\"3\"%s/>\n",
                   y, y, colour_of(s), dashes(s));
    buf_printf(out, "<text x=\"832\" y=\"%.1f\">", y + 4);
    svg_escaped(out, s->name);
    buf_c(out, "</text>\n");
}

static void
series(struct buf *out, const struct plot *p, const struct svg_plot *box)
{
    double y = box->top;

    for (size_t i = 0; i < p->n; i++)
        if (p->series[i].low != NULL && p->series[i].n > 0)
            band(out, box, &p->series[i]);
    for (size_t i = 0; i < p->n; i++) {
        const struct plot_series *s = &p->series[i];

        if (s->points)
            points(out, box, s);
        else
            svg_line(out, box, s->x, s->y, s->n, colour_of(s),
                     s->thin ? 1.2 : 2.2, dashes(s));
        if (s->name.n == 0)
            continue;
        name(out, s, y);
        y += 20;
    }
}

/* High enough for the names beside it. */
static int
height(const struct plot *p)
{
    size_t names = 0;

    for (size_t i = 0; i < p->n; i++)
        names += p->series[i].name.n > 0;
    return names > 17 ? HEIGHT + 20 * (int)(names - 17) : HEIGHT;
}

void
plot_svg(struct buf *out, const struct plot *p)
{
    struct svg_plot box = {.left = 70, .right = 780, .top = 50, .bottom = 360};
    double step;

    fit(p, &box, &step);
    svg_begin(out, WIDTH, height(p));
    svg_text(out, box.left, 28, " font-size=\"16\" font-weight=\"bold\"",
             p->title);
    svg_axes(out, &box, step, p->x_name, p->y_name);
    for (size_t i = 0; i < p->marks_n; i++)
        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                   "stroke=\"#444\" stroke-dasharray=\"4 4\"/>\n",
                   svg_x(&box, p->mark[i]), box.top, svg_x(&box, p->mark[i]),
                   box.bottom);
    series(out, p, &box);
    svg_end(out);
}
