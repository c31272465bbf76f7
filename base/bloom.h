/* bloom.h -- a scaling Bloom filter: which keys were seen before.
 *
 * It grows without bound on the number of keys and holds its error rate all
 * the same: a key never added is taken for seen with a probability of at most
 * `error`, over all the filters it came to consist of.  A key that was added is
 * always seen.  Belongs to one thread at a time. */
#ifndef CLEAN_BLOOM_H
#define CLEAN_BLOOM_H

#include "winnow/hash.h"
#include "winnow/status.h"

struct bloom; /* opaque; see clean/text/bloom.c */

/* error: 1e-12 to 0.5; first_n: keys the first filter is made for; bytes_max:
 * memory that is never exceeded.  ST_NOMEM; ST_LIMIT: the first filter alone
 * would exceed it. */
enum status bloom_open(struct bloom **out, double error, uint64_t first_n,
                       uint64_t bytes_max);
void bloom_close(struct bloom *b); /* NULL is allowed */

bool bloom_has(const struct bloom *b, struct hash128 key);

/* Whether the key was seen before; now it was.  Once the memory is used up new
 * keys are no longer remembered, so that the error rate still holds. */
bool bloom_add(struct bloom *b, struct hash128 key);

struct bloom_stat {
    uint64_t keys_n, bytes, forgotten_n;
    unsigned filters_n;
};
struct bloom_stat bloom_stat(const struct bloom *b);

#endif
