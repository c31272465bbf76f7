/* train_fann.c -- learned nets as networks of libfann, and learning by it.
 *
 * A learner's net gives P(text), the network P(boilerplate): the output weights
 * change sign.  libfann keeps connections by neuron, its bias last, and its
 * arrays of scaling come into being only through training data. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "clean/boilerplate/fann_file.h"
#include "tenet.h"
#include "train_learner.h"

static void
set_scaling(struct fann *ann, const float *mean, const float *deviation)
{
    unsigned n = fann_get_num_input(ann);
    struct fann_train_data *data = memory_need(fann_create_train(2, n, 1));

    for (unsigned i = 0; i < n; i++) {
        data->input[0][i] = 0;
        data->input[1][i] = 1;
    }
    data->output[0][0] = 0;
    data->output[1][0] = 1;
    memory_need(fann_set_scaling_params(ann, data, -1, 1, -1, 1) == 0 ? ann
                                                                      : NULL);
    fann_destroy_train(data);
    for (unsigned i = 0; i < n; i++) {
        ann->scale_mean_in[i] = mean[i];
        ann->scale_deviation_in[i] = deviation[i];
        ann->scale_new_min_in[i] = -1;
        ann->scale_factor_in[i] = 1;
    }
}

static struct fann *
create(uint32_t inputs_n, uint32_t hidden_n, const float *mean,
       const float *deviation)
{
    struct fann *ann =
        memory_need(fann_create_standard(3, inputs_n, hidden_n, 1));

    fann_set_activation_function_hidden(ann, FANN_SIGMOID_SYMMETRIC);
    fann_set_activation_steepness_hidden(ann, 1);
    fann_set_activation_function_output(ann, FANN_SIGMOID);
    fann_set_activation_steepness_output(ann, 0.5f);
    set_scaling(ann, mean, deviation);
    return ann;
}

struct fann *
train_fann_of(const struct train_net *net)
{
    uint32_t in = net->inputs_n, hidden = net->hidden_n;
    struct fann *ann = create(in, hidden, net->mean, net->deviation);
    fann_type *w = ann->weights;

    for (uint32_t h = 0; h < hidden; h++) {
        for (uint32_t i = 0; i < in; i++)
            *w++ = net->weight[(size_t)i * hidden + h];
        *w++ = net->bias[h];
    }
    for (uint32_t h = 0; h <= hidden; h++)
        *w++ = -net->out[h];
    return ann;
}

/* All nets learned from the same rows, so their scaling is the same. */
struct fann *
train_net_mean(struct fann *const *nets, uint32_t n)
{
    uint32_t in = fann_get_num_input(nets[0]);
    const struct fann_layer *layer = nets[0]->first_layer + 1;
    uint32_t one = (uint32_t)(layer->last_neuron - layer->first_neuron) - 1;
    size_t hidden = (size_t)one * (in + 1); /* connections of a net */
    struct fann *mean = create(in, one * n, nets[0]->scale_mean_in,
                               nets[0]->scale_deviation_in);
    fann_type *out = mean->weights + hidden * n;

    out[one * n] = 0;
    for (uint32_t k = 0; k < n; k++) {
        const fann_type *w = nets[k]->weights;

        memcpy(mean->weights + k * hidden, w, hidden * sizeof *w);
        for (uint32_t h = 0; h < one; h++)
            out[k * one + h] = w[hidden + h] / (float)n;
        out[one * n] += w[hidden + one] / (float)n;
    }
    return mean;
}

void
train_net_shift(struct fann *net, double shift)
{
    net->weights[net->total_connections - 1] += (float)shift;
}

/* As many samples as may be, each as often as its weight says: libfann counts
 * all alike. */
static struct fann_train_data *
draw(struct net_learner *l)
{
    uint32_t n =
        l->samples_n < l->o->samples_max ? l->samples_n : l->o->samples_max;
    struct fann_train_data *data =
        memory_need(fann_create_train(n, l->net->inputs_n, 1));
    double step = l->weight_mean * l->samples_n / n, due = step / 2, sum = 0;
    uint32_t k = 0;

    for (uint32_t i = 0; i < l->samples_n; i++) {
        const struct train_sample *s = &l->sample[i];
        const struct train_page *page = &l->set->page[s->page];

        sum += (double)page->weight[s->block];
        for (; k < n && (due < sum || i + 1 == l->samples_n); k++) {
            train_load_row(l, s, data->input[k]);
            data->output[k][0] = page->target[s->block] < 0.5f;
            due += step;
        }
    }
    return data;
}

struct fann *
train_fann_learn(struct net_learner *l)
{
    struct fann_train_data *data = draw(l);
    struct fann *ann = train_fann_of(l->net);

    fann_set_training_algorithm(ann, tenet_algorithm_number(l->o->algorithm));
    for (uint32_t e = 0; e < l->o->epochs; e++)
        fann_train_epoch(ann, data);
    fann_destroy_train(data);
    return ann;
}
