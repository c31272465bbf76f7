/* oracle.h -- what a crawler would do that knew the web.
 *
 * Of a queued URL the oracle knows whether it will be kept; of any other,
 * whether it lies on a shortest way (fewest pages that are not kept) from the
 * seeds to pages that will be, and what share of the pages behind it on such
 * ways these are.  The first alone is greedy: it stands still when all that is
 * kept lies behind an index page. */
#ifndef LAB_ORACLE_H
#define LAB_ORACLE_H

#include "web.h"

/* worth[page]: 1 kept; up to 0.9 on the way; 0 of no use. */
void oracle_worth(float *worth, const struct web *w, const bool *keepable,
                  const bool *admitted, const uint32_t *seed, size_t seeds_n);

/* worth[page]: 1 kept, 0 not. */
void oracle_greedy(float *worth, const struct web *w, const bool *keepable);

#endif
