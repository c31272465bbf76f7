/* near.c -- see near.h. */
#include "near.h"

#include <math.h>

#include "winnow/hash.h"

enum { BANDS_FEW = 12, SHORT = 256 };

/* The fewest bands of so many rows that find what is at the threshold. */
static double
bands_needed(double threshold, uint32_t rows)
{
    double same = pow(threshold, rows);

    if (same >= 1)
        return 1;
    return ceil(log(1 - NEAR_RECALL) / log1p(-same) - 1e-9);
}

/* The most rows with which no more than `most` bands are needed; 0: none. */
static uint32_t
most_rows(double threshold, uint32_t values_n, double most)
{
    uint32_t best = 0;

    for (uint32_t r = 1; r <= values_n; r++) {
        double b = bands_needed(threshold, r);

        if (b <= most && b * r <= values_n)
            best = r;
    }
    return best;
}

struct near_shape
near_shape(double threshold, uint32_t values_n)
{
    struct near_shape s = {0, 0};
    uint32_t fit; /* bands */

    if (threshold <= 0 || values_n == 0)
        return s;
    s.rows = most_rows(threshold, values_n, BANDS_FEW);
    if (s.rows < 2)
        s.rows = most_rows(threshold, values_n, RECORD_BANDS_MAX);
    if (s.rows == 0)
        s.rows = 1;
    fit = values_n / s.rows;
    s.bands = (uint32_t)fmin(bands_needed(threshold, s.rows),
                             fmin(fit, RECORD_BANDS_MAX));
    return s;
}

struct near_shape
near_shape_for(struct near_shape shape, const struct fingerprint *f)
{
    uint32_t most = RECORD_BANDS_MAX;

    if (shape.rows == 0 || f->shingles_n >= SHORT)
        return shape;
    if (f->values_n / shape.rows < most)
        most = f->values_n / shape.rows;
    shape.bands = 2 * shape.bands < most ? 2 * shape.bands : most;
    return shape;
}

void
near_bands(struct near_shape shape, const struct fingerprint *f,
           unsigned char out[RECORD_BANDS_MAX * RECORD_BAND_BYTES])
{
    for (uint32_t i = 0; i < shape.bands; i++) {
        const uint32_t *value = f->value + (size_t)i * shape.rows;
        uint64_t h = hash64_seed(
            str_n((const char *)value, shape.rows * sizeof *value), i);

        for (size_t k = 0; k < RECORD_BAND_BYTES; k++, h >>= 8)
            *out++ = (unsigned char)(h & 0xff);
    }
}

uint64_t
near_key(uint32_t rows, uint32_t i, const unsigned char *bands)
{
    uint64_t h = (uint64_t)rows << 56 | (uint64_t)(i + 1) << 40;

    for (size_t k = 0; k < RECORD_BAND_BYTES; k++)
        h |= (uint64_t)bands[(size_t)i * RECORD_BAND_BYTES + k] << 8 * k;
    return hash_mix(h);
}

double
near_estimate(const struct record *a, const struct record *b, double at_least)
{
    double n_a = a->signature.shingles_n, n_b = b->signature.shingles_n;

    if (a->of_values != b->of_values)
        return 0;
    if (a->of_values)
        return signature_values_resemblance(&a->signature, &b->signature);
    if (n_a < at_least * n_b || n_b < at_least * n_a)
        return 0;
    return signature_resemblance(&a->signature, &b->signature);
}
