/* model.h -- a logistic regression that learns one case after the other:
 * FTRL-Proximal with a learning rate for each weight (McMahan et al., "Ad Click
 * Prediction: a View from the Trenches", KDD 2013).
 *
 * A case is a short list of features, numbers of weights with values.  The
 * first weights have names and start where the caller says; the rest are shared
 * by hashes.  What is learnt pulls a weight away from its start, L2 pulls it
 * back: with nothing learnt the model is what it was given.
 *
 * How well the chances it gives agree with what happens is counted before each
 * case is learnt, in ten classes (a reliability table).
 *
 * In memory, 12 bytes a weight; what has changed is told in chunks, for a store
 * that keeps it.  Not thread-safe. */
#ifndef FRONTIER_MODEL_H
#define FRONTIER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define MODEL_WEIGHTS 65536u
#define MODEL_CHUNK 32u /* weights in a chunk */
#define MODEL_CHUNKS (MODEL_WEIGHTS / MODEL_CHUNK)
#define MODEL_FEATURES_MAX 96u
#define MODEL_CLASSES 10u

struct model; /* opaque; see frontier/score/model.c */

struct model_feature {
    uint32_t at; /* below MODEL_WEIGHTS */
    float x;
};

struct model_class { /* cases that were given a chance in one tenth of 0..1 */
    uint64_t n, kept;
    double chances; /* their sum */
};

/* `start` gives the first start_n weights (copied). */
struct model *model_new(const float *start, size_t start_n);
void model_free(struct model *m); /* NULL is allowed */

float model_weight(const struct model *m, uint32_t at);

/* The sum of weight * value. */
double model_sum(const struct model *m, const struct model_feature *f,
                 size_t n);

/* A case that was given `chance` has come out: for the reliability table. */
void model_count(struct model *m, double chance, bool kept);

/* ... and what it was given was wrong by so much: the slope of the loss by the
 * sum (log loss: chance less what has come, 0 or 1). */
void model_learn(struct model *m, const struct model_feature *f, size_t n,
                 double wrong);

/* All that was read before is nothing any more: to be written anew. */
void model_forget(struct model *m);

uint64_t model_cases(const struct model *m); /* counted so far */
const struct model_class *model_classes(const struct model *m);

/* ---- for a store ---- */

/* The next chunk, from *chunk on, that has changed since it was last read or
 * since model_saved(), which says that what was written is safe. */
bool model_changed(const struct model *m, uint32_t *chunk);
void model_write_chunk(const struct model *m, uint32_t chunk, struct buf *out);
void model_saved(struct model *m);
/* Malformed bytes: false.  Empty ones: nothing was ever learnt there. */
bool model_read_chunk(struct model *m, uint32_t chunk, struct str bytes);

void model_write_classes(const struct model *m, struct buf *out);
bool model_read_classes(struct model *m, struct str bytes); /* as above */

double model_chance(double sum);   /* of a sum: 0..1 */
double model_logit(double chance); /* and back, within bounds */

#endif
