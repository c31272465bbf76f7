/* table.c -- see table.h.  Numbers are made text once, so all forms agree. */
#include "table.h"

#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

struct lab_table *
table_new(struct arena *a, const char *name, const char *title,
          const char *note, const char *columns)
{
    struct lab_table *t = ARENA_NEW(a, struct lab_table);
    struct str rest = str_c(columns), word;

    *t = (struct lab_table){
        .name = name, .title = title, .note = note, .arena = a};
    while (str_word(&rest, &word)) {
        table_text(t, word);
        t->columns_n++;
    }
    return t;
}

void
table_text(struct lab_table *t, struct str s)
{
    size_t n = t->cells_n;

    if ((n & (n - 1)) == 0) /* full at every power of two */
        t->cell = arena_grow(t->arena, t->cell, n * sizeof *t->cell,
                             (n ? 2 * n : 1) * sizeof *t->cell);
    t->cell[t->cells_n++] = arena_str(t->arena, s);
}

void
table_count(struct lab_table *t, uint64_t n)
{
    table_text(t, arena_printf(t->arena, "%" PRIu64, n));
}

void
table_real(struct lab_table *t, double x, int decimals)
{
    table_text(t,
               isnan(x) ? S("-") : arena_printf(t->arena, "%.*f", decimals, x));
}

void
table_range(struct lab_table *t, double x, double low, double high)
{
    if (isnan(x) || isnan(low))
        table_real(t, x, 3);
    else
        table_text(t,
                   arena_printf(t->arena, "%.3f [%.3f, %.3f]", x, low, high));
}

void
table_spread(struct lab_table *t, const struct spread *s, int decimals)
{
    struct str low = arena_printf(t->arena, "%.*f", decimals, s->low);
    struct str high = arena_printf(t->arena, "%.*f", decimals, s->high);

    if (isnan(s->mean) || str_eq(low, high))
        table_real(t, s->mean, decimals);
    else
        table_text(t, arena_printf(t->arena, "%.*f [%.*s, %.*s]", decimals,
                                   s->mean, STRF(low), STRF(high)));
}

void
table_list_add(struct table_list *all, struct lab_table *t)
{
    assert(all->n < sizeof all->table / sizeof *all->table);
    all->table[all->n++] = t;
}

static bool
ends_row(const struct lab_table *t, size_t i)
{
    assert(t->columns_n > 0);
    return (i + 1) % t->columns_n == 0;
}

void
table_tsv(const struct lab_table *t, struct buf *out)
{
    for (size_t i = 0; i < t->cells_n; i++) {
        buf_str(out, t->cell[i]);
        buf_char(out, ends_row(t, i) ? '\n' : '\t');
    }
}

static void
markdown_cell(struct buf *out, struct str s, bool head)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '|')
            buf_char(out, '\\');
        buf_char(out, head && s.p[i] == '_' ? ' ' : s.p[i]);
    }
}

/* Cells that are shown to readers. */
static size_t
cells_shown(const struct lab_table *t)
{
    size_t most = (t->rows_shown + 1) * t->columns_n;

    return t->rows_shown > 0 && most < t->cells_n ? most : t->cells_n;
}

void
table_markdown(const struct lab_table *t, struct buf *out)
{
    buf_printf(out, "## %s\n\n", t->title);
    if (t->note[0] != '\0')
        buf_printf(out, "%s\n\n", t->note);
    for (size_t i = 0; i < cells_shown(t); i++) {
        buf_c(out, i % t->columns_n == 0 ? "| " : " | ");
        markdown_cell(out, t->cell[i], i < t->columns_n);
        if (ends_row(t, i))
            buf_c(out, " |\n");
        if (i + 1 != t->columns_n)
            continue;
        for (size_t c = 0; c < t->columns_n; c++)
            buf_c(out, c ? "---:|" : "|---|");
        buf_char(out, '\n');
    }
    buf_char(out, '\n');
}

static void
html_cell(struct buf *out, struct str s, bool head)
{
    for (size_t i = 0; i < s.n; i++) {
        switch (s.p[i]) {
        case '&': buf_c(out, "&amp;"); break;
        case '<': buf_c(out, "&lt;"); break;
        case '_': buf_char(out, head ? ' ' : '_'); break;
        default: buf_char(out, s.p[i]);
        }
    }
}

void
table_html(const struct lab_table *t, struct buf *out)
{
    buf_printf(out, "<h2>%s</h2>\n", t->title);
    if (t->note[0] != '\0')
        buf_printf(out, "<p>%s</p>\n", t->note);
    buf_c(out, "<table>\n");
    assert(t->columns_n > 0 || t->cells_n == 0);
    for (size_t i = 0; i < cells_shown(t); i++) {
        const char *tag = i < t->columns_n ? "th" : "td";

        if (i % t->columns_n == 0)
            buf_c(out, "<tr>");
        buf_printf(out, "<%s>", tag);
        html_cell(out, t->cell[i], i < t->columns_n);
        buf_printf(out, "</%s>", tag);
        if (ends_row(t, i))
            buf_c(out, "</tr>\n");
    }
    buf_c(out, "</table>\n");
}

static void
json_cell(struct json *j, struct str cell)
{
    uint64_t count;
    double x;

    if (str_eq(cell, S("-")))
        json_null(j);
    else if (str_u64(cell, &count))
        json_u64(j, count);
    else if (str_real(cell, &x))
        json_real(j, x);
    else
        json_str(j, cell);
}

void
table_json(const struct lab_table *t, struct json *j)
{
    json_array(j);
    for (size_t i = t->columns_n; i < t->cells_n; i++) {
        if (i % t->columns_n == 0)
            json_object(j);
        /* Names of columns end in NUL: they are copies in an arena. */
        json_key(j, t->cell[i % t->columns_n].p);
        json_cell(j, t->cell[i]);
        if (ends_row(t, i))
            json_object_end(j);
    }
    json_array_end(j);
}
