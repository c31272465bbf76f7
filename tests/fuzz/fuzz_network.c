/* fuzz_network.c -- a network file is outside input. */
#include <math.h>
#include <stdlib.h>

#include "clean/boilerplate/network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct network *net;
    const char *fault;

    if (network_parse(&net, str_n((const char *)data, n), &fault) == ST_OK) {
        float *x = calloc(network_inputs_n(net), sizeof *x), y;

        if (x == NULL)
            abort();
        y = network_run(net, x);
        if (isnan(y) || y < 0 || y > 1)
            abort();
        free(x);
    }
    network_free(net);
    return 0;
}
