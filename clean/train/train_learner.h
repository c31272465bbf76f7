/* train_learner.h -- what the trainers of one network share. */
#ifndef CLEAN_TRAIN_LEARNER_H
#define CLEAN_TRAIN_LEARNER_H

#include "base/random.h"
#include "train.h"

/* One hidden layer of tanh, a logistic output, P(text); weights by input, as
 * the loops of simd.h want them. */
struct train_net {
    uint32_t inputs_n, hidden_n;
    float *mean, *deviation;
    float *weight, *bias, *out; /* [inputs][hidden], [hidden], [hidden + 1] */
};

struct train_sample {
    uint32_t page, block;
};

struct net_learner {
    struct train_net *net;
    const struct train_set *set;
    train_row *row;
    const struct train_options *o;
    struct train_sample *sample;
    uint32_t samples_n;
    double weight_mean;
    size_t values_n;          /* weights, biases and output weights */
    float *values;            /* = net->weight */
    float *slope, *m, *v;     /* gradient and Adam's two moments */
    float *x, *hidden, *back; /* of one group of rows */
    float *inverse;
    uint64_t steps, steps_n;
    struct random random; /* order and dropped inputs */
};

/* train_net.c: the inputs of a sample, scaled and clipped. */
void train_load_row(struct net_learner *l, const struct train_sample *s,
                    float *x);

/* train_fann.c: the struct fann of what was learned ... */
struct fann *train_fann_of(const struct train_net *net);
/* ... and learning by libfann, from where `net` starts. */
struct fann *train_fann_learn(struct net_learner *l);

#endif
