/* fuzz_prior.c -- any bytes as a list of features and weights: no crash, and
 * what is taken are numbers within bounds. */
#include <math.h>
#include <stdlib.h>

#include "frontier/score/learner.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    float weights[LEARNER_NAMED_MAX] = {0};

    if (learner_prior(weights, str_n((const char *)data, n)))
        for (size_t i = 0; i < LEARNER_NAMED_MAX; i++)
            if (!(fabsf(weights[i]) <= 20))
                abort();
    return 0;
}
