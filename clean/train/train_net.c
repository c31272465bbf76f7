/* train_net.c -- learning by minibatches (Adam, Kingma & Ba 2015), the trainer
 * of a struct fann's weights.
 *
 * libfann's own trainers (train_fann.c) know no weights of samples, take the
 * whole set for each step and end worse on pages unseen (data/SOURCES.md says
 * by how much), so this is the usual one.  The learning rate falls along a
 * cosine.  One thread per net, no shared state: the same seed gives the same
 * net on the same machine.  The inner loops are those of simd.h. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "clean/boilerplate/network.h"
#include "clean/boilerplate/simd.h"
#include "train_learner.h"

#define BATCH 1024u

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
    struct train_net *net = memory_need(calloc(1, sizeof *net));
    size_t values = (size_t)inputs_n * hidden_n + 2 * hidden_n + 1;
    float *p = memory_need(calloc(values + 2 * inputs_n, sizeof *p));

    net->inputs_n = inputs_n;
    net->hidden_n = hidden_n;
    net->weight = p;
    net->bias = p + (size_t)inputs_n * hidden_n;
    net->out = net->bias + hidden_n;
    net->mean = p + values;
    net->deviation = net->mean + inputs_n;
    return net;
}

static void
net_free(struct train_net *net)
{
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
measure(struct net_learner *l)
{
    struct train_net *net = l->net;
    uint32_t in = net->inputs_n;
    double *sum = calloc(2 * (size_t)in + 1, sizeof *sum), n = l->samples_n;

    sum = memory_need(sum);
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

/* Each input is set to its mean with probability o->drop, so that the net
 * leans on no single habit of the pages it learns from; the others are scaled
 * up to keep the sum (Srivastava et al. 2014). */
static void
drop_inputs(struct net_learner *l, float *x)
{
    uint32_t limit = (uint32_t)(l->o->drop * 256);
    float scale = 256.0f / (float)(256 - limit);
    uint64_t bits = 0;

    for (uint32_t i = 0; i < l->net->inputs_n; i++, bits >>= 8) {
        if (i % 8 == 0)
            bits = random_u64(&l->random);
        x[i] = (bits & 255) < limit ? 0 : x[i] * scale;
    }
}

void
train_load_row(struct net_learner *l, const struct train_sample *s, float *x)
{
    const struct train_net *net = l->net;

    l->row(&l->set->page[s->page], s->block, x);
    for (uint32_t i = 0; i < net->inputs_n; i++)
        x[i] = clip((x[i] - net->mean[i]) * l->inverse[i]);
    if (l->o->drop > 0)
        drop_inputs(l, x);
}

static void
learn_group(struct net_learner *l, const struct train_sample *s, uint32_t n)
{
    const struct train_net *net = l->net;
    uint32_t in = net->inputs_n, hidden = net->hidden_n;
    float *bias_slope = l->slope + (net->bias - net->weight);
    float *out_slope = l->slope + (net->out - net->weight);

    memset(l->x, 0, SIMD_ROWS * in * sizeof *l->x);
    memset(l->back, 0, SIMD_ROWS * hidden * sizeof *l->back);
    for (uint32_t r = 0; r < n; r++)
        train_load_row(l, &s[r], l->x + r * in);
    simd_forward(net->weight, net->bias, in, hidden, l->x, l->hidden);
    for (uint32_t r = 0; r < n; r++) {
        const struct train_page *p = &l->set->page[s[r].page];
        float *z = l->hidden + r * hidden, *back = l->back + r * hidden;
        float sum = net->out[hidden], y, g;

        simd_tanh(z, hidden);
        for (uint32_t h = 0; h < hidden; h++)
            sum += z[h] * net->out[h];
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
    simd_backward(l->slope, in, hidden, l->x, l->back);
}

static void
learn_batch(struct net_learner *l, const struct train_sample *s, uint32_t n)
{
    double rate, t;

    memset(l->slope, 0, l->values_n * sizeof *l->slope);
    for (uint32_t i = 0; i < n; i += SIMD_ROWS)
        learn_group(l, s + i, n - i < SIMD_ROWS ? n - i : SIMD_ROWS);
    l->steps++;
    t = (double)l->steps;
    rate = l->o->rate * 0.5 * (1 + cos(M_PI * t / (double)l->steps_n)) + 1e-5;
    simd_move(l->values, l->slope, l->m, l->v, l->values_n,
              (float)(rate / (1 - pow(0.9, t))), (float)l->o->decay,
              (float)(1 / (1 - pow(0.999, t))));
}

static void
collect(struct net_learner *l, const bool *use)
{
    uint32_t cap = 0;
    double sum = 0;

    for (uint32_t p = 0; p < l->set->pages_n; p++)
        cap += use[p] ? l->set->page[p].f.n : 0;
    l->sample = memory_need(malloc((cap + 1) * sizeof *l->sample));
    for (uint32_t p = 0; p < l->set->pages_n; p++) {
        const struct train_page *page = &l->set->page[p];

        for (uint32_t i = 0; use[p] && i < page->f.n; i++) {
            if (!(page->weight[i] > 0))
                continue;
            sum += (double)page->weight[i];
            l->sample[l->samples_n++] = (struct train_sample){p, i};
        }
    }
    l->weight_mean = l->samples_n ? sum / l->samples_n : 1;
}

static void
shuffle(struct net_learner *l)
{
    for (uint32_t i = l->samples_n; i > 1; i--) {
        uint32_t k = (uint32_t)random_below(&l->random, i);
        struct train_sample s = l->sample[k];

        l->sample[k] = l->sample[i - 1];
        l->sample[i - 1] = s;
    }
}

static void
learn(struct net_learner *l)
{
    l->steps_n = (uint64_t)l->o->epochs * ((l->samples_n + BATCH - 1) / BATCH);
    for (uint32_t e = 0; e < l->o->epochs; e++) {
        shuffle(l);
        for (uint32_t i = 0; i < l->samples_n; i += BATCH)
            learn_batch(l, l->sample + i,
                        l->samples_n - i < BATCH ? l->samples_n - i : BATCH);
    }
}

struct fann *
train_net_learn(const struct train_set *set, const bool *use, train_row *row,
                uint32_t inputs_n, const struct train_options *o, uint64_t seed)
{
    uint32_t hidden = (o->hidden_n + 15) / 16 * 16;
    struct net_learner l = {
        .net = net_new(inputs_n, hidden), .set = set, .row = row, .o = o};
    struct fann *ann;
    float *p;

    l.random = random_seed(seed ^ 0x5eed);
    l.values_n = (size_t)inputs_n * hidden + 2 * hidden + 1;
    l.values = l.net->weight;
    p = memory_need(
        calloc(3 * l.values_n + SIMD_ROWS * (inputs_n + 2 * hidden) + inputs_n,
               sizeof *p));
    l.slope = p;
    l.m = p + l.values_n;
    l.v = l.m + l.values_n;
    l.x = l.v + l.values_n;
    l.hidden = l.x + SIMD_ROWS * inputs_n;
    l.back = l.hidden + SIMD_ROWS * hidden;
    l.inverse = l.back + SIMD_ROWS * hidden;
    collect(&l, use);
    initialise(l.net, seed);
    measure(&l);
    if (o->algorithm == NULL) {
        learn(&l);
        ann = train_fann_of(l.net);
    } else {
        ann = train_fann_learn(&l);
    }
    free(l.sample);
    free(p);
    net_free(l.net);
    return ann;
}
