/* hash.c -- XXH3 (xxHash): fast on short keys and long texts alike, stable
 * since 0.8.0, kept by its author and packaged everywhere. */
#include "winnow/hash.h"

#include <stdio.h>
#include <xxhash.h>

uint64_t
hash64(struct str s)
{
    return XXH3_64bits(s.p, s.n);
}

uint64_t
hash64_seed(struct str s, uint64_t seed)
{
    return XXH3_64bits_withSeed(s.p, s.n, seed);
}

struct hash128
hash128(struct str s)
{
    XXH128_hash_t h = XXH3_128bits(s.p, s.n);

    return (struct hash128){h.high64, h.low64};
}

void
hash128_hex(struct hash128 h, char out[33])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high,
             (unsigned long long)h.low);
}

uint64_t
hash_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}
