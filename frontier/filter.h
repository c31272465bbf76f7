/* filter.h -- which URLs were certainly never seen: a Bloom filter in a file.
 *
 * It answers for 12 bits a key what LMDB would have to read a page for.  "No"
 * is certain, "yes" is wrong for about one key in a hundred, so a yes is looked
 * up.  The file is mapped and shared, so kill -9 loses nothing of it; bits of a
 * transaction that was undone only cost a look-up.  After a power loss it may
 * lack bits: a filter that was not closed and is of another boot of the machine
 * is not believed.  (clean/bloom.h is another thing: a stated error rate, in
 * memory, nothing behind it.)  Belongs to one thread. */
#ifndef FRONTIER_FILTER_H
#define FRONTIER_FILTER_H

#include "row.h"
#include "winnow/status.h"

struct filter; /* opaque; see frontier/filter.c */

/* Map PATH.  `store` is a number of the store it belongs to.  ST_NONE: there is
 * none, or none to be believed (make one with filter_new()).  Owned by the
 * caller. */
enum status filter_open(struct filter **out, const char *path, uint64_t store,
                        bool read_only);
/* An empty one in the place of any file there.  ST_FULL, ST_IO (reported). */
enum status filter_new(struct filter **out, const char *path, uint64_t store);
/* Writes it down, so that it is believed after a restart of the machine too;
 * not when `broken`.  NULL is allowed. */
void filter_close(struct filter *f, bool broken);

bool filter_has(const struct filter *f, const struct row_seen_key *key);
void filter_prefetch(const struct filter *f, const struct row_seen_key *key);
/* Grows when it is full; without space for that, it only errs more often. */
void filter_add(struct filter *f, const struct row_seen_key *key);

uint64_t filter_keys(const struct filter *f); /* added, about */
uint64_t filter_bytes(const struct filter *f);

#endif
