/* pdf_contents.c -- lines of a table of contents: a title, a row of dots and a
 * page number.  The heading above the first of several goes with them. */
#include <math.h>

#include "pdf.h"

#define DOTS_MIN 4
#define HEADING_MAX 40
#define ENTRIES_MIN 3

/* Dots with at most a blank between them, or ellipses. */
static bool
has_leader(struct str s)
{
    size_t dots = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '.')
            dots++;
        else if (str_starts(str_sub(s, i, s.n), S("\xe2\x80\xa6")))
            dots += 3, i += 2;
        else if (s.p[i] != ' ')
            dots = 0;
        if (dots >= DOTS_MIN + 1)
            return true;
    }
    return false;
}

static bool
is_number(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_digit(s.p[i]) && memchr("ivxlc. ", s.p[i], 7) == NULL)
            return false;
    return s.n > 0 && s.n < 12;
}

/* What stands beside a row of dots: the number, or the title before it. */
static void
mark_beside(struct pdf *p, const struct pdf_page *page,
            const struct pdf_line *leader)
{
    for (size_t i = page->first; i < page->first + page->n; i++) {
        struct pdf_line *l = &p->lines[i];

        if (l != leader && fabs(l->y0 - leader->y0) < leader->height / 2 &&
            (is_number(l->text) || l->x1 <= leader->x0 + leader->height))
            l->dropped = true;
    }
}

static void
mark_heading(struct pdf *p, const struct pdf_page *page, size_t first)
{
    for (size_t i = first; i-- > page->first;) {
        struct pdf_line *l = &p->lines[i];

        if (l->dropped)
            continue;
        if (l->text.n <= HEADING_MAX && l->y1 <= p->lines[first].y0)
            l->dropped = true;
        return;
    }
}

void
pdf_mark_contents(struct pdf *p)
{
    for (size_t k = 0; k < p->pages_n; k++) {
        const struct pdf_page *page = &p->pages[k];
        size_t n = 0, first = 0;

        for (size_t i = page->first; i < page->first + page->n; i++) {
            if (!has_leader(p->lines[i].text))
                continue;
            if (n++ == 0)
                first = i;
            p->lines[i].dropped = true;
            mark_beside(p, page, &p->lines[i]);
        }
        if (n >= ENTRIES_MIN)
            mark_heading(p, page, first);
    }
}
