/* random.c -- a Weyl sequence through a 64-bit mix (the splitmix64 scheme of
 * Steele, Lea & Flood, OOPSLA 2014). */
#include "base/random.h"

uint64_t
random_u64(struct random *r)
{
    uint64_t x = r->state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t
random_below(struct random *r, uint64_t bound)
{
    return bound ? random_u64(r) % bound : 0;
}

double
random_unit(struct random *r)
{
    return (double)(random_u64(r) >> 11) * 0x1p-53;
}
