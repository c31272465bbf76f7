/* segment.h -- words in scripts that put no blanks between them (Chinese,
 * Japanese, Thai, Lao, Khmer, Burmese), by ICU's dictionaries.
 *
 * A segmenter is read-only; threads share it. */
#ifndef CLEAN_SEGMENT_H
#define CLEAN_SEGMENT_H

#include "base/arena.h"
#include "base/status.h"
#include "base/str.h"

struct segmenter; /* opaque; see clean/text/segment.c */

/* ST_NOMEM; ST_IO: ICU has no data for it. */
enum status segmenter_open(struct segmenter **out);
void segmenter_free(struct segmenter *g); /* NULL is allowed */

/* The places (in bytes, ascending) where words begin or end in valid UTF-8;
 * the last one is s.n.  NULL: a fault of ICU's. */
const size_t *segment_cuts(const struct segmenter *g, struct arena *a,
                           struct str s);

#endif
