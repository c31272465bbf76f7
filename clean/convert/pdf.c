/* pdf.c -- a PDF, from what pdftotext says of its words to a page. */
#include "pdf.h"

#include <stdlib.h>

#include "reader.h"

static int
by_height(const void *a, const void *b)
{
    const struct pdf_line *x = *(struct pdf_line *const *)a,
                          *y = *(struct pdf_line *const *)b;

    return (x->height > y->height) - (x->height < y->height);
}

/* The height that half of all characters are within. */
static double
body_height(const struct pdf *p)
{
    struct pdf_line **sorted =
        ARENA_ARRAY(p->arena, struct pdf_line *, p->lines_n + 1);
    size_t all = 0, sum = 0;

    for (size_t i = 0; i < p->lines_n; i++) {
        sorted[i] = &p->lines[i];
        all += p->lines[i].text.n;
    }
    qsort(sorted, p->lines_n, sizeof *sorted, by_height);
    for (size_t i = 0; i < p->lines_n; i++)
        if ((sum += sorted[i]->text.n) * 2 >= all)
            return sorted[i]->height;
    return 10;
}

enum status
convert_read_pdf(struct str bbox, struct buf *html, const char **why)
{
    struct pdf p = {.arena = arena_new()};
    enum status st = pdf_read_bbox(&p, bbox, why);

    if (st == ST_OK) {
        p.body = body_height(&p);
        pdf_mark_repeats(&p);
        pdf_mark_contents(&p);
        pdf_order_lines(&p);
        pdf_write(&p, html);
    }
    arena_free(p.arena);
    return st;
}
