/* lowered.h -- rows of the queue that count for less by now than they say.
 *
 * A row's priority is part of its key, so that to lower it costs two rows of
 * the queue, one of `seen` and its host's.  Of a URL class's best rows, of so
 * many as LOWERED_ROWS, the lower priority is therefore only remembered, here,
 * in memory; in what order its URLs are leased is the same.  After a start a
 * row counts for what it says, until somebody looks again.
 *
 * Forgotten is what leaves the queue, and all of it when a transaction is
 * aborted.  Bounded by LOWERED_MAX URL classes of 148 bytes, a quarter of the
 * places or more: beyond that rows have to be moved. */
#ifndef FRONTIER_LOWERED_H
#define FRONTIER_LOWERED_H

#include "url_store.h"

#define LOWERED_ROWS 15u
#define LOWERED_MAX 65536u

/* The best row of a host's URL class, which is not empty, and what it counts
 * for: the older one of two. */
struct lowered_head {
    struct row_position position;
    uint16_t priority;
};
struct lowered_head lowered_head(const struct url_store *db, uint32_t host,
                                 size_t url_class, const struct url_class *s);
/* What a queued row counts for. */
uint16_t lowered_priority(const struct url_store *db,
                          struct row_position position);

/* Its URL class's best row counts for so much from now on, which is not more
 * than it says.  ST_FULL: there is no room to remember it. */
enum status lowered_set(struct url_store *db, struct row_position best,
                        uint16_t priority);

/* A row has come into the queue; it has left. */
void lowered_coming(struct url_store *db, struct row_position position);
enum status lowered_leaving(struct url_store *db, struct row_position position);
void lowered_clear(struct url_store *db);

#endif
