/* scan.h -- looking at sixteen bytes at once: the hot loops over text.
 *
 * SSE2 belongs to every x86-64; elsewhere loops the compiler may vectorise. */
#ifndef CLEAN_SCAN_H
#define CLEAN_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Of 16 bytes at p: bit i is set when byte i is c, or in low .. high. */
#ifdef __SSE2__
typedef __m128i scan_bytes;

static inline scan_bytes
scan_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline unsigned
scan_equal(scan_bytes v, uint8_t c)
{
    return (unsigned)_mm_movemask_epi8(
        _mm_cmpeq_epi8(v, _mm_set1_epi8((char)c)));
}

static inline unsigned
scan_range(scan_bytes v, uint8_t low, uint8_t high)
{
    __m128i at_least = _mm_max_epu8(v, _mm_set1_epi8((char)low));
    __m128i at_most = _mm_min_epu8(v, _mm_set1_epi8((char)high));

    return (unsigned)_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpeq_epi8(v, at_least), _mm_cmpeq_epi8(v, at_most)));
}
#else
typedef struct {
    uint8_t byte[16];
} scan_bytes;

static inline scan_bytes
scan_load(const void *p)
{
    scan_bytes v;

    memcpy(v.byte, p, sizeof v.byte);
    return v;
}

static inline unsigned
scan_range(scan_bytes v, uint8_t low, uint8_t high)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < 16; i++)
        bits |= (unsigned)(v.byte[i] >= low && v.byte[i] <= high) << i;
    return bits;
}

static inline unsigned
scan_equal(scan_bytes v, uint8_t c)
{
    return scan_range(v, c, c);
}
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
