/* fingerprint.c -- see fingerprint.h.
 *
 * One permutation instead of a hundred (Li, Owen & Zhang 2012): every shingle
 * is hashed once, the upper bits choose one of FINGERPRINT_SIZE bins and each
 * bin keeps its least hash, so the cost per token does not grow with the size
 * of the sketch.  Bins that stay empty borrow the value of another bin, chosen
 * by a hash of (bin, attempt) until a filled one is met: the optimal
 * densification of Shrivastava (2017), which keeps the estimate unbiased and
 * its variance low for short documents too.  The values kept are 32 bits: two
 * different shingles look equal once in 4e9.
 *
 * A shingle's hash is a polynomial of its tokens' hashes, so order matters,
 * finished by hash_mix() since the bin is taken from the upper bits. */
#include "winnow/fingerprint.h"

#include <assert.h>

#include "winnow/hash.h"

#define EMPTY UINT64_MAX

void
shingler_init(struct shingler *s, uint32_t shingle_size)
{
    assert(shingle_size >= 1 && shingle_size <= 32);
    memset(s, 0, sizeof *s);
    s->size = shingle_size;
    for (size_t i = 0; i < FINGERPRINT_SIZE; i++)
        s->least[i] = EMPTY;
}

/* The bin of a hash: the range of 64-bit values cut into equal parts. */
static size_t
bin_of(uint64_t h)
{
    return (size_t)(((h >> 32) * FINGERPRINT_SIZE) >> 32);
}

void
shingler_add(struct shingler *s, uint64_t token_hash)
{
    uint64_t h = 0;
    size_t bin;

    s->window[s->seen % s->size] = token_hash;
    s->seen++;
    if (s->seen < s->size)
        return;
    if (s->seen >= 2 * s->size) /* never wraps: only its remainder counts */
        s->seen -= s->size;
    for (uint32_t i = s->seen % s->size, n = s->size; n > 0; n--) {
        h = (h + s->window[i]) * 0x9e3779b97f4a7c15u;
        i = i + 1 == s->size ? 0 : i + 1;
    }
    h = hash_mix(h);
    bin = bin_of(h);
    if (h < s->least[bin])
        s->least[bin] = h;
    if (s->shingles_n < UINT32_MAX)
        s->shingles_n++;
}

void
shingler_finish(const struct shingler *s, struct fingerprint *out)
{
    memset(out, 0, sizeof *out);
    out->shingles_n = s->shingles_n;
    if (s->shingles_n == 0)
        return;
    for (uint64_t i = 0; i < FINGERPRINT_SIZE; i++) {
        size_t from = (size_t)i;

        /* Each try hits a filled bin with a chance of 1 % or more. */
        for (uint64_t attempt = 1; s->least[from] == EMPTY; attempt++)
            from = bin_of(
                hash_mix(((i + 1) << 32 | attempt) * 0xd6e8feb86659fd93u));
        out->value[i] = (uint32_t)hash_mix(s->least[from]);
    }
}

double
fingerprint_resemblance(const struct fingerprint *a,
                        const struct fingerprint *b)
{
    uint32_t equal = 0;

    if (a->shingles_n == 0 || b->shingles_n == 0)
        return 0;
    for (size_t i = 0; i < FINGERPRINT_SIZE; i++)
        equal += a->value[i] == b->value[i];
    return (double)equal / FINGERPRINT_SIZE;
}
