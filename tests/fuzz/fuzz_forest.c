/* fuzz_forest.c -- a forest's file is outside input. */
#include <math.h>
#include <stdlib.h>

#include "clean/boilerplate/forest.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct forest *f;
    const char *fault;

    if (forest_parse(&f, str_n((const char *)data, n), &fault) == ST_OK) {
        float *x = calloc((size_t)f->inputs_n * FOREST_ROWS, sizeof *x);
        float logit[FOREST_ROWS];

        if (x == NULL)
            abort();
        forest_run(f, x, FOREST_ROWS, logit);
        for (uint32_t r = 0; r < FOREST_ROWS; r++)
            if (!isfinite(logit[r]))
                abort();
        free(x);
    }
    forest_free(f);
    return 0;
}
