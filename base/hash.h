/* hash.h -- non-cryptographic hashes (XXH3 of xxHash, called here only).
 *
 * Stable over machines and versions: stored in the frontier and in document
 * ids.  Pure, thread-safe. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

struct hash128 {
    uint64_t high, low;
};

/* Of the bytes: XXH3 with 64 bits (seed 0, or the one given), with 128.  A seed
 * is no part of the key: with small ones that differ in a few bits, short texts
 * collide.  What has kinds takes hash_mix(hash64(s) + kind). */
uint64_t hash64(struct str s);
uint64_t hash64_seed(struct str s, uint64_t seed);
struct hash128 hash128(struct str s);

/* 32 lower-case hex digits and a NUL. */
void hash128_hex(struct hash128 h, char out[33]);

/* A bijective mix of 64 bits (for hashing integers). */
static inline uint64_t
hash_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

#endif
