/* fuzz_tenet_data.c -- samples in FANN's .dat format. */
#include <stdlib.h>

#include "clean/train/tenet_data.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct tenet_data d;
    const char *fault = NULL;
    size_t at;

    if (tenet_data_parse(&d, str_n((const char *)data, n), &fault, &at) ==
        ST_OK) {
        float sum = 0;

        for (size_t i = 0; i < d.n; i++)
            sum += tenet_outputs(&d, i)[d.outputs_n - 1];
        if (d.n == 0 || sum > 1e38f)
            abort();
    } else if (fault == NULL || at > n)
        abort();
    tenet_data_free(&d);
    return 0;
}
