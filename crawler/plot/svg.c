/* svg.c -- see svg.h.  Pure. */
#include "svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void
svg_begin(struct buf *out, int width, int height)
{
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d "
               "%d\" width=\"%d\" height=\"%d\" font-family=\"DejaVu Sans, "
               "Helvetica, Arial, sans-serif\" font-size=\"12\" "
               "fill=\"#222\">\n<rect width=\"%d\" height=\"%d\" "
               "fill=\"#fff\"/>\n",
               width, height, width, height, width, height);
}

void
svg_end(struct buf *out)
{
    buf_c(out, "</svg>\n");
}

void
svg_escaped(struct buf *out, struct str text)
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

void
svg_text(struct buf *out, double x, double y, const char *more,
         const char *text)
{
    buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n", x, y, more,
               text);
}

double
svg_nice_step(double top, int parts)
{
    double step = pow(10, floor(log10(top / parts)));

    if (step * parts >= top)
        return step;
    return step * 2 * parts >= top   ? step * 2
           : step * 5 * parts >= top ? step * 5
                                     : step * 10;
}

static void
y_axis(struct buf *out, const struct svg_plot *p, double step)
{
    struct buf label = {0};

    for (unsigned i = 0; i * step <= p->y_top + step / 2; i++) {
        double v = i * step;
        double y = svg_y(p, v);

        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                   "stroke=\"#e2e6e9\"/>\n",
                   p->left, y, p->right, y);
        buf_clear(&label);
        buf_printf(&label, step < 0.01 ? "%.1f %%" : "%.0f %%", v * 100);
        buf_char(&label, '\0');
        svg_text(out, p->left - 8, y + 4, " text-anchor=\"end\"", label.p);
    }
    buf_free(&label);
}

static void
x_axis(struct buf *out, const struct svg_plot *p)
{
    double step = svg_nice_step(p->x_top, 6);
    struct buf label = {0};

    step = step < 1 ? 1 : step;
    for (unsigned i = 0; i * step <= p->x_top * 1.0001; i++) {
        double v = i * step;

        buf_clear(&label);
        buf_grouped(&label, (uint64_t)(v + 0.5));
        buf_char(&label, '\0');
        svg_text(out, svg_x(p, v), p->bottom + 18, " text-anchor=\"middle\"",
                 label.p);
    }
    buf_printf(out,
               "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
               "stroke=\"#444\"/>\n",
               p->left, p->bottom, p->right, p->bottom);
    buf_free(&label);
}

void
svg_axes(struct buf *out, const struct svg_plot *p, double y_step,
         const char *x_name, const char *y_name)
{
    y_axis(out, p, y_step);
    x_axis(out, p);
    svg_text(out, (p->left + p->right) / 2, p->bottom + 42,
             " text-anchor=\"middle\"", x_name);
    buf_printf(out,
               "<text transform=\"translate(%.0f %.1f) rotate(-90)\" "
               "text-anchor=\"middle\">%s</text>\n",
               p->left - 50, (p->top + p->bottom) / 2, y_name);
}

double
svg_x(const struct svg_plot *p, double x)
{
    return p->left + x / p->x_top * (p->right - p->left);
}

double
svg_y(const struct svg_plot *p, double y)
{
    return p->bottom -
           fmin(fmax(y, 0), p->y_top) / p->y_top * (p->bottom - p->top);
}

void
svg_line(struct buf *out, const struct svg_plot *p, const double *x,
         const double *y, size_t n, const char *colour, double width,
         const char *more)
{
    buf_printf(out,
               "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" "
               "stroke-linejoin=\"round\"%s points=\"",
               colour, width, more);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.1f,%.1f", i ? " " : "", svg_x(p, x[i]),
                   svg_y(p, y[i]));
    buf_c(out, "\"/>\n");
}

void
svg_point(struct buf *out, double x, double y, const char *colour, bool ring)
{
    buf_printf(out,
               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" "
               "stroke=\"%s\" stroke-width=\"1.5\"/>\n",
               x, y, ring ? "#fff" : colour, colour);
}
