/* zip_read.h -- files of a ZIP archive in memory, by libzip, with limits: what
 * unpacks to far more than it is, is refused. */
#ifndef CLEAN_CONVERT_ZIP_READ_H
#define CLEAN_CONVERT_ZIP_READ_H

#include "base/buf.h"
#include "base/status.h"

struct zip_read; /* opaque; see clean/convert/zip_read.c */

/* `bytes` must live as long.  ST_INVALID: no archive, or refused; *why is
 * static, here and below. */
enum status zip_read_open(struct zip_read **out, struct str bytes,
                          const char **why);
void zip_read_close(struct zip_read *z); /* NULL is allowed */

/* The file of that name, into `out` (cleared before).  ST_NONE: there is none;
 * ST_INVALID: it is damaged, encrypted, or over a limit. */
enum status zip_read_file(struct zip_read *z, const char *name, struct buf *out,
                          const char **why);

#endif
