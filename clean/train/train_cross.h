/* train_cross.h -- networks scored on pages they never saw. */
#ifndef CLEAN_TRAIN_CROSS_H
#define CLEAN_TRAIN_CROSS_H

#include "clean/boilerplate/forest.h"
#include "train.h"

enum train_split { TRAIN_BY_DOMAIN, TRAIN_BY_SET };

/* What one pass learned: the mean of the logits of what is there. */
struct train_model {
    struct fann *net;
    struct forest *forest;
};
void train_model_free(struct train_model *m); /* what it holds */

/* Give every page a fold, by its registered domain or by its set; how many. */
uint32_t train_split(struct train_set *set, enum train_split how,
                     uint32_t folds_n, uint64_t seed);

/* Is there, beside each fold, another one to learn from? */
bool train_can_cross(const struct train_set *set);

/* For each fold learn from the other folds and classify its pages:
 * page->p[pass]. In TRAIN_THREADS threads. */
void train_cross(struct train_set *set, uint32_t folds_n, uint32_t pass,
                 const struct train_options *o);

/* Move the values of the first pass so that its best cut `cut` becomes 0.5,
 * as in the saved network, and compute what the context pass sees of it, kinds
 * of pages too. Blocks
 * that are settled then have no weight in the context pass, which never sees
 * them. */
void train_context(struct train_set *set, uint32_t folds_n, double cut);

/* Learn from all pages: the mean of o->nets networks in the first pass, what
 * o->context says in the context pass. */
struct train_model train_all(const struct train_set *set, uint32_t pass,
                             const struct train_options *o);

/* The least probability of text at which a block is kept: what gives the best
 * mean F1 of pages, over the pages not in fold `but` (UINT32_MAX: over all).
 * 0.5 for a split by sets: what suits some sets says nothing of another. */
double train_threshold(const struct train_set *set, enum train_split how,
                       uint32_t pass, uint32_t but);

/* Print scores per set, with each fold cut at the threshold of the others;
 * write the kept text of each page to `dir` unless that is NULL. */
enum status train_report(const struct train_set *set, enum train_split how,
                         uint32_t folds_n, uint32_t pass, const char *dir);

#endif
