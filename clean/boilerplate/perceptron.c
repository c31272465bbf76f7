/* perceptron.c -- see perceptron.h.
 *
 * FANN's own loader trusts sizes and indices of the file, refuses files of FANN
 * 2.1 and reads numbers in the process's locale.  Here every number is checked;
 * the weights are held in the order of the file: for each neuron its inputs,
 * then its bias. */
#include "perceptron.h"

#include <math.h>
#include <stdlib.h>

#include "fann_text.h"

#define SUM_MAX 150.0f /* FANN bounds steepness * sum */

struct neuron {
    enum activation activation;
    float steepness;
};

struct perceptron {
    uint32_t layers_n;
    uint32_t size[PERCEPTRON_LAYERS_MAX]; /* without bias */
    struct neuron *neuron; /* of all layers but the first, without bias */
    float *weight;
};

static const char *const names[ACTIVATION_N] = {
    "FANN_LINEAR",
    "FANN_THRESHOLD",
    "FANN_THRESHOLD_SYMMETRIC",
    "FANN_SIGMOID",
    "FANN_SIGMOID_STEPWISE",
    "FANN_SIGMOID_SYMMETRIC",
    "FANN_SIGMOID_SYMMETRIC_STEPWISE",
    "FANN_GAUSSIAN",
    "FANN_GAUSSIAN_SYMMETRIC",
    "FANN_GAUSSIAN_STEPWISE",
    "FANN_ELLIOT",
    "FANN_ELLIOT_SYMMETRIC",
    "FANN_LINEAR_PIECE",
    "FANN_LINEAR_PIECE_SYMMETRIC",
    "FANN_SIN_SYMMETRIC",
    "FANN_COS_SYMMETRIC",
    "FANN_SIN",
    "FANN_COS",
};

enum activation
activation_find(struct str name)
{
    int i;

    for (i = 0; i < ACTIVATION_N; i++)
        if (i != ACTIVATION_GAUSSIAN_STEPWISE &&
            (str_eq_nocase(name, str_c(names[i])) ||
             str_eq_nocase(name, str_c(names[i] + 5))))
            break;
    return (enum activation)i;
}

const char *
activation_name(enum activation f)
{
    return names[f];
}

/* Straight lines between points of the sigmoid; low and high beyond them. */
static float
stepwise(float x, float low, float high)
{
    /* where 1 / (1 + exp(-2x)) is .005 .05 .25 .75 .95 .995 */
    static const float at[6] = {-2.64665246f, -1.47221947f, -0.549306154f,
                                0.549306154f, 1.47221947f,  2.64665246f};
    static const float share[6] = {0.005f, 0.05f, 0.25f, 0.75f, 0.95f, 0.995f};
    int i = 0;

    if (x < at[0])
        return low;
    if (!(x < at[5]))
        return high;
    while (x >= at[i + 1])
        i++;
    return low +
           (high - low) * (share[i] + (x - at[i]) * (share[i + 1] - share[i]) /
                                          (at[i + 1] - at[i]));
}

static float
clip(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static float
activate(enum activation f, float x)
{
    switch (f) {
    case ACTIVATION_LINEAR: return x;
    case ACTIVATION_THRESHOLD: return x < 0 ? 0 : 1;
    case ACTIVATION_THRESHOLD_SYMMETRIC: return x < 0 ? -1 : 1;
    case ACTIVATION_SIGMOID: return 1 / (1 + expf(-2 * x));
    case ACTIVATION_SIGMOID_STEPWISE: return stepwise(x, 0, 1);
    case ACTIVATION_SIGMOID_SYMMETRIC: return 2 / (1 + expf(-2 * x)) - 1;
    case ACTIVATION_SIGMOID_SYMMETRIC_STEPWISE: return stepwise(x, -1, 1);
    case ACTIVATION_GAUSSIAN: return expf(-x * x);
    case ACTIVATION_GAUSSIAN_SYMMETRIC: return expf(-x * x) * 2 - 1;
    case ACTIVATION_ELLIOT: return x / 2 / (1 + fabsf(x)) + 0.5f;
    case ACTIVATION_ELLIOT_SYMMETRIC: return x / (1 + fabsf(x));
    case ACTIVATION_LINEAR_PIECE: return clip(x, 0, 1);
    case ACTIVATION_LINEAR_PIECE_SYMMETRIC: return clip(x, -1, 1);
    case ACTIVATION_SIN_SYMMETRIC: return sinf(x);
    case ACTIVATION_COS_SYMMETRIC: return cosf(x);
    case ACTIVATION_SIN: return sinf(x) / 2 + 0.5f;
    case ACTIVATION_COS: return cosf(x) / 2 + 0.5f;
    case ACTIVATION_GAUSSIAN_STEPWISE:
    case ACTIVATION_N: break;
    }
    return 0;
}

/* A whole number within bounds. */
static bool
next_whole(struct str *rest, double low, double high, uint32_t *out)
{
    double x;

    if (!fann_text_number(rest, &x) || x < low || x > high || fmod(x, 1) > 0)
        return false;
    *out = (uint32_t)x;
    return true;
}

static const char *
read_sizes(struct perceptron *p, struct str text)
{
    struct str rest;

    if (!str_starts(text, S("FANN_FLO_2.1\n")))
        return "not a FANN_FLO_2.1 file";
    if (!fann_text_find(text, S("num_layers"), &rest) ||
        !next_whole(&rest, 2, PERCEPTRON_LAYERS_MAX, &p->layers_n))
        return "num_layers is not 2 to 7";
    if (!fann_text_is(text, S("connection_rate"), 1) ||
        !fann_text_is(text, S("network_type"), 0))
        return "not fully connected in layers";
    if (fann_text_find(text, S("scale_included"), &rest) &&
        !fann_text_is(text, S("scale_included"), 0))
        return "has scaled inputs";
    if (!fann_text_find(text, S("layer_sizes"), &rest))
        return "no layer_sizes";
    for (uint32_t i = 0; i < p->layers_n; i++) { /* with a bias neuron each */
        if (!next_whole(&rest, 2, PERCEPTRON_WIDTH_MAX + 1, &p->size[i]))
            return "layer_sizes out of range";
        p->size[i]--;
    }
    return NULL;
}

static size_t
neurons_n(const struct perceptron *p)
{
    size_t n = 0;

    for (uint32_t i = 1; i < p->layers_n; i++)
        n += p->size[i];
    return n;
}

static size_t
weights_n(const struct perceptron *p)
{
    size_t n = 0;

    for (uint32_t i = 1; i < p->layers_n; i++)
        n += (size_t)p->size[i] * (p->size[i - 1] + 1);
    return n;
}

static const char *
read_neurons(struct perceptron *p, struct str text)
{
    static const struct str key =
        STR("neurons (num_inputs, activation_function, activation_steepness)");
    struct neuron *next = p->neuron;
    struct str rest;

    if (!fann_text_find(text, key, &rest))
        return "no neurons";
    for (uint32_t layer = 0; layer < p->layers_n; layer++)
        for (uint32_t i = 0; i <= p->size[layer]; i++) {
            uint32_t inputs_n, activation;
            double steepness;

            if (!next_whole(&rest, 0, 1e9, &inputs_n) ||
                !next_whole(&rest, 0, ACTIVATION_N - 1, &activation) ||
                !fann_text_number(&rest, &steepness))
                return "broken neurons";
            if (layer == 0 || i == p->size[layer])
                continue;
            if (inputs_n != p->size[layer - 1] + 1)
                return "a neuron is not connected to the whole layer before";
            if (activation == ACTIVATION_GAUSSIAN_STEPWISE)
                return "FANN_GAUSSIAN_STEPWISE is not supported";
            *next++ =
                (struct neuron){(enum activation)activation, (float)steepness};
        }
    return NULL;
}

static const char *
read_weights(struct perceptron *p, struct str text)
{
    static const struct str key =
        STR("connections (connected_to_neuron, weight)");
    uint32_t first = 0; /* number of the first neuron of the layer before */
    float *next = p->weight;
    struct str rest;

    if (!fann_text_find(text, key, &rest))
        return "no connections";
    for (uint32_t layer = 1; layer < p->layers_n; layer++) {
        uint32_t from_n = p->size[layer - 1] + 1;

        for (size_t i = 0; i < (size_t)p->size[layer] * from_n; i++) {
            uint32_t from;
            double weight;

            if (!next_whole(&rest, 0, 1e9, &from) ||
                !fann_text_number(&rest, &weight))
                return "too few connections";
            if (from != first + i % from_n)
                return "connections out of order";
            *next++ = (float)weight;
        }
        first += from_n;
    }
    return NULL;
}

enum status
perceptron_parse(struct perceptron **out, struct str text, const char **fault)
{
    struct perceptron *p = calloc(1, sizeof *p);

    *out = NULL;
    *fault = "out of memory";
    if (p == NULL)
        return ST_NOMEM;
    if ((*fault = read_sizes(p, text)) != NULL)
        goto invalid;
    /* each connection takes more than four bytes of the file */
    if (weights_n(p) == 0 || weights_n(p) > text.n / 4 ||
        neurons_n(p) > text.n / 4) {
        *fault = "too few connections";
        goto invalid;
    }
    p->neuron = calloc(neurons_n(p), sizeof *p->neuron);
    p->weight = calloc(weights_n(p), sizeof *p->weight);
    if (p->neuron == NULL || p->weight == NULL) {
        *fault = "out of memory";
        perceptron_free(p);
        return ST_NOMEM;
    }
    if ((*fault = read_neurons(p, text)) != NULL ||
        (*fault = read_weights(p, text)) != NULL)
        goto invalid;
    *out = p;
    return ST_OK;

invalid:
    perceptron_free(p);
    return ST_INVALID;
}

void
perceptron_free(struct perceptron *p)
{
    if (p == NULL)
        return;
    free(p->neuron);
    free(p->weight);
    free(p);
}

uint32_t
perceptron_inputs_n(const struct perceptron *p)
{
    return p->size[0];
}

uint32_t
perceptron_outputs_n(const struct perceptron *p)
{
    return p->size[p->layers_n - 1];
}

void
perceptron_run(const struct perceptron *p, const float *in, float *out)
{
    float value[2][PERCEPTRON_WIDTH_MAX];
    const struct neuron *neuron = p->neuron;
    const float *w = p->weight, *from = in;

    for (uint32_t layer = 1; layer < p->layers_n; layer++) {
        float *to = layer == p->layers_n - 1 ? out : value[layer & 1];

        for (uint32_t i = 0; i < p->size[layer]; i++, neuron++) {
            float sum = 0;

            for (uint32_t k = 0; k < p->size[layer - 1]; k++)
                sum += *w++ * from[k];
            sum = (sum + *w++) * neuron->steepness;
            to[i] = activate(neuron->activation, clip(sum, -SUM_MAX, SUM_MAX));
        }
        from = to;
    }
}
