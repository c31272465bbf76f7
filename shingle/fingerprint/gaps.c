/* gaps.c -- see gaps.h.
 *
 * A distance d is written as d >> rice ones, a zero and the lower bits of d
 * (Rice 1979), the lowest bit of a byte first.  `rice` follows from the two
 * numbers in front: the distances of n bits among m are m / n on the average,
 * and 2^rice is the power of two below that. */
#include "gaps.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

enum {
    HEAD_BYTES = 2,
    SET_MAX = 0xfff,
    WORD_BITS = 64,
    LOG_MIN = 6,
    LOG_MAX = 14
};

static unsigned
rice_for(uint32_t bits_n, uint32_t set_n)
{
    unsigned rice = 0;

    while (set_n > 0 && bits_n >> (rice + 1) >= set_n)
        rice++;
    return rice;
}

/* Bytes of a code that ends in `n` of them. */
static size_t
padded(size_t n)
{
    n = (n + 3) / 4 * 4;
    return n >= 128 && (n & (n - 1)) == 0 ? n + 4 : n;
}

/* ---- writing ---- */

struct bits_out {
    unsigned char *p;
    size_t at; /* in bits; what is there is 0 */
};

static void
put_bits(struct bits_out *o, uint32_t bits, unsigned n)
{
    for (unsigned i = 0; i < n; i++, o->at++)
        o->p[o->at / 8] |= (unsigned char)((bits >> i & 1) << o->at % 8);
}

static void
put_gap(struct bits_out *o, uint32_t gap, unsigned rice)
{
    for (uint32_t i = gap >> rice; i > 0; i--)
        put_bits(o, 1, 1);
    put_bits(o, 0, 1);
    put_bits(o, gap, rice);
}

struct str
gaps_make(const uint64_t *word, uint32_t bits_n, struct arena *a)
{
    struct bits_out o = {arena_alloc(a, GAPS_BYTES_MAX + 2 * HEAD_BYTES),
                         (size_t)8 * HEAD_BYTES};
    uint32_t set_n = 0, next = 0;
    unsigned rice;
    size_t n;

    for (uint32_t i = 0; i < bits_n / WORD_BITS; i++)
        set_n += (uint32_t)__builtin_popcountll(word[i]);
    rice = rice_for(bits_n, set_n);
    assert(set_n <= SET_MAX && bits_n <= GAPS_BITS_MAX);
    o.p[0] = (unsigned char)(set_n & 0xff);
    o.p[1] = (unsigned char)(set_n >> 8 | (unsigned)__builtin_ctz(bits_n) << 4);
    for (uint32_t i = 0; i < bits_n / WORD_BITS; i++)
        for (uint64_t w = word[i]; w != 0; w &= w - 1) {
            uint32_t bit = i * WORD_BITS + (uint32_t)__builtin_ctzll(w);

            put_gap(&o, bit - next, rice);
            next = bit + 1;
        }
    n = padded((o.at + 7) / 8);
    arena_grow(a, o.p, GAPS_BYTES_MAX + 2 * HEAD_BYTES, n);
    return str_n((const char *)o.p, n);
}

/* ---- reading ---- */

struct bits_in {
    const char *p;
    size_t n, at; /* bytes; bits */
};

/* The bits that follow, 57 at least; behind the end there are zeros. */
static uint64_t
see_bits(const struct bits_in *in)
{
    size_t from = in->at / 8;
    uint64_t x = 0;

    if (from + sizeof x <= in->n)
        memcpy(&x, in->p + from, sizeof x);
    else if (from < in->n)
        memcpy(&x, in->p + from, in->n - from);
    return le64toh(x) >> in->at % 8;
}

static uint32_t
take_gap(struct bits_in *in, unsigned rice)
{
    enum { SEEN = 40 };
    uint32_t high = 0;
    unsigned ones;
    uint64_t x;

    do {
        x = see_bits(in);
        ones = (unsigned)__builtin_ctzll(~x | (uint64_t)1 << SEEN);
        high += ones;
        in->at += ones;
    } while (ones == SEEN);
    x = x >> ones >> 1;
    in->at += 1 + rice;
    return high << rice | ((uint32_t)x & ((1u << rice) - 1));
}

uint32_t
gaps_bits(struct str bytes)
{
    unsigned log = bytes.n > HEAD_BYTES ? (unsigned char)bytes.p[1] >> 4 : 0;

    return log >= LOG_MIN && log <= LOG_MAX ? 1u << log : 0;
}

size_t
gaps_turn(struct str bytes, uint64_t *word, uint32_t bits)
{
    struct bits_in in = {bytes.p, bytes.n, (size_t)8 * HEAD_BYTES};
    uint32_t of = gaps_bits(bytes), set_n, next = 0;
    unsigned rice;

    if (of < bits)
        return 0;
    set_n = (unsigned char)bytes.p[0] |
            ((unsigned)(unsigned char)bytes.p[1] << 8 & SET_MAX);
    rice = rice_for(of, set_n);
    for (uint32_t i = 0; i < set_n && in.at <= 8 * in.n; i++) {
        uint32_t bit = next + take_gap(&in, rice);

        if (bit >= of)
            return 0;
        next = bit + 1;
        bit &= bits - 1;
        word[bit / WORD_BITS] ^= (uint64_t)1 << bit % WORD_BITS;
    }
    return in.at <= 8 * in.n ? padded((in.at + 7) / 8) : 0;
}
