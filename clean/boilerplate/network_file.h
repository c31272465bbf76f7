/* network_file.h -- FANN's text format, read with every number checked. */
#ifndef CLEAN_NETWORK_FILE_H
#define CLEAN_NETWORK_FILE_H

#include "winnow/status.h"
#include "winnow/str.h"

#define NETWORK_FILE_BYTES ((size_t)32 << 20)

struct network_file {
    uint32_t inputs_n, hidden_n;
    float hidden_steepness, out_steepness;
    float *mean, *deviation, *least, *factor; /* of the inputs */
    float *weight; /* hidden_n x (inputs_n, bias), then (hidden_n, bias) */
};

enum status network_file_read(struct network_file *out, struct str text,
                              const char **fault);
void network_file_free(struct network_file *f);

#endif
