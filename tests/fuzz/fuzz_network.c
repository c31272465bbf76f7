/* fuzz_network.c -- a network file is outside input: what the check lets pass,
 * libfann loads and runs. */
#include <math.h>
#include <stdlib.h>

#include "clean/boilerplate/fann_file.h"
#include "clean/boilerplate/network.h"
#include "fuzz.h"

static float *
zeros(unsigned n)
{
    float *x = calloc(n, sizeof *x);

    if (x == NULL)
        abort();
    return x;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = str_n((const char *)data, n);
    struct network *net;
    struct fann *ann;
    const char *fault;

    if (fann_file_parse(&ann, text, &fault) == ST_OK) {
        float *x = zeros(fann_get_num_input(ann));
        const float *y = fann_run(ann, x);

        for (unsigned i = 0; i < fann_get_num_output(ann); i++)
            if (!isfinite(y[i]))
                abort();
        free(x);
        fann_destroy(ann);
    } else if (ann != NULL || fault == NULL) {
        abort();
    }
    if (network_parse(&net, text, &fault) == ST_OK) {
        float *x = zeros(network_inputs_n(net));

        if (!isfinite(network_run(net, x)))
            abort();
        free(x);
    }
    network_free(net);
    return 0;
}
