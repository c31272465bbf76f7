/* merge.h -- links that may be new, sorted, into the store. */
#ifndef FRONTIER_MERGE_H
#define FRONTIER_MERGE_H

#include "candidate.h"
#include "intake_inside.h"

#define MERGE_RAISE_LEAST (ROW_PRIORITY_MAX / 20) /* 0.05 of score */

/* Would a link of this priority change what is known of its URL? */
static inline bool
merge_raises(const struct intake *in, uint16_t priority, uint16_t known)
{
    return !scoring_scorer(in->sc)->once &&
           priority >= known + MERGE_RAISE_LEAST;
}

/* Sorts and joins c and brings what is new or better into the store. */
enum status intake_merge(struct intake *in, struct candidate **c, size_t n,
                         struct row_link_counts *counts);

/* As that, of candidates that are sorted, joined and prepared.  Changes their
 * order. */
enum status intake_merge_sorted(struct intake *in, struct candidate **c,
                                size_t n, struct row_link_counts *counts);

#endif
