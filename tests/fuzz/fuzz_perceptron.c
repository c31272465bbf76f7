/* fuzz_perceptron.c -- a network of any shape in FANN's text format. */
#include <stdlib.h>

#include "clean/boilerplate/perceptron.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct perceptron *p;
    const char *fault = NULL;

    if (perceptron_parse(&p, str_n((const char *)data, n), &fault) == ST_OK) {
        float *in = calloc(perceptron_inputs_n(p), sizeof *in);
        float *out = calloc(perceptron_outputs_n(p), sizeof *out);

        if (in == NULL || out == NULL)
            abort();
        perceptron_run(p, in, out);
        free(in);
        free(out);
    } else if (p != NULL || fault == NULL)
        abort();
    perceptron_free(p);
    return 0;
}
