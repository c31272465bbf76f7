/* network.c -- see network.h.  The forward pass over FANN's weights.
 *
 * fann_run() writes into its network, so each thread would need a copy, and
 * takes five times as long.  Here a network is one block of memory: scaling
 * is folded into weights and biases, so that a raw input of zero (most are)
 * costs nothing and another one a clip; weights stand by input, so that hidden
 * sums stay in vector registers (lanes.h).
 * test_network checks it against fann_run(). */
#include "network.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lanes.h"
#include "network_file.h"
#include "winnow/file.h"
#include "winnow/log.h"

struct network {
    uint32_t inputs_n, hidden_n, padded_n;
    float *low, *high; /* raw inputs are clipped to these */
    float *at_zero;    /* raw 0, clipped */
    float *weight;     /* [inputs_n][padded_n], of raw inputs */
    float *bias;       /* [padded_n], with all inputs at raw 0 */
    float *out;        /* [padded_n] */
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
fold_scaling(struct network *net, const struct network_file *f, uint32_t i,
             float *zero, float *scale)
{
    float shift =
        (1 - f->mean[i] / f->deviation[i]) * f->factor[i] + f->least[i];
    float a, b;

    *scale = f->factor[i] / f->deviation[i];
    *zero = between(shift, -NETWORK_CLIP, NETWORK_CLIP);
    a = (-NETWORK_CLIP - shift) / *scale;
    b = (NETWORK_CLIP - shift) / *scale;
    net->low[i] = fminf(a, b);
    net->high[i] = fmaxf(a, b);
    net->at_zero[i] = between(0, net->low[i], net->high[i]);
}

/* f(steepness * sum) of FANN, with f symmetric sigmoid = tanh. */
static void
fold(struct network *net, const struct network_file *f)
{
    const uint32_t in = net->inputs_n;
    const float *out = f->weight + (size_t)net->hidden_n * (in + 1);

    for (uint32_t i = 0; i < in; i++) {
        float zero, scale;

        fold_scaling(net, f, i, &zero, &scale);
        for (uint32_t h = 0; h < net->hidden_n; h++) {
            float w = f->weight[(size_t)h * (in + 1) + i] * f->hidden_steepness;

            net->weight[(size_t)i * net->padded_n + h] = w * scale;
            net->bias[h] += w * zero;
        }
    }
    for (uint32_t h = 0; h < net->hidden_n; h++) {
        net->bias[h] +=
            f->weight[(size_t)h * (in + 1) + in] * f->hidden_steepness;
        net->out[h] = out[h] * f->out_steepness;
    }
    net->out_bias = out[net->hidden_n] * f->out_steepness;
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
    pthread_once(&place_once, make_places);
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

enum status
network_load(struct network **out, const char *path)
{
    const char *fault = "file too large";
    struct buf text = {0};
    enum status st = file_read(&text, path, NETWORK_FILE_BYTES);

    *out = NULL;
    if (st == ST_IO) {
        log_error("boilerplate",
                  "cannot read the network %s: %s; set clean.data or "
                  "clean.network, or make one with winnow train",
                  path, strerror(errno));
    } else {
        st = st == ST_OK ? network_parse(out, buf_view(&text), &fault)
                         : ST_INVALID;
        if (st != ST_OK)
            log_error("boilerplate", "%s is no network for Winnow: %s", path,
                      fault);
    }
    buf_free(&text);
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

/* Whole groups of indices are written, of which the first ones count. */
struct lanes_row
network_row(const float *inputs, uint32_t n, uint16_t *at)
{
    struct lanes_row row = {.value = inputs, .at = at};
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
                uint32_t from, const struct lanes_row *row)
{
    const struct lanes_inputs to = {.weight = net->weight +
                                              (size_t)from * net->padded_n,
                                    .low = net->low + from,
                                    .high = net->high + from,
                                    .at_zero = net->at_zero + from,
                                    .stride = net->padded_n};

    lanes_sparse(sums->hidden, net->padded_n, &to, row);
}

void
network_add(const struct network *net, struct network_sums *sums, uint32_t from,
            const float *inputs, uint32_t n)
{
    uint16_t at[NETWORK_INPUTS_MAX];
    struct lanes_row row = network_row(inputs, n, at);

    network_add_row(net, sums, from, &row);
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
