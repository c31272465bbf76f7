/* lemma_train.h -- rules that make lemmas of words, learnt from pairs. */
#ifndef CORPUS_LEMMA_TRAIN_H
#define CORPUS_LEMMA_TRAIN_H

#include "base/buf.h"
#include "conllu.h"

/* The parts "rules" and "lemmas" of a model's file, behind what `out` has. */
void lemma_train(struct buf *out, struct arena *a, const struct conllu *c);

#endif
