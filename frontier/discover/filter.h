/* filter.h -- which URLs were certainly never seen: a Bloom filter.
 *
 * It answers for 12 bits a key what LMDB would have to read a page for.  "No"
 * is certain, "yes" is wrong for about one key in a hundred, so a yes is looked
 * up.  Keys of a transaction that was undone stay in it and only cost a
 * look-up.  (clean/text/bloom.h is another thing: a stated error rate and
 * nothing behind it.)  Belongs to one thread. */
#ifndef FRONTIER_FILTER_H
#define FRONTIER_FILTER_H

#include "frontier/store/row.h"
#include "winnow/status.h"

struct filter; /* opaque; see frontier/discover/filter.c */

struct filter *filter_new(void);    /* NULL: out of memory */
void filter_free(struct filter *f); /* NULL is allowed */

bool filter_has(const struct filter *f, const struct row_seen_key *key);
void filter_prefetch(const struct filter *f, const struct row_seen_key *key);
/* Grows when it is full; without memory for that, it only errs more often. */
void filter_add(struct filter *f, const struct row_seen_key *key);

uint64_t filter_keys(const struct filter *f); /* added */
uint64_t filter_bytes(const struct filter *f);

#endif
