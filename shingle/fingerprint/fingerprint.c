/* fingerprint.c -- see fingerprint.h: shingles, schemes, and the family
 * onepermutation.
 *
 * One permutation instead of a hundred (Li, Owen & Zhang 2012): every shingle
 * is hashed once, the upper bits choose one of the bins and each bin keeps its
 * least hash, so the cost per token does not grow with the size of the sketch.
 * Bins that stay empty borrow the value of another bin, chosen by a hash of
 * (bin, attempt) until a filled one is met: the optimal densification of
 * Shrivastava (2017), which keeps the estimate unbiased and its variance low
 * for short documents too.  The values kept are 32 bits: two different shingles
 * look equal once in 4e9.
 *
 * A shingle's hash is a polynomial of its tokens' hashes, so order matters,
 * finished by hash_mix() since the bin is taken from the upper bits. */
#include "fingerprint.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "families.h"

#define EMPTY UINT64_MAX
#define BASE 0x9e3779b97f4a7c15u

enum { SHINGLE_MAX = 32 };

struct fingerprinter {
    struct fingerprint_scheme scheme;
    struct minima minima;
    struct rabin rabin;
};

/* ---- schemes ---- */

static const char *const family_names[FINGERPRINT_FAMILIES_N] = {
    "onepermutation", "minima", "rabin"};

static bool
read_family(enum fingerprint_family *out, struct str name)
{
    for (int i = 0; i < FINGERPRINT_FAMILIES_N; i++)
        if (str_eq(name, str_c(family_names[i]))) {
            *out = (enum fingerprint_family)i;
            return true;
        }
    return false;
}

struct fingerprint_scheme
fingerprint_scheme_of(const struct opts *o)
{
    struct fingerprint_scheme s = {.values_n = (uint32_t)o->dedup_values,
                                   .shingle_size =
                                       (uint32_t)o->dedup_shingle_size,
                                   .seed = o->dedup_seed};

    if (!read_family(&s.family, o->dedup_fingerprint))
        assert(false && "dedup.fingerprint was checked");
    if (s.family == FINGERPRINT_ONEPERMUTATION)
        s.seed = 0;
    return s;
}

bool
fingerprint_scheme_equal(const struct fingerprint_scheme *a,
                         const struct fingerprint_scheme *b)
{
    return a->family == b->family && a->values_n == b->values_n &&
           a->shingle_size == b->shingle_size && a->seed == b->seed;
}

void
fingerprint_scheme_text(const struct fingerprint_scheme *s,
                        char out[FINGERPRINT_SCHEME_BYTES])
{
    snprintf(out, FINGERPRINT_SCHEME_BYTES, "%s/%u/%u/%" PRIu64,
             family_names[s->family], s->values_n, s->shingle_size, s->seed);
}

/* The number in front of the next '/', and `text` behind that. */
static bool
read_part(struct str *text, uint64_t high, uint64_t *out)
{
    size_t slash = str_find(*text, '/', 0);

    *out = 0;
    for (size_t i = 0; i < slash; i++) {
        if (!ascii_digit(text->p[i]) || *out > (high - 9) / 10)
            return false;
        *out = 10 * *out + (uint64_t)(text->p[i] - '0');
    }
    if (slash == 0)
        return false;
    *text = str_sub(*text, slash + (slash < text->n), text->n);
    return true;
}

bool
fingerprint_scheme_read(struct fingerprint_scheme *out, struct str text)
{
    size_t slash = str_find(text, '/', 0);
    uint64_t values, size, seed;

    if (!read_family(&out->family, str_sub(text, 0, slash)) || slash == text.n)
        return false;
    text = str_sub(text, slash + 1, text.n);
    if (!read_part(&text, 10000, &values) || !read_part(&text, 10000, &size) ||
        str_find(text, '/', 0) < text.n ||
        !read_part(&text, UINT64_MAX, &seed) || values < FINGERPRINT_MIN ||
        values > FINGERPRINT_MAX || size < 1 || size > SHINGLE_MAX)
        return false;
    out->values_n = (uint32_t)values;
    out->shingle_size = (uint32_t)size;
    out->seed = seed;
    return true;
}

/* ---- shingles ---- */

/* A hash that rolls over the tokens. */
struct rolling {
    uint64_t hash, out; /* out: the power that the token which leaves has */
    uint32_t size;
};

static struct rolling
roll_begin(const uint64_t *token, uint32_t size)
{
    struct rolling r = {.hash = 0, .out = BASE, .size = size};

    for (uint32_t k = 0; k < size; k++) {
        r.hash = (r.hash + token[k]) * BASE;
        r.out *= BASE;
    }
    return r;
}

/* From the shingle at `token` to the next. */
static inline void
roll(struct rolling *r, const uint64_t *token)
{
    r->hash = (r->hash + token[r->size]) * BASE - token[0] * r->out;
}

/* Both halves of the text at once: each hash waits for the one before it. */
size_t
shingles_make(const uint64_t *token_hash, size_t n, uint32_t size,
              uint64_t *out)
{
    size_t half;
    struct rolling a, b;

    assert(size >= 1 && size <= SHINGLE_MAX);
    if (n < size)
        return 0;
    n -= size - 1;
    half = n / 2;
    a = roll_begin(token_hash, size);
    b = roll_begin(token_hash + half, size);
    for (size_t i = 0; i < half; i++) {
        out[i] = hash_mix(a.hash);
        out[half + i] = hash_mix(b.hash);
        roll(&a, token_hash + i);
        if (half + i + 1 < n)
            roll(&b, token_hash + half + i);
    }
    if (n % 2 == 1)
        out[n - 1] = hash_mix(b.hash);
    return n;
}

/* ---- one permutation ---- */

/* The bin of a hash: the range of 64-bit values cut into equal parts. */
static inline size_t
bin_of(uint64_t h, uint32_t bins)
{
    return (size_t)(((h >> 32) * bins) >> 32);
}

static void
one_permutation(const uint64_t *shingle, size_t n, uint32_t bins,
                uint32_t *value)
{
    uint64_t least[FINGERPRINT_MAX];

    for (size_t i = 0; i < bins; i++)
        least[i] = EMPTY;
    for (size_t i = 0; i < n;
         i++) { /* without a branch: none can be foretold */
        uint64_t h = shingle[i], *l = &least[bin_of(h, bins)];

        /* NOLINTNEXTLINE(*UndefinedBinaryOperatorResult): in a bin, all set */
        *l ^= (h ^ *l) & (0 - (uint64_t)(h < *l));
    }
    for (uint64_t i = 0; i < bins; i++) {
        size_t from = (size_t)i;

        /* Each try hits a filled bin with a chance of 1 in `bins` or more. */
        for (uint64_t attempt = 1; least[from] == EMPTY; attempt++)
            from = bin_of(
                hash_mix(((i + 1) << 32 | attempt) * 0xd6e8feb86659fd93u),
                bins);
        value[i] = (uint32_t)hash_mix(least[from]);
    }
}

/* ---- any family ---- */

enum status
fingerprinter_open(struct fingerprinter **out,
                   const struct fingerprint_scheme *s)
{
    struct fingerprinter *f = calloc(1, sizeof *f);

    assert(s->values_n >= FINGERPRINT_MIN && s->values_n <= FINGERPRINT_MAX);
    *out = f;
    if (f == NULL)
        return ST_NOMEM;
    f->scheme = *s;
    if (s->family == FINGERPRINT_MINIMA)
        minima_init(&f->minima, s->seed);
    else if (s->family == FINGERPRINT_RABIN)
        rabin_init(&f->rabin, s->values_n, s->seed);
    return ST_OK;
}

void
fingerprinter_close(struct fingerprinter *f)
{
    free(f);
}

void
fingerprinter_make(const struct fingerprinter *f, const uint64_t *shingle,
                   size_t n, struct fingerprint *out)
{
    uint32_t k = f->scheme.values_n;

    memset(out, 0, sizeof *out);
    out->values_n = k;
    out->shingles_n = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    if (n == 0)
        return;
    switch (f->scheme.family) {
    case FINGERPRINT_MINIMA:
        minima_make(&f->minima, shingle, n, k, out->value);
        break;
    case FINGERPRINT_RABIN:
        rabin_make(&f->rabin, shingle, n, k, out->value);
        break;
    default: one_permutation(shingle, n, k, out->value);
    }
}

double
fingerprint_resemblance(const struct fingerprint *a,
                        const struct fingerprint *b)
{
    uint32_t equal = 0;

    if (a->shingles_n == 0 || b->shingles_n == 0 || a->values_n != b->values_n)
        return 0;
    for (size_t i = 0; i < a->values_n; i++)
        equal += a->value[i] == b->value[i];
    return (double)equal / a->values_n;
}
