/* collapse.h -- text of a page as it is seen: white space collapsed. */
#ifndef CLEAN_COLLAPSE_H
#define CLEAN_COLLAPSE_H

#include "base/buf.h"

/* Append `text` to `out`, white space collapsed, invisible characters left
 * out; *blank says whether a blank is due before the next character.  At most
 * `max` bytes stand in `out`; how many bytes of text were taken. */
size_t strip_collapse(struct buf *out, bool *blank, struct str text,
                      size_t max);

#endif
