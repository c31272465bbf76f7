/* sorted.h -- a bucket of a spill in the order of its keys, whatever its size.
 *
 * The key is the first eight bytes of a record, big-endian.  A bucket that is
 * too large for memory is parted by the next bits of the key into a spill of
 * its own, again and again. */
#ifndef CORPUS_SORTED_H
#define CORPUS_SORTED_H

#include "spill.h"

/* Memory of one thread, used for one bucket after the other. */
struct sorted_room {
    size_t bytes_max; /* of a bucket in memory; twice that is used */
    void *bytes, *room;
    size_t bytes_n;
};
void sorted_room_free(struct sorted_room *r);

/* take() is given runs of records, all in the order of their keys; records of
 * one key may come in several runs.  The keys of the bucket are those from
 * `low` on that have the same bits above the lower `bits`.  `scratch`: path for
 * what does not fit. */
enum status sorted_each(const struct spill *s, unsigned bucket, uint64_t low,
                        unsigned bits, struct sorted_room *r,
                        const char *scratch, spill_take *take, void *self);

#endif
