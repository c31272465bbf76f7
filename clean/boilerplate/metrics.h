/* metrics.h -- the features of a document's blocks, for people and trainers. */
#ifndef CLEAN_METRICS_H
#define CLEAN_METRICS_H

#include "winnow/buf.h"
#include "winnow/document.h"

struct metrics; /* opaque, in the document's arena */

/* NULL: the document has no blocks, or none with counts. */
struct metrics *metrics_new(const struct document *d);

/* The values of block i, 7 significant digits, separated by `between`. */
void metrics_row(const struct metrics *m, uint32_t i, char between,
                 struct buf *out);

#endif
