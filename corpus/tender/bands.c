/* bands.c -- which parts of a fingerprint make two documents candidates.
 *
 * A band is `rows` values in a row; two documents of resemblance J have one in
 * common with a chance of J^rows, so at least one of n with 1 - (1 - J^rows)^n
 * (Indyk & Motwani 1998).  More rows: fewer chance meetings, more bands. */
#include <math.h>

#include "tender_inside.h"
#include "winnow/hash.h"

#define MISSED 1e-3 /* of the pairs that resemble each other just enough */

struct bands
bands_for(double near, uint32_t values_n)
{
    struct bands best = {values_n, 1};

    for (uint32_t rows = 1; rows <= values_n; rows++) {
        double miss = 1 - pow(near, rows);
        double n = miss <= 0 ? 1 : ceil(log(MISSED) / log(miss));

        if (n * rows > values_n)
            break;
        best = (struct bands){n < 1 ? 1 : (uint32_t)n, rows};
    }
    return best;
}

void
bands_keys(const struct bands *b, const uint32_t *value, uint64_t *key)
{
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t h = i + 1;

        for (uint32_t k = 0; k < b->rows; k++)
            h = (h ^ *value++) * 0x9e3779b97f4a7c15u;
        key[i] = hash_mix(h);
    }
}
