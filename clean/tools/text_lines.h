/* text_lines.h -- the lines of a text file or of standard input.
 *
 * Compressed input (gzip, zstd) shows in its first bytes and is decompressed on
 * the way.  Belongs to one thread. */
#ifndef CLEAN_TEXT_LINES_H
#define CLEAN_TEXT_LINES_H

#include "base/status.h"
#include "base/str.h"

struct text_lines; /* opaque; see clean/tools/text_lines.c */

/* NULL and "-" are standard input; `path` must live as long.  ST_IO: reported
 * (with what the system says). */
enum status text_lines_open(struct text_lines **out, const char *path);
void text_lines_close(struct text_lines *l); /* NULL is allowed */

/* The next line without its end (the first one without a byte order mark, too);
 * valid until the next call.  *ended is false
 * for a last line without a line end, and for the pieces of a line longer than
 * TEXT_LINE_MAX.  ST_NONE: the end; ST_INVALID: damaged compression, ST_IO;
 * both reported. */
#define TEXT_LINE_MAX ((size_t)16 << 20)
enum status text_lines_next(struct text_lines *l, struct str *line,
                            bool *ended);

#endif
