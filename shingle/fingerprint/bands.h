/* bands.h -- which parts of a fingerprint make two documents candidates.
 *
 * A band is `rows` values in a row; two documents of resemblance J have one in
 * common with a chance of J^rows, so at least one of n with 1 - (1 - J^rows)^n
 * (Indyk & Motwani 1998).  More rows: fewer chance meetings, more bands.  The
 * dedup service (near.h) and tender both cut fingerprints so. */
#ifndef SHINGLE_BANDS_H
#define SHINGLE_BANDS_H

#include <stdint.h>

struct bands {
    uint32_t n, rows; /* rows 0: there are none */
};

/* With the most rows with which `most` bands, and all values, are enough to
 * find a pair of resemblance `near` with a chance of `recall`. */
struct bands bands_for(double near, double recall, uint32_t values_n,
                       uint32_t most);

/* What is equal when band i of two fingerprints is; value: its first. */
uint64_t band_hash(const uint32_t *value, uint32_t rows, uint32_t i);

#endif
