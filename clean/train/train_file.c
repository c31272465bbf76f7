/* train_file.c -- a learned net as a FANN network; libfann is called here.
 *
 * FANN writes numbers in the process's locale, so saving is done in the C
 * locale of this thread.  Our nets learn P(text); the file's output is
 * P(boilerplate), so the output weights change sign. */
#include "train.h"

#include <fann.h>
#include <locale.h>

#include "winnow/log.h"

/* FANN's scaling arrays come into being only through training data. */
static bool
set_scaling(struct fann *ann, const struct train_net *net)
{
    struct fann_train_data *data = fann_create_train(2, net->inputs_n, 1);
    bool ok;

    if (data == NULL)
        return false;
    for (uint32_t i = 0; i < net->inputs_n; i++) {
        data->input[0][i] = 0;
        data->input[1][i] = 1;
    }
    data->output[0][0] = 0;
    data->output[1][0] = 1;
    ok = fann_set_scaling_params(ann, data, -1, 1, -1, 1) == 0;
    fann_destroy_train(data);
    if (!ok)
        return false;
    for (uint32_t i = 0; i < net->inputs_n; i++) {
        ann->scale_mean_in[i] = net->mean[i];
        ann->scale_deviation_in[i] = net->deviation[i];
        ann->scale_new_min_in[i] = -1;
        ann->scale_factor_in[i] = 1;
    }
    return true;
}

/* FANN keeps connections by neuron, its bias last. */
static void
set_weights(struct fann *ann, const struct train_net *net)
{
    uint32_t in = net->inputs_n, hidden = net->hidden_n;
    fann_type *w = ann->weights;

    for (uint32_t h = 0; h < hidden; h++) {
        for (uint32_t i = 0; i < in; i++)
            *w++ = net->weight[(size_t)i * hidden + h];
        *w++ = net->bias[h];
    }
    for (uint32_t h = 0; h <= hidden; h++)
        *w++ = -net->out[h];
}

enum status
train_net_save(const struct train_net *net, const char *path)
{
    struct fann *ann = fann_create_standard(3, net->inputs_n, net->hidden_n, 1);
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
    enum status st = ST_NOMEM;

    if (ann == NULL || c == (locale_t)0)
        goto out;
    fann_set_activation_function_hidden(ann, FANN_SIGMOID_SYMMETRIC);
    fann_set_activation_steepness_hidden(ann, 1);
    fann_set_activation_function_output(ann, FANN_SIGMOID);
    fann_set_activation_steepness_output(ann, 0.5f);
    if (!set_scaling(ann, net))
        goto out;
    set_weights(ann, net);
    before = uselocale(c);
    st = fann_save(ann, path) == 0 ? ST_OK : ST_IO;
    uselocale(before);
    if (st != ST_OK)
        log_error("train", "cannot write %s", path);
out:
    if (c != (locale_t)0)
        freelocale(c);
    if (ann != NULL)
        fann_destroy(ann);
    return st;
}
