/* predict.h -- how well a number foretells whether a linked page is kept. */
#ifndef LAB_PREDICT_H
#define LAB_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct predict_case {
    float score; /* higher: rather kept */
    bool kept;
};

struct predict {
    uint64_t n, positive; /* cases; those that were kept */
    uint64_t true_positive, false_positive, true_negative, false_negative;
    double precision, recall, f1; /* NAN when nothing was foretold or kept */
    double auc; /* chance that a kept one scores above another; ties half */
    double best_f1, best_cut; /* over all cuts, known only afterwards */
};

/* Foretold: score >= cut.  Sorts the cases. */
void predict_measure(struct predict *out, struct predict_case *c, size_t n,
                     double cut);

#endif
