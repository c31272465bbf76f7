/* test_forest.c -- boosted trees: file, running side by side, learning. */
#include "folder.h"

#include <math.h>

#include "base/log.h"
#include "base/random.h"
#include "clean/boilerplate/classifier.h"
#include "clean/boilerplate/columns.h"
#include "clean/boilerplate/network.h"
#include "clean/train/train_forest.h"
#include "strip_page.h"

enum { INPUTS = 9 };

static struct random rnd;

static float
some(double low, double high)
{
    return (float)(low + (high - low) * random_unit(&rnd));
}

/* Numbers as the file holds them: leaves with four decimals. */
static struct forest *
make(uint32_t trees)
{
    struct forest *f = calloc(1, sizeof *f);

    f->inputs_n = INPUTS;
    f->trees_n = trees;
    f->base = 0.25f;
    f->tree = calloc(trees, sizeof *f->tree);
    for (uint32_t t = 0; t < trees; t++) {
        for (uint32_t d = 0; d < FOREST_DEPTH; d++) {
            f->tree[t].input[d] = (uint16_t)random_below(&rnd, INPUTS);
            f->tree[t].limit[d] = (float)random_below(&rnd, 100) / 50 - 1;
        }
        for (uint32_t i = 0; i < FOREST_LEAVES; i++)
            f->tree[t].leaf[i] = (float)random_below(&rnd, 20000) / 1e4f - 1;
    }
    CHECK(forest_pack(f) == ST_OK);
    return f;
}

static bool
has_wide(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* By each instruction set that is there. */
static void
rows_side_by_side_give_what_each_gives_alone(void)
{
    enum { GROUPS = 3, ROWS_N = 70 };
    static const uint32_t trees[] = {1, 2, 77}, from[GROUPS] = {0, 21, 53};

    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
        struct forest *f = make(trees[k]);
        float x[INPUTS][ROWS_N], got[GROUPS * FOREST_ROWS];
        uint8_t bins[INPUTS * SIMD_ROWS_MAX];
        const float *column[INPUTS];

        for (uint32_t i = 0; i < INPUTS; i++) {
            column[i] = x[i];
            for (uint32_t r = 0; r < ROWS_N; r++)
                x[i][r] = some(-2, 2);
        }
        x[f->tree[0].input[0]][3] = f->tree[0].limit[0]; /* not over it */
        forest_run(f, column, from, GROUPS, bins, got);
        for (uint32_t r = 0; r < GROUPS * FOREST_ROWS; r++) {
            uint32_t at = from[r / FOREST_ROWS] + r % FOREST_ROWS;
            float row[INPUTS];

            for (uint32_t i = 0; i < INPUTS; i++)
                row[i] = x[i][at];
            CHECK(fabsf(got[r] - train_forest_run(f, row)) < 1e-4f);
        }
        forest_free(f);
    }
}

/* To the bit. */
static void
instruction_sets_give_the_same(void)
{
    enum { ROWS_N = SIMD_ROWS_MAX, GROUPS = ROWS_N / FOREST_ROWS };
    static const uint32_t from[GROUPS] = {0, 16, 33, 48, 48, 64, 80, 112};
    struct forest *f = make(300);
    const struct simd_limits limits = {f->columns_n, f->input, f->limits_n,
                                       f->limit};
    float x[INPUTS][ROWS_N];
    const float *column[INPUTS];
    uint8_t plain[INPUTS * ROWS_N], wide[INPUTS * ROWS_N];
    int32_t plain_sums[ROWS_N] = {0}, wide_sums[ROWS_N] = {0};

    for (uint32_t i = 0; i < INPUTS; i++) {
        column[i] = x[i];
        for (uint32_t r = 0; r < ROWS_N; r++)
            x[i][r] = r % 9 == 0 ? NAN : some(-2, 2);
    }
    simd_bins_plain(&limits, column, from, GROUPS, plain);
    simd_trees_plain(f->packed, f->trees_n, plain, ROWS_N, plain_sums);
    if (has_wide()) {
        simd_bins_wide(&limits, column, from, GROUPS, wide);
        simd_trees_wide(f->packed, f->trees_n, wide, ROWS_N, wide_sums);
        CHECK(memcmp(plain, wide, f->columns_n * ROWS_N) == 0);
        CHECK(memcmp(plain_sums, wide_sums, sizeof plain_sums) == 0);
    }
    forest_free(f);
}

/* Leaves as large as they may be, in trees that are all alike: sums of 16 bits
 * would not hold them. */
static void
large_leaves_add_up(void)
{
    static const uint32_t from[1] = {0};
    const float zero[FOREST_ROWS] = {0};
    struct forest *f = make(50);
    const float *column[INPUTS];
    uint8_t bins[INPUTS * SIMD_ROWS_MAX];
    float got[FOREST_ROWS];

    for (uint32_t t = 0; t < 50; t++)
        for (uint32_t i = 0; i < FOREST_LEAVES; i++)
            f->tree[t].leaf[i] = t < 40 ? -FOREST_LEAF_MAX : FOREST_LEAF_MAX;
    CHECK(forest_save(f, in_folder("forest")) == ST_OK);
    forest_free(f);
    CHECK(forest_load(&f, in_folder("forest")) == ST_OK);
    for (uint32_t i = 0; i < INPUTS; i++)
        column[i] = zero;
    forest_run(f, column, from, 1, bins, got);
    for (uint32_t r = 0; r < FOREST_ROWS; r++)
        CHECK(fabsf(got[r] - (f->base - 30 * FOREST_LEAF_MAX)) < 1e-3f);
    forest_free(f);
    unlink(in_folder("forest"));
}

static void
a_saved_forest_is_read_as_it_was(void)
{
    struct forest *f = make(20), *again;

    CHECK(forest_save(f, in_folder("forest")) == ST_OK);
    CHECK(forest_load(&again, in_folder("forest")) == ST_OK);
    CHECK(again != NULL && again->inputs_n == INPUTS && again->trees_n == 20);
    for (int k = 0; again != NULL && k < 500; k++) {
        float row[INPUTS];

        for (uint32_t i = 0; i < INPUTS; i++)
            row[i] = some(-2, 2);
        CHECK(fabsf(train_forest_run(f, row) - train_forest_run(again, row)) <
              1e-5f);
    }
    unlink(in_folder("forest"));
    forest_free(f);
    forest_free(again);
    log_threshold = LOG_ERROR;
    CHECK(forest_load(&again, in_folder("forest")) == ST_IO && again == NULL);
}

static void
check_refused(const char *from, const char *to)
{
    struct buf b = {0};
    struct forest *f = make(1), *out;
    const char *fault = NULL;
    const char *text, *at;

    CHECK(forest_save(f, in_folder("forest")) == ST_OK);
    forest_free(f);
    text = folder_text("forest");
    at = strstr(text, from);
    CHECK(at != NULL);
    buf_add(&b, text, (size_t)(at - text));
    buf_c(&b, to);
    buf_c(&b, at + strlen(from));
    CHECK(forest_parse(&out, buf_view(&b), &fault) == ST_INVALID);
    CHECK(out == NULL && fault != NULL);
    buf_free(&b);
}

static void
broken_files_are_refused(void)
{
    check_refused("winnow forest 1\n", "winnow forest 2\n");
    check_refused("inputs=9", "inputs=0");
    check_refused("inputs=9", "inputs=4.5");
    check_refused("inputs=9", "inputs=5000");
    check_refused("trees=1", "trees=2");
    check_refused("trees=1", "trees=1000000");
    check_refused("base=0.250000", "base=nan");
    check_refused("base=0.250000", "bass=1");
    check_refused("base=0.250000\n", "base=0.250000\n9 ");
    check_refused("base=0.250000\n", "base=0.250000\n-1 ");
    check_refused("base=0.250000\n", "base=0.250000\n1.5 ");
    check_refused("base=0.250000\n", "base=0.250000\n2000 2 ");
    check_refused("base=0.250000\n", "base=0.250000\n1 2 ");
}

/* A bin is the number of a limit, and has to fit into a byte. */
static void
an_input_of_too_many_limits_is_refused(void)
{
    struct forest *f = make(100);

    for (uint32_t t = 0; t < 100; t++)
        for (uint32_t d = 0; d < FOREST_DEPTH; d++)
            f->tree[t].limit[d] = (float)(t * FOREST_DEPTH + d);
    for (uint32_t t = 0; t < 100; t++)
        f->tree[t].input[0] = f->tree[t].input[1] = 4;
    CHECK(forest_save(f, in_folder("forest")) == ST_OK);
    forest_free(f);
    CHECK(forest_load(&f, in_folder("forest")) == ST_INVALID && f == NULL);
    unlink(in_folder("forest"));
}

/* ---- learning ---- */

enum { ROWS = 4000, PAGES = 40 };

static float value[ROWS][INPUTS];

static void
row_of(const struct train_page *page, uint32_t i, float *out)
{
    memcpy(out, value[page->domain.n * (ROWS / PAGES) + i], sizeof value[0]);
}

/* Text is where exactly one of two inputs is over 0: no single question finds
 * that out.  domain.n serves as the number of the page. */
static void
make_set(struct train_set *set)
{
    *set = (struct train_set){.pages_n = PAGES};
    set->page = calloc(PAGES, sizeof *set->page);
    for (uint32_t p = 0; p < PAGES; p++) {
        struct train_page *page = &set->page[p];
        uint32_t n = ROWS / PAGES;

        page->domain.n = p;
        page->f.n = n;
        page->target = calloc(n, sizeof *page->target);
        page->weight = calloc(n, sizeof *page->weight);
        for (uint32_t i = 0; i < n; i++) {
            float *x = value[p * n + i];

            for (uint32_t k = 0; k < INPUTS; k++)
                x[k] = some(-1, 1);
            page->target[i] = (x[2] > 0) != (x[5] > 0);
            page->weight[i] = 1;
        }
    }
}

static void
free_set(struct train_set *set)
{
    for (uint32_t p = 0; p < PAGES; p++) {
        free(set->page[p].target);
        free(set->page[p].weight);
    }
    free(set->page);
}

static void
a_rule_of_two_inputs_is_learned_again_and_again_alike(void)
{
    static const struct train_options o = {
        .trees = 30, .step = 0.3, .rows = 0.5, .inputs = 0.9};
    struct train_set set;
    struct train_table *t;
    struct forest *f, *again;
    bool use[PAGES];
    uint32_t right = 0, all = 0;

    make_set(&set);
    t = train_table_new(&set, row_of, INPUTS);
    CHECK(t->rows_n == ROWS);
    for (uint32_t p = 0; p < PAGES; p++)
        use[p] = p % 4 != 0;
    f = train_forest_learn(t, use, &o, 3);
    again = train_forest_learn(t, use, &o, 3);
    for (uint32_t p = 0; p < PAGES; p += 4)
        for (uint32_t i = 0; i < set.page[p].f.n; i++) {
            float row[INPUTS], logit;

            row_of(&set.page[p], i, row);
            logit = train_forest_run(f, row);
            right += (logit < 0) == (set.page[p].target[i] > 0.5f);
            all++;
            CHECK(fabsf(logit - train_forest_run(again, row)) < 1e-6f);
        }
    CHECK(right > all * 95 / 100);
    forest_free(f);
    forest_free(again);
    train_table_free(t);
    free_set(&set);
}

static void
values_that_are_frequent_get_bins_of_their_own(void)
{
    struct train_set set;
    struct train_table *t;

    make_set(&set);
    for (uint32_t r = 0; r < ROWS; r++) {
        value[r][0] = (float)(r % 3);
        value[r][1] = 7;
        value[r][2] = r % 10 == 0 ? some(1, 2) : 0;
    }
    t = train_table_new(&set, row_of, INPUTS);
    CHECK(t->limits_n[0] == 2 && t->limits_n[1] == 0);
    CHECK(t->limits_n[2] > 20 && t->limits_n[2] < TRAIN_BINS);
    CHECK(t->limit[2][0] > 0 && t->limit[2][0] < 1.1f);
    CHECK(t->limits_n[3] == TRAIN_BINS - 1);
    for (uint32_t i = 0; i < INPUTS; i++)
        for (uint32_t b = 1; b < t->limits_n[i]; b++)
            CHECK(t->limit[i][b] > t->limit[i][b - 1]);
    for (uint32_t r = 0; r < ROWS; r += 7)
        for (uint32_t i = 0; i < INPUTS; i++) {
            uint8_t b = t->bin[(size_t)i * t->rows_n + r];

            CHECK(b == 0 || value[r][i] > t->limit[i][b - 1]);
            CHECK(b == t->limits_n[i] || !(value[r][i] > t->limit[i][b]));
        }
    train_table_free(t);
    free_set(&set);
}

/* A page of 41 blocks, more than are judged side by side, and a menu: an
 * article, comments. */
static const char *
sample(int menu)
{
    static char html[100000];
    size_t n = (size_t)sprintf(html, "<title>The old mill</title><ul>");

    for (int i = 0; i < menu; i++)
        n += (size_t)sprintf(html + n, "<li><a href=/%d>Topic %d</a>", i, i);
    n += (size_t)sprintf(html + n, "</ul><div class=article>"
                                   "<h1>The old mill</h1>");
    for (int i = 0; i < 9; i++)
        n += (size_t)sprintf(html + n,
                             "<p>In year %d the mill stood still, and nobody "
                             "in the village knew whether it would turn again, "
                             "for the brook had found another bed.</p>",
                             1800 + i);
    n += (size_t)sprintf(html + n, "</div><h3>Comments</h3><ol>");
    for (int i = 0; i < 15; i++)
        n += (size_t)sprintf(html + n,
                             "<li class='comment n%d'><div class=by>Anna, "
                             "%d May 2012</div><p>I like it, thank you!</p>",
                             i, i + 1);
    return html;
}

/* P(text): the mean of both logits. */
static float
first_value(const struct network *net, const struct forest *beside,
            const float *x)
{
    float p = network_run(net, x);
    float logit = (train_forest_run(beside, x) + logf(p / (1 - p))) / 2;

    return 1 / (1 + expf(logit));
}

/* With the models in data/: what a page is judged by is what the trainer
 * scored, number by number. */
static void
check_stage(int menu)
{
    struct network *net = NULL;
    struct forest *beside = NULL, *forest = NULL;
    struct classifier *classifier = NULL;
    struct features f;
    struct page p;
    float(*extra)[CONTEXT_N], *first, x[FEATURES_N + CONTEXT_N];
    uint32_t again = 0;

    CHECK(network_load(&net, "data/boilerplate.net") == ST_OK);
    CHECK(forest_load(&beside, "data/boilerplate.net.first") == ST_OK);
    CHECK(forest_load(&forest, "data/boilerplate.net.forest") == ST_OK);
    CHECK(classifier_open(&classifier, "data/boilerplate.net") == ST_OK);
    page_read(&p, str_c(sample(menu)), NULL);
    CHECK(p.d.blocks_n == 41 + (uint32_t)menu);
    features_page(&f, &p.d);
    first = ARENA_ARRAY(p.arena, float, f.n);
    extra = arena_alloc(p.arena, f.n * sizeof *extra);
    for (uint32_t i = 0; i < f.n; i++) {
        features_row(&f, i, x);
        first[i] = first_value(net, beside, x);
    }
    context_features(&f, first, extra, p.arena);
    classifier_run(classifier, &p.d);
    for (uint32_t i = 0; i < f.n; i++) {
        float want = 1 - first[i];

        if (!context_settled(first, f.n, i)) {
            features_row(&f, i, x);
            memcpy(x + FEATURES_N, extra[i], sizeof extra[i]);
            want = 1 / (1 + expf(-train_forest_run(forest, x)));
            want = context_mean(1 - first[i], want);
            again++;
        }
        CHECK(fabsf(p.d.blocks[i].boilerplate - want) < 1e-3f);
    }
    CHECK(again > FOREST_ROWS / 2);
    page_end(&p);
    classifier_close(classifier);
    forest_free(forest);
    forest_free(beside);
    network_free(net);
}

/* The second page is longer than what is turned into columns at once. */
static void
the_stage_judges_as_the_trainer_does(void)
{
    check_stage(30);
    check_stage(2 * COLUMNS_ROWS + 3);
}

static const struct test tests[] = {
    TEST(rows_side_by_side_give_what_each_gives_alone),
    TEST(instruction_sets_give_the_same),
    TEST(large_leaves_add_up),
    TEST(a_saved_forest_is_read_as_it_was),
    TEST(broken_files_are_refused),
    TEST(an_input_of_too_many_limits_is_refused),
    TEST(a_rule_of_two_inputs_is_learned_again_and_again_alike),
    TEST(values_that_are_frequent_get_bins_of_their_own),
    TEST(the_stage_judges_as_the_trainer_does),
    {0},
};

int
main(int argc, char **argv)
{
    rnd = random_seed(11);
    return folder_main(tests, argc, argv);
}
