/* line_order.c -- see line_order.h.
 *
 * Eight bytes at a time: a radix sort by these, and those that have the same
 * are sorted by the next eight.  Few lines are compared instead.  Zeros stand
 * for bytes behind a line's end, so lines that differ in zeros and length only
 * are compared as well. */
#include "line_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "radix.h"

enum { COMPARED_N = 24, RADIX_N = 400, DEPTH_MAX = 512 };

struct order {
    const char *text;
    size_t depth;
};

static struct str
tail(const struct order *o, const struct line_at *l)
{
    return l->n <= o->depth
               ? str_n("", 0)
               : str_n(o->text + l->from + o->depth, l->n - o->depth);
}

static int
compare(const void *a, const void *b, void *self)
{
    const struct order *o = self;
    const struct line_at *x = a, *y = b;
    int c = str_cmp(tail(o, x), tail(o, y));

    return c != 0 ? c : (x->n > y->n) - (x->n < y->n);
}

static void
insertion(struct line_at *line, size_t n, struct order *o)
{
    for (size_t i = 1; i < n; i++) {
        struct line_at l = line[i];
        size_t at = i;

        for (; at > 0 && compare(&line[at - 1], &l, o) > 0; at--)
            line[at] = line[at - 1];
        line[at] = l;
    }
}

/* Do all end within the next eight bytes, at one place?  Then they are equal,
 * if they were as far as this. */
static bool
are_equal(const struct line_at *line, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (line[i].n != line[0].n)
            return false;
    return true;
}

static bool
all_end(const struct line_at *line, size_t n, size_t depth)
{
    for (size_t i = 0; i < n; i++)
        if (line[i].n > depth)
            return false;
    return true;
}

static void
load_heads(struct line_at *line, size_t n, const struct order *o)
{
    for (size_t i = 0; i < n; i++) {
        struct str t = tail(o, &line[i]);

        memset(line[i].head, 0, sizeof line[i].head);
        memcpy(line[i].head, t.p, t.n < 8 ? t.n : 8);
    }
}

/* The lines are the same up to `depth`, and head is what comes then. */
static void
order_from(struct line_at *line, struct line_at *room, size_t n,
           const char *text, size_t depth)
{
    struct order o = {text, depth};
    struct line_at *sorted;

    if (n <= COMPARED_N) {
        insertion(line, n, &o);
        return;
    }
    if (n <= RADIX_N || depth >= DEPTH_MAX) {
        qsort_r(line, n, sizeof *line, compare, &o);
        return;
    }
    sorted = radix_sort(line, room, n, sizeof *line, sizeof line->head);
    if (sorted != line)
        memcpy(line, sorted, n * sizeof *line);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && memcmp(line[i].head, line[end].head,
                                            sizeof line->head) == 0;
             end++)
            ;
        if (end - i == 1)
            continue;
        o.depth = depth + sizeof line->head;
        if (all_end(line + i, end - i, o.depth)) {
            if (!are_equal(line + i, end - i))
                qsort_r(line + i, end - i, sizeof *line, compare, &o);
            continue;
        }
        load_heads(line + i, end - i, &o);
        order_from(line + i, room + i, end - i, text, o.depth);
    }
}

void
line_order(struct line_at *line, struct line_at *room, size_t n,
           const char *text)
{
    load_heads(line, n, &(struct order){text, 0});
    order_from(line, room, n, text, 0);
}
