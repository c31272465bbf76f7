/* block_text.h -- what writers of structured formats (markdown, tei) have in
 * common: the links in a block's text, and runs of rows that make a table. */
#ifndef CLEAN_BLOCK_TEXT_H
#define CLEAN_BLOCK_TEXT_H

#include "clean/chain/document.h"

/* The links of kept blocks, in the order of the page.  Zero but for d. */
struct link_walk {
    const struct document *d;
    uint32_t next;
};

/* The next piece of block i's text from byte *at on, which moves behind it:
 * with its link, or NULL.  False at the end of the text.  Blocks are asked for
 * in order.  A link whose words are not found in the text is left out. */
bool link_walk_next(struct link_walk *w, uint32_t i, size_t *at,
                    struct str *piece, const struct link **link);

/* Rows of one table, behind each other, from kept block `from` on. */
struct table_run {
    uint32_t from, to;  /* blocks [from, to) */
    uint32_t columns_n; /* those with text; 0: there is no table */
    uint16_t *place;    /* of a column: its number among those */
};

/* What begins at kept block i, unless *t, {0} at first, holds it already: the
 * rows of what is no table are looked at once.  A table has two columns or
 * more, and not many more cells than blocks.  Memory from the document's arena.
 */
void table_run(struct table_run *t, const struct document *d, uint32_t i);

#endif
