/* minima.c -- see families.h: the least values of many multiply-shift
 * functions.
 *
 * Every function maps the upper 32 bits of a shingle, which are mixed already,
 * to as many bits.  MINIMA_MANY functions go over all shingles together, their
 * minima in registers; what a shingle costs is a multiplication, an addition
 * and a minimum for each vector.  A cache of the values of frequent shingles,
 * in which 8 of 100 are found, or of frequent words (72 of 100), makes it eight
 * times as slow: tests/bench/token_cache.c. */
#include "families.h"

#include <string.h>

#include "base/random.h"

#define MINIMA_NAME minima_plain
#include "minima_body.h"

#ifdef __x86_64__
#define IS_WIDE __builtin_cpu_supports("avx2")
#endif

void
minima_init(struct minima *m, uint64_t seed)
{
    struct random r = random_seed(seed);

    for (size_t i = 0; i < FINGERPRINT_MAX; i++) {
        m->multiplier[i] = (uint32_t)random_u64(&r) | 1;
        m->addend[i] = (uint32_t)random_u64(&r);
    }
}

void
minima_make(const struct minima *m, const uint64_t *shingle, size_t n,
            uint32_t k, uint32_t *value)
{
    uint32_t least[FINGERPRINT_MAX];

    memset(least, 0xff, sizeof least);
#ifdef __x86_64__
    if (IS_WIDE)
        minima_wide(least, k, m, shingle, n);
    else
#endif
        minima_plain(least, k, m, shingle, n);
    memcpy(value, least, k * sizeof *value);
}
