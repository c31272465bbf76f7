/* network.h -- a network of libfann that classifies blocks: one output, shared
 * by threads.
 *
 * Any network that fann_file.h reads runs, by fann_run(): a struct fann holds
 * the values of its neurons, so each thread borrows a copy.  Those of the shape
 * that `winnow train` makes (one hidden layer of FANN_SIGMOID_SYMMETRIC of one
 * steepness, a FANN_SIGMOID as output) have a faster form beside, made from the
 * struct fann once.  Where a network has scaling parameters, its inputs are
 * scaled as by fann_scale_input() and clipped to +-NETWORK_CLIP. */
#ifndef CLEAN_NETWORK_H
#define CLEAN_NETWORK_H

#include "base/status.h"
#include "base/str.h"
#include "simd.h"

#define NETWORK_INPUTS_MAX 2048u
#define NETWORK_HIDDEN_MAX 128u
#define NETWORK_CLIP 6.0f

struct fann;
struct network; /* opaque; see clean/boilerplate/network.c */

/* `ann` belongs to the network from now on, also when this fails.  ST_INVALID:
 * *fault says why; static storage. */
enum status network_new(struct network **out, struct fann *ann,
                        const char **fault);

/* The text of a FANN file.  ST_INVALID: *fault says why; static storage. */
enum status network_parse(struct network **out, struct str text,
                          const char **fault);

/* Reported with the path.  ST_IO: unreadable; ST_INVALID: not such a file. */
enum status network_load(struct network **out, const char *path);
void network_free(struct network *net); /* NULL is allowed */

uint32_t network_inputs_n(const struct network *net);

/* Whether there is the faster form; network_start() to network_output() are for
 * networks that have it. */
bool network_in_parts(const struct network *net);

/* A copy of this thread, to be given back; never NULL, but the call may wait
 * for one when there is no memory for another. */
struct fann *network_borrow(const struct network *net);
void network_return(const struct network *net, struct fann *copy);
/* What fann_run() gives on a borrowed copy; `inputs` are left as they are. */
float network_ask(const struct network *net, struct fann *copy,
                  const float *inputs);

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
struct simd_row network_row(const float *inputs, uint32_t n, uint16_t *at);
void network_add_row(const struct network *net, struct network_sums *sums,
                     uint32_t from, const struct simd_row *row);
float network_output(const struct network *net,
                     const struct network_sums *sums);

/* All at once, the faster way if there is one. */
float network_run(const struct network *net, const float *inputs);

#endif
