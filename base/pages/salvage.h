/* salvage.h -- what repairing a damaged store takes beside reading its rows. */
#ifndef PAGES_SALVAGE_H
#define PAGES_SALVAGE_H

#include "base/buf.h"
#include "walk.h"

#define PAGES_FAULTS_SAID 20u /* later ones are only counted */

/* One more fault: a line of text into `out`. */
void pages_say_fault(struct buf *out, uint64_t *faults,
                     const struct pages_fault *f);

/* Remove a folder with an LMDB store and these files of its owner's (NULL ends
 * them; NULL: none). */
void pages_remove_store(const char *dir, const char *const *own);

/* The store in folder `fresh` takes the place of the damaged one in `dir` by
 * one rename; that stays beside it, as data.mdb.damaged, which `out` says.
 * ST_IO: nothing has changed (reported under `topic`). */
enum status pages_take_place(const char *dir, const char *fresh,
                             const char *topic, struct buf *out);

#endif
