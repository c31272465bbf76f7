/* tags_ahead.h -- memory that is usable before it is needed.
 *
 * The first use of a large page takes the kernel .2 ms, and 10 to 20 in a
 * virtual machine whose host has yet to find it, page by page.  A thread of its
 * own waits for that, so that no document does.
 *
 * One owner. */
#ifndef SHINGLE_TAGS_AHEAD_H
#define SHINGLE_TAGS_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

struct tags_ahead; /* opaque */

#define TAGS_AHEAD_PAGE ((size_t)2 << 20) /* a large one */

/* Of the `reserved` bytes at `base` the first `usable` are so already; all
 * three are multiples of TAGS_AHEAD_PAGE.  NULL: no thread. */
struct tags_ahead *tags_ahead_start(char *base, size_t usable, size_t reserved);
void tags_ahead_stop(struct tags_ahead *a); /* NULL is allowed */

/* Waits until the first `end` bytes, of those reserved, are usable, and has
 * some behind them made so.  False: there is no memory. */
bool tags_ahead_need(struct tags_ahead *a, size_t end);

#endif
