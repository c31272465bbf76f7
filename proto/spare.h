/* spare.h -- the memory of large messages, used again.
 *
 * A batch of documents is some megabytes.  In fresh memory the page faults of
 * writing it cost more than the writing; so what large messages leave is kept
 * for the next ones, SPARE_BYTES at most in the whole process.  Thread-safe. */
#ifndef PROTO_SPARE_H
#define PROTO_SPARE_H

#include "base/buf.h"

#define SPARE_BYTES ((size_t)16 << 20)

/* Room for n bytes in a buffer that has none yet. */
void spare_take(struct buf *b, size_t n);

/* As buf_free(), but the memory may be kept. */
void spare_leave(struct buf *b);

/* Of what is kept; for tests. */
size_t spare_bytes(void);

#endif
