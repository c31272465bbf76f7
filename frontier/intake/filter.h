/* filter.h -- which URLs were certainly never seen: base/bloom.h over the keys
 * of the table `seen`.
 *
 * It answers for 12 bits a key what LMDB would have to read a page for; a yes
 * is looked up.  Keys of a transaction that was undone stay in it and only cost
 * a look-up.  After a start it is filled again, in slices (seen.c). */
#ifndef FRONTIER_FILTER_H
#define FRONTIER_FILTER_H

#include "base/bloom.h"
#include "frontier/store/row.h"

#define FILTER_FIRST_N 4128768u /* keys in its first 6 MiB */

static inline struct hash128
filter_key(const struct row_seen_key *key)
{
    struct hash128 h;

    memcpy(&h.low, key->bytes, sizeof h.low);
    memcpy(&h.high, key->bytes + sizeof h.low, sizeof h.high);
    return h;
}

/* NULL: out of memory. */
static inline struct bloom *
filter_new(void)
{
    const struct bloom_options o = {.layout = BLOOM_BLOCKED,
                                    .first_n = FILTER_FIRST_N,
                                    .bytes_max = UINT64_MAX};
    struct bloom *b;

    return bloom_open(&b, &o) == ST_OK ? b : NULL;
}

#endif
