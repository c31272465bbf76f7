/* ascii_run.h -- how much of a text may be copied as it stands.
 *
 * Writers of JSON and XML escape some characters and look at what is no ASCII;
 * between those stand runs of some dozens of bytes, which are found sixteen at
 * a time where the processor has SSE2. */
#ifndef BASE_ASCII_RUN_H
#define BASE_ASCII_RUN_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/str.h"

/* Does this byte end a run? */
static inline bool
ascii_run_stops(unsigned char c, const char stops[5])
{
    if (c < 0x20 || c >= 0x7f)
        return true;
    for (int i = 0; i < 5; i++)
        if (c == (unsigned char)stops[i])
            return true;
    return false;
}

/* From `at` on, where the first byte stands that is a control character, no
 * ASCII, or one of `stops` (any five; one may stand there several times); s.n:
 * there is none. */
static inline size_t
ascii_run(struct str s, size_t at, const char stops[5])
{
#ifdef __SSE2__
    const __m128i blank = _mm_set1_epi8(0x20), del = _mm_set1_epi8(0x7f);

    for (; at + 16 <= s.n; at += 16) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(s.p + at));
        /* As signed numbers, what is no ASCII is less than a blank, too. */
        __m128i stop =
            _mm_or_si128(_mm_cmplt_epi8(c, blank), _mm_cmpeq_epi8(c, del));
        int bits;

        for (int i = 0; i < 5; i++)
            stop =
                _mm_or_si128(stop, _mm_cmpeq_epi8(c, _mm_set1_epi8(stops[i])));
        if ((bits = _mm_movemask_epi8(stop)) != 0)
            return at + (size_t)__builtin_ctz((unsigned)bits);
    }
#endif
    while (at < s.n && !ascii_run_stops((unsigned char)s.p[at], stops))
        at++;
    return at;
}

#endif
