/* sentence_set.h -- the sentences of the documents that are kept, as hashes: is
 * one of them known?
 *
 * A Bloom filter: what was added is known for ever, and of others one in a
 * million is taken for known.  What a batch adds counts at once, but can be
 * undone until its end.  When its memory is used up it says so once and learns
 * no more.  With `latest` it forgets those that were added first, and takes one
 * in a hundred for known.  One thread. */
#ifndef SHINGLE_SENTENCE_SET_H
#define SHINGLE_SENTENCE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct sentence_set; /* opaque */

/* Empty, of so much memory at most.  ST_NOMEM. */
enum status sentence_set_open(struct sentence_set **out, uint64_t bytes_max,
                              bool latest);
void sentence_set_close(struct sentence_set *s); /* NULL is allowed */

bool sentence_set_has(const struct sentence_set *s, uint64_t hash);
/* For good; and in a batch, until its end or undo. */
void sentence_set_put(struct sentence_set *s, uint64_t hash);
void sentence_set_add(struct sentence_set *s, uint64_t hash);
void sentence_set_end(struct sentence_set *s);
void sentence_set_undo(struct sentence_set *s);

#endif
