/* corpus_file.h -- files that are only ever cut off or made longer at the end.
 *
 * Errors: ST_FULL (no space), ST_IO (reported) from any call. */
#ifndef SHINGLE_CORPUS_FILE_H
#define SHINGLE_CORPUS_FILE_H

#include "base/buf.h"
#include "base/path.h"
#include "base/status.h"

/* Make a folder, unless it is there. */
enum status corpus_file_folder(const char *path);

/* Bring a file to `size` bytes; 0: it is not there.  ST_USAGE: it is shorter
 * (reported). */
enum status corpus_file_fit(const char *path, uint64_t size);

/* Write behind the first `from` bytes of a file, which then ends there. */
enum status corpus_file_append(const char *path, uint64_t from,
                               struct str bytes);
/* What was written is on the device; fresh: so is its name. */
enum status corpus_file_sync(const char *path, bool fresh);

/* Bytes from, from + 1 ... of a file into the cleared `out`. */
enum status corpus_file_read(const char *path, uint64_t from, size_t n,
                             struct buf *out);

/* Call `each` with the name of every file in a folder until it returns other
 * than ST_OK. */
typedef enum status corpus_file_each(void *self, struct str name);
enum status corpus_file_walk(const char *folder, corpus_file_each *each,
                             void *self);

#endif
