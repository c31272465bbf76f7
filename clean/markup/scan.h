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

/* Sixteen bytes; comparing them (GCC's vectors) gives a scan_mask. */
typedef uint8_t scan_bytes __attribute__((vector_size(16)));
typedef signed char scan_mask __attribute__((vector_size(16)));

static inline scan_bytes
scan_load(const char *p)
{
    scan_bytes v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Bit i: the comparison of byte i was true. */
static inline unsigned
scan_bits(scan_mask m)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8((__m128i)m);
#else
    unsigned bits = 0;

    for (unsigned i = 0; i < 16; i++)
        bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}

/* The first a, b, c or d in [p, end), or end. */
static inline const char *
scan_4(const char *p, const char *end, char a, char b, char c, char d)
{
    const uint8_t ua = (uint8_t)a, ub = (uint8_t)b, uc = (uint8_t)c,
                  ud = (uint8_t)d;

    for (; end - p >= 16; p += 16) {
        scan_bytes v = scan_load(p);
        unsigned hits =
            scan_bits((v == ua) | (v == ub) | (v == uc) | (v == ud));

        if (hits != 0)
            return p + __builtin_ctz(hits);
    }
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
