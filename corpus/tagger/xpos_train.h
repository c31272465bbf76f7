/* xpos_train.h -- language-specific tags are learnt from CoNLL-U. */
#ifndef CORPUS_XPOS_TRAIN_H
#define CORPUS_XPOS_TRAIN_H

#include "base/buf.h"
#include "conllu.h"

/* The part of a model that chooses them (tagger_model.h); nothing if no word of
 * the treebank has one.  The treebank's sentences in the order of `order`. */
void xpos_train(struct buf *out, const struct conllu *c, const uint32_t *order,
                unsigned epochs, unsigned bits);

#endif
