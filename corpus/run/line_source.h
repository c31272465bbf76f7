/* line_source.h -- the lines of files, taken by several threads in blocks.
 *
 * Files may be compressed (gzip, zstd).  A line of LINE_SOURCE_MAX bytes or
 * more is left out and counted. */
#ifndef CORPUS_LINE_SOURCE_H
#define CORPUS_LINE_SOURCE_H

#include "base/buf.h"
#include "base/progress.h"
#include "base/status.h"

/* As of clean/tools/text_lines.h. */
#define LINE_SOURCE_MAX ((size_t)16 << 20)

struct line_source; /* opaque; thread-safe */

/* The names are borrowed.  Progress (may be NULL) moves by bytes of files. */
struct line_source *line_source_new(char *const *path, size_t n,
                                    struct progress *progress);
void line_source_free(struct line_source *s); /* NULL is allowed */

/* Replaces *block by whole lines, each with its end.  ST_NONE: there are no
 * more; ST_IO, ST_INVALID (damaged compression): reported. */
enum status line_source_block(struct line_source *s, struct buf *block,
                              uint64_t *too_long);
/* The next file, as a whole. */
enum status line_source_file(struct line_source *s, const char **path);

#endif
