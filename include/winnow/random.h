/* random.h -- a small seeded generator (splitmix64).
 *
 * Randomness comes in as an argument so that runs can be repeated. */
#ifndef WINNOW_RANDOM_H
#define WINNOW_RANDOM_H

#include <stdint.h>

#include "winnow/hash.h"

struct random {
    uint64_t state;
};

static inline struct random
random_seed(uint64_t seed)
{
    /* Mixed, since states that differ by the generator's step would give the
     * same numbers one later. */
    return (struct random){hash_mix(seed + 0x632be59bd9b4e019u)};
}

uint64_t random_u64(struct random *r);
uint64_t random_below(struct random *r, uint64_t bound); /* 0 .. bound-1 */
double random_unit(struct random *r);                    /* [0, 1) */

#endif
