/* author_fit.h -- what stands where an author would, but can be none. */
#ifndef CLEAN_AUTHOR_FIT_H
#define CLEAN_AUTHOR_FIT_H

#include "candidates.h"

/* The table of words is made ready; once, before the first page. */
void author_fit_init(void);

/* When all candidates are known, and the block of the heading: the authors that
 * can be some are put first, c->n[META_AUTHOR] counts them; those behind, up to
 * c->bylines_n, are known to the dates alone. */
void author_fit(struct guesses *c, uint32_t heading_i);

#endif
