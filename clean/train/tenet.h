/* tenet.h -- trains a network with FANN on samples of tenet_data.h. */
#ifndef CLEAN_TENET_H
#define CLEAN_TENET_H

#include <fann.h>
#include <stdio.h>

#include "tenet_data.h"

#define TENET_HIDDEN_MAX 5u /* hidden layers */
#define TENET_CASCADE_MAX 200u

struct tenet_options {
    uint32_t hidden[TENET_HIDDEN_MAX];        /* the first 0 ends the list */
    const char *algorithm;                    /* see tenet_algorithm_find() */
    int hidden_activation, output_activation; /* tenet_activation_find() */
    uint32_t cascade; /* instead of hidden layers: grow up to so many neurons,
                         each connected to all before it; 0: no */
    uint64_t epochs_max, report_epochs;
    double mse; /* stop when FANN's own error of training is not above it */
    bool no_widrow;
    uint64_t seed;
    uint64_t stagnation; /* stop when the held-out error is no better for so
                          many epochs (or neurons); 0: never */
    double threshold;
    FILE *progress; /* a line each report_epochs; NULL: none */
};

/* "FANN_TRAIN_RPROP" or "rprop", any case; NULL: no such algorithm. */
const char *tenet_algorithm_find(struct str name);
enum fann_train_enum tenet_algorithm_number(const char *name); /* one found */

/* FANN's number of an activation function, by "FANN_SIGMOID" or "sigmoid"; -1:
 * no such function. */
int tenet_activation_find(struct str name);

enum tenet_end { TENET_MSE, TENET_STAGNATION, TENET_EPOCHS, TENET_STOPPED };

struct tenet_result {
    enum tenet_end end;
    uint64_t epochs, best_epoch; /* of a cascade: neurons */
    double mse, held_mse; /* of the network that is kept; held_mse plain */
    struct tenet_score learned, held;
};

struct tenet; /* a trained network; opaque */

/* Learn from each sample copies[i] times; the weights kept are those with the
 * least error on the samples for which held[i] (all epochs' last if there are
 * none).  The same arguments give the same network on the same machine.  `stop`
 * ends training early (a signal).  ST_NOMEM. */
enum status tenet_learn(struct tenet **out, const struct tenet_data *d,
                        const uint32_t *copies, const bool *held,
                        const struct tenet_options *o, const volatile int *stop,
                        struct tenet_result *r);
void tenet_free(struct tenet *t); /* NULL is allowed */

enum status tenet_save(struct tenet *t, const char *path); /* ST_IO: reported */

#endif
