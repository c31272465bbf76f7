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
    size_t n = t->cells_n, more = n ? 2 * n : 1;

    if ((n & (n - 1)) == 0) { /* full at every power of two */
        t->cell = arena_grow(t->arena, t->cell, n * sizeof *t->cell,
                             more * sizeof *t->cell);
        t->range = arena_grow(t->arena, t->range, n * sizeof *t->range,
                              more * sizeof *t->range);
    }
    t->range[n] = (struct lab_range){S(""), S(""), S("")};
    t->cell[t->cells_n++] = arena_str(t->arena, s);
}

void
table_count(struct lab_table *t, uint64_t n)
{
    table_text(t, arena_printf(t->arena, "%" PRIu64, n));
}

static struct str
number(struct lab_table *t, double x, int decimals)
{
    return isnan(x) ? S("-") : arena_printf(t->arena, "%.*f", decimals, x);
}

void
table_real(struct lab_table *t, double x, int decimals)
{
    table_text(t, number(t, x, decimals));
}

/* `plain`: its range is not worth a reader's while. */
static void
ranged_cell(struct lab_table *t, const struct lab_range *r, bool plain)
{
    size_t column = t->cells_n % t->columns_n;

    assert(column < 64);
    t->ranged |= (uint64_t)1 << column;
    table_text(t, plain ? r->mean
                        : arena_printf(t->arena, "%.*s [%.*s, %.*s]",
                                       STRF(r->mean), STRF(r->low),
                                       STRF(r->high)));
    if (!str_eq(r->mean, S("-")))
        t->range[t->cells_n - 1] = *r;
}

void
table_range(struct lab_table *t, double x, double low, double high)
{
    const struct lab_range r = {number(t, x, 3), number(t, low, 3),
                                number(t, high, 3)};

    ranged_cell(t, &r, isnan(x) || isnan(low));
}

void
table_spread(struct lab_table *t, const struct spread *s, int decimals)
{
    const struct lab_range r = {number(t, s->mean, decimals),
                                number(t, s->low, decimals),
                                number(t, s->high, decimals)};

    ranged_cell(t, &r, isnan(s->mean) || str_eq(r.low, r.high));
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

/* A cell for programs; part: 0 itself or its mean, 1 the low end, 2 the high
 * one. */
static struct str
plain_cell(const struct lab_table *t, size_t i, int part)
{
    static const char *const ends[] = {"", "_low", "_high"};
    const struct lab_range *r = &t->range[i];

    if (i < t->columns_n)
        return arena_printf(t->arena, "%.*s%s", STRF(t->cell[i]), ends[part]);
    if (r->mean.n == 0) /* none, or nothing known */
        return part == 0 ? t->cell[i] : S("-");
    return part == 0 ? r->mean : part == 1 ? r->low : r->high;
}

static int
parts_of(const struct lab_table *t, size_t i)
{
    return (t->ranged >> i % t->columns_n & 1) != 0 ? 3 : 1;
}

void
table_tsv(const struct lab_table *t, struct buf *out)
{
    for (size_t i = 0; i < t->cells_n; i++) {
        for (int part = 0; part < parts_of(t, i); part++) {
            struct str cell = plain_cell(t, i, part);

            if (part > 0)
                buf_char(out, '\t');
            buf_str(out, str_eq(cell, S("-")) ? S("NA") : cell);
        }
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
        for (int part = 0; part < parts_of(t, i); part++) {
            /* Names of columns end in NUL: they are copies in an arena. */
            json_key(j, plain_cell(t, i % t->columns_n, part).p);
            json_cell(j, plain_cell(t, i, part));
        }
        if (ends_row(t, i))
            json_object_end(j);
    }
    json_array_end(j);
}
