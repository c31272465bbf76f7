/* scan.h -- the first of four bytes in a run: the tokenizer's hot loops.
 *
 * SSE2 belongs to every x86-64; elsewhere a loop the compiler may vectorise. */
#ifndef CLEAN_SCAN_H
#define CLEAN_SCAN_H

#include <stddef.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first a, b, c or d in [p, end), or end. */
static inline const char *
scan_4(const char *p, const char *end, char a, char b, char c, char d)
{
#ifdef __SSE2__
    const __m128i va = _mm_set1_epi8(a), vb = _mm_set1_epi8(b);
    const __m128i vc = _mm_set1_epi8(c), vd = _mm_set1_epi8(d);

    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i ab = _mm_or_si128(_mm_cmpeq_epi8(v, va), _mm_cmpeq_epi8(v, vb));
        __m128i cd = _mm_or_si128(_mm_cmpeq_epi8(v, vc), _mm_cmpeq_epi8(v, vd));
        int hits = _mm_movemask_epi8(_mm_or_si128(ab, cd));

        if (hits != 0)
            return p + __builtin_ctz((unsigned)hits);
    }
#endif
    while (p < end && *p != a && *p != b && *p != c && *p != d)
        p++;
    return p;
}

static inline const char *
scan_1(const char *p, const char *end, char c)
{
    const char *at = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;

    return at ? at : end;
}

#endif
