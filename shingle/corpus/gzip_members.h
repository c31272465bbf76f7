/* gzip_members.h -- text as gzip members (RFC 1952), small or fast. */
#ifndef SHINGLE_GZIP_MEMBERS_H
#define SHINGLE_GZIP_MEMBERS_H

#include <stdbool.h>

#include "base/buf.h"

struct gzip_members; /* opaque; belongs to one thread at a time */

struct gzip_members *gzip_members_new(void);    /* NULL: no memory */
void gzip_members_free(struct gzip_members *g); /* NULL is allowed */

/* From now on `fast`, or small as at first. */
void gzip_members_choose(struct gzip_members *g, bool fast);

/* One member with all of `text`, appended to `out`. */
void gzip_members_add(struct gzip_members *g, struct str text, struct buf *out);

#endif
