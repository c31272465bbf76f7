/* list.h -- the lines of a list that people write: `#` begins a comment line,
 * lines of white space count for nothing, a byte order mark and the returns of
 * CRLF are left out. */
#ifndef CLEAN_LIST_H
#define CLEAN_LIST_H

#include "base/str.h"

/* Its text; *most: it has no more entries than that. */
struct str list_begin(struct str bytes, size_t *most);

/* The next entry, cut off *text; false: there is none. */
bool list_next(struct str *text, struct str *line);

#endif
