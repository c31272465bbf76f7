/* gzip_member.h -- whole gzip members in memory, read and made fast. */
#ifndef CLEAN_GZIP_MEMBER_H
#define CLEAN_GZIP_MEMBER_H

#include "base/buf.h"

struct gzip_member; /* opaque; belongs to one thread */

struct gzip_member *gzip_member_new(void);    /* NULL: out of memory */
void gzip_member_free(struct gzip_member *g); /* NULL is allowed */

/* Decompress the member that `in` begins with.  False: it is not all there, is
 * damaged, or needs more room than out_n: let decoder_gzip() find out. */
bool gzip_member_read(struct gzip_member *g, struct str in, char *out,
                      size_t out_n, size_t *in_used, size_t *made);

/* Append `in` to `out` as one member.  False: out of memory. */
bool gzip_member_write(struct gzip_member *g, struct str in, struct buf *out);

#endif
