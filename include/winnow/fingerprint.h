/* fingerprint.h -- the fixed-size sketch of all shingles of a document.
 *
 * A shingle is n consecutive tokens, hashed to 64 bits; the fingerprint is a
 * one-permutation MinHash with optimal densification (Li, Owen & Zhang 2012;
 * Shrivastava 2017) of FINGERPRINT_SIZE values.  Resemblance (Broder 1997) of
 * two documents is estimated by the share of equal values, with a standard
 * error of at most 0.05.  Pure, thread-safe, no allocation. */
#ifndef WINNOW_FINGERPRINT_H
#define WINNOW_FINGERPRINT_H

#include "winnow/str.h"

#define FINGERPRINT_SIZE 100

struct fingerprint {
    uint32_t value[FINGERPRINT_SIZE];
    uint32_t shingles_n; /* 0: too few tokens, never a near-duplicate */
};

/* Add tokens one after the other; `token_hash` is hash64() of the token. */
struct shingler {
    uint64_t window[32];
    uint32_t size, seen;
    uint64_t least[FINGERPRINT_SIZE];
    uint32_t shingles_n;
};

void shingler_init(struct shingler *s, uint32_t shingle_size); /* 1..32 */
void shingler_add(struct shingler *s, uint64_t token_hash);
/* Of the tokens so far; more may follow. */
void shingler_finish(const struct shingler *s, struct fingerprint *out);

/* Estimated resemblance 0..1; 0 if either has no shingles. */
double fingerprint_resemblance(const struct fingerprint *a,
                               const struct fingerprint *b);

#endif
