/* simd_widest.c -- trees for AVX-512 (the flag stands in CMakeLists.txt);
 * called only where the processor has it.  The 64 leaves of a tree stand in
 * four registers, so that two permutations look up sixteen rows. */
#ifdef __x86_64__
#include "simd.h"

#include <immintrin.h>

/* The last five answers make a place among 32 leaves. */
static inline __m512i
places(const __mmask16 *over)
{
    __m512i place = _mm512_maskz_set1_epi32(over[5], 1);

    for (int k = 1; k < 5; k++)
        place = _mm512_mask_or_epi32(place, over[5 - k], place,
                                     _mm512_set1_epi32(1 << k));
    return place;
}

void
simd_trees_widest(float *sums, const struct simd_tree *tree, uint32_t n,
                  const float *const *column, const uint32_t *from,
                  uint32_t groups)
{
    for (const struct simd_tree *end = tree + n; tree < end; tree++) {
        const __m512 a = _mm512_loadu_ps(tree->leaf),
                     b = _mm512_loadu_ps(tree->leaf + 16),
                     c = _mm512_loadu_ps(tree->leaf + 32),
                     d = _mm512_loadu_ps(tree->leaf + 48);
        const float *of[SIMD_TREE_DEPTH];
        __m512 limit[SIMD_TREE_DEPTH];

        for (uint32_t k = 0; k < SIMD_TREE_DEPTH; k++) {
            of[k] = column[tree->input[k]];
            limit[k] = _mm512_set1_ps(tree->limit[k]);
        }
        for (uint32_t g = 0; g < groups; g++) {
            float *sum = sums + (size_t)g * SIMD_TREE_ROWS;
            __mmask16 over[SIMD_TREE_DEPTH];
            __m512i place;

            for (uint32_t k = 0; k < SIMD_TREE_DEPTH; k++)
                over[k] = _mm512_cmp_ps_mask(_mm512_loadu_ps(of[k] + from[g]),
                                             limit[k], _CMP_GT_OQ);
            place = places(over);
            _mm512_storeu_ps(
                sum,
                _mm512_add_ps(_mm512_loadu_ps(sum),
                              _mm512_mask_blend_ps(
                                  over[0], _mm512_permutex2var_ps(a, place, b),
                                  _mm512_permutex2var_ps(c, place, d))));
        }
    }
}
#else
typedef int simd_widest_is_for_x86_64_only;
#endif
