/* seen.h -- what documents before this one had, as a set that errs only with
 * yes (clean.duplicates_error), for all threads together.
 *
 * seen_lock() around calls that belong together: of two threads the one that
 * comes first is the earlier. */
#ifndef CLEAN_SEEN_H
#define CLEAN_SEEN_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/options/opt.h"
#include "base/status.h"

struct seen_set;

/* An empty set of clean.duplicates_mib at most.  `what` is in it, as a warning
 * says when it is full: "documents".  ST_NOMEM, ST_LIMIT. */
enum status seen_open(struct seen_set **out, const struct opts *o,
                      const char *what);
void seen_close(struct seen_set *s); /* NULL is allowed */

void seen_lock(struct seen_set *s);
void seen_unlock(struct seen_set *s);

/* Both in the lock.  seen_add() says whether it was there; what does not fit is
 * not remembered, which is said once. */
bool seen_has(const struct seen_set *s, struct hash128 key);
bool seen_add(struct seen_set *s, struct hash128 key);

#endif
