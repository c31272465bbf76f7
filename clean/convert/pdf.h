/* pdf.h -- the lines of a PDF, and the steps that make paragraphs of them.
 *
 *   pdf_bbox.c       what pdftotext -bbox-layout wrote -> lines
 *   pdf_repeats.c    heads, feet and page numbers are marked
 *   pdf_contents.c   ... and so are lines of a table of contents
 *   pdf_order.c      reading order: sections, columns, tables, notes
 *   pdf_paragraphs.c paragraphs, headings, over columns and pages
 *
 * One thread; all memory is the arena's. */
#ifndef CLEAN_CONVERT_PDF_H
#define CLEAN_CONVERT_PDF_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "html_write.h"

/* Points, from the upper left corner. */
struct pdf_line {
    struct str text;
    double x0, y0, x1, y1;
    double height;      /* of its words: what there is of a font's size */
    double first_width; /* of its first word */
    uint32_t page;
    uint32_t column;           /* lines of one column follow each other */
    double left, right;        /* of the column */
    uint32_t table, row, cell; /* table 0: in none */
    bool dropped;              /* head, foot, contents */
    bool note;                 /* small, at the foot of its column */
};

struct pdf_page {
    double width, height;
    size_t first, n; /* lines */
};

struct pdf {
    struct arena *arena;
    struct pdf_line *lines;
    size_t lines_n, lines_room;
    struct pdf_page *pages;
    size_t pages_n, pages_room;
    struct properties about;
    double body;             /* height of most of the text */
    struct pdf_line **order; /* what is left, in reading order */
    size_t order_n;
    uint32_t columns_n, tables_n;
};

enum status pdf_read_bbox(struct pdf *p, struct str bbox, const char **why);
void pdf_mark_repeats(struct pdf *p);
void pdf_mark_contents(struct pdf *p);
void pdf_order_lines(struct pdf *p);
void pdf_write(struct pdf *p, struct buf *html);

#endif
