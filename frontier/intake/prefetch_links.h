/* prefetch_links.h -- the links of a closed segment, sorted and read a few
 * slices ahead of the merge, by a thread of its own. */
#ifndef FRONTIER_PREFETCH_LINKS_H
#define FRONTIER_PREFETCH_LINKS_H

#include "candidate.h"
#include "log_segment.h"

struct prefetch_links; /* opaque; see frontier/intake/prefetch_links.c */

/* Begin behind the key `after` (NULL: at the first link); `keys` is the store's
 * rule.  Until prefetch_links_stop() the segment belongs to the thread.  While
 * `prefetch_pool` is wanted the pages of the store that the links will change
 * are looked at, too (NULL: never).  Never NULL: without a thread
 * prefetch_links_take() does its work. */
struct prefetch_links *
prefetch_links_start(struct log_segment *g, const struct row_seen_key *after,
                     enum row_keys keys, struct prefetch_pool *prefetch_pool);
void prefetch_links_stop(struct prefetch_links *a); /* NULL is allowed */

/* The next URLs, sorted, joined and prepared: of about `want` links, one URL at
 * least, fewer than there are at the end of a slice.  *out is valid until the
 * next call; its order may be changed.  ST_NONE: that was all; ST_BUSY: not
 * ready (only without `wait`); ST_STORE: a link is garbled (reported). */
enum status prefetch_links_take(struct prefetch_links *a, size_t want,
                                bool wait, struct candidate ***out, size_t *n);

#endif
