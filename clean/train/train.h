/* train.h -- what the parts of `winnow train` share.
 *
 * Pages with a known main text are read through the real charset and strip
 * stages; what a network is to learn stands beside each block.  Everything of
 * a train_set lives until train_set_free(). */
#ifndef CLEAN_TRAIN_H
#define CLEAN_TRAIN_H

#include "base/arena.h"
#include "base/status.h"
#include "clean/boilerplate/context.h"
#include "clean/boilerplate/page_kind.h"

struct fann;

#define TRAIN_THREADS 2u
#define TRAIN_FOLDS_MAX 20u
#define TRAIN_NETS_MAX 4u

struct train_page {
    struct str set, id, domain;
    uint32_t row;     /* of the manifest, from 1 on; the head is none */
    struct str *text; /* of each block */
    struct features f;
    float *target; /* share of a block's words in the main text; -1 unknown */
    float *weight; /* in training of this pass; 0: not learned from */
    float *p[2];   /* probability of text, by networks that never saw the
                      page: of the first and of the context pass */
    float (*context)[CONTEXT_N];
    uint32_t fold;
    int kind;     /* enum page_kind; -1: unknown */
    bool suspect; /* its truth: it is scored, and only its kind is learned */
    bool whole;   /* the whole main text is known, not only segments */
};

struct train_set {
    struct train_page *page;
    uint32_t pages_n;
    struct arena *arena[TRAIN_THREADS + 1];
};

/* Read DIR/manifest.tsv and what it names; no block of a suspect page is
 * learned from.  Pages that cannot be read are said.  ST_INVALID: there are no
 * pages, or none to learn from.  Faults are reported. */
enum status train_set_load(struct train_set *set, const char *dir);
void train_set_free(struct train_set *set);
/* Has it a block to learn from? */
bool train_page_teaches(const struct train_page *page);

/* train_truth.c: targets of a page's blocks.  False: cannot be aligned. */
bool train_truth_text(struct train_page *page, struct arena *scratch,
                      struct str truth);
bool train_truth_segments(struct train_page *page, struct str segments);
void train_weights(struct train_page *page);

/* train_kinds.c: kinds of pages, told by the end of their id ("0001-article").
 * Each page's f.kind by a model that saw no page of its fold; and one that saw
 * all, false: no kind is known of any page. */
int train_kind_of(struct str id);
void train_kinds(struct train_set *set, uint32_t folds_n);
bool train_kinds_all(const struct train_set *set, struct page_kind_model *m);

enum { TRAIN_NET = 1, TRAIN_FOREST = 2, TRAIN_BOTH = 3 };

struct train_options {
    uint32_t hidden_n, epochs, nets;
    const char *algorithm; /* libfann's that learns; NULL: Adam */
    uint32_t samples_max;  /* blocks that it learns from */
    uint64_t seed;
    double rate, decay, drop;
    uint32_t first, context; /* TRAIN_x: the learners of the two passes */
    uint32_t trees;
    double step, rows, inputs; /* of a tree: its weight, shares that it sees */
};

/* One row of inputs of block i; both passes use the same trainer. */
typedef void train_row(const struct train_page *page, uint32_t i, float *out);

/* A network of libfann learned from the pages for which use[page] is set: one
 * hidden layer of FANN_SIGMOID_SYMMETRIC, scaled inputs, P(boilerplate) from a
 * FANN_SIGMOID.  For fann_destroy(). */
struct fann *train_net_learn(const struct train_set *set, const bool *use,
                             train_row *row, uint32_t inputs_n,
                             const struct train_options *o, uint64_t seed);

/* One network whose logit is the mean of those of `n`; and one whose logit of
 * P(text) is less by `shift` than before. */
struct fann *train_net_mean(struct fann *const *nets, uint32_t n);
void train_net_shift(struct fann *net, double shift);

#endif
