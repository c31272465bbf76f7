/* html_write.h -- what readers of documents write: a page of headings,
 * paragraphs, lists and tables, for the cleaning chain.
 *
 * White space is collapsed and what no text has is left out; empty paragraphs
 * are none. */
#ifndef CLEAN_CONVERT_HTML_WRITE_H
#define CLEAN_CONVERT_HTML_WRITE_H

#include "base/buf.h"

/* What a document says of itself; "" where it does not.  The chain finds these
 * under "dublin-core". */
struct properties {
    struct str title, author, created, modified, language, keywords,
        description;
};

struct html_writer {
    struct buf *out;
    struct buf text; /* of the paragraph that is open */
    bool in_list, in_cell;
    unsigned tables; /* that are open, inside each other */
    bool row;        /* of the table, is open */
};

void html_begin(struct html_writer *w, struct buf *out,
                const struct properties *p);
void html_end(struct html_writer *w);
/* Only what is open, without the end of the page. */
void html_close(struct html_writer *w);

/* Text of the open paragraph, and a line's end in it. */
void html_text(struct html_writer *w, struct str s);
void html_break(struct html_writer *w);
/* The paragraph ends, as what it was: heading 1 .. 6, 0: a paragraph, or an
 * item of a list. */
void html_paragraph(struct html_writer *w, unsigned heading);
void html_item(struct html_writer *w);

/* Tables inside of tables are rows of the outer one. */
void html_table_begin(struct html_writer *w);
void html_row_begin(struct html_writer *w);
void html_cell_begin(struct html_writer *w);
void html_cell_end(struct html_writer *w);
void html_table_end(struct html_writer *w);

#endif
