/* random.h -- a small seeded generator: splitmix64 (Steele, Lea & Flood 2014).
 *
 * Randomness comes in as an argument so that runs can be repeated.  The state
 * is the caller's, of one thread at a time.  Not for secrets. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#include "base/hash.h"

struct random {
    uint64_t state;
};

/* A generator that gives the same numbers for the same seed everywhere. */
static inline struct random
random_seed(uint64_t seed)
{
    /* Mixed, since states that differ by the generator's step would give the
     * same numbers one later. */
    return (struct random){hash_mix(seed + 0x632be59bd9b4e019u)};
}

/* The next number: any, one of 0 .. bound-1 (0 for bound 0; its bias is
 * bound in 2^64), one of [0, 1) in steps of 2^-53. */
uint64_t random_u64(struct random *r);
uint64_t random_below(struct random *r, uint64_t bound);
double random_unit(struct random *r);

#endif
