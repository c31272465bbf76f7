/* test_network.c -- our forward pass against libfann's, and broken files. */
#include "folder.h"

#include <fann.h>
#include <math.h>

#include "clean/boilerplate/network.h"
#include "winnow/log.h"
#include "winnow/random.h"

enum { INPUTS = 37 };

static struct random rnd;

static float
some(double low, double high)
{
    return (float)(low + (high - low) * random_unit(&rnd));
}

/* A random network with scaling, as winnow train makes them. */
static struct fann *
make(unsigned hidden)
{
    struct fann *ann = fann_create_standard(3, INPUTS, hidden, 1);
    struct fann_train_data *data = fann_create_train(2, INPUTS, 1);

    fann_set_activation_function_hidden(ann, FANN_SIGMOID_SYMMETRIC);
    fann_set_activation_function_output(ann, FANN_SIGMOID);
    fann_set_activation_steepness_hidden(ann, 0.7f);
    fann_set_activation_steepness_output(ann, 0.4f);
    for (int i = 0; i < INPUTS; i++) {
        data->input[0][i] = some(-3, 1);
        data->input[1][i] = data->input[0][i] + some(0.5, 4);
    }
    data->output[0][0] = 0;
    data->output[1][0] = 1;
    fann_set_scaling_params(ann, data, -1, 1, 0, 1);
    fann_destroy_train(data);
    for (unsigned i = 0; i < ann->total_connections; i++)
        ann->weights[i] = some(-1, 1);
    return ann;
}

static void
the_forward_pass_equals_fann_run(void)
{
    static const unsigned hidden[] = {1, 8, 31, 32, 33, 64, 128};

    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
        struct fann *ann = make(hidden[k]), *again;
        struct network *net;
        float worst = 0;

        fann_save(ann, in_folder("net"));
        again = fann_create_from_file(in_folder("net"));
        CHECK(network_load(&net, in_folder("net")) == ST_OK);
        CHECK(network_inputs_n(net) == INPUTS);
        for (int row = 0; row < 200; row++) {
            float x[INPUTS], scaled[INPUTS], want, got;

            for (int i = 0; i < INPUTS; i++)
                x[i] = random_below(&rnd, 2) ? 0 : some(-40, 40);
            memcpy(scaled, x, sizeof x);
            fann_scale_input(again, scaled);
            for (int i = 0; i < INPUTS; i++)
                scaled[i] = fmaxf(-6, fminf(6, scaled[i]));
            want = *fann_run(again, scaled);
            got = network_run(net, x);
            worst = fmaxf(worst, fabsf(want - got));
        }
        CHECK(worst < 1e-5f);
        network_free(net);
        fann_destroy(again);
        fann_destroy(ann);
    }
}

static void
slices_of_inputs_add_up(void)
{
    struct fann *ann = make(40);
    struct network *net;
    struct network_sums s;
    float x[INPUTS];

    fann_save(ann, in_folder("net"));
    CHECK(network_load(&net, in_folder("net")) == ST_OK);
    for (int i = 0; i < INPUTS; i++)
        x[i] = some(-2, 2);
    network_start(net, &s);
    network_add(net, &s, 20, x + 20, INPUTS - 20);
    network_add(net, &s, 0, x, 20);
    CHECK(fabsf(network_output(net, &s) - network_run(net, x)) < 1e-6f);
    network_free(net);
    fann_destroy(ann);
}

static struct str
saved(struct buf *b)
{
    struct fann *ann = make(3);

    fann_save(ann, in_folder("net"));
    fann_destroy(ann);
    CHECK(file_read(b, in_folder("net"), SIZE_MAX) == ST_OK);
    return buf_view(b);
}

static enum status
parse(struct str text, const char **fault)
{
    struct network *net;
    enum status st = network_parse(&net, text, fault);

    CHECK((st == ST_OK) == (net != NULL));
    CHECK((st == ST_OK) == (*fault == NULL));
    network_free(net);
    return st;
}

/* `from` replaced by `to`, once. */
static void
check_change(struct str text, const char *from, const char *to)
{
    const char *at = strstr(text.p, from), *fault;
    struct buf b = {0};

    CHECK(at != NULL);
    if (at == NULL)
        return;
    buf_add(&b, text.p, (size_t)(at - text.p));
    buf_c(&b, to);
    buf_c(&b, at + strlen(from));
    CHECK(parse(buf_view(&b), &fault) == ST_INVALID);
    buf_free(&b);
}

static void
files_that_do_not_fit_are_refused_with_a_reason(void)
{
    struct buf b = {0};
    struct str text = saved(&b);
    const char *fault;

    buf_char(&b, '\0');
    CHECK(parse(text, &fault) == ST_OK);
    check_change(text, "FANN_FLO_2.1", "FANN_FLO_2.0");
    check_change(text, "num_layers=3", "num_layers=4");
    check_change(text, "layer_sizes=38 4 2", "layer_sizes=39 4 2");
    check_change(text, "layer_sizes=38 4 2", "layer_sizes=37 4 2");
    check_change(text, "layer_sizes=38 4 2", "layer_sizes=99999999 4 2");
    check_change(text, "layer_sizes=38 4 2", "layer_sizes=38 500 2");
    check_change(text, "layer_sizes=38 4 2", "layer_sizes=38 4 3");
    check_change(text, "layer_sizes=38 4 2", "layer_sizes=38 -4 2");
    check_change(text, "scale_included=1", "scale_included=0");
    check_change(text, "scale_deviation_in=", "scale_deviation_in=0 ");
    check_change(text, "scale_mean_in=", "scale_mean_in=nan ");
    check_change(text, "connected_to_neuron, weight)=(0, ",
                 "connected_to_neuron, weight)=(1, ");
    check_change(text, "connected_to_neuron, weight)=(0, ",
                 "connected_to_neuron, weight)=(0, x");
    check_change(text, "(38, 5,", "(38, 4,");
    check_change(text, "connection_rate=1", "connection_rate=0");
    buf_free(&b);
}

static void
every_cut_of_a_file_is_refused(void)
{
    struct buf b = {0};
    struct str text = saved(&b);
    const char *fault;

    /* the last line's end and the end of the last number may be cut */
    for (size_t n = 0; n + 40 < text.n; n += 7)
        CHECK(parse(str_n(text.p, n), &fault) == ST_INVALID);
    buf_free(&b);
}

static void
a_missing_file_is_named(void)
{
    struct network *net;

    log_threshold = LOG_ERROR;
    CHECK(network_load(&net, "/nowhere/at.all") == ST_IO);
    CHECK(net == NULL);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_forward_pass_equals_fann_run),
        TEST(slices_of_inputs_add_up),
        TEST(files_that_do_not_fit_are_refused_with_a_reason),
        TEST(every_cut_of_a_file_is_refused),
        TEST(a_missing_file_is_named),
        {0}};

    rnd = random_seed(1);
    return folder_main(table, argc, argv);
}
