/* utf8.c -- see utf8.h.
 *
 * ASCII is passed over sixteen bytes at a time.  On x86-64 with SSSE3 (asked
 * once at run time) validation looks up three nibbles of each byte pair in
 * 16-entry tables, as published by Keiser and Lemire, "Validating UTF-8 in less
 * than one instruction per byte" (2021); elsewhere byte by byte. */
#include "utf8.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* The length of the sequence at p (n > 0 bytes left), or minus the length of
 * its maximal subpart when it is bad (Unicode table 3-7). */
static inline int
sequence(const unsigned char *p, size_t n)
{
    unsigned char c = p[0], low = 0x80, high = 0xbf;
    int need;

    if (c < 0x80)
        return 1;
    if (c < 0xc2 || c > 0xf4)
        return -1;
    if (c < 0xe0) {
        need = 2;
    } else if (c < 0xf0) {
        need = 3;
        if (c == 0xe0)
            low = 0xa0;
        else if (c == 0xed)
            high = 0x9f;
    } else {
        need = 4;
        if (c == 0xf0)
            low = 0x90;
        else if (c == 0xf4)
            high = 0x8f;
    }
    for (int i = 1; i < need; i++) {
        if ((size_t)i >= n || p[i] < low || p[i] > high)
            return -i;
        low = 0x80;
        high = 0xbf;
    }
    return need;
}

size_t
utf8_skip_ascii(struct str s, size_t from)
{
    const char *p, *end;

    if (from >= s.n) /* s.p may be NULL */
        return s.n;
    p = s.p + from;
    end = s.p + s.n;
    for (; end - p >= 16; p += 16) {
        uint64_t v[2];

        memcpy(v, p, 16);
        if ((v[0] | v[1]) & UINT64_C(0x8080808080808080))
            break;
    }
    while (p < end && !(*p & 0x80))
        p++;
    return (size_t)(p - s.p);
}

size_t
utf8_find_bad(struct str s, size_t from)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = from;

    while ((i = utf8_skip_ascii(s, i)) < s.n) {
        do {
            int n = sequence(p + i, s.n - i);

            if (n < 0)
                return i;
            i += (size_t)n;
        } while (i < s.n && p[i] >= 0x80);
    }
    return s.n;
}

#ifdef __x86_64__

/* What can be wrong with two bytes in a row, as bits. */
enum {
    TOO_SHORT = 1 << 0,      /* lead or ASCII where a continuation must be */
    TOO_LONG = 1 << 1,       /* ASCII, then a continuation */
    OVERLONG_3 = 1 << 2,     /* E0 80..9F */
    TOO_LARGE = 1 << 3,      /* F4 90.. and above */
    SURROGATE = 1 << 4,      /* ED A0..BF */
    OVERLONG_2 = 1 << 5,     /* C0, C1 */
    TOO_LARGE_1000 = 1 << 6, /* F5.. 80..8F; shares its bit with */
    OVERLONG_4 = 1 << 6,     /* F0 80..8F */
    TWO_CONTINUATIONS = 1 << 7
};
#define CARRY (TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS)

struct byte_table {
    char first_high[16], first_low[16], second_high[16];
};

static const struct byte_table lookup = {
    .first_high = {TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
                   TOO_LONG, TOO_LONG, (char)TWO_CONTINUATIONS,
                   (char)TWO_CONTINUATIONS, (char)TWO_CONTINUATIONS,
                   (char)TWO_CONTINUATIONS, TOO_SHORT | OVERLONG_2, TOO_SHORT,
                   TOO_SHORT | OVERLONG_3 | SURROGATE,
                   TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4},
    .first_low = {(char)(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4),
                  (char)(CARRY | OVERLONG_2), (char)CARRY, (char)CARRY,
                  (char)(CARRY | TOO_LARGE),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                  (char)(CARRY | TOO_LARGE | TOO_LARGE_1000)},
    .second_high = {TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
                    TOO_SHORT, TOO_SHORT, TOO_SHORT,
                    (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS |
                           OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
                    (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS |
                           OVERLONG_3 | TOO_LARGE),
                    (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS |
                           SURROGATE | TOO_LARGE),
                    (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS |
                           SURROGATE | TOO_LARGE),
                    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT},
};

#define LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))

/* The bits set are the faults of the block `now` after `before`. */
__attribute__((target("ssse3"))) static inline __m128i
block_faults(__m128i before, __m128i now)
{
    const __m128i nibble = _mm_set1_epi8(0x0f);
    __m128i first = _mm_alignr_epi8(now, before, 15);
    __m128i second = _mm_alignr_epi8(now, before, 14);
    __m128i third = _mm_alignr_epi8(now, before, 13);
    __m128i pair = _mm_and_si128(
        _mm_and_si128(
            _mm_shuffle_epi8(LOAD(lookup.first_high),
                             _mm_and_si128(_mm_srli_epi16(first, 4), nibble)),
            _mm_shuffle_epi8(LOAD(lookup.first_low),
                             _mm_and_si128(first, nibble))),
        _mm_shuffle_epi8(LOAD(lookup.second_high),
                         _mm_and_si128(_mm_srli_epi16(now, 4), nibble)));
    /* Third and fourth bytes must be continuations after a continuation, and
     * only they may be: their high bit cancels TWO_CONTINUATIONS. */
    __m128i of_3 = _mm_subs_epu8(second, _mm_set1_epi8((char)(0xe0 - 0x80)));
    __m128i of_4 = _mm_subs_epu8(third, _mm_set1_epi8((char)(0xf0 - 0x80)));
    __m128i must =
        _mm_and_si128(_mm_or_si128(of_3, of_4), _mm_set1_epi8((char)0x80));

    return _mm_xor_si128(must, pair);
}

static inline bool
is_ascii_64(const char *p)
{
    __m128i all = _mm_or_si128(_mm_or_si128(LOAD(p), LOAD(p + 16)),
                               _mm_or_si128(LOAD(p + 32), LOAD(p + 48)));

    return _mm_movemask_epi8(all) == 0;
}

/* Check s in blocks of 16.  *rest is where to go on byte by byte: the start of
 * the last sequence that may be cut by the last whole block. */
__attribute__((target("ssse3"))) static bool
valid_blocks(struct str s, size_t *rest)
{
    __m128i before = _mm_setzero_si128(), faults = _mm_setzero_si128();
    bool ascii = true; /* the block before */
    size_t i = 0;

    for (; s.n - i >= 16; i += 16) {
        __m128i now;
        bool now_ascii;

        while (ascii && s.n - i > 80 && is_ascii_64(s.p + i))
            i += 64;
        now = LOAD(s.p + i);
        now_ascii = _mm_movemask_epi8(now) == 0;
        if (!ascii || !now_ascii)
            faults = _mm_or_si128(faults, block_faults(before, now));
        ascii = now_ascii;
        before = now;
        if ((i & 0xfff) == 0xff0 && _mm_movemask_epi8(_mm_cmpeq_epi8(
                                        faults, _mm_setzero_si128())) != 0xffff)
            return false;
    }
    for (unsigned back = 0; back < 3 && i > 0; back++, i--)
        if ((s.p[i - 1] & 0xc0) != 0x80)
            break;
    if (i > 0 && (s.p[i - 1] & 0x80))
        i--;
    *rest = i;
    return _mm_movemask_epi8(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) ==
           0xffff;
}

static bool
has_ssse3(void)
{
    return __builtin_cpu_supports("ssse3");
}

#else

static bool
valid_blocks(struct str s, size_t *rest)
{
    (void)s;
    *rest = 0;
    return true;
}

static bool
has_ssse3(void)
{
    return false;
}

#endif

bool
utf8_valid(struct str s)
{
    size_t rest = 0;

    if (s.n >= 64 && has_ssse3() && !valid_blocks(s, &rest))
        return false;
    return utf8_find_bad(s, rest) == s.n;
}

struct utf8_survey
utf8_survey(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    struct utf8_survey survey = {0};
    size_t i = 0;

    while ((i = utf8_skip_ascii(s, i)) < s.n) {
        int n = sequence(p + i, s.n - i);

        survey.multibyte += n > 0;
        survey.bad += n < 0;
        i += (size_t)(n < 0 ? -n : n);
    }
    return survey;
}

struct str
utf8_repair(struct arena *a, struct str s)
{
    size_t bad, from = 0, n = 0, faults = 0;
    char *out;

    if (utf8_valid(s))
        return s;
    for (size_t i = 0; (i = utf8_find_bad(s, i)) < s.n; faults++)
        i += (size_t)-sequence((const unsigned char *)s.p + i, s.n - i);
    out = arena_raw(a, s.n + 2 * faults);
    while (bad = utf8_find_bad(s, from), bad < s.n) {
        memcpy(out + n, s.p + from, bad - from);
        n += bad - from;
        memcpy(out + n, "\xef\xbf\xbd", 3);
        n += 3;
        from = bad +
               (size_t)-sequence((const unsigned char *)s.p + bad, s.n - bad);
    }
    memcpy(out + n, s.p + from, s.n - from);
    return str_n(out, n + s.n - from);
}
