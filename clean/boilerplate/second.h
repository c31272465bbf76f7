/* second.h -- what a second network sees of the first one's judgement.
 *
 * For each block: the first probabilities round it, and their means over its
 * containers, over windows, and over the page. */
#ifndef CLEAN_SECOND_H
#define CLEAN_SECOND_H

#include "features.h"

#define SECOND_N 47

/* p: probability of text for each of f->n blocks.  Memory from `a`. */
void second_features(const struct features *f, const float *p,
                     float (*out)[SECOND_N], struct arena *a);

/* Whether the first judgement of block i stands: it and its neighbours are all
 * surely boilerplate or all surely text.  Saves half of the second pass. */
bool second_settled(const float *p, uint32_t n, uint32_t i);

#endif
