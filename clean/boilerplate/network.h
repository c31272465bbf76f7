/* network.h -- a perceptron with one hidden layer, read from a FANN file.
 *
 * The file is one that FANN (libfann 2.2, text format FANN_FLO_2.1) saved:
 * fully connected, hidden neurons FANN_SIGMOID_SYMMETRIC, one output neuron
 * FANN_SIGMOID, input scaling included.  Scaled inputs are clipped to
 * +-NETWORK_CLIP.  A network is read-only and shared by all threads. */
#ifndef CLEAN_NETWORK_H
#define CLEAN_NETWORK_H

#include "lanes.h"
#include "winnow/status.h"
#include "winnow/str.h"

#define NETWORK_INPUTS_MAX 2048u
#define NETWORK_HIDDEN_MAX 128u
#define NETWORK_CLIP 6.0f

struct network; /* opaque; see clean/boilerplate/network.c */

/* The text of a FANN file.  ST_INVALID: *fault says why; static storage. */
enum status network_parse(struct network **out, struct str text,
                          const char **fault);

/* Reported with the path.  ST_IO: unreadable; ST_INVALID: not such a file. */
enum status network_load(struct network **out, const char *path);
void network_free(struct network *net); /* NULL is allowed */

uint32_t network_inputs_n(const struct network *net);

/* The forward pass in parts, so that inputs shared by many rows are added
 * once: sums start with the biases, any slice of the inputs is added. */
struct network_sums {
    _Alignas(32) float hidden[NETWORK_HIDDEN_MAX];
};

void network_start(const struct network *net, struct network_sums *sums);
void network_add(const struct network *net, struct network_sums *sums,
                 uint32_t from, const float *inputs, uint32_t n);

/* The same for inputs of which it is known where those stand that are not 0:
 * few are, and one row may be added several times. */
/* `at`: room for n indices, used by the row. */
struct lanes_row network_row(const float *inputs, uint32_t n, uint16_t *at);
void network_add_row(const struct network *net, struct network_sums *sums,
                     uint32_t from, const struct lanes_row *row);
float network_output(const struct network *net,
                     const struct network_sums *sums);

/* All at once: what fann_scale_input(), clipping and fann_run() give. */
float network_run(const struct network *net, const float *inputs);

#endif
