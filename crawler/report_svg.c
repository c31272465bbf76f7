/* report_svg.c -- the yield curve as one self-contained SVG: no script, no
 * outside font.  Two lines (all pages so far; a trailing window) over the
 * fetched pages, and beside them what became of the pages. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report.h"
#include "winnow/buf.h"

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
#define BLUE "#1b5e8c"
#define ORANGE "#d9741a"
#define GREY "#8a949c"

struct sample {
    uint64_t at;
    double all, late;
};

static void
escaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if (c == '&')
            buf_c(out, "&amp;");
        else if (c == '<')
            buf_c(out, "&lt;");
        else
            buf_char(out, c < 32 || c >= 127 ? '?' : (char)c);
    }
}

static void
grouped(struct buf *out, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            buf_char(out, ',');
        buf_char(out, digits[i]);
    }
}

/* 1, 2 or 5 times a power of ten, so that some `parts` of it reach `top`. */
static double
nice_step(double top, int parts)
{
    double step = pow(10, floor(log10(top / parts)));

    if (step * parts >= top)
        return step;
    return step * 2 * parts >= top   ? step * 2
           : step * 5 * parts >= top ? step * 5
                                     : step * 10;
}

/* Pages in the trailing window: a tenth of the crawl, 20 to WINDOW_MAX. */
static uint64_t
window_of(const struct report *r)
{
    uint64_t w = r->fetched / 10;

    w = w < 20 ? 20 : w > WINDOW_MAX ? WINDOW_MAX : w;
    return w > r->fetched ? r->fetched : w;
}

static size_t
sampled(const struct report *r, struct sample *out)
{
    uint64_t window = window_of(r), kept = 0, late = 0;
    size_t n = 0;

    for (uint64_t i = 0; i < r->fetched; i++) {
        uint64_t part = i + 1 < window ? i + 1 : window;

        kept += r->kept_at[i];
        late += r->kept_at[i];
        if (i >= window)
            late -= r->kept_at[i - window];
        if ((i + 1) * SAMPLES / r->fetched == n && i + 1 < r->fetched)
            continue;
        n = (size_t)((i + 1) * SAMPLES / r->fetched);
        *out++ = (struct sample){i + 1, report_ratio(kept, i + 1),
                                 report_ratio(late, part)};
    }
    return r->fetched < SAMPLES ? (size_t)r->fetched : SAMPLES;
}

static void
text_at(struct buf *out, double x, double y, const char *more, const char *text)
{
    buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n", x, y, more,
               text);
}

static void
axes(const struct report *r, double top, double step, struct buf *out)
{
    double x_top = r->fetched ? (double)r->fetched : 1;
    double x_step = nice_step(x_top, 6);
    struct buf label = {0};

    x_step = x_step < 1 ? 1 : x_step;
    for (double v = 0; v <= top + step / 2; v += step) {
        double y = BOTTOM - v / top * (BOTTOM - TOP);

        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                   "stroke=\"#e2e6e9\"/>\n",
                   LEFT, y, RIGHT, y);
        buf_clear(&label);
        buf_printf(&label, step < 0.01 ? "%.1f %%" : "%.0f %%", v * 100);
        buf_char(&label, '\0');
        text_at(out, LEFT - 8, y + 4, " text-anchor=\"end\"", label.p);
    }
    for (double v = 0; v <= x_top * 1.0001; v += x_step) {
        buf_clear(&label);
        grouped(&label, (uint64_t)(v + 0.5));
        buf_char(&label, '\0');
        text_at(out, LEFT + v / x_top * (RIGHT - LEFT), BOTTOM + 18,
                " text-anchor=\"middle\"", label.p);
    }
    buf_printf(out,
               "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
               "stroke=\"#444\"/>\n",
               LEFT, BOTTOM, RIGHT, BOTTOM);
    text_at(out, (LEFT + RIGHT) / 2, BOTTOM + 42, " text-anchor=\"middle\"",
            "pages fetched");
    buf_printf(out,
               "<text transform=\"translate(20 %.1f) rotate(-90)\" "
               "text-anchor=\"middle\">yield ratio: kept / fetched</text>\n",
               (TOP + BOTTOM) / 2);
    buf_free(&label);
}

static void
line(const struct report *r, const struct sample *s, size_t n, bool late,
     double top, struct buf *out)
{
    buf_printf(out,
               "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" "
               "stroke-linejoin=\"round\" points=\"",
               late ? ORANGE : BLUE, late ? "1.4" : "2.6");
    for (size_t i = 0; i < n; i++) {
        double v = late ? s[i].late : s[i].all;

        buf_printf(out, "%s%.1f,%.1f", i ? " " : "",
                   LEFT + (double)s[i].at / (double)r->fetched * (RIGHT - LEFT),
                   BOTTOM - v / top * (BOTTOM - TOP));
    }
    buf_c(out, "\"/>\n");
}

static void
legend(const struct report *r, struct buf *out)
{
    static const char *const colour[] = {BLUE, ORANGE};
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
            grouped(&label, window_of(r));
            buf_c(&label, " pages");
        }
        buf_char(&label, '\0');
        text_at(out, x[i] + 28, 72, "", label.p);
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
    escaped(out, str_sub(name, 0, 30));
    buf_printf(out,
               "</text>\n<text x=\"%.1f\" y=\"%.1f\" "
               "text-anchor=\"end\">",
               BARS_RIGHT, y + 10);
    grouped(out, pages);
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
    text_at(out, BARS_LEFT, 72, " font-weight=\"bold\"",
            "what became of the pages");
    bar(out, 0, S("kept"), r->kept, most, BLUE);
    for (size_t i = 0; i < shown; i++)
        bar(out, i + 1, r->reasons[i].name, r->reasons[i].pages, most, GREY);
    if (rest > 0)
        bar(out, shown + 1, S("other reasons"), rest, most, GREY);
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
        escaped(out, str_sub(r->dir, r->dir.n - 57, r->dir.n));
    } else {
        escaped(out, r->dir);
    }
    buf_printf(out, "</text>\n<text x=\"%.1f\" y=\"48\" fill=\"#555\">", LEFT);
    grouped(out, r->fetched);
    buf_c(out, " pages fetched, ");
    grouped(out, r->kept);
    buf_printf(out,
               " documents kept: %.1f %%; %.1f MB fetched, %.1f MB of "
               "text kept</text>\n",
               100 * report_ratio(r->kept, r->fetched),
               (double)r->fetched_bytes / 1e6, (double)r->kept_bytes / 1e6);
}

void
report_svg(const struct report *r, FILE *to)
{
    struct sample *s = calloc(SAMPLES + 1, sizeof *s);
    struct buf out = {0};
    double top = 0, step;
    size_t n;

    if (s == NULL)
        return;
    n = sampled(r, s);
    for (size_t i = 0; i < n; i++) /* the first few pages say little */
        if (i >= n / 50)
            top = fmax(top, fmax(s[i].all, s[i].late));
    top = top > 0 ? fmin(top, 1) : 1;
    step = nice_step(top, 5);
    top = ceil(top / step - 1e-9) * step;
    for (size_t i = 0; i < n; i++) {
        s[i].all = fmin(s[i].all, top);
        s[i].late = fmin(s[i].late, top);
    }
    buf_printf(&out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d "
               "%d\" width=\"%d\" height=\"%d\" font-family=\"DejaVu Sans, "
               "Helvetica, Arial, sans-serif\" font-size=\"12\" "
               "fill=\"#222\">\n<rect width=\"%d\" height=\"%d\" "
               "fill=\"#fff\"/>\n",
               WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    title(r, &out);
    axes(r, top, step, &out);
    legend(r, &out);
    if (n > 0) {
        line(r, s, n, true, top, &out);
        line(r, s, n, false, top, &out);
    }
    bars(r, &out);
    buf_c(&out, "</svg>\n");
    fwrite(out.p, 1, out.n, to);
    buf_free(&out);
    free(s);
}
