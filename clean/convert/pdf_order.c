/* pdf_order.c -- the reading order of a page's lines.
 *
 * A page is cut from top to bottom into sections: rows of lines that have the
 * same gutters, which are stripes that no line of the section crosses.  A
 * section with gutters is read column by column, each column again by the same
 * rule; one without, from top to bottom.  Columns whose lines stand side by
 * side and are short are a table, and read row by row.  Small lines at the foot
 * of a column are notes: they do not come between a paragraph and its end on
 * the next page. */
#include <math.h>
#include <stdlib.h>

#include "pdf.h"

#define DEPTH_MAX 6
#define CHANCE_ROWS 3
#define COLUMNS_MAX 16
#define CELL_CHARS 20 /* mean length of the lines of a table, at most */
#define NOTE_HEIGHT 0.93

struct stripes { /* of the x axis, that lines take, in order */
    double from[COLUMNS_MAX], to[COLUMNS_MAX];
    size_t n;
};

static int
by_place(const void *a, const void *b)
{
    const struct pdf_line *x = *(struct pdf_line *const *)a,
                          *y = *(struct pdf_line *const *)b;

    if (x->y0 != y->y0)
        return x->y0 < y->y0 ? -1 : 1;
    return (x->x0 > y->x0) - (x->x0 < y->x0);
}

static double
gutter(const struct pdf_line *l)
{
    double least = 0.6 * l->height;

    return least > 5 ? least : 5;
}

/* Stripes that are nearer than a gutter become one. */
static void
add_stripe(struct stripes *s, double from, double to, double gap)
{
    size_t i = 0, k;

    while (i < s->n && s->to[i] + gap <= from)
        i++;
    for (k = i; k < s->n && s->from[k] < to + gap; k++) {
        from = fmin(from, s->from[k]);
        to = fmax(to, s->to[k]);
    }
    if (k == i && s->n == COLUMNS_MAX) { /* so many are none */
        s->to[0] = fmax(s->to[s->n - 1], to);
        s->from[0] = fmin(s->from[0], from);
        s->n = 1;
        return;
    }
    /* i .. k are one */
    memmove(s->from + i + 1, s->from + k, (s->n - k) * sizeof *s->from);
    memmove(s->to + i + 1, s->to + k, (s->n - k) * sizeof *s->to);
    s->from[i] = from;
    s->to[i] = to;
    s->n = s->n - (k - i) + 1;
}

static void
add_lines(struct stripes *s, struct pdf_line *const *l, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_stripe(s, l[i]->x0, l[i]->x1, gutter(l[i]));
}

/* Lines from l[0] on that overlap each other in height, as a chain. */
static size_t
row_n(struct pdf_line *const *l, size_t n)
{
    double bottom = l[0]->y1 - 0.2 * l[0]->height;
    size_t k = 1;

    while (k < n && l[k]->y0 + 0.2 * l[k]->height < bottom) {
        bottom = fmax(bottom, l[k]->y1 - 0.2 * l[k]->height);
        k++;
    }
    return k;
}

/* ---- tables ---- */

static bool
is_table(struct pdf_line *const *l, size_t n, const struct stripes *s)
{
    size_t chars = 0, rows = 0, full = 0;

    for (size_t i = 0; i < n; i++)
        chars += l[i]->text.n;
    if (s->n < 2 || chars / n > CELL_CHARS)
        return false;
    for (size_t i = 0; i < n;) {
        size_t k = row_n(l + i, n - i);

        rows++;
        full += k >= 2;
        i += k;
    }
    return rows >= 2 && full * 10 >= rows * 7;
}

static uint32_t
cell_of(const struct pdf_line *l, const struct stripes *s)
{
    uint32_t i = 0;

    while (i + 1 < s->n && l->x0 > s->to[i])
        i++;
    return i;
}

static int
by_cell(const void *a, const void *b)
{
    const struct pdf_line *x = *(struct pdf_line *const *)a,
                          *y = *(struct pdf_line *const *)b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return (x->y0 > y->y0) - (x->y0 < y->y0);
}

static void
put(struct pdf *p, struct pdf_line *l)
{
    p->order[p->order_n++] = l;
}

static void
put_table(struct pdf *p, struct pdf_line **l, size_t n, const struct stripes *s)
{
    uint32_t row = 0, column = ++p->columns_n, table = ++p->tables_n;

    for (size_t i = 0; i < n;) {
        size_t k = row_n(l + i, n - i);

        for (size_t end = i + k; i < end; i++) {
            l[i]->table = table;
            l[i]->column = column;
            l[i]->row = row;
            l[i]->cell = cell_of(l[i], s);
        }
        row++;
    }
    qsort(l, n, sizeof *l, by_cell);
    for (size_t i = 0; i < n; i++)
        put(p, l[i]);
}

/* ---- columns ---- */

/* Small lines at its end, if larger ones are above. */
static void
mark_notes(const struct pdf *p, struct pdf_line **l, size_t n)
{
    const struct pdf_page *page = &p->pages[l[0]->page];
    size_t k = n;

    while (k > 0 && l[k - 1]->height < NOTE_HEIGHT * p->body &&
           l[k - 1]->y0 > page->height / 2)
        k--;
    if (k == 0)
        return;
    for (; k < n; k++)
        l[k]->note = true;
}

static void
put_column(struct pdf *p, struct pdf_line **l, size_t n)
{
    double left = 1e9, right = -1e9;
    uint32_t column = ++p->columns_n;

    for (size_t i = 0; i < n; i++) {
        left = fmin(left, l[i]->x0);
        right = fmax(right, l[i]->x1);
    }
    for (size_t i = 0; i < n; i++) {
        l[i]->column = column;
        l[i]->left = left;
        l[i]->right = right;
        put(p, l[i]);
    }
    mark_notes(p, l, n);
}

static void order(struct pdf *p, struct pdf_line **l, size_t n, int depth);

static void
put_section(struct pdf *p, struct pdf_line **l, size_t n,
            const struct stripes *s, int depth)
{
    struct pdf_line **column;
    size_t k;

    if (s->n < 2 || depth >= DEPTH_MAX) {
        put_column(p, l, n);
        return;
    }
    if (is_table(l, n, s)) {
        put_table(p, l, n, s);
        return;
    }
    column = ARENA_ARRAY(p->arena, struct pdf_line *, n);
    for (uint32_t c = 0; c < s->n; c++) {
        k = 0;
        for (size_t i = 0; i < n; i++)
            if (cell_of(l[i], s) == c)
                column[k++] = l[i];
        if (k > 0)
            order(p, column, k, depth + 1);
    }
}

/* Would a section with these stripes and that row have other gutters? */
static bool
goes_on(const struct stripes *section, const struct stripes *row,
        const struct stripes *both, size_t rows)
{
    if (section->n == 1 && row->n == 1)
        return true; /* one column; or two lines side by side, below */
    /* A row or two may have more gutters by chance: justified lines of few
     * words. */
    return both->n >= 2 && (both->n >= section->n || rows <= CHANCE_ROWS);
}

/* `l` is in order of place. */
static void
order(struct pdf *p, struct pdf_line **l, size_t n, int depth)
{
    struct stripes section = {0};
    size_t from = 0, rows = 0; /* of the section */

    for (size_t i = 0; i < n;) {
        size_t k = row_n(l + i, n - i);
        struct stripes row = {0}, both = section;

        add_lines(&row, l + i, k);
        add_lines(&both, l + i, k);
        if (i > from && !goes_on(&section, &row, &both, rows)) {
            put_section(p, l + from, i - from, &section, depth);
            from = i;
            section = row;
            rows = 0;
        } else {
            section = both;
        }
        rows++;
        i += k;
    }
    if (n > from)
        put_section(p, l + from, n - from, &section, depth);
}

void
pdf_order_lines(struct pdf *p)
{
    p->order = ARENA_ARRAY(p->arena, struct pdf_line *, p->lines_n + 1);
    for (size_t k = 0; k < p->pages_n; k++) {
        const struct pdf_page *page = &p->pages[k];
        struct pdf_line **l =
            ARENA_ARRAY(p->arena, struct pdf_line *, page->n + 1);
        size_t n = 0;

        for (size_t i = page->first; i < page->first + page->n; i++)
            if (!p->lines[i].dropped)
                l[n++] = &p->lines[i];
        qsort(l, n, sizeof *l, by_place);
        order(p, l, n, 0);
    }
}
