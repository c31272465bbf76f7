/* merge.h -- links that may be new, sorted, into the store. */
#ifndef FRONTIER_MERGE_H
#define FRONTIER_MERGE_H

#include "frontier/inside.h"

#define MERGE_RAISE_LEAST (ROW_PRIORITY_MAX / 20) /* 0.05 of score */

enum found { REPEATED, FRESH, RAISED };

struct candidate { /* a link that may be new; its texts are borrowed */
    struct row_seen_key key;
    struct str authority, domain;
    struct row_queued q;
    uint64_t sequence; /* its place in the order of discovery */
    uint16_t priority;
    bool steer; /* twins count */
    /* What merging finds out. */
    struct row_seen_key twin; /* of http://x for https://x, and the reverse */
    enum found found;
    struct row_place was;
    struct host *host;
};

/* Would a link of this priority change what is known of its URL? */
static inline bool
merge_raises(const struct frontier *f, uint16_t priority, uint16_t known)
{
    return !f->scorer->once && priority >= known + MERGE_RAISE_LEAST;
}

/* Sorts c, joins those of one URL (the best place counts, the first one's place
 * in line) and brings what is new or better into the store. */
enum status frontier_merge(struct frontier *f, struct candidate **c, size_t n,
                           struct frontier_put *counts);

#endif
