/* pdf_repeats.c -- what stands at the head or foot of pages and is no part of
 * the text: lines that other pages have in the same place, as they are or with
 * a number that grows as the pages do ("Article 5" above a page and "Article
 * 16" above the next are text), and page numbers.
 *
 * Looked at are the EDGE_ROWS outermost rows of lines within EDGE_SHARE of the
 * page's height. */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "pdf.h"

#define EDGE_ROWS 3
#define EDGE_SHARE 0.16
#define SAME_PLACE 4.0 /* points */
#define GAP 1.25       /* times the usual step */
#define SHORT 0.6      /* of the page's width */

struct edge {
    uint64_t key;     /* of its text, with # for numbers */
    uint64_t exact;   /* of its text as it is */
    long first, last; /* numbers in it, 0: none */
    double y;
    struct pdf_line *line;
};

struct side { /* the lines of a page, from one of its edges on */
    const struct pdf_page *page;
    struct pdf_line **line;
    size_t n;
    double step; /* from a line of text to the next */
    bool foot;
};

struct edges {
    struct edge *item;
    size_t n, room;
};

static double
edge_of(const struct side *s, const struct pdf_line *l)
{
    return s->foot ? s->page->height - l->y1 : l->y0;
}

/* Letters in lower case, # for a run of digits, no blanks. */
static void
pattern(struct buf *out, struct str s)
{
    buf_clear(out);
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (ascii_digit(c)) {
            if (out->n == 0 || out->p[out->n - 1] != '#')
                buf_char(out, '#');
        } else if (!ascii_space(c)) {
            buf_char(out, ascii_lower(c));
        }
    }
}

static bool
is_roman(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (memchr("ivxlc", s.p[i], 5) == NULL)
            return false;
    return s.n > 0 && s.n <= 7;
}

/* "12", "- 12 -", "Page 3 of 10", "3/10", "xii". */
static bool
is_page_number(struct str p)
{
    static const struct str words[] = {
        STR("page"), STR("seite"),  STR("pagina"),       STR("p."),
        STR("s."),   STR("pag."),   STR("blad"),         STR("sida"),
        STR("side"), STR("strona"), STR("p\xc3\xa1gina")};
    static const struct str rests[] = {STR("#"),     STR("#/#"),   STR("#of#"),
                                       STR("#von#"), STR("#van#"), STR("#de#"),
                                       STR("#sur#"), STR("#di#"),  STR("#av#")};

    for (;;) { /* dashes, bars and brackets around it */
        if (p.n > 0 && memchr("-|[](){}.~", p.p[0], 10) != NULL)
            p = str_sub(p, 1, p.n);
        else if (p.n > 1 && memchr("-|[](){}.~", p.p[p.n - 1], 10) != NULL)
            p = str_sub(p, 0, p.n - 1);
        else if (str_starts(p, S("\xe2\x80\x93")) ||
                 str_starts(p, S("\xe2\x80\x94")))
            p = str_sub(p, 3, p.n);
        else if (str_ends(p, S("\xe2\x80\x93")) ||
                 str_ends(p, S("\xe2\x80\x94")))
            p = str_sub(p, 0, p.n - 3);
        else
            break;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(p, words[i]) && p.n > words[i].n) {
            p = str_sub(p, words[i].n, p.n);
            break;
        }
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
        if (str_eq(p, rests[i]))
            return true;
    return is_roman(p);
}

static int
by_y(const void *a, const void *b)
{
    const struct pdf_line *x = *(struct pdf_line *const *)a,
                          *y = *(struct pdf_line *const *)b;

    return (x->y0 > y->y0) - (x->y0 < y->y0);
}

static void
numbers(struct edge *e, struct str s)
{
    bool found = false;

    for (size_t i = 0; i < s.n; i++) {
        long n = 0;

        if (!ascii_digit(s.p[i]))
            continue;
        for (; i < s.n && ascii_digit(s.p[i]); i++)
            n = n < 100000 ? n * 10 + (s.p[i] - '0') : n;
        if (!found)
            e->first = n;
        e->last = n;
        found = true;
    }
}

/* Is it the head of both pages? */
static bool
repeats(const struct edge *a, const struct edge *b)
{
    long pages = (long)b->line->page - (long)a->line->page;

    return a->key == b->key && fabs(a->y - b->y) <= SAME_PLACE && pages != 0 &&
           (a->exact == b->exact || b->first - a->first == pages ||
            b->last - a->last == pages);
}

static void
add_edge(struct pdf *p, struct edges *e, struct pdf_line *l,
         struct buf *scratch)
{
    pattern(scratch, l->text);
    if (is_page_number(buf_view(scratch))) {
        l->dropped = true;
        return;
    }
    if (e->n == e->room) {
        size_t room = e->room > 0 ? 2 * e->room : 256;

        e->item = arena_grow(p->arena, e->item, e->room * sizeof *e->item,
                             room * sizeof *e->item);
        e->room = room;
    }
    e->item[e->n++] = (struct edge){.key = hash64(buf_view(scratch)),
                                    .exact = hash64(l->text),
                                    .y = l->y0,
                                    .line = l};
    numbers(&e->item[e->n - 1], l->text);
}

/* Rows of lines, from the outermost one inwards: those before the first gap
 * that is wider than between lines of text, EDGE_ROWS at most.  Where there is
 * no such gap, the outermost one, if it is short. */
static void
add_side(struct pdf *p, struct edges *e, const struct side *s,
         struct buf *scratch)
{
    size_t rows = 0, last = 0;
    bool gap = false;

    for (; last < s->n && rows <= EDGE_ROWS && !gap; last++) {
        const struct pdf_line *l = s->line[last];
        double step = last > 0 ? fabs(l->y0 - s->line[last - 1]->y0) : 0;

        gap = last > 0 && step > GAP * s->step;
        if (gap || edge_of(s, l) > EDGE_SHARE * s->page->height)
            break;
        rows += last == 0 || step > l->height / 2;
    }
    for (size_t i = 0; i < last; i++) {
        const struct pdf_line *l = s->line[i];

        if (!gap && (fabs(l->y0 - s->line[0]->y0) > l->height / 2 ||
                     l->x1 - l->x0 > SHORT * s->page->width))
            return;
        add_edge(p, e, s->line[i], scratch);
    }
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* From a line of text to the next, on this page. */
static double
usual_step(struct pdf *p, struct pdf_line *const *sorted, size_t n)
{
    double *steps = ARENA_ARRAY(p->arena, double, n + 1);
    size_t k = 0;

    for (size_t i = 1; i < n; i++) {
        double step = sorted[i]->y0 - sorted[i - 1]->y0;

        if (step > sorted[i]->height / 2)
            steps[k++] = step;
    }
    qsort(steps, k, sizeof *steps, by_value);
    return k > 0 ? steps[k / 2] : 12;
}

static void
add_page(struct pdf *p, struct edges *e, const struct pdf_page *page,
         struct buf *scratch)
{
    struct pdf_line **sorted =
        ARENA_ARRAY(p->arena, struct pdf_line *, page->n + 1);
    struct pdf_line **back =
        ARENA_ARRAY(p->arena, struct pdf_line *, page->n + 1);
    struct side head = {page, sorted, page->n, 0, false}, foot;

    for (size_t i = 0; i < page->n; i++)
        sorted[i] = &p->lines[page->first + i];
    qsort(sorted, page->n, sizeof *sorted, by_y);
    for (size_t i = 0; i < page->n; i++)
        back[i] = sorted[page->n - 1 - i];
    head.step = usual_step(p, sorted, page->n);
    foot = head;
    foot.line = back;
    foot.foot = true;
    add_side(p, e, &head, scratch);
    add_side(p, e, &foot, scratch);
}

static int
by_key(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->y > y->y) - (x->y < y->y);
}

void
pdf_mark_repeats(struct pdf *p)
{
    struct edges e = {0};
    struct buf scratch = {.arena = p->arena};

    for (size_t i = 0; i < p->pages_n; i++)
        add_page(p, &e, &p->pages[i], &scratch);
    if (e.n < 2)
        return;
    qsort(e.item, e.n, sizeof *e.item, by_key);
    for (size_t i = 0; i + 1 < e.n; i++) {
        const struct edge *a = &e.item[i], *b = a + 1;

        if (repeats(a, b))
            a->line->dropped = b->line->dropped = true;
    }
}
