/* bloom.h -- a Bloom filter that grows: which keys were seen before.
 *
 * A key that was added is always seen; of those never added a small share is
 * taken for seen.  It grows without bound on the number of keys: a filter that
 * is full is followed by one for twice as many.  Two layouts:
 *
 * BLOOM_SPREAD   a stated error rate, however low, over all the filters: each
 *                bit of a key may be anywhere, a miss of the cache each.  When
 *                its memory is used up it forgets new keys, so that the rate
 *                still holds.
 * BLOOM_BLOCKED  for something that is looked up when the answer is yes: about
 *                one yes in a hundred is wrong, for 12 bits a key and one miss
 *                of the cache a filter.  "No" stays certain: without memory to
 *                grow it errs more often.
 *
 * Belongs to one thread at a time. */
#ifndef BASE_BLOOM_H
#define BASE_BLOOM_H

#include "base/hash.h"
#include "base/status.h"

struct bloom; /* opaque; see base/bloom.c */

enum bloom_layout { BLOOM_SPREAD, BLOOM_BLOCKED };

struct bloom_options {
    enum bloom_layout layout;
    double error;       /* of BLOOM_SPREAD: 1e-12 to 0.5 */
    uint64_t first_n;   /* keys the first filter is made for */
    uint64_t bytes_max; /* memory that is never exceeded */
};

/* ST_NOMEM; ST_LIMIT: the first filter alone would exceed bytes_max. */
enum status bloom_open(struct bloom **out, const struct bloom_options *o);
void bloom_close(struct bloom *b); /* NULL is allowed */

bool bloom_has(const struct bloom *b, struct hash128 key);
/* Whether the key was seen before; now it was. */
bool bloom_add(struct bloom *b, struct hash128 key);
/* The same for a key that is known to be new, or does not matter. */
void bloom_put(struct bloom *b, struct hash128 key);
/* Into the cache with what bloom_has() will look at (BLOOM_BLOCKED). */
void bloom_prefetch(const struct bloom *b, struct hash128 key);

struct bloom_stat {
    uint64_t keys_n, bytes;
    uint64_t excess_n; /* keys that came when there was no memory to grow */
    unsigned filters_n;
};
struct bloom_stat bloom_stat(const struct bloom *b);

#endif
