/* bands.c -- see bands.h. */
#include "bands.h"

#include <math.h>

#include "base/hash.h"

/* The fewest bands of so many rows that find what is at the threshold. */
static double
bands_needed(double near, double recall, uint32_t rows)
{
    double same = pow(near, rows);

    if (same >= 1)
        return 1;
    return ceil(log(1 - recall) / log1p(-same) - 1e-9);
}

struct bands
bands_for(double near, double recall, uint32_t values_n, uint32_t most)
{
    struct bands best = {0, 0};

    for (uint32_t rows = 1; rows <= values_n; rows++) {
        double n = bands_needed(near, recall, rows);

        if (n <= most && n * rows <= values_n)
            best = (struct bands){(uint32_t)n, rows};
    }
    return best;
}

uint64_t
band_hash(const uint32_t *value, uint32_t rows, uint32_t i)
{
    return hash64_seed(str_n((const char *)value, rows * sizeof *value), i);
}
