/* random.h -- a small seeded generator (splitmix64).
 *
 * Randomness comes in as an argument so that runs can be repeated. */
#ifndef WINNOW_RANDOM_H
#define WINNOW_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline struct random
random_seed(uint64_t seed)
{
    return (struct random){seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u};
}

uint64_t random_u64(struct random *r);
uint64_t random_below(struct random *r, uint64_t bound); /* 0 .. bound-1 */
double random_unit(struct random *r);                    /* [0, 1) */

#endif
