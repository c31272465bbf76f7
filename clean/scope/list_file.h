/* list_file.h -- files that operators write, an item a line.
 *
 * Plain, gzip or zstd; "-" is standard input.  # begins a comment at the start
 * of a line or after a blank, since it may stand in a URL; a byte order mark,
 * blanks at both ends and empty lines do not count. */
#ifndef CLEAN_LIST_FILE_H
#define CLEAN_LIST_FILE_H

#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

/* Hands on each item with the number of its line.  `component` and `from` (what
 * named the file) are for messages.  ST_IO: it cannot be read (reported). */
enum status
list_file_read(const char *component, const char *path, const char *from,
               void (*take)(void *self, size_t line, struct str text),
               void *self);

#endif
