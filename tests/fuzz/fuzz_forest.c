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
        static const float x[FOREST_ROWS];
        const float **column = calloc(f->inputs_n, sizeof *column);
        float logit[FOREST_GROUPS * FOREST_ROWS];
        uint8_t *bins = malloc((size_t)f->columns_n * SIMD_ROWS_MAX);
        const uint32_t from = 0;

        if (column == NULL || bins == NULL)
            abort();
        for (uint32_t i = 0; i < f->inputs_n; i++)
            column[i] = x;
        forest_run(f, column, &from, 1, bins, logit);
        for (uint32_t r = 0; r < FOREST_ROWS; r++)
            if (!isfinite(logit[r]))
                abort();
        free(column);
        free(bins);
    }
    forest_free(f);
    return 0;
}
