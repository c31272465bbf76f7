/* rabin_wide.c -- the loop of rabin.c with the instruction for carry-less
 * products (the flags stand in CMakeLists.txt); called only where the processor
 * has it. */
#ifdef __x86_64__
#include "families.h"

#include <immintrin.h>

static inline __m128i
word(uint64_t x)
{
    return _mm_cvtsi64_si128((long long)x);
}

uint64_t
rabin_least_wide(uint64_t polynomial, uint64_t quotient,
                 const uint64_t *shingle, size_t n)
{
    const __m128i p = word(polynomial), q = word(quotient);
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        __m128i x = word(shingle[i]);
        __m128i upper = _mm_srli_si128(_mm_clmulepi64_si128(x, q, 0), 8);
        __m128i rest = _mm_clmulepi64_si128(_mm_xor_si128(x, upper), p, 0);
        uint64_t h = (uint64_t)_mm_cvtsi128_si64(rest);

        least = h < least ? h : least;
    }
    return least;
}
#else
typedef int rabin_wide_is_for_x86_64_only;
#endif
