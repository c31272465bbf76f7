/* repair.h -- the index of the dedup service: checked, and written anew from
 * what can be read of a damaged one. */
#ifndef SHINGLE_REPAIR_H
#define SHINGLE_REPAIR_H

#include "base/buf.h"
#include "base/options/opt.h"
#include "base/status.h"

/* Every page and row of the index in DIR/dedup, which nobody may have open.
 * Faults as lines of text into `out`.  ST_USAGE: it is in use; ST_NONE, ST_IO:
 * there is none, it cannot be read (all reported). */
enum status dedup_check(const char *dir, struct buf *out, uint64_t *faults);
/* What can be read of it becomes a new index in its place; the damaged file
 * stays as data.mdb.damaged.  What is lost as lines of text into `out`.
 * ST_USAGE: it is in use; ST_STORE: nothing can be read (both reported). */
enum status dedup_repair(const char *dir, const struct opts *o,
                         struct buf *out);

#endif
