/* ahead.h -- the links of a closed generation, sorted and read a few slices
 * ahead of the merge, by a thread of its own. */
#ifndef FRONTIER_AHEAD_H
#define FRONTIER_AHEAD_H

#include "candidate.h"
#include "generation.h"

struct ahead; /* opaque; see frontier/discover/ahead.c */

/* Begin behind the key `after` (NULL: at the first link).  Until ahead_stop()
 * the generation belongs to the thread.  `year` as for candidate_prepare();
 * while `warm` is wanted the pages of the store that the links will change are
 * looked at, too (NULL: never).  Never NULL: without a thread ahead_take() does
 * its work. */
struct ahead *ahead_start(struct generation *g,
                          const struct row_seen_key *after, int year,
                          struct warm *warm);
void ahead_stop(struct ahead *a); /* NULL is allowed */

/* The next URLs, sorted, joined and prepared: of about `want` links, one URL at
 * least, fewer than there are at the end of a slice.  *out is valid until the
 * next call; its order may be changed.  ST_NONE: that was all; ST_BUSY: not
 * ready (only without `wait`); ST_STORE: a link is garbled (reported). */
enum status ahead_take(struct ahead *a, size_t want, bool wait,
                       struct candidate ***out, size_t *n);

#endif
