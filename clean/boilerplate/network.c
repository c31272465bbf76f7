/* network.c -- see network.h.
 *
 * fann_run() writes into its network, so each thread needs a copy, and it takes
 * five times as long as this: the faster form is one block of memory made from
 * the weights of the loaded struct fann.  Scaling is folded into weights and
 * biases, so that a raw input of zero (most are) costs nothing and another one
 * a clip; weights stand by input, so that hidden sums stay in vector registers
 * (simd.h).  test_network checks it against fann_run(), on made-up inputs and
 * on those of pages. */
#include "network.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/log.h"
#include "base/memory.h"
#include "fann_file.h"
#include "simd.h"

/* Copies of one struct fann that nobody uses now, each with the next one as its
 * user data. */
struct copies {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    struct fann *spare;
};

struct network {
    struct fann *ann; /* as it was loaded; only copies of it are run */
    struct copies *copies;
    uint32_t inputs_n;

    /* The faster form. */
    uint32_t hidden_n, padded_n; /* 0: there is none */
    float *weight;               /* [inputs_n][padded_n], of raw inputs */
    float *low, *high;           /* raw inputs are clipped to these */
    float *at_zero;              /* raw 0, clipped */
    float *bias;                 /* [padded_n], with all inputs at raw 0 */
    float *out;                  /* [padded_n] */
    float out_bias;
};

#ifdef __SSE2__
/* By which of eight numbers are not 0 (bits): where these stand, how many. */
static _Alignas(16) uint16_t place[256][8];
static uint8_t place_n[256];

static void
make_places(void)
{
    for (unsigned bits = 0; bits < 256; bits++)
        for (unsigned i = 0; i < 8; i++)
            if (bits >> i & 1)
                place[bits][place_n[bits]++] = (uint16_t)i;
}

static inline __m128i
not_zero_4(const float *p)
{
    return _mm_castps_si128(_mm_cmpneq_ps(_mm_loadu_ps(p), _mm_setzero_ps()));
}

/* Bits: which of eight numbers are not 0. */
static inline unsigned
not_zero_8(const float *p)
{
    __m128i both = _mm_packs_epi32(not_zero_4(p), not_zero_4(p + 4));

    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(both, both)) & 0xff;
}
#else
static void
make_places(void)
{
}
#endif

static pthread_once_t place_once = PTHREAD_ONCE_INIT;

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
    net->low = net->out + pad;
    net->high = net->low + in;
    net->at_zero = net->high + in;
    return true;
}

static float
between(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/* FANN's scaling of input i: what raw 0 becomes, and by how much a raw 1 is
 * more.  Raw values that give more than +-NETWORK_CLIP need not be told. */
static void
fold_scaling(struct network *net, uint32_t i, float *zero, float *scale)
{
    const struct fann *f = net->ann;
    float shift, a, b;

    if (f->scale_mean_in == NULL) {
        *zero = 0;
        *scale = 1;
        net->low[i] = -INFINITY;
        net->high[i] = INFINITY;
        return;
    }
    shift = (1 - f->scale_mean_in[i] / f->scale_deviation_in[i]) *
                f->scale_factor_in[i] +
            f->scale_new_min_in[i];
    *scale = f->scale_factor_in[i] / f->scale_deviation_in[i];
    *zero = between(shift, -NETWORK_CLIP, NETWORK_CLIP);
    a = (-NETWORK_CLIP - shift) / *scale;
    b = (NETWORK_CLIP - shift) / *scale;
    net->low[i] = fminf(a, b);
    net->high[i] = fmaxf(a, b);
    net->at_zero[i] = between(0, net->low[i], net->high[i]);
}

/* f(steepness * sum) of FANN, with f symmetric sigmoid = tanh.  Weights stand
 * by neuron, its bias last. */
static void
fold(struct network *net, float hidden_steepness, float out_steepness)
{
    const uint32_t in = net->inputs_n;
    const float *weight = net->ann->weights;
    const float *out = weight + (size_t)net->hidden_n * (in + 1);

    for (uint32_t i = 0; i < in; i++) {
        float zero, scale;

        fold_scaling(net, i, &zero, &scale);
        for (uint32_t h = 0; h < net->hidden_n; h++) {
            float w = weight[(size_t)h * (in + 1) + i] * hidden_steepness;

            net->weight[(size_t)i * net->padded_n + h] = w * scale;
            net->bias[h] += w * zero;
        }
    }
    for (uint32_t h = 0; h < net->hidden_n; h++) {
        net->bias[h] += weight[(size_t)h * (in + 1) + in] * hidden_steepness;
        net->out[h] = out[h] * out_steepness;
    }
    net->out_bias = out[net->hidden_n] * out_steepness;
}

/* Is it of the shape that the faster form is for? */
static bool
is_foldable(const struct fann *ann)
{
    const struct fann_layer *hidden = ann->first_layer + 1;
    const struct fann_neuron *one = hidden->first_neuron,
                             *last = hidden->last_neuron - 1; /* the bias */

    if (ann->network_type != FANN_NETTYPE_LAYER ||
        ann->last_layer - ann->first_layer != 3 ||
        last - one > (ptrdiff_t)NETWORK_HIDDEN_MAX)
        return false;
    for (const struct fann_neuron *n = one; n < last; n++)
        if (n->activation_function != FANN_SIGMOID_SYMMETRIC ||
            n->activation_steepness < one->activation_steepness ||
            n->activation_steepness > one->activation_steepness)
            return false;
    return hidden[1].first_neuron->activation_function == FANN_SIGMOID;
}

static bool
make_faster(struct network *net)
{
    const struct fann_layer *hidden = net->ann->first_layer + 1;

    if (!is_foldable(net->ann))
        return true;
    pthread_once(&place_once, make_places);
    net->hidden_n = (uint32_t)(hidden->last_neuron - hidden->first_neuron) - 1;
    net->padded_n = (net->hidden_n + SIMD_N - 1) / SIMD_N * SIMD_N;
    if (!allocate(net))
        return false;
    fold(net, hidden->first_neuron->activation_steepness,
         hidden[1].first_neuron->activation_steepness);
    return true;
}

/* first: there is one from the start, so that waiting for one has an end. */
static struct copies *
copies_new(struct fann *ann, bool first)
{
    struct copies *c = memory_zero(1, sizeof *c);

    if (c == NULL)
        return NULL;
    if (first && (c->spare = fann_copy(ann)) == NULL) {
        memory_free(c);
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->returned, NULL);
    return c;
}

static void
copies_free(struct copies *c)
{
    if (c == NULL)
        return;
    for (struct fann *next; c->spare != NULL; c->spare = next) {
        next = fann_get_user_data(c->spare);
        fann_destroy(c->spare);
    }
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->returned);
    memory_free(c);
}

enum status
network_new(struct network **out, struct fann *ann, const char **fault)
{
    struct network *net = memory_zero(1, sizeof *net);

    *out = NULL;
    *fault = "out of memory";
    if (net == NULL) {
        fann_destroy(ann);
        return ST_NOMEM;
    }
    fann_set_user_data(ann, NULL); /* copies have the same */
    net->ann = ann;
    net->inputs_n = fann_get_num_input(ann);
    if (net->inputs_n > NETWORK_INPUTS_MAX || fann_get_num_output(ann) != 1) {
        *fault = "more than 2048 inputs, or not one output";
        network_free(net);
        return ST_INVALID;
    }
    if (!make_faster(net) ||
        (net->copies = copies_new(ann, !network_in_parts(net))) == NULL) {
        network_free(net);
        return ST_NOMEM;
    }
    *fault = NULL;
    *out = net;
    return ST_OK;
}

enum status
network_parse(struct network **out, struct str text, const char **fault)
{
    struct fann *ann;
    enum status st = fann_file_parse(&ann, text, fault);

    *out = NULL;
    return st == ST_OK ? network_new(out, ann, fault) : st;
}

enum status
network_load(struct network **out, const char *path)
{
    const char *fault;
    struct fann *ann;
    enum status st = fann_file_load(&ann, path, "boilerplate");

    *out = NULL;
    if (st == ST_IO)
        log_error("boilerplate", "set clean.data or clean.network, or make a "
                                 "network with winnow train or winnow tenet");
    if (st == ST_OK && (st = network_new(out, ann, &fault)) != ST_OK)
        log_error("boilerplate", "%s cannot classify blocks: %s", path, fault);
    return st;
}

void
network_free(struct network *net)
{
    if (net == NULL)
        return;
    copies_free(net->copies);
    fann_destroy(net->ann);
    free(net->weight);
    memory_free(net);
}

bool
network_in_parts(const struct network *net)
{
    return net->hidden_n > 0;
}

struct fann *
network_borrow(const struct network *net)
{
    struct copies *c = net->copies;
    struct fann *copy = NULL;

    pthread_mutex_lock(&c->lock);
    if (c->spare == NULL)
        copy = fann_copy(net->ann);
    while (copy == NULL && c->spare == NULL)
        pthread_cond_wait(&c->returned, &c->lock);
    if (copy == NULL) {
        copy = c->spare;
        c->spare = fann_get_user_data(copy);
    }
    pthread_mutex_unlock(&c->lock);
    return copy;
}

void
network_return(const struct network *net, struct fann *copy)
{
    struct copies *c = net->copies;

    pthread_mutex_lock(&c->lock);
    fann_set_user_data(copy, c->spare);
    c->spare = copy;
    pthread_cond_signal(&c->returned);
    pthread_mutex_unlock(&c->lock);
}

float
network_ask(const struct network *net, struct fann *copy, const float *inputs)
{
    float x[NETWORK_INPUTS_MAX];

    memcpy(x, inputs, net->inputs_n * sizeof *x);
    if (net->ann->scale_mean_in != NULL) {
        fann_scale_input(copy, x);
        for (uint32_t i = 0; i < net->inputs_n; i++)
            x[i] = between(x[i], -NETWORK_CLIP, NETWORK_CLIP);
    }
    return *fann_run(copy, x);
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

/* Whole groups of indices are written, of which the first ones count. */
struct simd_row
network_row(const float *inputs, uint32_t n, uint16_t *at)
{
    struct simd_row row = {.value = inputs, .at = at};
    uint32_t i = 0;

#ifdef __SSE2__
    for (; i + 8 <= n; i += 8) {
        unsigned bits = not_zero_8(inputs + i);
        __m128i where = _mm_load_si128((const __m128i *)place[bits]);

        where = _mm_add_epi16(where, _mm_set1_epi16((short)i));
        _mm_storeu_si128((__m128i *)(at + row.n), where);
        row.n += place_n[bits];
    }
#endif
    for (; i < n; i++) {
        at[row.n] = (uint16_t)i;
        row.n += inputs[i] < 0 || inputs[i] > 0;
    }
    return row;
}

void
network_add_row(const struct network *net, struct network_sums *sums,
                uint32_t from, const struct simd_row *row)
{
    const struct simd_inputs to = {.weight = net->weight +
                                             (size_t)from * net->padded_n,
                                   .low = net->low + from,
                                   .high = net->high + from,
                                   .at_zero = net->at_zero + from,
                                   .stride = net->padded_n};

    simd_sparse(sums->hidden, net->padded_n, &to, row);
}

void
network_add(const struct network *net, struct network_sums *sums, uint32_t from,
            const float *inputs, uint32_t n)
{
    uint16_t at[NETWORK_INPUTS_MAX];
    struct simd_row row = network_row(inputs, n, at);

    network_add_row(net, sums, from, &row);
}

float
network_output(const struct network *net, const struct network_sums *sums)
{
    float sum = net->out_bias;

    simd_output(&sum, sums->hidden, net->out, net->padded_n);
    return 1 / (1 + simd_exp(-2 * sum));
}

float
network_run(const struct network *net, const float *inputs)
{
    struct network_sums sums;
    struct fann *copy;
    float out;

    if (network_in_parts(net)) {
        network_start(net, &sums);
        network_add(net, &sums, 0, inputs, net->inputs_n);
        return network_output(net, &sums);
    }
    copy = network_borrow(net);
    out = network_ask(net, copy, inputs);
    network_return(net, copy);
    return out;
}
