/* network.c -- see network.h.  The forward pass over FANN's weights.
 *
 * fann_run() writes into its network, so each thread would need a copy, and
 * takes five times as long.  Here a network is one block of memory: scaling
 * is folded so that a raw input of zero (most are) costs nothing, weights
 * stand by input so that hidden sums stay in vector registers (lanes.h).
 * test_network checks it against fann_run(). */
#include "network.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lanes.h"
#include "network_file.h"
#include "winnow/log.h"

struct network {
    uint32_t inputs_n, hidden_n, padded_n;
    float *scale, *shift; /* scaled = raw * scale + shift, then clipped */
    float *at_zero;       /* the scaled and clipped value of raw 0 */
    float *weight;        /* [inputs_n][padded_n] */
    float *bias;          /* [padded_n], with all inputs at raw 0 */
    float *out;           /* [padded_n] */
    float out_bias;
};

static float
clip(float x)
{
    return x > NETWORK_CLIP    ? NETWORK_CLIP
           : x < -NETWORK_CLIP ? -NETWORK_CLIP
                               : x;
}

static bool
allocate(struct network *net)
{
    size_t in = net->inputs_n, pad = net->padded_n;
    size_t n = 3 * in + in * pad + 2 * pad;
    float *p = aligned_alloc(64, (n * sizeof *p + 63) / 64 * 64);

    if (p == NULL)
        return false;
    memset(p, 0, n * sizeof *p);
    net->weight = p; /* first: rows keep its alignment */
    net->bias = net->weight + in * pad;
    net->out = net->bias + pad;
    net->scale = net->out + pad;
    net->shift = net->scale + in;
    net->at_zero = net->shift + in;
    return true;
}

/* f(steepness * sum) of FANN, with f symmetric sigmoid = tanh. */
static void
fold(struct network *net, const struct network_file *f)
{
    const float *w = f->weight;

    for (uint32_t i = 0; i < net->inputs_n; i++) {
        net->scale[i] = f->factor[i] / f->deviation[i];
        net->shift[i] =
            (1 - f->mean[i] / f->deviation[i]) * f->factor[i] + f->least[i];
        net->at_zero[i] = clip(net->shift[i]);
    }
    for (uint32_t h = 0; h < net->hidden_n; h++) {
        double bias = 0;

        for (uint32_t i = 0; i < net->inputs_n; i++, w++) {
            net->weight[i * net->padded_n + h] = *w * f->hidden_steepness;
            bias += (double)(*w * f->hidden_steepness * net->at_zero[i]);
        }
        net->bias[h] = (float)bias + *w++ * f->hidden_steepness;
    }
    for (uint32_t h = 0; h < net->hidden_n; h++)
        net->out[h] = *w++ * f->out_steepness;
    net->out_bias = *w * f->out_steepness;
}

enum status
network_parse(struct network **out, struct str text, const char **fault)
{
    struct network_file f;
    struct network *net;
    enum status st = network_file_read(&f, text, fault);

    *out = NULL;
    if (st != ST_OK)
        return st;
    if ((net = calloc(1, sizeof *net)) == NULL)
        goto nomem;
    net->inputs_n = f.inputs_n;
    net->hidden_n = f.hidden_n;
    net->padded_n = (f.hidden_n + LANES_N - 1) / LANES_N * LANES_N;
    if (!allocate(net))
        goto nomem;
    fold(net, &f);
    network_file_free(&f);
    *out = net;
    return ST_OK;

nomem:
    *fault = "out of memory";
    free(net);
    network_file_free(&f);
    return ST_NOMEM;
}

static enum status
read_all(const char *path, char **text, size_t *n)
{
    FILE *file = fopen(path, "rb");
    size_t got;

    *n = 0;
    *text = NULL;
    if (file == NULL)
        return ST_IO;
    if ((*text = malloc(NETWORK_FILE_BYTES + 1)) != NULL)
        while ((got = fread(*text + *n, 1, NETWORK_FILE_BYTES + 1 - *n, file)) >
               0)
            *n += got;
    if (*text == NULL || ferror(file)) {
        free(*text);
        *text = NULL;
        fclose(file);
        return ST_IO;
    }
    fclose(file);
    return ST_OK;
}

enum status
network_load(struct network **out, const char *path)
{
    const char *fault = NULL;
    char *text;
    size_t n;
    enum status st;

    *out = NULL;
    if (read_all(path, &text, &n) != ST_OK) {
        log_error("boilerplate",
                  "cannot read the network %s: %s; set clean.data or "
                  "clean.network, or make one with winnow train",
                  path, strerror(errno));
        return ST_IO;
    }
    st = n > NETWORK_FILE_BYTES ? ST_INVALID
                                : network_parse(out, str_n(text, n), &fault);
    if (st != ST_OK)
        log_error("boilerplate", "%s is no network for Winnow: %s", path,
                  fault ? fault : "file too large");
    free(text);
    return st;
}

void
network_free(struct network *net)
{
    if (net == NULL)
        return;
    free(net->weight);
    free(net);
}

uint32_t
network_inputs_n(const struct network *net)
{
    return net->inputs_n;
}

void
network_start(const struct network *net, struct network_sums *sums)
{
    memcpy(sums->hidden, net->bias, net->padded_n * sizeof *net->bias);
}

void
network_add(const struct network *net, struct network_sums *sums, uint32_t from,
            const float *inputs, uint32_t n)
{
    while (n > 0) {
        const struct lanes_inputs to = {.scale = net->scale + from,
                                        .shift = net->shift + from,
                                        .at_zero = net->at_zero + from,
                                        .weight = net->weight +
                                                  (size_t)from * net->padded_n,
                                        .stride = net->padded_n,
                                        .limit = NETWORK_CLIP};
        struct lanes_term term[LANES_INPUTS];
        uint32_t some = n < LANES_INPUTS ? n : LANES_INPUTS, terms;

        lanes_terms(term, &terms, inputs, some, &to);
        lanes_add(sums->hidden, net->padded_n, term, terms);
        from += some;
        inputs += some;
        n -= some;
    }
}

float
network_output(const struct network *net, const struct network_sums *sums)
{
    float sum = net->out_bias;

    lanes_output(&sum, sums->hidden, net->out, net->padded_n);
    return 1 / (1 + lanes_exp(-2 * sum));
}

float
network_run(const struct network *net, const float *inputs)
{
    struct network_sums sums;

    network_start(net, &sums);
    network_add(net, &sums, 0, inputs, net->inputs_n);
    return network_output(net, &sums);
}
