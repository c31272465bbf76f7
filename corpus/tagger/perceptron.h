/* perceptron.h -- an averaged perceptron (Collins 2002) over features that are
 * numbers: it guesses one of a few classes, its weights move where the guess is
 * wrong, and what counts is their mean over all steps.  A feature gets weights
 * when it is first moved.  The heaviest features that fit a table are kept, in
 * whole numbers. */
#ifndef CORPUS_PERCEPTRON_H
#define CORPUS_PERCEPTRON_H

#include "base/buf.h"
#include "base/hashmap.h"
#include "tagger_model.h"

struct tag_weights {
    uint64_t key;
    float weight[TAG_ROW], sum[TAG_ROW]; /* sum: of weight times steps */
    uint32_t since[TAG_ROW];             /* the step of the last change */
};

struct perceptron {
    struct hashmap index; /* numbers of features */
    struct tag_weights *features;
    unsigned classes; /* at most TAG_ROW */
    uint32_t n, room, step;
};

void perceptron_begin(struct perceptron *p, unsigned classes);
void perceptron_end(struct perceptron *p);

/* The best of the first `classes` classes for a thing with these features. */
unsigned perceptron_guess(const struct perceptron *p, const uint64_t *keys,
                          size_t n, unsigned classes);
/* One step: it was `right`, and this was guessed. */
void perceptron_learn(struct perceptron *p, const uint64_t *keys, size_t n,
                      unsigned right, unsigned guessed);

/* `share` of the mean weights of `p`, whose learning is over, are added to
 * those of `to`, which does not learn itself. */
void perceptron_add(struct perceptron *to, struct perceptron *p, float share);

/* "weights BITS\n" and the table of 2^BITS features (tagger_model.h); learning
 * is over then. */
void perceptron_put(struct perceptron *p, struct buf *out, unsigned bits);

#endif
