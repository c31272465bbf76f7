/* tag_path.h -- how the links of a host that stand alike have ended so far.
 *
 * Links with the same elements around them (list of articles, menu, footer)
 * share a template, whatever page they stand on.  What those of a tag path have
 * yielded counts as far as it differs from what all links of the host have, so
 * that host and tag path do not count one thing twice.
 *
 * As siblings.h: a fixed table in memory, the latest stay; what a restart
 * forgets is evidence less.  Not thread-safe. */
#ifndef FRONTIER_TAG_PATH_H
#define FRONTIER_TAG_PATH_H

#include "base/str.h"
#include "siblings.h"

struct tag_path_counts {
    struct sibling_counts path, all; /* of the host, with a known tag path */
};

struct tag_path_logits { /* of the tag path over the host; 0: unknown */
    double kept;         /* of what is there */
    double there;
};

/* `path`: hash of the elements around a link; 0: not known, not counted. */
void tag_path_count(struct siblings *s, struct str host, uint16_t path,
                    bool dead, bool kept);
struct tag_path_counts tag_path_of(const struct siblings *s, struct str host,
                                   uint16_t path);
struct tag_path_logits tag_path_logits(const struct tag_path_counts *n);

#endif
