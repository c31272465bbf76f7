/* tenet_data.h -- labelled samples in FANN's .dat format, and how well a
 * network tells their classes apart.  Pure. */
#ifndef CLEAN_TENET_DATA_H
#define CLEAN_TENET_DATA_H

#include "base/buf.h"
#include "base/status.h"

#define TENET_FILE_BYTES ((size_t)4 << 30)
#define TENET_WIDTH_MAX 4096u /* inputs or outputs */
#define TENET_CLASSES_MAX 64u

struct tenet_data {
    uint32_t n, inputs_n, outputs_n;
    float *value; /* of each sample its inputs, then its outputs; owned */
};

/* "N INPUTS OUTPUTS", then as many numbers, between white space.  ST_INVALID:
 * *fault says why (static storage) and *at where, as a byte of the text. */
enum status tenet_data_parse(struct tenet_data *out, struct str text,
                             const char **fault, size_t *at);
void tenet_data_free(struct tenet_data *d); /* back to zero */

static inline const float *
tenet_inputs(const struct tenet_data *d, size_t i)
{
    return d->value + i * (d->inputs_n + d->outputs_n);
}

static inline const float *
tenet_outputs(const struct tenet_data *d, size_t i)
{
    return tenet_inputs(d, i) + d->inputs_n;
}

/* Classes that an output may stand for: with one output 1 if it is above the
 * threshold and else 0; with several the largest. */
uint32_t tenet_classes_n(const struct tenet_data *d);

/* Hold back about `share` of the samples: held[i].  Runs of neighbours are held
 * back together, since they come from the same page.  How many are. */
size_t tenet_hold_out(const struct tenet_data *d, double share, uint64_t seed,
                      bool *held);

/* How often each sample is to be learned from so that class c counts weight[c]
 * times as much: copies[i], at least 1 for the lightest class. */
void tenet_copies(const struct tenet_data *d, const double *weight,
                  double threshold, const bool *held, uint32_t *copies);

/* Weights that make all classes of the samples not held count the same. */
void tenet_balance(const struct tenet_data *d, double threshold,
                   const bool *held, double *weight);

struct tenet_score {
    uint64_t n, right;
    double squares; /* sum of squared errors over all outputs */
    uint32_t classes_n;
    uint64_t count[TENET_CLASSES_MAX]
                  [TENET_CLASSES_MAX]; /* [true][predicted] */
};

void tenet_score_add(struct tenet_score *s, const struct tenet_data *d,
                     size_t i, const float *predicted, double threshold);
double tenet_precision(const struct tenet_score *s, uint32_t class);
double tenet_recall(const struct tenet_score *s, uint32_t class);
double tenet_f1(const struct tenet_score *s, uint32_t class);

/* A table: one row a class. */
void tenet_score_print(const struct tenet_score *s, const char *of,
                       struct buf *out);

#endif
