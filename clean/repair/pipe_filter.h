/* pipe_filter.h -- a program of the operator's that changes texts: a long-lived
 * child process, asked once for each text over its standard input and output.
 *
 * Framing, the same in both directions:
 *   PIPE_LENGTH  the number of bytes in decimal, \n, then the bytes;
 *   PIPE_LINES   lines, each ended by \n; as many come back as went there
 *                (sed -u, awk with fflush(), python -u).
 * A child that says more than it was asked for is found out before the next
 * text, so answers are not given to the wrong one.
 *
 * A child that answers late, dies or breaks the framing is killed with all its
 * descendants in its process group; the next call starts another.  No temporary
 * files.  Belongs to one thread at a time. */
#ifndef CLEAN_PIPE_FILTER_H
#define CLEAN_PIPE_FILTER_H

#include "base/buf.h"
#include "base/status.h"

enum pipe_framing { PIPE_LENGTH, PIPE_LINES };

struct pipe_filter; /* opaque; see clean/repair/pipe_filter.c */

/* `command` is run by /bin/sh; it is copied.  NULL: out of memory. */
struct pipe_filter *pipe_filter_new(struct str command,
                                    enum pipe_framing framing,
                                    uint64_t timeout_ms);

/* Close the child's input and end it; NULL is allowed. */
void pipe_filter_free(struct pipe_filter *f);

/* Put `in` through the child; the answer replaces `out`.  With PIPE_LINES
 * every line of `in` ends with \n.  ST_TIMEOUT: no whole answer in time; ST_IO:
 * the child could not be started, or ended; ST_INVALID: what came back is not
 * framed, or more than PIPE_REPLY_FREE + 16 times `in`. */
#define PIPE_REPLY_FREE ((size_t)64 << 10)
enum status pipe_filter_run(struct pipe_filter *f, struct str in,
                            struct buf *out);

/* How many children were started. */
uint64_t pipe_filter_starts(const struct pipe_filter *f);

#endif
