/* minima_body.h -- the loops of minima.c, compiled once for each instruction
 * set as MINIMA_NAME.  Vectors are GCC's, which a compiler without such
 * registers takes apart. */
#include "families.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint32_t words32
    __attribute__((vector_size(32), aligned(4), may_alias));

#define LOAD(p) (*(const words32 *)(const void *)(p))
#define STORE(p, v) (*(words32 *)(void *)(p) = (v))

#ifdef __AVX2__
#define LESSER(v, l) ((words32)_mm256_min_epu32((__m256i)(v), (__m256i)(l)))
#else
#define LESSER(v, l)                                                           \
    (((words32)((v) < (l)) & (v)) | (~(words32)((v) < (l)) & (l)))
#endif

/* l = the lesser of l and multiplier * x + addend. */
#define TAKE_LEAST(l, i)                                                       \
    do {                                                                       \
        words32 v = LOAD(multiplier + 8 * (i)) * x + LOAD(addend + 8 * (i));   \
        (l) = LESSER(v, l);                                                    \
    } while (0)

static void
eight_functions(uint32_t *least, const uint32_t *multiplier,
                const uint32_t *addend, const uint64_t *shingle, size_t n)
{
    words32 a = LOAD(least);

    for (size_t i = 0; i < n; i++) {
        const words32 x = (words32){0} + (uint32_t)(shingle[i] >> 32);

        TAKE_LEAST(a, 0);
    }
    STORE(least, a);
}

static void
many_functions(uint32_t *least, const uint32_t *multiplier,
               const uint32_t *addend, const uint64_t *shingle, size_t n)
{
    words32 a = LOAD(least), b = LOAD(least + 8), c = LOAD(least + 16),
            d = LOAD(least + 24);

    for (size_t i = 0; i < n; i++) {
        const words32 x = (words32){0} + (uint32_t)(shingle[i] >> 32);

        TAKE_LEAST(a, 0);
        TAKE_LEAST(b, 1);
        TAKE_LEAST(c, 2);
        TAKE_LEAST(d, 3);
    }
    STORE(least, a);
    STORE(least + 8, b);
    STORE(least + 16, c);
    STORE(least + 24, d);
}

void
MINIMA_NAME(uint32_t *least, uint32_t k, const struct minima *m,
            const uint64_t *shingle, size_t n)
{
    uint32_t i = 0;

    for (; i + MINIMA_MANY <= k; i += MINIMA_MANY)
        many_functions(least + i, m->multiplier + i, m->addend + i, shingle, n);
    for (; i < k; i += 8)
        eight_functions(least + i, m->multiplier + i, m->addend + i, shingle,
                        n);
}
