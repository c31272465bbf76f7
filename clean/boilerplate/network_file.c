/* network_file.c -- see network_file.h.
 *
 * FANN's own loader trusts the file's sizes and indices and reads numbers in
 * the process's locale; a network is outside input, so it is read here. */
#include "network_file.h"

#include <math.h>
#include <stdlib.h>

#include "fann_text.h"
#include "network.h"

#define SIGMOID 3
#define SIGMOID_SYMMETRIC 5

static bool
read_floats(struct str text, struct str key, float *out, uint32_t n)
{
    struct str rest;
    double x;

    if (!fann_text_find(text, key, &rest))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!fann_text_number(&rest, &x))
            return false;
        out[i] = (float)x;
    }
    return true;
}

static const char *
read_sizes(struct network_file *f, struct str text)
{
    struct str rest;
    double n[3];

    if (!str_starts(text, S("FANN_FLO_2.1\n")))
        return "not a FANN_FLO_2.1 file";
    if (!fann_text_is(text, S("num_layers"), 3))
        return "not three layers";
    if (!fann_text_is(text, S("connection_rate"), 1) ||
        !fann_text_is(text, S("network_type"), 0))
        return "not fully connected in layers";
    if (!fann_text_find(text, S("layer_sizes"), &rest))
        return "no layer_sizes";
    for (int i = 0; i < 3; i++) /* each with its bias neuron */
        if (!fann_text_number(&rest, &n[i]) || n[i] < 2 ||
            n[i] > 1 + (double)NETWORK_INPUTS_MAX || fmod(n[i], 1) > 0)
            return "layer_sizes out of range";
    if (n[1] > 1 + (double)NETWORK_HIDDEN_MAX || n[2] > 2)
        return "too many hidden or output neurons";
    f->inputs_n = (uint32_t)n[0] - 1;
    f->hidden_n = (uint32_t)n[1] - 1;
    return NULL;
}

/* So that no sum overflows, whatever the file says. */
static bool
in_range(float x)
{
    return fabsf(x) <= 1e6f; /* not if NaN */
}

static const char *
read_scaling(struct network_file *f, struct str text)
{
    uint32_t n = f->inputs_n;

    if (!fann_text_is(text, S("scale_included"), 1))
        return "no scale_included";
    if (!read_floats(text, S("scale_mean_in"), f->mean, n) ||
        !read_floats(text, S("scale_deviation_in"), f->deviation, n) ||
        !read_floats(text, S("scale_new_min_in"), f->least, n) ||
        !read_floats(text, S("scale_factor_in"), f->factor, n))
        return "broken scaling";
    for (uint32_t i = 0; i < n; i++)
        if (!(f->deviation[i] > 1e-6f))
            return "a deviation is not positive";
    for (uint32_t i = 0; i < n; i++)
        if (!in_range(f->deviation[i]) || !in_range(f->mean[i]) ||
            !in_range(f->least[i]) || !in_range(f->factor[i]))
            return "scaling out of range";
    return NULL;
}

static const char *
read_neurons(struct network_file *f, struct str text)
{
    static const struct str key =
        STR("neurons (num_inputs, activation_function, activation_steepness)");
    uint32_t first_out = f->inputs_n + 1 + f->hidden_n + 1;
    struct str rest;
    double links, function, steepness;

    if (!fann_text_find(text, key, &rest))
        return "no neurons";
    for (uint32_t i = 0; i <= first_out; i++) {
        bool hidden = i > f->inputs_n && i < first_out - 1;

        if (!fann_text_number(&rest, &links) ||
            !fann_text_number(&rest, &function) ||
            !fann_text_number(&rest, &steepness))
            return "too few neurons";
        if (hidden &&
            (fabs(function - SIGMOID_SYMMETRIC) > 0 || links < f->inputs_n + 1))
            return "a hidden neuron is not FANN_SIGMOID_SYMMETRIC";
        if (!in_range((float)steepness))
            return "a steepness out of range";
        if (hidden)
            f->hidden_steepness = (float)steepness;
        if (i == first_out &&
            (fabs(function - SIGMOID) > 0 || links < f->hidden_n + 1))
            return "the output neuron is not FANN_SIGMOID";
        if (i == first_out)
            f->out_steepness = (float)steepness;
    }
    return NULL;
}

static const char *
read_weights(struct network_file *f, struct str text)
{
    static const struct str key =
        STR("connections (connected_to_neuron, weight)");
    size_t hidden = (size_t)f->hidden_n * (f->inputs_n + 1);
    size_t n = hidden + f->hidden_n + 1;
    struct str rest;
    double from, weight;

    if (!fann_text_find(text, key, &rest))
        return "no connections";
    for (size_t i = 0; i < n; i++) {
        size_t wanted =
            i < hidden ? i % (f->inputs_n + 1) : f->inputs_n + 1 + (i - hidden);

        if (!fann_text_number(&rest, &from) ||
            !fann_text_number(&rest, &weight))
            return "too few connections";
        if (fabs(from - (double)wanted) > 0)
            return "connections out of order";
        f->weight[i] = (float)weight;
        if (!in_range(f->weight[i]))
            return "a weight out of range";
    }
    return NULL;
}

enum status
network_file_read(struct network_file *out, struct str text, const char **fault)
{
    struct network_file *f = out;
    size_t n;
    float *p;

    *f = (struct network_file){0};
    if ((*fault = read_sizes(f, text)) != NULL)
        return ST_INVALID;
    n = (size_t)(f->hidden_n + 4) * (f->inputs_n + 1) + f->hidden_n + 1;
    if ((p = calloc(n, sizeof *p)) == NULL) {
        *fault = "out of memory";
        return ST_NOMEM;
    }
    f->mean = p;
    f->deviation = f->mean + f->inputs_n;
    f->least = f->deviation + f->inputs_n;
    f->factor = f->least + f->inputs_n;
    f->weight = f->factor + f->inputs_n;
    if ((*fault = read_scaling(f, text)) == NULL &&
        (*fault = read_neurons(f, text)) == NULL)
        *fault = read_weights(f, text);
    if (*fault == NULL)
        return ST_OK;
    network_file_free(f);
    return ST_INVALID;
}

void
network_file_free(struct network_file *f)
{
    free(f->mean);
    *f = (struct network_file){0};
}
