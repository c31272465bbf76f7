/* wacz_read.h -- the WARC files in a WACZ file, one behind the other, as one.
 *
 * WARC files may be joined like that, and a WACZ file (a ZIP file with archives
 * in archive/, WACZ 1.1.1) has them as they are, so what is read stands in it.
 * Belongs to one thread. */
#ifndef CLEAN_WACZ_READ_H
#define CLEAN_WACZ_READ_H

#include "base/status.h"
#include "base/str.h"

struct wacz_read; /* opaque; see clean/archive/wacz_read.c */

/* `fd`, a file and no pipe, stays the caller's, and `path` must live as long.
 * ST_IO, ST_INVALID (damaged, without archives, or they are packed): reported,
 * *out is NULL. */
enum status wacz_read_open(struct wacz_read **out, int fd, const char *path);
void wacz_read_close(struct wacz_read *w); /* NULL is allowed */

/* The next bytes; 0: the end; < 0: a fault, reported. */
ptrdiff_t wacz_read_bytes(struct wacz_read *w, void *p, size_t n);

/* Where in the file byte `offset` of what is read stands. */
uint64_t wacz_read_place(const struct wacz_read *w, uint64_t offset);

#endif
