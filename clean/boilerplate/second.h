/* second.h -- what a second network sees of the first one's judgement.
 *
 * For each block: the first probabilities round it, their means over its
 * containers, over windows, and over the page, and where it leaves the way to
 * what was most held for text (trunk.h). */
#ifndef CLEAN_SECOND_H
#define CLEAN_SECOND_H

#include "features.h"

#define SECOND_N 63

/* p: probability of text for each of f->n blocks.  Rows of settled blocks are
 * 0.  Memory from `a`. */
void second_features(const struct features *f, const float *p,
                     float (*out)[SECOND_N], struct arena *a);

/* Whether the first judgement of block i stands: it and its neighbours are all
 * surely boilerplate or all surely text.  Saves half of the second pass. */
bool second_settled(const float *p, uint32_t n, uint32_t i);

/* What the passes say together: the mean of their logits, the second one's
 * with this weight.  Alone it holds to habits of the pages it learned from,
 * and errs more than the first one on pages of another kind. */
#define SECOND_WEIGHT 0.6f
float second_mean(float first, float second);

#endif
