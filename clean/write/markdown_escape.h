/* markdown_escape.h -- text that says the same as Markdown (CommonMark, and as
 * on GitHub): characters that would be markup are escaped.  Pure. */
#ifndef CLEAN_MARKDOWN_ESCAPE_H
#define CLEAN_MARKDOWN_ESCAPE_H

#include "base/buf.h"

/* Append `s`.  in_cell: it stands in a table; in_anchor: in the text of a link,
 * where no other link can be.  Elsewhere a bare URL with such characters
 * becomes <URL>, and www... no link.  Formulas in TeX, between \( \), \[ \] or
 * dollars, stand as they are between $ or $$. */
void markdown_escape(struct buf *out, struct str s, bool in_cell,
                     bool in_anchor);

/* Of what would be markup at the start of a line the last byte, escaped and
 * taken off *s, with what is before it: "#", "> ", "1. ", "===". */
void markdown_escape_start(struct buf *out, struct str *s);

#endif
