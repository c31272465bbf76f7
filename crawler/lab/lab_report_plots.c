/* lab_report_plots.c -- coverage and yield over the fetched pages, a line for
 * every scorer. */
#include "crawler/report/svg.h"
#include "lab_report.h"

#include <math.h>

#define WIDTH 1000
#define HEIGHT 420
#define COLOURS 8u

static const char *const colour[COLOURS] = {SVG_BLUE,  SVG_ORANGE, "#3a8f4d",
                                            "#a33b5c", "#6b5bb3",  "#8a6d1d",
                                            "#2a9d9a", SVG_GREY};

enum what { COVERAGE, YIELD };

static double
value(const struct findings *f, const struct measure_point *p, enum what what)
{
    if (what == COVERAGE)
        return f->e->kept_total ? (double)p->kept / (double)f->e->kept_total
                                : 0;
    return (double)p->kept / (double)p->fetched;
}

/* Where the axes end: the first fiftieth says little of a yield. */
static void
fit(const struct findings *f, enum what what, struct svg_plot *p, double *step)
{
    double top = 0;

    p->x_top = 1;
    for (size_t i = 0; i < f->e->scorers_n; i++) {
        const struct finding *g = &f->of[i];

        for (size_t k = g->curve_n / 50; k < g->curve_n; k++)
            top = fmax(top, value(f, &g->curve[k], what));
        p->x_top = fmax(p->x_top, (double)g->run->fetches_n);
    }
    top = top > 0 ? fmin(top, 1) : 1;
    *step = svg_nice_step(top, 5);
    p->y_top = ceil(top / *step - 1e-9) * *step;
}

static void
plot(const struct findings *f, enum what what, const char *title,
     const char *y_name, struct buf *out)
{
    struct svg_plot p = {.left = 70, .right = 780, .top = 50, .bottom = 360};
    double step, x[FINDINGS_CURVE], y[FINDINGS_CURVE];

    fit(f, what, &p, &step);
    svg_begin(out, WIDTH, HEIGHT);
    svg_text(out, p.left, 28, " font-size=\"16\" font-weight=\"bold\"", title);
    svg_axes(out, &p, step, "pages fetched", y_name);
    for (size_t i = 0; i < f->e->scorers_n; i++) {
        const struct finding *g = &f->of[i];
        double at = p.top + 20 * (double)i;

        for (size_t k = 0; k < g->curve_n; k++) {
            x[k] = (double)g->curve[k].fetched;
            y[k] = value(f, &g->curve[k], what);
        }
        svg_line(out, &p, x, y, g->curve_n, colour[i % COLOURS],
                 i < COLOURS ? 2.2 : 1.1);
        buf_printf(out,
                   "<line x1=\"800\" y1=\"%.1f\" x2=\"824\" y2=\"%.1f\" "
                   "stroke=\"%s\" stroke-width=\"3\"/>\n<text x=\"832\" "
                   "y=\"%.1f\">",
                   at, at, colour[i % COLOURS], at + 4);
        svg_escaped(out, g->scorer);
        buf_c(out, "</text>\n");
    }
    svg_end(out);
}

void
lab_report_plots(const struct findings *f, struct buf *out)
{
    plot(f, COVERAGE, "Weighted coverage", "share of all that can be kept",
         out);
    plot(f, YIELD, "Yield ratio", "kept / fetched so far", out);
}
