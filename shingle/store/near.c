/* near.c -- see near.h. */
#include "near.h"

#include "base/hash.h"
#include "shingle/fingerprint/bands.h"

enum { BANDS_FEW = 12, SHORT = 256 };

struct near_shape
near_shape(double threshold, uint32_t values_n)
{
    struct bands b;

    if (threshold <= 0 || values_n == 0)
        return (struct near_shape){0, 0};
    b = bands_for(threshold, NEAR_RECALL, values_n, BANDS_FEW);
    if (b.rows < 2)
        b = bands_for(threshold, NEAR_RECALL, values_n, RECORD_BANDS_MAX);
    if (b.rows == 0) /* as many as there may be, of single values */
        b = (struct bands){
            values_n < RECORD_BANDS_MAX ? values_n : RECORD_BANDS_MAX, 1};
    return (struct near_shape){b.rows, b.n};
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
        uint64_t h =
            band_hash(f->value + (size_t)i * shape.rows, shape.rows, i);

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
