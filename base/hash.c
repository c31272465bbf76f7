/* hash.c -- XXH3 (xxHash): fast on short keys and long texts alike, stable
 * since 0.8.0, kept by its author and packaged everywhere. */
#include "base/hash.h"

#include <stdio.h>
#define XXH_INLINE_ALL /* most keys are short: a call costs as much */
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
