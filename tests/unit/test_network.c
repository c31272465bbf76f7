/* test_network.c -- the faster form against fann_run(), on made-up inputs and
 * on those of pages; other networks, run by libfann; threads. */
#include "folder.h"

#include <fann.h>
#include <glob.h>
#include <math.h>
#include <pthread.h>

#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "clean/boilerplate/features.h"
#include "clean/boilerplate/network.h"
#include "strip_page.h"

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

static void
networks_that_cannot_judge_are_refused(void)
{
    struct fann *two = fann_create_standard(3, 4, 3, 2);
    struct network *net;
    const char *fault = NULL;

    CHECK(network_new(&net, two, &fault) == ST_INVALID);
    CHECK(net == NULL && fault != NULL);
    CHECK(network_new(&net, fann_create_standard(2, 3000, 1), &fault) ==
          ST_INVALID);
    CHECK(network_parse(&net, S("FANN_FLO_2.1\n"), &fault) == ST_INVALID);
}

/* Shapes without the faster form: fann_run() itself, scaled or not. */
static void
other_shapes_are_run_by_libfann(void)
{
    struct fann *of[] = {fann_create_standard(2, INPUTS, 1),
                         fann_create_standard(4, INPUTS, 9, 5, 1),
                         fann_create_standard(3, INPUTS, 200, 1),
                         fann_create_shortcut(4, INPUTS, 1, 1, 1), make(8)};

    fann_set_activation_function_output(of[4], FANN_LINEAR_PIECE_SYMMETRIC);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct fann *ann = of[k], *kept = fann_copy(ann);
        struct network *net;
        const char *fault;

        CHECK(network_new(&net, ann, &fault) == ST_OK);
        CHECK(!network_in_parts(net));
        for (int row = 0; row < 50; row++) {
            float x[INPUTS], before[INPUTS], scaled[INPUTS];

            for (int i = 0; i < INPUTS; i++)
                x[i] = some(-2, 2);
            memcpy(before, x, sizeof x);
            memcpy(scaled, x, sizeof x);
            if (kept->scale_mean_in != NULL)
                fann_scale_input(kept, scaled);
            for (int i = 0; k == 4 && i < INPUTS; i++)
                scaled[i] = fmaxf(-6, fminf(6, scaled[i]));
            CHECK(fabsf(*fann_run(kept, scaled) - network_run(net, x)) < 1e-7f);
            CHECK(memcmp(before, x, sizeof x) == 0);
        }
        fann_destroy(kept);
        network_free(net);
    }
}

struct runner {
    struct network *net;
    struct fann *own; /* nobody else's */
    uint64_t seed;
    bool same;
};

static void *
run_rows(void *arg)
{
    struct runner *me = arg;
    struct random r = random_seed(me->seed);

    me->same = true;
    for (int row = 0; row < 3000; row++) {
        float x[INPUTS];

        for (int i = 0; i < INPUTS; i++)
            x[i] = (float)(4 * random_unit(&r) - 2);
        me->same &=
            fabsf(network_run(me->net, x) - *fann_run(me->own, x)) < 1e-7f;
    }
    return NULL;
}

/* Each has a copy of its own while it runs. */
static void
threads_share_a_network(void)
{
    struct fann *ann = fann_create_standard(4, INPUTS, 20, 9, 1);
    struct runner runner[4];
    struct network *net;
    pthread_t id[4];
    const char *fault;

    for (uint64_t i = 0; i < 4; i++)
        runner[i] = (struct runner){.own = fann_copy(ann), .seed = i};
    CHECK(network_new(&net, ann, &fault) == ST_OK);
    for (int i = 0; i < 4; i++) {
        runner[i].net = net;
        CHECK(pthread_create(&id[i], NULL, run_rows, &runner[i]) == 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(id[i], NULL);
        CHECK(runner[i].same);
        fann_destroy(runner[i].own);
    }
    network_free(net);
}

/* Of a page, the largest difference between both ways to run the network. */
static float
worst_on_page(const struct network *net, struct str html)
{
    struct fann *copy = network_borrow(net);
    float row[FEATURES_N], worst = 0;
    struct features f;
    struct page p;

    page_read(&p, html, NULL);
    if (p.d.blocks_n > 0) {
        features_page(&f, &p.d);
        for (uint32_t i = 0; i < f.n; i++) {
            features_row(&f, i, row);
            worst = fmaxf(worst, fabsf(network_run(net, row) -
                                       network_ask(net, copy, row)));
        }
    }
    page_end(&p);
    network_return(net, copy);
    return worst;
}

static void
find_pages(glob_t *found)
{
    static const char *const patterns[] = {"tests/cases/*/*",
                                           "tests/fuzz/corpus/strip/*",
                                           "tests/fuzz/corpus/tokenizer/*"};
    const char *labelled = getenv("WINNOW_EXTRACTION"), *home = getenv("HOME");
    char path[4096];

    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        glob(patterns[k], k > 0 ? GLOB_APPEND : 0, NULL, found);
    if (labelled != NULL)
        snprintf(path, sizeof path, "%s/pages/*/*", labelled);
    else
        snprintf(path, sizeof path,
                 "%s/.cache/winnow-data/extraction/pages/*/*",
                 home ? home : "");
    glob(path, GLOB_APPEND, NULL, found);
}

/* The network that judges pages on all pages of the tests, and on each
 * fortieth of the labelled ones where they are. */
static void
pages_get_what_fann_run_gives(void)
{
    struct network *net;
    size_t pages = 0;
    glob_t found = {0};

    CHECK(network_load(&net, "data/boilerplate.net") == ST_OK);
    CHECK(network_in_parts(net));
    find_pages(&found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct buf html = {0};
        float worst = 0;

        if (strncmp(found.gl_pathv[i], "tests", 5) != 0 && i % 40 != 0)
            continue;
        if (file_read(&html, found.gl_pathv[i], 4 << 20) == ST_OK)
            worst = worst_on_page(net, buf_view(&html));
        if (!(worst < 1e-5f))
            fprintf(stderr, "%s: %g\n", found.gl_pathv[i], (double)worst);
        CHECK(worst < 1e-5f);
        pages++;
        buf_free(&html);
    }
    CHECK(pages >= 50);
    globfree(&found);
    network_free(net);
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
        TEST(networks_that_cannot_judge_are_refused),
        TEST(other_shapes_are_run_by_libfann),
        TEST(threads_share_a_network),
        TEST(pages_get_what_fann_run_gives),
        TEST(a_missing_file_is_named),
        {0}};

    rnd = random_seed(1);
    return folder_main(table, argc, argv);
}
