/* candidate.h -- a link that may be new: on its way from a report through the
 * discovery log into the tables.
 *
 * Everything here is a function of its arguments (sorting, joining, what the
 * URL itself says), so that it can be done on another core than the merge. */
#ifndef FRONTIER_CANDIDATE_H
#define FRONTIER_CANDIDATE_H

#include "frontier/store/url_store.h"

enum discovery { REPEATED, FRESH, RAISED };

struct candidate { /* its texts are borrowed */
    struct row_seen_key key;
    struct str authority, domain;
    struct row_queued q;
    struct str row;    /* q as a row of the queue; empty: not at hand */
    uint64_t sequence; /* its place in the order of discovery */
    uint32_t links;    /* that were joined in it */
    uint16_t priority;
    bool steer;     /* twins count */
    bool firm;      /* it has no quota: a seed, the target of a redirect */
    enum trap trap; /* that its URL looks like */
    /* What candidate_prepare() finds in the URL. */
    struct row_seen_key twin; /* of http://x for https://x, and the reverse */
    struct url_class_kinds kinds;
    /* What merging finds out. */
    enum discovery found;
    bool held; /* new, and an operator has paused URLs like this one */
    struct row_position was;
    struct host *host;
};

/* A candidate as a record of the log (`queued`: room to work in).  False:
 * garbled. */
void candidate_record(struct buf *out, struct buf *queued,
                      const struct candidate *c);
bool candidate_read(struct candidate *c, struct str record);

/* By URL, those of one URL in the order of discovery. */
void candidate_sort(struct candidate **c, size_t n);

/* Of each URL one is left of those that are sorted: the best place counts, the
 * first one's place in line.  Returns how many. */
size_t candidate_join(struct candidate **c, size_t n);

/* `room` to work in. */
void candidate_prepare(struct candidate *c, enum row_keys keys,
                       struct buf *room);

/* Does it lead to the host it was found on? */
static inline bool
candidate_is_own(const struct candidate *c)
{
    return c->q.facts.relation == 0; /* enum link_relation */
}

static inline bool
candidate_same_url(const struct candidate *a, const struct candidate *b)
{
    return memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes) == 0;
}

static inline bool
candidate_same_host(const struct candidate *a, const struct candidate *b)
{
    return memcmp(a->key.bytes, b->key.bytes, 8) == 0;
}

#endif
