/* merge.h -- links that may be new, sorted, into the store. */
#ifndef FRONTIER_MERGE_H
#define FRONTIER_MERGE_H

#include "candidate.h"

#define MERGE_RAISE_LEAST (ROW_PRIORITY_MAX / 20) /* 0.05 of score */

/* Would a link of this priority change what is known of its URL? */
static inline bool
merge_raises(const struct frontier *f, uint16_t priority, uint16_t known)
{
    return !scoring_scorer(f->sc)->once &&
           priority >= known + MERGE_RAISE_LEAST;
}

/* Sorts and joins c and brings what is new or better into the store. */
enum status frontier_merge(struct frontier *f, struct candidate **c, size_t n,
                           struct frontier_put *counts);

/* As that, of candidates that are sorted, joined and prepared.  Changes their
 * order. */
enum status frontier_merge_sorted(struct frontier *f, struct candidate **c,
                                  size_t n, struct frontier_put *counts);

#endif
