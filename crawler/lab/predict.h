/* predict.h -- how well a number predicts whether a linked page is kept.
 *
 * Scores 0..1 (higher: rather kept) are counted in LEVELS classes of equal
 * width, so that millions of links cost one pass and little memory. */
#ifndef LAB_PREDICT_H
#define LAB_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PREDICT_LEVELS 65536u
#define PREDICT_BINS 10u

struct predict_tally {
    uint64_t kept[PREDICT_LEVELS], other[PREDICT_LEVELS];
    uint64_t right, wrong;    /* predicted: kept, and not */
    double sum[PREDICT_BINS]; /* of scores, in tenths */
};

struct predict_tally *predict_new(void); /* never NULL; free() it */
/* `told`: the score made somebody predict "kept". */
void predict_add(struct predict_tally *t, double score, bool told, bool kept);

struct predict {
    uint64_t n;
    uint64_t true_positive, false_positive, true_negative, false_negative;
    double precision, recall, f1; /* NAN when nothing was predicted or kept */
    double auc; /* chance that a kept one scores above another; ties half */
    double best_f1, best_cut; /* over all cuts, known only afterwards */
};

void predict_measure(struct predict *out, const struct predict_tally *t);
/* Of several runs: counts rounded; what is NAN in one does not count. */
void predict_mean(struct predict *out, const struct predict *of, size_t n);

struct predict_bin { /* of a tenth of the scores */
    uint64_t n, kept;
    double score; /* mean; NAN: none */
};

/* Reliability: a calibrated score says .7 where .7 are kept.  Returns the
 * expected calibration error: |kept share - mean score|, by links. */
double predict_bins(struct predict_bin out[PREDICT_BINS],
                    const struct predict_tally *t);

/* F1 from counts; NAN: nothing was predicted and nothing kept. */
double predict_f1(double true_positive, double false_positive,
                  double false_negative);

#endif
