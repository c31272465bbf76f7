/* line_run.h -- a file of sorted lines that is written once and read once.
 *
 * Lines in order share their beginnings: of each only what differs from the
 * line before is kept, and blocks of these are compressed.  Lines have up to
 * 2^31 - 1 bytes.  Faults are reported with the file's name.  A writer or
 * reader belongs to one thread. */
#ifndef CORPUS_LINE_RUN_H
#define CORPUS_LINE_RUN_H

#include "line_stream.h"
#include <stdint.h>

struct line_run_writer; /* opaque */
struct line_run;        /* opaque; one that is read */

/* `path` is copied.  ST_IO, ST_FULL. */
enum status line_run_make(struct line_run_writer **out, const char *path);
enum status line_run_put(void *writer, struct str line);
/* Writes what is left and frees; NULL is allowed.  *bytes (may be NULL): of the
 * file. */
enum status line_run_end(struct line_run_writer *w, uint64_t *bytes);

/* ST_IO. */
enum status line_run_open(struct line_run **out, const char *path);
/* ST_NONE: the end; ST_INVALID: damaged; ST_IO. */
enum status line_run_next(void *run, struct str *line);
void line_run_close(struct line_run *r); /* NULL is allowed */

#endif
