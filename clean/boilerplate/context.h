/* context.h -- what the context pass sees of the values of the first pass.
 *
 * For each block: the first probabilities round it, their means over its
 * containers, over windows, and over the page, and where it leaves the way to
 * what was most held for text (dom_path.h). */
#ifndef CLEAN_CONTEXT_H
#define CLEAN_CONTEXT_H

#include "features.h"

#define CONTEXT_N 63

/* p: probability of text for each of f->n blocks.  Rows of settled blocks are
 * 0.  Memory from `a`. */
void context_features(const struct features *f, const float *p,
                      float (*out)[CONTEXT_N], struct arena *a);

/* Whether the first value of block i stands: it and its neighbours are all
 * surely boilerplate or all surely text.  Saves half of the context pass. */
bool context_settled(const float *p, uint32_t n, uint32_t i);

/* The value of both passes: the mean of their logits, the context pass's
 * with this weight.  Alone it holds to habits of the pages it learned from,
 * and errs more than the first one on pages of another kind. */
#define CONTEXT_WEIGHT 0.6f
float context_mean(float first, float context);

/* The least probability of text with which a block of the page is kept: a half,
 * and less where no cut would do well, unless the page is surely an article.
 * What F1 may be expected of the best cut follows from the values. */
float context_cut(const struct features *f, const float *p);

/* p as it is when `cut` is to be a half. */
float context_shifted(float p, float cut);

#endif
