/* radix.h -- sort records of one size by their first bytes, as memcmp() would.
 *
 * Stable.  Pure, thread-safe. */
#ifndef CORPUS_RADIX_H
#define CORPUS_RADIX_H

#include <stddef.h>

/* `n` records of `size` bytes (at most 64), by the first `key_n` of them.
 * `room` is as large as `records`; where they stand sorted is returned: either
 * of the two. */
void *radix_sort(void *records, void *room, size_t n, size_t size,
                 size_t key_n);

#endif
