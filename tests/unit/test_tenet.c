/* Training: .dat files, held-out parts, weights of classes, reproducibility,
 * cascades. */
#include <math.h>

#include "base/options/command.h"
#include "base/random.h"
#include "clean/boilerplate/fann_file.h"
#include "clean/train/tenet.h"
#include "folder.h"

extern const struct command command_tenet;

static const int stop;

static const struct tenet_options usual = {
    .hidden = {4},
    .algorithm = "FANN_TRAIN_RPROP",
    .hidden_activation = FANN_SIGMOID_SYMMETRIC,
    .output_activation = FANN_LINEAR_PIECE_SYMMETRIC,
    .epochs_max = 300,
    .seed = 1,
    .threshold = 0.5,
};

/* Two overlapping clouds; every fifth sample is of class 1. */
static void
clouds(struct buf *text, uint32_t n, uint64_t seed)
{
    struct random r = random_seed(seed);

    buf_printf(text, "%u 2 1\n", n);
    for (uint32_t i = 0; i < n; i++) {
        bool one = i % 5 == 0;
        double x = random_unit(&r) + random_unit(&r) + (one ? 0.7 : 0);
        double y = random_unit(&r) + random_unit(&r) - (one ? 0.5 : 0);

        buf_printf(text, "%.6f %.6f\n%d\n", x, y, one);
    }
}

static enum status
parse(struct tenet_data *d, const char *text, const char **fault)
{
    size_t at;

    return tenet_data_parse(d, str_c(text), fault, &at);
}

static void
samples_are_read_between_any_white_space(void)
{
    struct tenet_data d;
    const char *fault;

    CHECK(parse(&d, "2 3 1\r\n0.5 -1e-3 2\n1\n\n 0 0 0\t0", &fault) == ST_OK);
    CHECK(d.n == 2 && d.inputs_n == 3 && d.outputs_n == 1);
    CHECK(tenet_inputs(&d, 0)[1] > -0.00101f &&
          tenet_inputs(&d, 0)[1] < -0.00099f);
    CHECK(tenet_outputs(&d, 0)[0] > 0.99f && tenet_outputs(&d, 1)[0] < 0.01f);
    tenet_data_free(&d);
}

static void
broken_samples_are_named(void)
{
    static const char *const broken[] = {
        "",
        "2 2",
        "0 1 1\n",
        "x 1 1\n0 0\n",
        "1 1 1\n0\n",
        "1 1 1\n0 x",
        "1 1 1\n0 0 0\n",
        "1 1 1\n0 nan\n",
        "1 1 1 inf 1",
        "4294967295 4096 4096\n0 0 0\n",
        "1 5000 1\n0 0\n",
        "-1 1 1\n0 0\n",
        "1 1 1\n0 1e31\n",
    };

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct tenet_data d;
        const char *fault = NULL;
        bool refused = parse(&d, broken[i], &fault) == ST_INVALID &&
                       fault != NULL && d.value == NULL;

        CHECK(refused);
        if (!refused)
            fprintf(stderr, "sample %zu\n", i);
    }
}

static void
runs_of_neighbours_are_held_out(void)
{
    struct tenet_data d = {.n = 10000, .inputs_n = 1, .outputs_n = 1};
    static bool held[10000], again[10000];
    size_t n = tenet_hold_out(&d, 0.1, 7, held), changes = 0, counted = 0;

    CHECK(n > 800 && n <= 1000);
    for (size_t i = 0; i < d.n; i++) {
        counted += held[i];
        changes += i > 0 && held[i] != held[i - 1];
    }
    CHECK(counted == n);
    CHECK(changes <= 20); /* ten runs of a hundred */
    CHECK(tenet_hold_out(&d, 0.1, 7, again) == n);
    CHECK(memcmp(held, again, sizeof held) == 0);
    tenet_hold_out(&d, 0.1, 8, again);
    CHECK(memcmp(held, again, sizeof held) != 0);
    CHECK(tenet_hold_out(&d, 0, 7, held) == 0);
    d.n = 4;
    CHECK(tenet_hold_out(&d, 0.1, 7, held) == 0);
}

static void
weights_become_copies(void)
{
    struct tenet_data d;
    const char *fault;
    const bool held[8] = {false, false, true};
    const double weight[2] = {2, 5};
    uint32_t copies[8], n[2] = {0, 0};
    double balanced[2];

    CHECK(parse(&d, "8 1 1\n 0 0  0 1  0 1  0 0  0 1  0 0  0 1  0 1", &fault) ==
          ST_OK);
    tenet_copies(&d, weight, 0.5, held, copies);
    CHECK(copies[2] == 0);
    for (size_t i = 0; i < d.n; i++)
        n[tenet_outputs(&d, i)[0] > 0.5f] += copies[i];
    CHECK(n[0] == 3);  /* three samples, the lightest class, once each */
    CHECK(n[1] == 10); /* four samples, two and a half times each */
    tenet_balance(&d, 0.5, held, balanced);
    CHECK(fabs(balanced[0] * 3 - balanced[1] * 4) < 1e-9);
    tenet_data_free(&d);
}

static void
scores_are_those_of_the_confusion_table(void)
{
    static const float judged[] = {0.9f, 0.8f, 0.2f, 0.7f, 0.1f};
    struct tenet_data d;
    struct tenet_score *s = calloc(1, sizeof *s);
    struct buf out = {0};
    const char *fault;

    CHECK(s != NULL);
    CHECK(parse(&d, "5 1 1\n0 1 0 1 0 1 0 0 0 0", &fault) == ST_OK);
    for (size_t i = 0; s != NULL && i < d.n; i++)
        tenet_score_add(s, &d, i, &judged[i], 0.5);
    /* class 1: two found, one missed, one wrong */
    CHECK(fabs(tenet_precision(s, 1) - 2.0 / 3) < 1e-12);
    CHECK(fabs(tenet_recall(s, 1) - 2.0 / 3) < 1e-12);
    CHECK(fabs(tenet_f1(s, 0) - 0.5) < 1e-12);
    tenet_score_print(s, "judged", &out);
    CHECK(str_eq(buf_view(&out),
                 S("judged: 5 samples, accuracy 0.6000, mse 0.238000\n"
                   "class\tsamples\tprecision\trecall\tf1\n"
                   "0\t2\t0.5000\t0.5000\t0.5000\n"
                   "1\t3\t0.6667\t0.6667\t0.6667\n")));
    buf_free(&out);
    free(s);
    tenet_data_free(&d);
}

static void
exclusive_or_is_learned(void)
{
    static const bool held[4];
    static const uint32_t copies[4] = {1, 1, 1, 1};
    struct tenet_options o = usual;
    struct tenet_data d;
    const char *fault;
    unsigned learned = 0;

    o.mse = 0.001;
    o.epochs_max = 2000;
    CHECK(parse(&d, "4 2 1\n-1 -1 -1\n-1 1 1\n1 -1 1\n1 1 -1\n", &fault) ==
          ST_OK);
    for (o.seed = 1; o.seed <= 10; o.seed++) {
        struct tenet *t;
        struct tenet_result r;

        CHECK(tenet_learn(&t, &d, copies, held, &o, &stop, &r) == ST_OK);
        learned += r.end == TENET_MSE && r.learned.right == 4;
        tenet_free(t);
    }
    CHECK(learned >= 8); /* local minima are part of the problem */
    tenet_data_free(&d);
}

/* Learn from clouds and save; the held-out F1 of class 1. */
static double
learn(const struct tenet_options *o, const double *weight, const char *path,
      struct tenet_result *r)
{
    struct buf text = {0};
    struct tenet_data d;
    static bool held[3000];
    static uint32_t copies[3000];
    const char *fault;
    struct tenet *t;
    size_t at;

    clouds(&text, 3000, 5);
    CHECK(tenet_data_parse(&d, buf_view(&text), &fault, &at) == ST_OK);
    tenet_hold_out(&d, 0.2, o->seed, held);
    tenet_copies(&d, weight, 0.5, held, copies);
    CHECK(tenet_learn(&t, &d, copies, held, o, &stop, r) == ST_OK);
    CHECK(tenet_save(t, path) == ST_OK);
    tenet_free(t);
    tenet_data_free(&d);
    buf_free(&text);
    return tenet_f1(&r->held, 1);
}

static const double equal[2] = {1, 1};

static double
largest_weight(const struct fann *net)
{
    double most = 0;

    for (unsigned i = 0; i < net->total_connections; i++)
        if (fabs((double)net->weights[i]) > most)
            most = fabs((double)net->weights[i]);
    return most;
}

/* By Nguyen and Widrow weights begin within a bound that grows with the hidden
 * neurons: of one, too, they are not all zero. */
static void
weights_begin_within_their_bound(void)
{
    for (uint32_t hidden = 1; hidden <= 9; hidden += 8) {
        struct tenet_options o = usual;
        double bound = sqrt(0.7 * hidden), most;
        struct tenet_result r;
        struct tenet_data d;
        const uint32_t copies[] = {1, 1};
        const bool held[] = {false, false};
        const char *fault;
        struct fann *net;
        struct tenet *t;

        o.hidden[0] = hidden;
        o.epochs_max = 0;
        CHECK(parse(&d, "2 2 1\n0 0\n0\n1 1\n1\n", &fault) == ST_OK);
        CHECK(tenet_learn(&t, &d, copies, held, &o, &stop, &r) == ST_OK);
        CHECK(tenet_save(t, in_folder("begun.net")) == ST_OK);
        CHECK(fann_file_load(&net, in_folder("begun.net"), "test") == ST_OK);
        most = largest_weight(net);
        CHECK(most > sqrt(0.7 * (hidden - 1)) && most <= bound);
        fann_destroy(net);
        tenet_free(t);
        tenet_data_free(&d);
    }
}

static void
the_same_seed_gives_the_same_network(void)
{
    struct tenet_options o = usual;
    struct tenet_result *r = calloc(1, sizeof *r);
    struct buf net[3] = {0};

    o.epochs_max = 60;
    for (int i = 0; i < 3; i++) {
        o.seed = i == 2 ? 2 : 1;
        learn(&o, equal, in_folder("seed.net"), r);
        CHECK(file_read(&net[i], in_folder("seed.net"), SIZE_MAX) == ST_OK);
    }
    CHECK(net[0].n > 500);
    CHECK(str_eq(buf_view(&net[0]), buf_view(&net[1])));
    CHECK(!str_eq(buf_view(&net[0]), buf_view(&net[2])));
    for (int i = 0; i < 3; i++)
        buf_free(&net[i]);
    free(r);
}

static void
training_ends_when_the_held_out_error_gets_no_better(void)
{
    struct tenet_options o = usual;
    struct tenet_result *r = calloc(1, sizeof *r);
    double f1;

    o.stagnation = 20;
    o.epochs_max = 20000;
    f1 = learn(&o, equal, in_folder("stagnation.net"), r);
    CHECK(r->end == TENET_STAGNATION);
    CHECK(r->epochs == r->best_epoch + 20);
    CHECK(f1 > 0.7);
    CHECK(fabs(r->held.squares / (double)r->held.n - r->held_mse) < 1e-9);
    free(r);
}

static void
a_heavier_class_is_found_more_often(void)
{
    static const double heavy[2] = {1, 8};
    struct tenet_options o = usual;
    struct tenet_result *r = calloc(1, sizeof *r);
    double plain;

    o.epochs_max = 200;
    learn(&o, equal, in_folder("w.net"), r);
    plain = tenet_recall(&r->held, 1);
    learn(&o, heavy, in_folder("w.net"), r);
    CHECK(tenet_recall(&r->held, 1) > plain + 0.05);
    free(r);
}

/* Neurons are added while the error falls; the network is libfann's again when
 * it is read. */
static void
a_cascade_grows_and_is_read_back(void)
{
    struct tenet_options o = usual;
    struct tenet_result *r = calloc(1, sizeof *r);
    struct fann *net = NULL;
    double f1;

    o.cascade = 2;
    f1 = learn(&o, equal, in_folder("cascade.net"), r);
    CHECK(f1 > 0.7);
    CHECK(r->epochs >= 1 && r->epochs <= 2 && r->best_epoch <= r->epochs);
    CHECK(fann_file_load(&net, in_folder("cascade.net"), "test") == ST_OK);
    if (net != NULL) {
        CHECK(fann_get_network_type(net) == FANN_NETTYPE_SHORTCUT);
        CHECK(fann_get_num_layers(net) == 2 + r->best_epoch);
        fann_destroy(net);
    }
    free(r);
}

static void
functions_and_algorithms_are_found_with_and_without_their_prefix(void)
{
    CHECK(tenet_activation_find(S("FANN_SIGMOID")) == FANN_SIGMOID);
    CHECK(tenet_activation_find(S("sigmoid_symmetric")) ==
          FANN_SIGMOID_SYMMETRIC);
    CHECK(tenet_activation_find(S("FANN_GAUSSIAN_STEPWISE")) < 0);
    CHECK(tenet_activation_find(S("SIG")) < 0);
    CHECK(strcmp(tenet_algorithm_find(S("rprop")), "FANN_TRAIN_RPROP") == 0);
    CHECK(tenet_algorithm_find(S("adam")) == NULL);
}

static int
tenet(const char *const *argv)
{
    char *copy[32];
    int n = 0;

    for (; argv[n] != NULL; n++)
        copy[n] = strdup(argv[n]);
    {
        int code = command_main(&command_tenet, n, copy);

        while (n-- > 0)
            free(copy[n]);
        return code;
    }
}

static void
the_command_trains_refuses_to_overwrite_and_judges(void)
{
    struct buf text = {0};
    const char *train[] = {"tenet",
                           "-i",
                           "",
                           "-o",
                           "",
                           "-I",
                           "2",
                           "-O",
                           "1",
                           "-1",
                           "6",
                           "-2",
                           "3",
                           "-3",
                           "0",
                           "-t",
                           "rprop",
                           "-H",
                           "FANN_ELLIOT_SYMMETRIC",
                           "-a",
                           "FANN_SIGMOID",
                           "-m",
                           "40",
                           "-r",
                           "20",
                           "-w",
                           "--class-weights",
                           "balanced",
                           NULL,
                           NULL};
    const char *judge[] = {"tenet", "-i", "", "--judge", "", NULL};
    const char *data = in_folder("c.dat"), *net = in_folder("c.net");

    clouds(&text, 1000, 3);
    folder_put("c.dat", buf_view(&text));
    buf_free(&text);
    train[2] = judge[2] = data;
    train[4] = judge[4] = net;
    CHECK(tenet(train) == EXIT_DONE);
    CHECK(tenet(judge) == EXIT_DONE);
    CHECK(tenet(train) == EXIT_USAGE); /* it is there now */
    train[28] = "-e";
    CHECK(tenet(train) == EXIT_DONE);
    train[6] = "3";
    CHECK(tenet(train) == EXIT_FAILED); /* other samples than -I says */
    train[2] = judge[4] = "/nonexistent";
    CHECK(tenet(train) == EXIT_FAILED);
    CHECK(tenet(judge) == EXIT_FAILED);
    train[18] = "FANN_NOTHING";
    CHECK(tenet(train) == EXIT_USAGE);
}

static const struct test tests[] = {
    TEST(samples_are_read_between_any_white_space),
    TEST(broken_samples_are_named),
    TEST(runs_of_neighbours_are_held_out),
    TEST(weights_become_copies),
    TEST(scores_are_those_of_the_confusion_table),
    TEST(exclusive_or_is_learned),
    TEST(weights_begin_within_their_bound),
    TEST(the_same_seed_gives_the_same_network),
    TEST(training_ends_when_the_held_out_error_gets_no_better),
    TEST(a_heavier_class_is_found_more_often),
    TEST(a_cascade_grows_and_is_read_back),
    TEST(functions_and_algorithms_are_found_with_and_without_their_prefix),
    TEST(the_command_trains_refuses_to_overwrite_and_judges),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
