/* signature.c -- see fingerprint.h: the odd sketch of a document.
 *
 * Each different shingle turns over one bit, chosen by its hash (Mitzenmacher,
 * Pagh & Pham 2014).  The exclusive or of two sketches is that of the shingles
 * which only one of the documents has: of d such among n bits, an odd number
 * stands behind a share (1 - (1 - 2/n)^d) / 2 of the bits, and that gives d.
 * With the exact numbers of shingles, resemblance is (a + b - d) / (a + b + d).
 *
 * What an estimate errs by comes from shingles that meet in a bit: of n bits
 * sqrt(.06 / n) at a resemblance of .8 (.006 of 2,048), twice that at .5.  Long
 * documents have larger sketches, two bits a shingle; since a bit is chosen by
 * the lower bits of a hash, one of half the size is the exclusive or of the two
 * halves.  Short documents differ in few shingles, so that one more or less is
 * a step over the threshold: theirs have more bits, which are mostly 0, and are
 * kept as gaps (Elias 1974: n of m bits take about n log2(m / n) + 2n). */
#include <endian.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "fingerprint.h"
#include "gaps.h"

enum { WORD_BITS = 64 };

/* Up to so many shingles the gaps of so many bits take 256 bytes, about. */
static const struct {
    size_t shingles_n;
    uint32_t bits_n;
} sparse[] = {{270, GAPS_BITS_MAX}, {340, 8192}, {480, 4096}};

enum { SPARSE_N = sizeof sparse / sizeof *sparse };

static uint32_t
bits_for(size_t shingles_n)
{
    uint32_t bits = SIGNATURE_BITS_MIN;

    for (size_t i = 0; i < SPARSE_N; i++)
        if (shingles_n <= sparse[i].shingles_n)
            return sparse[i].bits_n;

    while (bits / 2 < shingles_n && bits < SIGNATURE_BITS_MAX)
        bits *= 2;
    return bits;
}

/* Shingles of a document; 0 stands for a free slot. */
static inline bool
shingle_used(const void *slot)
{
    return *(const uint64_t *)slot != 0;
}

static inline bool
shingle_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return *(const uint64_t *)slot == *(const uint64_t *)key;
}

static const struct hashmap_kind shingle_kind = {
    .size = sizeof(uint64_t), .used = shingle_used, .equal = shingle_equal};

static inline void
turn_over(uint64_t *word, uint32_t bits_n, uint64_t h)
{
    uint32_t bit = (uint32_t)h & (bits_n - 1);

    word[bit / WORD_BITS] ^= (uint64_t)1 << bit % WORD_BITS;
}

void
signature_make(const uint64_t *shingle, size_t n, struct arena *a,
               struct signature *out)
{
    size_t places = 64;
    struct hashmap seen;
    uint64_t *word, *slots;

    *out = (struct signature){0};
    if (n == 0)
        return;
    while (places < 2 * n)
        places *= 2;
    out->bits_n = bits_for(n);
    out->word = word = ARENA_ARRAY(a, uint64_t, out->bits_n / WORD_BITS);
    slots = ARENA_ARRAY(a, uint64_t, places);
    hashmap_use(&seen, &shingle_kind, slots, places);
    for (size_t i = 0; i < n; i++) {
        uint64_t h = shingle[i] != 0 ? shingle[i] : 1;
        uint64_t *slot = hashmap_find(&seen, &shingle_kind, NULL, h, &h);

        if (*slot != 0)
            continue;
        *slot = h;
        turn_over(word, out->bits_n, h);
        out->shingles_n++;
    }
    arena_grow(a, slots, places * sizeof *slots, 0);
    if (n <= sparse[SPARSE_N - 1].shingles_n) {
        out->gaps = gaps_make(word, out->bits_n, a);
        out->word = NULL;
    }
}

void
signature_of_values(const struct fingerprint *f, uint64_t *word,
                    struct signature *out)
{
    memset(word, 0, SIGNATURE_BITS_MIN / 8);
    *out = (struct signature){0};
    if (f->shingles_n == 0)
        return;
    for (uint64_t i = 0; i < f->values_n; i++)
        turn_over(word, SIGNATURE_BITS_MIN, hash_mix(i << 32 | f->value[i]));
    out->word = word;
    out->bits_n = SIGNATURE_BITS_MIN;
    out->shingles_n = f->values_n;
}

/* ---- estimates ---- */

/* Turn over in `to` what the sketch has, folded to `bits` bits. */
static void
turn_all(const struct signature *s, uint32_t bits, uint64_t *to)
{
    uint32_t words = bits / WORD_BITS;

    if (s->word == NULL)
        (void)gaps_turn(s->gaps, to, bits);
    for (uint32_t i = 0; s->word != NULL && i < s->bits_n / WORD_BITS; i++)
        to[i & (words - 1)] ^= s->word[i];
}

void
signature_fold(const struct signature *s, uint32_t bits, uint64_t *word)
{
    memset(word, 0, bits / 8);
    turn_all(s, bits, word);
}

/* The same when one of the two is gaps. */
static uint32_t
differing_gaps(const struct signature *a, const struct signature *b,
               uint32_t bits)
{
    uint64_t word[GAPS_BITS_MAX / WORD_BITS];
    uint32_t n = 0;

    signature_fold(a, bits, word);
    turn_all(b, bits, word);
    for (uint32_t i = 0; i < bits / WORD_BITS; i++)
        n += (uint32_t)__builtin_popcountll(word[i]);
    return n;
}

/* Bits in which the two differ, both folded to `bits` of them. */
static uint32_t
differing(const struct signature *a, const struct signature *b, uint32_t bits)
{
    uint32_t n = 0;

    if (a->word == NULL || b->word == NULL)
        return differing_gaps(a, b, bits);
    for (uint32_t i = 0; i < bits / WORD_BITS; i++) {
        uint64_t x = 0;

        for (uint32_t k = i; k < a->bits_n / WORD_BITS; k += bits / WORD_BITS)
            x ^= a->word[k];
        for (uint32_t k = i; k < b->bits_n / WORD_BITS; k += bits / WORD_BITS)
            x ^= b->word[k];
        n += (uint32_t)__builtin_popcountll(x);
    }
    return n;
}

/* Shingles that only one of them has; below 0: too many to tell.  A number that
 * is odd when that of the bits is: of the few that short documents have, it is
 * mostly the exact one. */
static double
difference(const struct signature *a, const struct signature *b)
{
    uint32_t bits = a->bits_n < b->bits_n ? a->bits_n : b->bits_n;
    double n = bits, odd = differing(a, b, bits), even = 1 - 2 * odd / n, d,
           least;

    if (even <= 2 / sqrt(n)) /* half of all bits, give or take chance */
        return -1;
    d = log(even) / log(1 - 2 / n);
    d = odd + 2 * round((d - odd) / 2);
    least = fabs((double)a->shingles_n - (double)b->shingles_n);
    return d < least ? least : d;
}

double
signature_resemblance(const struct signature *a, const struct signature *b)
{
    double both = (double)a->shingles_n + (double)b->shingles_n, d;

    if (a->bits_n == 0 || b->bits_n == 0)
        return 0;
    d = difference(a, b);
    return d < 0 || d > both ? 0 : (both - d) / (both + d);
}

double
signature_values_resemblance(const struct signature *a,
                             const struct signature *b)
{
    double d;

    if (a->bits_n == 0 || b->bits_n == 0 || a->shingles_n != b->shingles_n)
        return 0;
    d = difference(a, b);
    d = d < 0 ? 0 : 1 - d / (2.0 * a->shingles_n);
    return d < 0 ? 0 : d;
}

/* ---- as bytes ---- */

size_t
signature_bytes(const struct signature *s)
{
    return s->word == NULL ? s->gaps.n : s->bits_n / 8;
}

/* Of plain bits, else of gaps. */
static bool
is_plain(size_t bytes)
{
    return bytes >= SIGNATURE_BITS_MIN / 8 && (bytes & (bytes - 1)) == 0;
}

bool
signature_is_size(size_t bytes)
{
    return is_plain(bytes)
               ? bytes <= SIGNATURE_BITS_MAX / 8
               : bytes > 0 && bytes % 4 == 0 && bytes <= GAPS_BYTES_MAX;
}

void
signature_pack(const struct signature *s, struct buf *out)
{
    if (s->word == NULL) {
        buf_str(out, s->gaps);
        return;
    }
    for (uint32_t i = 0; i < s->bits_n / WORD_BITS; i++)
        for (unsigned k = 0; k < WORD_BITS; k += 8)
            buf_char(out, (char)(s->word[i] >> k & 0xff));
}

bool
signature_is(struct str bytes)
{
    uint64_t word[1] = {0};

    if (!signature_is_size(bytes.n))
        return false;
    return is_plain(bytes.n) || gaps_turn(bytes, word, WORD_BITS) == bytes.n;
}

bool
signature_unpack(struct str bytes, uint32_t shingles_n, struct arena *a,
                 struct signature *out)
{
    uint64_t *word;

    *out = (struct signature){0};
    if (!signature_is(bytes) || shingles_n == 0)
        return false;
    out->shingles_n = shingles_n;
    if (!is_plain(bytes.n)) {
        out->gaps = bytes;
        out->bits_n = gaps_bits(bytes);
        return true;
    }
    out->bits_n = (uint32_t)bytes.n * 8;
    out->word = word = arena_raw(a, bytes.n);
    memcpy(word, bytes.p, bytes.n);
    for (uint32_t i = 0; i < out->bits_n / WORD_BITS; i++)
        word[i] = le64toh(word[i]);
    return true;
}
