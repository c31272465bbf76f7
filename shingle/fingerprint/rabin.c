/* rabin.c -- see families.h: Rabin's fingerprinting functions (Rabin 1981;
 * Broder 1993) by random irreducible polynomials over GF(2) of degree 64.
 *
 * The hash of a shingle is its 64-bit hash times t^64, modulo the polynomial.
 * (texrex applies a fixed list of polynomials of few terms to the characters
 * themselves; those mix so little that the least value is that of the first
 * word in the alphabet.)  The remainder is found by Barrett's reduction, two
 * carry-less products, of which processors have an instruction.
 *
 * A polynomial is random from a seed, and irreducible by Rabin's test: t^(2^64)
 * = t modulo P, and t^(2^32) - t has no factor in common with P. */
#include "families.h"

#include "base/hash.h"
#include "base/random.h"

#ifdef __x86_64__
#define IS_WIDE                                                                \
    (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"))
#endif

struct product {
    uint64_t high, low;
};

/* Without carries, that is, of polynomials over GF(2). */
static struct product
multiply(uint64_t a, uint64_t b)
{
    struct product p = {0, 0};

    for (unsigned i = 0; i < 64; i++) {
        uint64_t take = 0 - (b >> i & 1);

        p.low ^= (a << i) & take;
        if (i > 0)
            p.high ^= (a >> (64 - i)) & take;
    }
    return p;
}

/* t^128 divided by t^64 + polynomial, less t^64. */
static uint64_t
quotient_of(uint64_t polynomial)
{
    uint64_t rest = polynomial, quotient = 0; /* of t^128, its t^64 taken */

    for (unsigned i = 64; i-- > 0;) {
        bool one = rest >> 63;

        quotient |= (uint64_t)one << i;
        rest = (rest << 1) ^ (one ? polynomial : 0);
    }
    return quotient;
}

static uint64_t
reduce(uint64_t polynomial, uint64_t quotient, uint64_t x)
{
    return multiply(x ^ multiply(x, quotient).high, polynomial).low;
}

uint64_t
rabin_value(uint64_t polynomial, uint64_t shingle)
{
    return reduce(polynomial, quotient_of(polynomial), shingle);
}

/* ---- polynomials ---- */

/* The greatest common divisor of P and x, which is not 0, is 1. */
static bool
is_coprime(uint64_t polynomial, uint64_t x)
{
    uint64_t a = x, b;
    unsigned up = (unsigned)__builtin_clzll(a);

    b = polynomial ^ (up < 63 ? a << (up + 1) : 0); /* P less a * t^(up+1) */
    if (up == 63)
        return true; /* x is 1 */
    while (b != 0) {
        unsigned la = (unsigned)__builtin_clzll(a),
                 lb = (unsigned)__builtin_clzll(b);

        if (la <= lb) {
            a ^= b << (lb - la);
            if (a == 0)
                return b == 1;
        } else {
            b ^= a << (la - lb);
        }
    }
    return a == 1;
}

bool
rabin_irreducible(uint64_t polynomial)
{
    uint64_t quotient = quotient_of(polynomial), x = 2, half = 0;

    if ((polynomial & 1) == 0) /* t divides it */
        return false;
    for (unsigned i = 1; i <= 64; i++) {
        struct product square = multiply(x, x);

        x = square.low ^ reduce(polynomial, quotient, square.high);
        if (i == 32)
            half = x ^ 2;
    }
    return x == 2 && half != 0 && is_coprime(polynomial, half);
}

void
rabin_init(struct rabin *r, uint32_t k, uint64_t seed)
{
    struct random from = random_seed(seed);

    for (uint32_t i = 0; i < k; i++) {
        do
            r->polynomial[i] = random_u64(&from) | 1;
        while (!rabin_irreducible(r->polynomial[i]));
        r->quotient[i] = quotient_of(r->polynomial[i]);
    }
}

/* ---- values ---- */

static uint64_t
least_plain(uint64_t polynomial, uint64_t quotient, const uint64_t *shingle,
            size_t n)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        uint64_t h = reduce(polynomial, quotient, shingle[i]);

        least = h < least ? h : least;
    }
    return least;
}

void
rabin_make(const struct rabin *r, const uint64_t *shingle, size_t n, uint32_t k,
           uint32_t *value)
{
    for (uint32_t i = 0; i < k; i++) {
        uint64_t least;

#ifdef __x86_64__
        if (IS_WIDE)
            least =
                rabin_least_wide(r->polynomial[i], r->quotient[i], shingle, n);
        else
#endif
            least = least_plain(r->polynomial[i], r->quotient[i], shingle, n);
        value[i] = (uint32_t)hash_mix(least);
    }
}
