/* train_net.c -- learning by minibatches (Adam, Kingma & Ba 2015).
 *
 * libfann's trainers know no sample weights and take hours for a million
 * blocks, so learning is here and FANN saves the result (train_file.c).  The
 * learning rate falls along a cosine.  One thread per net, no shared state:
 * the same seed gives the same net on the same machine.  The inner loops run
 * over hidden units, which are a multiple of LANES. */
#include "train.h"

#include <math.h>
#include <stdlib.h>

#include "network.h"
#include "winnow/random.h"

#define LANES 16u
#define BATCH 1024u
#define GROUP 4u /* rows that share each load of weights; see forward() */

typedef float vector __attribute__((vector_size(32)));

struct learner {
    struct train_net *net;
    const struct train_set *set;
    train_row *row;
    const struct train_options *o;
    struct sample {
        uint32_t page, block;
    } * sample;
    uint32_t samples_n;
    double weight_mean;
    size_t values_n;          /* weights, biases and output weights */
    float *values;            /* = net->weight */
    float *slope, *m, *v;     /* gradient and Adam's two moments */
    float *x, *hidden, *back; /* of one group of rows */
    float *inverse;
    uint64_t steps, steps_n;
};

static float
clip(float x)
{
    return x > NETWORK_CLIP    ? NETWORK_CLIP
           : x < -NETWORK_CLIP ? -NETWORK_CLIP
                               : x;
}

static struct train_net *
net_new(uint32_t inputs_n, uint32_t hidden_n)
{
    struct train_net *net = calloc(1, sizeof *net);
    size_t values = (size_t)inputs_n * hidden_n + 2 * hidden_n + 1;
    float *p = calloc(values + 2 * inputs_n, sizeof *p);

    if (net == NULL || p == NULL)
        abort();
    net->inputs_n = inputs_n;
    net->hidden_n = hidden_n;
    net->weight = p;
    net->bias = p + (size_t)inputs_n * hidden_n;
    net->out = net->bias + hidden_n;
    net->mean = p + values;
    net->deviation = net->mean + inputs_n;
    return net;
}

void
train_net_free(struct train_net *net)
{
    if (net == NULL)
        return;
    free(net->weight);
    free(net);
}

static float
gauss(struct random *r)
{
    double u = random_unit(r) + 1e-12, v = random_unit(r);

    return (float)(sqrt(-2 * log(u)) * cos(2 * M_PI * v));
}

static void
initialise(struct train_net *net, uint64_t seed)
{
    struct random r = random_seed(seed);
    float in = 1 / sqrtf((float)net->inputs_n);
    float hidden = 1 / sqrtf((float)net->hidden_n);

    for (size_t i = 0; i < (size_t)net->inputs_n * net->hidden_n; i++)
        net->weight[i] = gauss(&r) * in;
    for (uint32_t h = 0; h < net->hidden_n; h++)
        net->out[h] = gauss(&r) * hidden;
}

/* FANN writes scaling with six decimals: learn with what will be read. */
static float
rounded(double x)
{
    return (float)(round(x * 1e6) / 1e6);
}

static void
measure(struct learner *l)
{
    struct train_net *net = l->net;
    uint32_t in = net->inputs_n;
    double *sum = calloc(2 * (size_t)in, sizeof *sum), n = l->samples_n;

    if (sum == NULL)
        abort();
    for (uint32_t k = 0; k < l->samples_n; k++) {
        l->row(&l->set->page[l->sample[k].page], l->sample[k].block, l->x);
        for (uint32_t i = 0; i < in; i++) {
            sum[2 * i] += (double)l->x[i];
            sum[2 * i + 1] += (double)l->x[i] * (double)l->x[i];
        }
    }
    for (uint32_t i = 0; i < in; i++) {
        double mean = sum[2 * i] / n;
        double variance = fmax(0, sum[2 * i + 1] / n - mean * mean);

        net->mean[i] = rounded(mean);
        net->deviation[i] = rounded(sqrt(variance) + 0.001);
        l->inverse[i] = 1 / net->deviation[i];
    }
    free(sum);
}

static void
load_row(struct learner *l, const struct sample *s, float *x)
{
    const struct train_net *net = l->net;

    l->row(&l->set->page[s->page], s->block, x);
    for (uint32_t i = 0; i < net->inputs_n; i++)
        x[i] = clip((x[i] - net->mean[i]) * l->inverse[i]);
}

/* The loops that cost: always_inline so that each caller compiles its own for
 * its instruction set; four rows and two vectors at a time stay in registers.
 */
static inline __attribute__((always_inline)) void
forward(const float *weight, const float *bias, uint32_t in, uint32_t hidden,
        const float *x, float *z)
{
    for (uint32_t from = 0; from < hidden; from += LANES) {
        vector s0[2], s1[2], s2[2], s3[2], w[2];

        memcpy(s0, bias + from, sizeof s0);
        memcpy(s1, s0, sizeof s1);
        memcpy(s2, s0, sizeof s2);
        memcpy(s3, s0, sizeof s3);
        for (uint32_t i = 0; i < in; i++) {
            memcpy(w, weight + (size_t)i * hidden + from, sizeof w);
            for (int k = 0; k < 2; k++) {
                s0[k] += w[k] * x[i];
                s1[k] += w[k] * x[in + i];
                s2[k] += w[k] * x[2 * in + i];
                s3[k] += w[k] * x[3 * in + i];
            }
        }
        memcpy(z + from, s0, sizeof s0);
        memcpy(z + hidden + from, s1, sizeof s1);
        memcpy(z + 2 * hidden + from, s2, sizeof s2);
        memcpy(z + 3 * hidden + from, s3, sizeof s3);
    }
}

static inline __attribute__((always_inline)) void
backward(float *slope, uint32_t in, uint32_t hidden, const float *x,
         const float *back)
{
    for (uint32_t from = 0; from < hidden; from += LANES) {
        vector b0[2], b1[2], b2[2], b3[2], w[2];

        memcpy(b0, back + from, sizeof b0);
        memcpy(b1, back + hidden + from, sizeof b1);
        memcpy(b2, back + 2 * hidden + from, sizeof b2);
        memcpy(b3, back + 3 * hidden + from, sizeof b3);
        for (uint32_t i = 0; i < in; i++) {
            memcpy(w, slope + (size_t)i * hidden + from, sizeof w);
            for (int k = 0; k < 2; k++)
                w[k] += b0[k] * x[i] + b1[k] * x[in + i] +
                        b2[k] * x[2 * in + i] + b3[k] * x[3 * in + i];
            memcpy(slope + (size_t)i * hidden + from, w, sizeof w);
        }
    }
}

static inline __attribute__((always_inline)) void
move(float *value, const float *slope, float *m, float *v, size_t n, float rate,
     float decay, float scale)
{
    for (size_t i = 0; i < n; i++) {
        float g = slope[i] + decay * value[i];

        m[i] = 0.9f * m[i] + 0.1f * g;
        v[i] = 0.999f * v[i] + 0.001f * g * g;
        value[i] -= rate * m[i] / (sqrtf(v[i] * scale) + 1e-8f);
    }
}

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2,fma")))
WIDE static void
forward_wide(const float *weight, const float *bias, uint32_t in,
             uint32_t hidden, const float *x, float *z)
{
    forward(weight, bias, in, hidden, x, z);
}
WIDE static void
backward_wide(float *slope, uint32_t in, uint32_t hidden, const float *x,
              const float *back)
{
    backward(slope, in, hidden, x, back);
}
WIDE static void
move_wide(float *value, const float *slope, float *m, float *v, size_t n,
          float rate, float decay, float scale)
{
    move(value, slope, m, v, n, rate, decay, scale);
}
#define DISPATCH(name, ...)                                                    \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")           \
         ? name##_wide(__VA_ARGS__)                                            \
         : name(__VA_ARGS__))
#else
#define DISPATCH(name, ...) name(__VA_ARGS__)
#endif

static void
learn_group(struct learner *l, const struct sample *s, uint32_t n)
{
    const struct train_net *net = l->net;
    uint32_t in = net->inputs_n, hidden = net->hidden_n;
    float *bias_slope = l->slope + (net->bias - net->weight);
    float *out_slope = l->slope + (net->out - net->weight);

    memset(l->x, 0, GROUP * in * sizeof *l->x);
    memset(l->back, 0, GROUP * hidden * sizeof *l->back);
    for (uint32_t r = 0; r < n; r++)
        load_row(l, &s[r], l->x + r * in);
    DISPATCH(forward, net->weight, net->bias, in, hidden, l->x, l->hidden);
    for (uint32_t r = 0; r < n; r++) {
        const struct train_page *p = &l->set->page[s[r].page];
        float *z = l->hidden + r * hidden, *back = l->back + r * hidden;
        float sum = net->out[hidden], y, g;

        for (uint32_t h = 0; h < hidden; h++) {
            z[h] = tanhf(z[h]);
            sum += z[h] * net->out[h];
        }
        y = p->target[s[r].block] >= 0.5f;
        g = (1 / (1 + expf(-sum)) - y) *
            (float)((double)p->weight[s[r].block] / l->weight_mean / BATCH);
        for (uint32_t h = 0; h < hidden; h++) {
            back[h] = g * net->out[h] * (1 - z[h] * z[h]);
            bias_slope[h] += back[h];
            out_slope[h] += g * z[h];
        }
        out_slope[hidden] += g;
    }
    DISPATCH(backward, l->slope, in, hidden, l->x, l->back);
}

static void
learn_batch(struct learner *l, const struct sample *s, uint32_t n)
{
    double rate, t;

    memset(l->slope, 0, l->values_n * sizeof *l->slope);
    for (uint32_t i = 0; i < n; i += GROUP)
        learn_group(l, s + i, n - i < GROUP ? n - i : GROUP);
    l->steps++;
    t = (double)l->steps;
    rate = l->o->rate * 0.5 * (1 + cos(M_PI * t / (double)l->steps_n)) + 1e-5;
    DISPATCH(move, l->values, l->slope, l->m, l->v, l->values_n,
             (float)(rate / (1 - pow(0.9, t))), (float)l->o->decay,
             (float)(1 / (1 - pow(0.999, t))));
}

static void
collect(struct learner *l, const bool *use)
{
    uint32_t cap = 0;
    double sum = 0;

    for (uint32_t p = 0; p < l->set->pages_n; p++)
        cap += use[p] ? l->set->page[p].f.n : 0;
    l->sample = malloc((cap + 1) * sizeof *l->sample);
    if (l->sample == NULL)
        abort();
    for (uint32_t p = 0; p < l->set->pages_n; p++) {
        const struct train_page *page = &l->set->page[p];

        for (uint32_t i = 0; use[p] && i < page->f.n; i++) {
            if (!(page->weight[i] > 0))
                continue;
            sum += (double)page->weight[i];
            l->sample[l->samples_n++] = (struct sample){p, i};
        }
    }
    l->weight_mean = l->samples_n ? sum / l->samples_n : 1;
}

static void
shuffle(struct learner *l, struct random *r)
{
    for (uint32_t i = l->samples_n; i > 1; i--) {
        uint32_t k = (uint32_t)random_below(r, i);
        struct sample s = l->sample[k];

        l->sample[k] = l->sample[i - 1];
        l->sample[i - 1] = s;
    }
}

struct train_net *
train_net_learn(const struct train_set *set, const bool *use, train_row *row,
                uint32_t inputs_n, const struct train_options *o, uint64_t seed)
{
    uint32_t hidden = (o->hidden_n + LANES - 1) / LANES * LANES;
    struct learner l = {
        .net = net_new(inputs_n, hidden), .set = set, .row = row, .o = o};
    struct random r = random_seed(seed ^ 0x5eed);
    float *p;

    l.values_n = (size_t)inputs_n * hidden + 2 * hidden + 1;
    l.values = l.net->weight;
    p = calloc(3 * l.values_n + GROUP * (inputs_n + 2 * hidden) + inputs_n,
               sizeof *p);
    if (p == NULL)
        abort();
    l.slope = p;
    l.m = p + l.values_n;
    l.v = l.m + l.values_n;
    l.x = l.v + l.values_n;
    l.hidden = l.x + GROUP * inputs_n;
    l.back = l.hidden + GROUP * hidden;
    l.inverse = l.back + GROUP * hidden;
    collect(&l, use);
    initialise(l.net, seed);
    measure(&l);
    l.steps_n = (uint64_t)o->epochs * ((l.samples_n + BATCH - 1) / BATCH);
    for (uint32_t e = 0; e < o->epochs; e++) {
        shuffle(&l, &r);
        for (uint32_t i = 0; i < l.samples_n; i += BATCH)
            learn_batch(&l, l.sample + i,
                        l.samples_n - i < BATCH ? l.samples_n - i : BATCH);
    }
    free(l.sample);
    free(p);
    return l.net;
}

float
train_net_run(const struct train_net *net, const float *inputs)
{
    uint32_t hidden = net->hidden_n;
    float z[NETWORK_HIDDEN_MAX], sum = net->out[hidden];

    memcpy(z, net->bias, hidden * sizeof *z);
    for (uint32_t i = 0; i < net->inputs_n; i++) {
        float x = clip((inputs[i] - net->mean[i]) / net->deviation[i]);
        const float *w = net->weight + (size_t)i * hidden;

        for (uint32_t h = 0; h < hidden; h++)
            z[h] += w[h] * x;
    }
    for (uint32_t h = 0; h < hidden; h++)
        sum += tanhf(z[h]) * net->out[h];
    return 1 / (1 + expf(-sum));
}

/* All nets learned from the same rows, so their scaling is the same. */
struct train_net *
train_net_mean(struct train_net *const *nets, uint32_t n)
{
    uint32_t in = nets[0]->inputs_n, one = nets[0]->hidden_n;
    struct train_net *mean = net_new(in, one * n);

    memcpy(mean->mean, nets[0]->mean, in * sizeof(float));
    memcpy(mean->deviation, nets[0]->deviation, in * sizeof(float));
    for (uint32_t k = 0; k < n; k++) {
        const struct train_net *net = nets[k];

        for (uint32_t i = 0; i < in; i++)
            memcpy(mean->weight + (size_t)i * mean->hidden_n + k * one,
                   net->weight + (size_t)i * one, one * sizeof(float));
        memcpy(mean->bias + k * one, net->bias, one * sizeof(float));
        for (uint32_t h = 0; h < one; h++)
            mean->out[k * one + h] = net->out[h] / (float)n;
        mean->out[mean->hidden_n] += net->out[one] / (float)n;
    }
    return mean;
}

void
train_net_shift(struct train_net *net, double shift)
{
    net->out[net->hidden_n] -= (float)shift;
}
