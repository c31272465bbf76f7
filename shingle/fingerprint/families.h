/* families.h -- functions whose least values make fingerprints (families minima
 * and rabin of fingerprint.h).
 *
 * Each loop runs with what the processor has: AVX2, carry-less multiplication.
 * The values are the same everywhere.  Pure, thread-safe. */
#ifndef SHINGLE_FAMILIES_H
#define SHINGLE_FAMILIES_H

#include "fingerprint.h"

/* x -> multiplier * x + addend, modulo 2^32, for the upper half of a shingle.
 */
struct minima {
    uint32_t multiplier[FINGERPRINT_MAX], addend[FINGERPRINT_MAX];
};

void minima_init(struct minima *m, uint64_t seed);
/* The least of each of the first k functions; n > 0. */
void minima_make(const struct minima *m, const uint64_t *shingle, size_t n,
                 uint32_t k, uint32_t *value);

/* So many functions are computed together; k is rounded up to a multiple of 8.
 */
#define MINIMA_MANY 32u

#define MINIMA_DECLARE(name)                                                   \
    void name(uint32_t *least, uint32_t k, const struct minima *m,             \
              const uint64_t *shingle, size_t n);
MINIMA_DECLARE(minima_plain)
MINIMA_DECLARE(minima_wide)
#undef MINIMA_DECLARE

/* x -> x * t^64 modulo P = t^64 + polynomial, over GF(2); `quotient` is t^128
 * divided by P, without its t^64. */
struct rabin {
    uint64_t polynomial[FINGERPRINT_MAX], quotient[FINGERPRINT_MAX];
};

/* The first k polynomials of a seed. */
void rabin_init(struct rabin *r, uint32_t k, uint64_t seed);
void rabin_make(const struct rabin *r, const uint64_t *shingle, size_t n,
                uint32_t k, uint32_t *value);
bool rabin_irreducible(uint64_t polynomial);
/* The function of a polynomial, one value. */
uint64_t rabin_value(uint64_t polynomial, uint64_t shingle);

/* The least value of one function; n > 0. */
uint64_t rabin_least_wide(uint64_t polynomial, uint64_t quotient,
                          const uint64_t *shingle, size_t n);

#endif
