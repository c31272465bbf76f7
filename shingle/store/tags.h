/* tags.h -- where in the log of records a key stands: a table in memory.
 *
 * Keys are hashes of 64 mixed bits, of which 42 are kept: a find may give
 * places of other keys too (one in 44,000 look-ups at 100 million entries), so
 * what stands there is compared.  A key may have many places, in the order in
 * which they were added.
 *
 * 8 bytes an entry, 10 with the room to grow.  One thread. */
#ifndef SHINGLE_TAGS_H
#define SHINGLE_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct tags; /* opaque; see tags.c */

/* For so many entries, or more.  ST_NOMEM. */
enum status tags_open(struct tags **out, uint64_t entries);
void tags_close(struct tags *t); /* NULL is allowed */

/* Into the cache with what the next call with this key looks at. */
void tags_prefetch(const struct tags *t, uint64_t key);

/* Its places, the first `max` of them; how many there are in `out`. */
size_t tags_find(const struct tags *t, uint64_t key, uint32_t *out, size_t max);

/* place: not 0.  ST_NOMEM: nothing has changed. */
enum status tags_add(struct tags *t, uint64_t key, uint32_t place);
void tags_remove(struct tags *t, uint64_t key, uint32_t place); /* the entry is
                                                                   there */

/* In parts, for a file: of which part a key is; the entries of a part, in
 * order; and back.  ST_STORE: those are none, or not in order; ST_NOMEM. */
enum { TAGS_PARTS = 1 << 10 };
size_t tags_part_of(uint64_t key);
size_t tags_part_n(const struct tags *t, size_t part);
void tags_part_copy(const struct tags *t, size_t part, uint64_t *entry);
enum status tags_part_fill(struct tags *t, size_t part, const uint64_t *entry,
                           size_t n);

uint64_t tags_entries(const struct tags *t);
uint64_t tags_bytes(const struct tags *t); /* of memory */

#endif
