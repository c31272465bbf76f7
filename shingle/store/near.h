/* near.h -- which kept documents may resemble a new one: bands.
 *
 * The values of a fingerprint are cut into bands of `rows` values; documents
 * that agree in a whole band are candidates (locality-sensitive hashing:
 * Leskovec, Rajaraman & Ullman, Mining of Massive Datasets, ch. 3), and the
 * signature of every candidate is compared.  So bands cost only recall, never
 * precision: 1 - (1 - t^rows)^bands of the pairs with resemblance t are found.
 */
#ifndef SHINGLE_NEAR_H
#define SHINGLE_NEAR_H

#include "record_log.h"

struct near_shape {
    uint32_t rows, bands; /* 0: off */
};

/* For a threshold: the most rows with which a dozen bands (RECORD_BANDS_MAX, if
 * those would be of single values) find a pair at the threshold with a chance
 * of NEAR_RECALL.  0: off. */
#define NEAR_RECALL 0.998
struct near_shape near_shape(double threshold, uint32_t values_n);

/* For a document of so many shingles: short ones have more bands, since many of
 * their values are borrowed ones, which agree together or not at all. */
struct near_shape near_shape_for(struct near_shape shape,
                                 const struct fingerprint *f);

/* The bands of a fingerprint as a record has them. */
void near_bands(struct near_shape shape, const struct fingerprint *f,
                unsigned char out[RECORD_BANDS_MAX * RECORD_BAND_BYTES]);
/* The key in the table of tags of band i of those. */
uint64_t near_key(uint32_t rows, uint32_t i, const unsigned char *bands);

/* How much two records resemble each other by their signatures; 0 if those are
 * of two kinds.  at_least: what is surely less may be 0. */
double near_estimate(const struct record *a, const struct record *b,
                     double at_least);

#endif
