/* perceptron.h -- a network of FANN as it is: any number of layers, any
 * activation function, no scaling.
 *
 * network.h is the fast one for our own boilerplate networks; this one reads
 * what others trained (texrex's 37-18-1) and what `winnow tenet` makes.  Files
 * of FANN 2.1 are read, too.  Read-only after it is made; thread-safe. */
#ifndef CLEAN_PERCEPTRON_H
#define CLEAN_PERCEPTRON_H

#include "winnow/status.h"
#include "winnow/str.h"

#define PERCEPTRON_LAYERS_MAX 7u
#define PERCEPTRON_WIDTH_MAX 4096u /* neurons in a layer */
#define PERCEPTRON_FILE_BYTES ((size_t)256 << 20)

/* In the order of FANN's numbers. */
enum activation {
    ACTIVATION_LINEAR,
    ACTIVATION_THRESHOLD,
    ACTIVATION_THRESHOLD_SYMMETRIC,
    ACTIVATION_SIGMOID,
    ACTIVATION_SIGMOID_STEPWISE,
    ACTIVATION_SIGMOID_SYMMETRIC,
    ACTIVATION_SIGMOID_SYMMETRIC_STEPWISE,
    ACTIVATION_GAUSSIAN,
    ACTIVATION_GAUSSIAN_SYMMETRIC,
    ACTIVATION_GAUSSIAN_STEPWISE, /* FANN never wrote it; refused */
    ACTIVATION_ELLIOT,
    ACTIVATION_ELLIOT_SYMMETRIC,
    ACTIVATION_LINEAR_PIECE,
    ACTIVATION_LINEAR_PIECE_SYMMETRIC,
    ACTIVATION_SIN_SYMMETRIC,
    ACTIVATION_COS_SYMMETRIC,
    ACTIVATION_SIN,
    ACTIVATION_COS,
    ACTIVATION_N
};

/* "FANN_SIGMOID" or "sigmoid"; ACTIVATION_N: no such function. */
enum activation activation_find(struct str name);
const char *activation_name(enum activation f); /* "FANN_SIGMOID" */

struct perceptron; /* opaque; see clean/boilerplate/perceptron.c */

/* ST_INVALID: *fault says why; static storage. */
enum status perceptron_parse(struct perceptron **out, struct str text,
                             const char **fault);
void perceptron_free(struct perceptron *p); /* NULL is allowed */

uint32_t perceptron_inputs_n(const struct perceptron *p);
uint32_t perceptron_outputs_n(const struct perceptron *p);

/* What fann_run() gives. */
void perceptron_run(const struct perceptron *p, const float *in, float *out);

#endif
