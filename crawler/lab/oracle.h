/* oracle.h -- what a crawler would do that knew the web.
 *
 * The oracle knows of each queued URL whether it will be kept.  It stands still
 * when all that is kept lies behind an index page.  Foresight knows the ways,
 * too: of a page that is not kept, whether it lies on a shortest way (fewest
 * such pages) from the seeds to pages that are, and what share of the pages
 * behind it on such ways these are.  No order can do much better. */
#ifndef LAB_ORACLE_H
#define LAB_ORACLE_H

#include "web.h"

/* worth[page]: 1 kept, 0 not. */
void oracle_worth(float *worth, const struct web *w, const bool *keepable);

/* worth[page]: 1 kept; up to 0.9 on the way; 0 of no use. */
void oracle_foresight(float *worth, const struct web *w, const bool *keepable,
                      const bool *admitted, const uint32_t *seed,
                      size_t seeds_n);

#endif
