/* train.h -- what the parts of `winnow train` share.
 *
 * Pages with a known main text are read through the real charset and strip
 * stages; what a network is to learn stands beside each block.  Everything of
 * a train_set lives until train_set_free(). */
#ifndef CLEAN_TRAIN_H
#define CLEAN_TRAIN_H

#include "clean/boilerplate/second.h"
#include "winnow/arena.h"
#include "winnow/status.h"

#define TRAIN_THREADS 2u
#define TRAIN_FOLDS_MAX 20u
#define TRAIN_NETS_MAX 4u

struct train_page {
    struct str set, id, domain;
    struct str *text; /* of each block */
    struct features f;
    float *target; /* share of a block's words in the main text; -1 unknown */
    float *weight; /* in training of this pass; 0: not learned from */
    float *p[2];   /* probability of text, by networks that never saw the
                      page: of the first and of the second pass */
    float (*second)[SECOND_N];
    uint32_t fold;
    bool suspect; /* judged, but nothing is learned from it */
    bool whole;   /* the whole main text is known, not only segments */
};

struct train_set {
    struct train_page *page;
    uint32_t pages_n;
    struct arena *arena[TRAIN_THREADS + 1];
};

/* Read DIR/manifest.tsv and what it names; suspect pages are left out. */
enum status train_set_load(struct train_set *set, const char *dir);
void train_set_free(struct train_set *set);

/* train_truth.c: targets of a page's blocks.  False: cannot be aligned. */
bool train_truth_text(struct train_page *page, struct arena *scratch,
                      struct str truth);
bool train_truth_segments(struct train_page *page, struct str segments);
void train_weights(struct train_page *page);

/* One hidden layer of tanh, a logistic output; weights by input. */
struct train_net {
    uint32_t inputs_n, hidden_n;
    float *mean, *deviation;
    float *weight, *bias, *out; /* [inputs][hidden], [hidden], [hidden + 1] */
};

enum { TRAIN_NET = 1, TRAIN_FOREST = 2, TRAIN_BOTH = 3 };

struct train_options {
    uint32_t hidden_n, epochs, nets;
    uint64_t seed;
    double rate, decay, drop;
    uint32_t second; /* TRAIN_x: what judges in the second pass */
    uint32_t trees;
    double step, rows, inputs; /* of a tree: its weight, shares that it sees */
};

/* One row of inputs of block i; both passes use the same trainer. */
typedef void train_row(const struct train_page *page, uint32_t i, float *out);

/* Learn from the pages for which use[page] is set. */
struct train_net *train_net_learn(const struct train_set *set, const bool *use,
                                  train_row *row, uint32_t inputs_n,
                                  const struct train_options *o, uint64_t seed);
void train_net_free(struct train_net *net);
float train_net_run(const struct train_net *net, const float *inputs);

/* One net whose logit is the mean of those of `n` nets, less `shift`. */
struct train_net *train_net_mean(struct train_net *const *nets, uint32_t n);
void train_net_shift(struct train_net *net, double shift);

/* Save through FANN: the file holds P(boilerplate) = 1 - P(text). */
enum status train_net_save(const struct train_net *net, const char *path);

#endif
