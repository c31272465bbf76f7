/* metrics.h -- the features of a document's blocks, for people and trainers. */
#ifndef CLEAN_METRICS_H
#define CLEAN_METRICS_H

#include "base/buf.h"
#include "base/options/opt.h"
#include "clean/chain/document.h"

struct metrics; /* opaque, in the document's arena */

/* Those that clean.features names.  NULL: the document has no blocks, or none
 * with counts. */
struct metrics *metrics_new(const struct opts *o, const struct document *d);

/* The values of block i, 7 significant digits, separated by `between`. */
void metrics_row(const struct metrics *m, uint32_t i, char between,
                 struct buf *out);

#endif
