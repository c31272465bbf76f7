/* test_fann_file.c -- networks in libfann's format: what is read, what is
 * refused before libfann sees it, and that nothing changes on the way. */
#include "folder.h"

#include <locale.h>
#include <math.h>

#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "clean/boilerplate/fann_check.h"
#include "clean/boilerplate/fann_file.h"

static struct random rnd;

static void
fill(struct fann *ann, double range)
{
    for (unsigned i = 0; i < ann->total_connections; i++)
        ann->weights[i] = (float)((2 * random_unit(&rnd) - 1) * range);
}

static struct fann *
of_layers(void)
{
    struct fann *ann = fann_create_standard(4, 5, 7, 3, 2);

    fann_set_activation_function_hidden(ann, FANN_ELLIOT_SYMMETRIC);
    fann_set_activation_function_output(ann, FANN_SIGMOID);
    fann_set_activation_steepness_layer(ann, 0.7f, 2);
    fill(ann, 3);
    return ann;
}

/* The text that libfann itself writes. */
static struct str
text_of(struct fann *ann, struct buf *b)
{
    CHECK(fann_save(ann, in_folder("own.net")) == 0);
    CHECK(file_read(b, in_folder("own.net"), SIZE_MAX) == ST_OK);
    buf_char(b, '\0');
    return str_n(b->p, b->n - 1);
}

static bool
same_floats(const float *a, const float *b, unsigned n)
{
    return (a == NULL) == (b == NULL) &&
           (a == NULL || memcmp(a, b, n * sizeof *a) == 0);
}

static void
check_equal(struct fann *a, struct fann *b)
{
    unsigned in = fann_get_num_input(a);

    CHECK(a->total_neurons == b->total_neurons);
    CHECK(a->total_connections == b->total_connections);
    CHECK(same_floats(a->weights, b->weights, a->total_connections));
    CHECK(same_floats(a->scale_mean_in, b->scale_mean_in, in));
    CHECK(same_floats(a->scale_factor_in, b->scale_factor_in, in));
    for (int k = 0; k < 100; k++) {
        float x[64], out[64];

        for (unsigned i = 0; i < in; i++)
            x[i] = (float)(8 * random_unit(&rnd) - 4);
        memcpy(out, fann_run(a, x), fann_get_num_output(a) * sizeof *out);
        CHECK(same_floats(out, fann_run(b, x), fann_get_num_output(a)));
    }
}

static void
read_back(struct fann *ann, bool by_us)
{
    struct fann *again = NULL;
    struct buf b = {0};
    const char *fault = "";

    if (by_us) {
        CHECK(fann_file_save(ann, in_folder("ours.net"), "test") == ST_OK);
        CHECK(fann_file_load(&again, in_folder("ours.net"), "test") == ST_OK);
    } else {
        CHECK(fann_file_parse(&again, text_of(ann, &b), &fault) == ST_OK);
        CHECK(fault == NULL);
    }
    if (again != NULL) {
        check_equal(ann, again);
        fann_destroy(again);
    }
    buf_free(&b);
}

static void
networks_are_read_as_they_were_saved(void)
{
    struct fann *ann = of_layers();

    read_back(ann, false);
    read_back(ann, true);
    for (int f = 0; f <= FANN_COS; f++) { /* every function, as a hidden one */
        if (f == FANN_GAUSSIAN_STEPWISE)
            continue;
        fann_set_activation_function_hidden(ann,
                                            (enum fann_activationfunc_enum)f);
        read_back(ann, true);
    }
    fann_destroy(ann);
}

/* What cascade training makes: each neuron a layer, connected to all before. */
static void
networks_with_shortcuts_are_read(void)
{
    struct fann *ann = fann_create_shortcut(5, 4, 1, 1, 1, 2);

    fill(ann, 2);
    read_back(ann, false);
    read_back(ann, true);
    fann_destroy(ann);
}

/* Numbers have a point although the process's locale has a comma. */
static void
other_locales_do_not_matter(void)
{
    struct fann *ann = of_layers();

    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        fprintf(stderr, "no locale de_DE.UTF-8: tried in C only\n");
    read_back(ann, true);
    setlocale(LC_ALL, "C");
    read_back(ann, true);
    fann_destroy(ann);
}

static void
without_line(const char *text, const char *key, struct buf *out)
{
    const char *at = strstr(text, key), *end = at ? strchr(at, '\n') : NULL;

    CHECK(end != NULL);
    if (end == NULL)
        return;
    buf_add(out, text, (size_t)(at - text));
    buf_c(out, end + 1);
}

/* texrex's networks: libfann 2.2 alone does not read them. */
static void
files_of_fann_2_1_are_read(void)
{
    struct fann *ann = of_layers(), *again = NULL;
    struct buf b = {0}, first = {0}, old = {0};
    const char *fault;

    text_of(ann, &b);
    without_line(b.p, "cascade_min_out_epochs", &first);
    buf_char(&first, '\0');
    without_line(first.p, "cascade_min_cand_epochs", &old);
    CHECK(fann_file_parse(&again, buf_view(&old), &fault) == ST_OK);
    if (again != NULL) {
        check_equal(ann, again);
        fann_destroy(again);
    }
    buf_free(&b);
    buf_free(&first);
    buf_free(&old);
    fann_destroy(ann);
}

static void
every_cut_of_a_file_is_refused(void)
{
    struct fann *ann = fann_create_standard(3, 2, 2, 1), *out;
    struct buf b = {0};
    struct str text = text_of(ann, &b);
    const char *fault;

    for (size_t n = 0; n + 2 < text.n; n++) { /* ") \n": the blank, the end */
        CHECK(fann_file_parse(&out, str_n(text.p, n), &fault) == ST_INVALID);
        CHECK(out == NULL && fault != NULL);
    }
    CHECK(fann_file_parse(&out, text, &fault) == ST_OK);
    fann_destroy(out);
    fann_destroy(ann);
    buf_free(&b);
}

/* What libfann would follow out of its memory, or trip over. */
static void
files_that_lie_are_refused_with_a_reason(void)
{
    static const char *const change[][2] = {
        {"FANN_FLO_2.1", "FANN_FLO_1.1"},
        {"num_layers=4", "num_layers=3"},
        {"num_layers=4", "num_layers=4294967295"},
        {"num_layers=4", "num_layers=-4"},
        {"num_layers=4", "num_layers=4 4"},
        {"connection_rate=1.", "connection_rate=0."},
        {"network_type=0", "network_type=1"},
        {"network_type=0", "network_type=7"},
        {"learning_rate=0.", "learning_rate=,"},
        {"functions_count=10", "functions_count=4000000000"},
        {"functions_count=10", "functions_count=11"},
        {"functions_count=10", "functions_count=0"},
        {"steepnesses_count=4", "steepnesses_count=5"},
        {"layer_sizes=6 8", "layer_sizes=7 8"},
        {"layer_sizes=6 8", "layer_sizes=5 8"},
        {"layer_sizes=6 8", "layer_sizes=99999999 8"},
        {"layer_sizes=6 8", "layer_sizes=1 8"},
        {"layer_sizes=6 8", "layer_sizes=0 8"},
        {"layer_sizes=6 8", "layer_sizes=-6 8"},
        {"scale_included=0", "scale_included=1"},
        {"(6, 11, 5", "(7, 11, 5"},
        {"(6, 11, 5", "(4294967290, 11, 5"},
        {"(6, 11, 5", "(0, 11, 5"},
        {"(6, 11, 5", "(6, 18, 5"},
        {"(6, 11, 5", "(6, 9, 5"},
        {"(6, 11, 5.0", "(6, 11, -5.0"},
        {"(6, 11, 5.0", "(6, 11, 0.0"},
        {"(6, 11, 5.0", "(6, 11, nan5.0"},
        {"weight)=(0, ", "weight)=(1, "},
        {"weight)=(0, ", "weight)=(4294967295, "},
        {"weight)=(0, ", "weight)=(0, 1e9"},
        {"weight)=(0, ", "weight)=(0, 0x"},
        {"weight)=(0, ", "weight)=(0, inf"},
        {"weight)=(0, ", "weight)=(0, 1.0) (0, "},
        {"weight)=(0, ", "weight)=(0, 1.0e999) (1, 1.0) (0, "},
    };
    struct fann *ann = of_layers(), *out;
    struct buf b = {0};

    text_of(ann, &b);
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        const char *at = strstr(b.p, change[i][0]), *fault = NULL;
        struct buf lie = {0};
        bool refused;

        CHECK(at != NULL);
        if (at == NULL) {
            fprintf(stderr, "%s\n", change[i][0]);
            continue;
        }
        buf_add(&lie, b.p, (size_t)(at - b.p));
        buf_c(&lie, change[i][1]);
        buf_c(&lie, at + strlen(change[i][0]));
        refused = fann_file_parse(&out, buf_view(&lie), &fault) == ST_INVALID &&
                  fault != NULL;
        CHECK(refused);
        if (!refused)
            fprintf(stderr, "%s\n", change[i][1]);
        buf_free(&lie);
    }
    fann_destroy(ann);
    buf_free(&b);
}

/* Well spelled, but sums with them overflow or are no numbers. */
static void
numbers_out_of_range_are_refused(void)
{
    static const float weight[] = {2e6f, -3e38f, 1e6f};

    for (int i = 0; i < 3; i++) {
        struct fann *ann = of_layers(), *out;
        struct buf b = {0};
        const char *fault = NULL;

        ann->weights[7] = weight[i];
        CHECK(fann_file_parse(&out, text_of(ann, &b), &fault) ==
              (i < 2 ? ST_INVALID : ST_OK));
        CHECK((out == NULL) == (fault != NULL));
        if (out != NULL)
            fann_destroy(out);
        fann_destroy(ann);
        buf_free(&b);
    }
}

static void
a_missing_file_is_named(void)
{
    struct fann *ann;

    log_threshold = LOG_ERROR;
    CHECK(fann_file_load(&ann, "/nowhere/at.all", "test") == ST_IO);
    CHECK(ann == NULL);
    CHECK(fann_file_load(&ann, "data/SOURCES.md", "test") == ST_INVALID);
    CHECK(ann == NULL);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(networks_are_read_as_they_were_saved),
        TEST(networks_with_shortcuts_are_read),
        TEST(other_locales_do_not_matter),
        TEST(files_of_fann_2_1_are_read),
        TEST(every_cut_of_a_file_is_refused),
        TEST(files_that_lie_are_refused_with_a_reason),
        TEST(numbers_out_of_range_are_refused),
        TEST(a_missing_file_is_named),
        {0}};

    rnd = random_seed(3);
    return folder_main(table, argc, argv);
}
