/* train_forest.h -- learning of boosted oblivious trees. */
#ifndef CLEAN_TRAIN_FOREST_H
#define CLEAN_TRAIN_FOREST_H

#include "clean/boilerplate/forest.h"
#include "train_table.h"

/* Learn P(boilerplate) from the pages for which use[page] is set.  The same
 * seed gives the same forest. */
struct forest *train_forest_learn(const struct train_table *t, const bool *use,
                                  const struct train_options *o, uint64_t seed);

/* The logit of one row of t->inputs_n values. */
float train_forest_run(const struct forest *f, const float *x);

#endif
