/* report_html.c -- the findings for people: Markdown, and one HTML file with
 * plots in SVG. */
#include "../svg.h"
#include "reports.h"

#include <math.h>

#define WIDTH 1000
#define HEIGHT 420
#define COLOURS 8u

static const char *const colour[COLOURS] = {SVG_BLUE,  SVG_ORANGE, "#3a8f4d",
                                            "#a33b5c", "#6b5bb3",  "#8a6d1d",
                                            "#2a9d9a", SVG_GREY};

static void
summary(const struct findings *f, struct buf *out)
{
    const struct experiment *e = f->e;

    buf_printf(out,
               "%llu pages can be reached from %zu seeds, %llu of them can be "
               "kept. Each crawl fetches at most %llu pages",
               (unsigned long long)e->pages, e->seeds_n,
               (unsigned long long)e->kept_total,
               (unsigned long long)e->pages_max);
    buf_printf(out, ", with a delay of %llu ms per host",
               (unsigned long long)e->opts->politeness_delay_ms);
    if (e->rate > 0)
        buf_printf(out, " and %g fetches a second", e->rate);
    buf_printf(out, "; random seed %llu.",
               (unsigned long long)e->opts->frontier_random_seed);
}

void
report_lab_markdown(const struct findings *f, const struct report_tables *t,
                    struct buf *out)
{
    buf_c(out, "# Laboratory\n\n");
    summary(f, out);
    buf_c(out, "\n\n");
    for (size_t i = 0; i < t->n; i++)
        if (!t->table[i]->data)
            table_markdown(t->table[i], out);
}

/* ---- plots ---- */

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
report_lab_html(const struct findings *f, const struct report_tables *t,
                struct buf *out)
{
    buf_c(out, "<!doctype html>\n<html lang=\"en\"><head><meta "
               "charset=\"utf-8\"><title>Laboratory</title>\n<style>body{font:"
               "15px/1.45 sans-serif;max-width:1100px;margin:2em auto;padding:"
               "0 1em}table{border-collapse:collapse;font-size:13px}th,td{"
               "padding:3px 9px;border-bottom:1px solid #ddd;text-align:right}"
               "th:first-child,td:first-child{text-align:left}svg{max-width:"
               "100%;height:auto}</style></head><body>\n<h1>Laboratory</h1>\n"
               "<p>");
    summary(f, out);
    buf_c(out, "</p>\n");
    plot(f, COVERAGE, "Weighted coverage", "share of all that can be kept",
         out);
    plot(f, YIELD, "Yield ratio", "kept / fetched so far", out);
    for (size_t i = 0; i < t->n; i++)
        if (!t->table[i]->data)
            table_html(t->table[i], out);
    buf_c(out, "</body></html>\n");
}
