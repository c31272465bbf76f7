/* part_file.h -- lines that a stage has made, in a file of zstd frames.  One
 * thread. */
#ifndef CORPUS_PART_FILE_H
#define CORPUS_PART_FILE_H

#include "base/status.h"
#include "base/str.h"

struct part_file; /* opaque */

/* `path` is copied.  ST_IO, ST_FULL: reported, as in all calls. */
enum status part_file_make(struct part_file **out, const char *path);
enum status part_file_put(void *file, struct str line);
/* Writes what is left, syncs, frees; NULL is allowed. */
enum status part_file_end(struct part_file *f);

#endif
