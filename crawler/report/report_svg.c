/* report_svg.c -- the yield curve as one self-contained SVG: no script, no
 * outside font.  Two lines (all pages so far; a trailing window) over the
 * fetched pages, and beside them what became of the pages. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "crawler/plot/svg.h"
#include "report.h"

#define WIDTH 1000
#define HEIGHT 460
#define LEFT 70.0 /* the plot's box */
#define RIGHT 640.0
#define TOP 84.0
#define BOTTOM 392.0
#define BARS_LEFT 690.0
#define BARS_RIGHT 970.0
#define BARS_N 9
#define SAMPLES 300
#define WINDOW_MAX 1000

struct samples {
    double at[SAMPLES + 1], all[SAMPLES + 1], late[SAMPLES + 1];
    size_t n;
};

/* Pages in the trailing window: a tenth of the crawl, 20 to WINDOW_MAX. */
static uint64_t
window_of(const struct report *r)
{
    uint64_t w = r->fetched / 10;

    w = w < 20 ? 20 : w > WINDOW_MAX ? WINDOW_MAX : w;
    return w > r->fetched ? r->fetched : w;
}

static void
sample(const struct report *r, struct samples *out)
{
    uint64_t window = window_of(r), kept = 0, late = 0, last = 0;

    for (uint64_t i = 0; i < r->fetched; i++) {
        uint64_t part = i + 1 < window ? i + 1 : window;

        kept += r->kept_at[i];
        late += r->kept_at[i];
        if (i >= window)
            late -= r->kept_at[i - window];
        if ((i + 1) * SAMPLES / r->fetched == last && i + 1 < r->fetched)
            continue;
        last = (i + 1) * SAMPLES / r->fetched;
        out->at[out->n] = (double)(i + 1);
        out->all[out->n] = report_ratio(kept, i + 1);
        out->late[out->n++] = report_ratio(late, part);
    }
}

static void
legend(const struct report *r, struct buf *out)
{
    static const char *const colour[] = {SVG_BLUE, SVG_ORANGE};
    double x[] = {LEFT, LEFT + 140};
    struct buf label = {0};

    for (int i = 0; i < 2; i++) {
        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"68\" x2=\"%.1f\" y2=\"68\" "
                   "stroke=\"%s\" stroke-width=\"3\"/>\n",
                   x[i], x[i] + 22, colour[i]);
        buf_clear(&label);
        buf_c(&label, i ? "last " : "all pages so far");
        if (i) {
            buf_grouped(&label, window_of(r));
            buf_c(&label, " pages");
        }
        buf_char(&label, '\0');
        svg_text(out, x[i] + 28, 72, "", label.p);
    }
    buf_free(&label);
}

static void
bar(struct buf *out, size_t i, struct str name, uint64_t pages, uint64_t most,
    const char *colour)
{
    double y = TOP + (double)i * 30;
    double width = report_ratio(pages, most) * (BARS_RIGHT - BARS_LEFT);

    buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\">", BARS_LEFT, y + 10);
    svg_escaped(out, str_sub(name, 0, 30));
    buf_printf(out,
               "</text>\n<text x=\"%.1f\" y=\"%.1f\" "
               "text-anchor=\"end\">",
               BARS_RIGHT, y + 10);
    buf_grouped(out, pages);
    buf_printf(out,
               "</text>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
               "height=\"6\" rx=\"2\" fill=\"%s\"/>\n",
               BARS_LEFT, y + 15, width < 1 && pages ? 1 : width, colour);
}

/* Kept first, then the reasons; what does not fit becomes one bar. */
static void
bars(const struct report *r, struct buf *out)
{
    uint64_t most = r->kept, rest = 0;
    size_t shown = r->reasons_n < BARS_N ? r->reasons_n : BARS_N - 1;

    for (size_t i = shown; i < r->reasons_n; i++)
        rest += r->reasons[i].pages;
    if (r->reasons_n > 0 && r->reasons[0].pages > most)
        most = r->reasons[0].pages;
    most = rest > most ? rest : most;
    svg_text(out, BARS_LEFT, 72, " font-weight=\"bold\"",
             "what became of the pages");
    bar(out, 0, S("kept"), r->kept, most, SVG_BLUE);
    for (size_t i = 0; i < shown; i++)
        bar(out, i + 1, r->reasons[i].name, r->reasons[i].pages, most,
            SVG_GREY);
    if (rest > 0)
        bar(out, shown + 1, S("other reasons"), rest, most, SVG_GREY);
}

static void
title(const struct report *r, struct buf *out)
{
    buf_printf(out,
               "<text x=\"%.1f\" y=\"28\" font-size=\"18\" "
               "font-weight=\"bold\">Yield of the crawl ",
               LEFT);
    if (r->dir.n > 60) { /* its end says more than its beginning */
        buf_c(out, "...");
        svg_escaped(out, str_sub(r->dir, r->dir.n - 57, r->dir.n));
    } else {
        svg_escaped(out, r->dir);
    }
    buf_printf(out, "</text>\n<text x=\"%.1f\" y=\"48\" fill=\"#555\">", LEFT);
    buf_grouped(out, r->fetched);
    buf_c(out, " pages fetched, ");
    buf_grouped(out, r->kept);
    buf_printf(out,
               " documents kept: %.1f %%; %.1f MB fetched, %.1f MB of "
               "text kept",
               100 * report_ratio(r->kept, r->fetched),
               (double)r->fetched_bytes / 1e6, (double)r->kept_bytes / 1e6);
    if (r->job != NULL) {
        struct buf brief = {0};

        job_brief(r->job, &brief);
        buf_c(out, "; ");
        svg_escaped(out, buf_view(&brief));
        buf_free(&brief);
    }
    buf_c(out, "</text>\n");
}

void
report_svg(const struct report *r, FILE *to)
{
    struct samples *s = calloc(1, sizeof *s);
    struct svg_plot plot = {.left = LEFT,
                            .right = RIGHT,
                            .top = TOP,
                            .bottom = BOTTOM,
                            .x_top = r->fetched ? (double)r->fetched : 1};
    struct buf out = {0};
    double top = 0, step;

    if (s == NULL)
        return;
    sample(r, s);
    for (size_t i = s->n / 50; i < s->n; i++) /* the first few say little */
        top = fmax(top, fmax(s->all[i], s->late[i]));
    top = top > 0 ? fmin(top, 1) : 1;
    step = svg_nice_step(top, 5);
    plot.y_top = ceil(top / step - 1e-9) * step;
    svg_begin(&out, WIDTH, HEIGHT);
    title(r, &out);
    svg_axes(&out, &plot, step, "pages fetched", "yield ratio: kept / fetched");
    legend(r, &out);
    if (s->n > 0) {
        svg_line(&out, &plot, s->at, s->late, s->n, SVG_ORANGE, 1.4, "");
        svg_line(&out, &plot, s->at, s->all, s->n, SVG_BLUE, 2.6, "");
    }
    bars(r, &out);
    svg_end(&out);
    fwrite(buf_view(&out).p, 1, out.n, to);
    buf_free(&out);
    free(s);
}
