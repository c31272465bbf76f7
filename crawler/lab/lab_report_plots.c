/* lab_report_plots.c -- coverage and yield over fetches and over virtual time,
 * a line for every arm with the range of its runs; and what patience buys. */
#include "base/memory.h"
#include "crawler/plot/plot.h"
#include "lab_report.h"

#include <math.h>
#include <stdlib.h>

enum what { COVERAGE, YIELD };

struct plot_room { /* room for all series of a plot */
    struct plot_series *series;
    double *number; /* 4 * FINDINGS_CURVE for each */
};

static struct plot_room
lines_new(size_t n)
{
    return (struct plot_room){
        memory_need(calloc(n + 1, sizeof(struct plot_series))),
        memory_need(calloc((n + 1) * 4 * FINDINGS_CURVE, sizeof(double)))};
}

static void
lines_free(struct plot_room *l)
{
    free(l->series);
    free(l->number);
}

/* The first fiftieth says little of a yield. */
static double
value(const struct findings *f, const struct curve_point *p, double kept,
      enum what what, bool early)
{
    if (what == COVERAGE)
        return f->e->kept_total ? kept / (double)f->e->kept_total : 0;
    return p->fetched > 0 && !early ? kept / p->fetched : 0;
}

static void
fill(struct plot_room *l, const struct findings *f, size_t arm,
     enum curve_by by, enum what what)
{
    const struct finding *g = &f->of[arm];
    const struct curve_point *p = by == CURVE_FETCHES ? g->curve : g->times;
    size_t n = by == CURVE_FETCHES ? g->curve_n : g->times_n;
    size_t patiences = f->e->patiences_n;
    double *x = l->number + arm * 4 * FINDINGS_CURVE, *y = x + FINDINGS_CURVE,
           *low = y + FINDINGS_CURVE, *high = low + FINDINGS_CURVE;

    for (size_t k = 0; k < n; k++) {
        bool early = k < n / 50;

        x[k] = by == CURVE_FETCHES ? p[k].at : p[k].at / 1000;
        y[k] = value(f, &p[k], p[k].kept, what, early);
        low[k] = value(f, &p[k], p[k].low, what, early);
        high[k] = value(f, &p[k], p[k].high, what, early);
    }
    l->series[arm] =
        (struct plot_series){.name = g->arm->name,
                             .x = x,
                             .y = y,
                             .n = n,
                             .thin = arm >= 8 * patiences,
                             .dashed = arm % patiences > 0,
                             .colour = (unsigned)(arm / patiences)};
    if (g->arm->runs_n > 1) {
        l->series[arm].low = low;
        l->series[arm].high = high;
    }
}

static void
lines(const struct findings *f, enum curve_by by, enum what what,
      const char *title, const char *y_name, struct buf *out)
{
    struct plot_room l = lines_new(f->e->arms_n);
    struct plot p = {.title = title,
                     .x_name = by == CURVE_FETCHES ? "pages fetched"
                                                   : "seconds of virtual time",
                     .y_name = y_name,
                     .series = l.series,
                     .n = f->e->arms_n};

    for (size_t i = 0; i < f->e->arms_n; i++)
        fill(&l, f, i, by, what);
    plot_svg(out, &p);
    lines_free(&l);
}

static int
by_x(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Points of all arms, and the front as a line. */
static void
price(const struct findings *f, struct buf *out)
{
    size_t n = f->e->arms_n, front_n = 0;
    struct plot_room l = lines_new(n + 1);
    double *pair = memory_need(calloc(2 * (n + 1), sizeof *pair));
    struct plot p = {.title = "What a quarter of all documents costs",
                     .x_name = "documents in 1,000 seconds",
                     .y_name = "documents a fetch",
                     .series = l.series,
                     .n = n + 1};

    for (size_t i = 0; i < n; i++) {
        const struct finding *g = &f->of[i];
        const struct findings_price *p0 = &g->price[0];
        double *x = l.number + i * 4 * FINDINGS_CURVE;

        x[0] = 1000 * p0->per_second.mean;
        x[1] = p0->per_fetch.mean;
        if (p0->front) {
            pair[2 * front_n] = x[0];
            pair[2 * front_n++ + 1] = x[1];
        }
        l.series[i] = (struct plot_series){.name = g->arm->name,
                                           .x = x,
                                           .y = x + 1,
                                           .n = 1,
                                           .points = true,
                                           .ring = !p0->front,
                                           .colour = (unsigned)i};
    }
    qsort(pair, front_n, 2 * sizeof *pair, by_x);
    l.series[n] = (struct plot_series){
        .name = S("front"), .thin = true, .colour = 7, .n = front_n};
    for (size_t i = 0; i < front_n; i++) {
        l.number[n * 4 * FINDINGS_CURVE + i] = pair[2 * i];
        l.number[n * 4 * FINDINGS_CURVE + FINDINGS_CURVE + i] = pair[2 * i + 1];
    }
    l.series[n].x = l.number + n * 4 * FINDINGS_CURVE;
    l.series[n].y = l.series[n].x + FINDINGS_CURVE;
    plot_svg(out, &p);
    free(pair);
    lines_free(&l);
}

void
lab_report_plots(const struct findings *f, struct buf *out)
{
    lines(f, CURVE_FETCHES, COVERAGE, "Coverage by fetches",
          "share of all that can be kept", out);
    lines(f, CURVE_FETCHES, YIELD, "Yield ratio", "kept / fetched so far", out);
    if (f->seconds_n == 0)
        return;
    lines(f, CURVE_TIME, COVERAGE, "Coverage by virtual time",
          "share of all that can be kept", out);
    price(f, out);
}
