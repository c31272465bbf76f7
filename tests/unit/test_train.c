/* test_train.c -- targets from truths, and learning. */
#include "test.h"

#include <math.h>
#include <unistd.h>

#include "base/random.h"
#include "clean/boilerplate/fann_file.h"
#include "clean/boilerplate/network.h"
#include "clean/train/train_cross.h"
#include "strip_page.h"

/* A page's blocks as `winnow train` holds them. */
static void
page_of(struct train_page *t, struct page *p, const char *html)
{
    page_read(p, str_c(html), NULL);
    *t = (struct train_page){.set = STR("a"), .id = STR("1")};
    t->domain = str_c("example.org");
    features_page(&t->f, &p->d);
    t->text = ARENA_ARRAY(p->arena, struct str, t->f.n);
    t->target = ARENA_ARRAY(p->arena, float, t->f.n);
    t->weight = ARENA_ARRAY(p->arena, float, t->f.n);
    for (uint32_t i = 0; i < t->f.n; i++) {
        t->text[i] = p->d.blocks[i].text;
        t->target[i] = -1;
    }
}

static void
check_truth(const char *html, const char *truth, const char *want)
{
    struct train_page t;
    struct page p;
    char got[64];

    page_of(&t, &p, html);
    CHECK(train_truth_text(&t, p.arena, str_c(truth)));
    for (uint32_t i = 0; i < t.f.n; i++)
        got[i] = t.target[i] < 0 ? '?' : t.target[i] >= 0.5f ? '+' : '-';
    got[t.f.n] = '\0';
    if (strcmp(got, want) != 0)
        fprintf(stderr, "%s: %s, not %s\n", html, got, want);
    CHECK(strcmp(got, want) == 0);
    page_end(&p);
}

static void
blocks_of_the_truth_are_found(void)
{
    check_truth("<p>menu one<p>the real text here<p>and more text<p>footer",
                "The real text here\nand more text", "-++-");
    check_truth("<p>a b<p>***<p>c", "a b c", "+?+");
    check_truth("<p>a b<p>c", "", "--");
    check_truth("<p>a b<p>c", "x y z", "--");
    check_truth("<p>one two three four five<p>x", "one two three", "+-");
    check_truth("<p>one two three four five six seven<p>x", "one two three",
                "--");
}

/* Words of a menu stand in the text too: the run decides. */
static void
runs_are_preferred(void)
{
    check_truth("<p>the<p>house<p>by the house on the hill<p>the hill",
                "by the house on the hill", "--+-");
}

static void
segments_label_the_blocks_they_stand_in(void)
{
    struct train_page t;
    struct page p;

    page_of(&t, &p, "<p>home<p>a long text with home in it<p>old news<p>rest");
    CHECK(train_truth_segments(&t, S("+\ttext with\n-\told news\n+\thome\n")));
    CHECK(t.target[0] < 0 && t.target[1] > 0.5f);
    CHECK(t.target[2] >= 0 && t.target[2] < 0.5f && t.target[3] < 0);
    train_weights(&t);
    CHECK(!(t.weight[0] > 0) && t.weight[1] > t.weight[2]);
    page_end(&p);
}

static void
blocks_of_doubtful_truth_weigh_less(void)
{
    struct train_page t;
    struct page p;

    page_of(&t, &p, "<p>one two three four<p>five six seven x<p>y z u v");
    CHECK(
        train_truth_text(&t, p.arena, S("one two three four five six seven")));
    train_weights(&t);
    CHECK(t.weight[1] > 0 && t.weight[1] < t.weight[0]);
    CHECK(t.weight[1] < t.weight[2]);
    page_end(&p);
}

enum { PAGES = 24, BLOCKS = 8 };

/* Pages where text is what has long paragraphs. */
static void
make_set(struct train_set *set, struct page *pages)
{
    struct random r = random_seed(5);

    *set = (struct train_set){.pages_n = PAGES};
    set->page = calloc(PAGES, sizeof *set->page);
    for (int k = 0; k < PAGES; k++) {
        struct train_page *t = &set->page[k];
        char html[8000];
        size_t n = 0;
        bool text[BLOCKS];

        for (int i = 0; i < BLOCKS; i++) {
            uint64_t words;

            text[i] = random_below(&r, 2);
            words =
                text[i] ? 20 + random_below(&r, 20) : 1 + random_below(&r, 3);
            n += (size_t)sprintf(html + n, "<p>");
            for (uint64_t w = 0; w < words; w++)
                n += (size_t)sprintf(html + n, "w%d ",
                                     (int)random_below(&r, 1000));
        }
        page_of(t, &pages[k], html);
        for (int i = 0; i < BLOCKS; i++)
            t->target[i] = text[i];
        train_weights(t);
    }
}

static void
first_row(const struct train_page *page, uint32_t i, float *out)
{
    features_row(&page->f, i, out);
}

static struct network *
network_of(struct fann *ann)
{
    struct network *net = NULL;
    const char *fault;

    CHECK(network_new(&net, ann, &fault) == ST_OK);
    return net;
}

/* libfann's own trainer on the same blocks, from the same start. */
static void
libfann_learns_the_rule_too(void)
{
    static const struct train_options o = {.hidden_n = 5,
                                           .epochs = 40,
                                           .nets = 1,
                                           .algorithm = "FANN_TRAIN_RPROP",
                                           .samples_max = 300};
    struct page pages[PAGES];
    struct train_set set;
    struct network *net;
    bool use[PAGES];
    unsigned right = 0, n = 0;

    make_set(&set, pages);
    for (int k = 0; k < PAGES; k++)
        use[k] = k % 4 != 0;
    net = network_of(train_net_learn(&set, use, first_row, FEATURES_N, &o, 7));
    for (int k = 0; k < PAGES; k += 4)
        for (uint32_t i = 0; i < BLOCKS; i++, n++) {
            float row[FEATURES_N];

            first_row(&set.page[k], i, row);
            right += (network_run(net, row) < 0.5f) ==
                     (set.page[k].target[i] > 0.5f);
        }
    CHECK(right >= n - n / 20);
    network_free(net);
    for (int k = 0; k < PAGES; k++)
        page_end(&pages[k]);
    free(set.page);
}

static void
a_rule_is_learned_and_saved(void)
{
    static const struct train_options o = {
        .hidden_n = 5, .epochs = 60, .nets = 1, .rate = 3e-3, .decay = 1e-5};
    struct fann *net, *again, *mean;
    struct page pages[PAGES];
    struct train_set set;
    bool use[PAGES];
    char path[100];
    struct network *saved, *judge[3];
    float row[FEATURES_N];

    make_set(&set, pages);
    for (int k = 0; k < PAGES; k++)
        use[k] = k % 4 != 0;
    net = train_net_learn(&set, use, first_row, FEATURES_N, &o, 7);
    again = train_net_learn(&set, use, first_row, FEATURES_N, &o, 7);
    mean = train_net_mean((struct fann *[]){net, again}, 2);
    snprintf(path, sizeof path, "/tmp/test_train.%d.net", (int)getpid());
    CHECK(fann_file_save(mean, path, "test") == ST_OK);
    CHECK(network_load(&saved, path) == ST_OK);
    CHECK(network_in_parts(saved));
    judge[0] = network_of(net);
    judge[1] = network_of(again);
    judge[2] = network_of(mean);
    for (int k = 0; k < PAGES; k += 4) {
        for (uint32_t i = 0; i < BLOCKS; i++) {
            float p;

            first_row(&set.page[k], i, row);
            p = network_run(judge[0], row);
            CHECK((p < 0.5f) == (set.page[k].target[i] > 0.5f));
            CHECK(!(fabsf(p - network_run(judge[1], row)) > 0));
            CHECK(fabsf(p - network_run(judge[2], row)) < 1e-4f);
            CHECK(fabsf(p - network_run(saved, row)) < 1e-4f);
        }
    }
    network_free(saved);
    unlink(path);
    for (int i = 0; i < 3; i++)
        network_free(judge[i]);
    for (int k = 0; k < PAGES; k++)
        page_end(&pages[k]);
    free(set.page);
}

static void
folds_share_no_domain(void)
{
    struct train_page page[200];
    struct train_set set = {.page = page, .pages_n = 200};
    char domain[200][20];
    uint32_t seen[5] = {0};

    for (int i = 0; i < 200; i++) {
        snprintf(domain[i], sizeof domain[i], "d%d.org", i / 3);
        page[i] = (struct train_page){.domain = str_c(domain[i])};
    }
    CHECK(train_split(&set, TRAIN_BY_DOMAIN, 5, 1) == 5);
    for (int i = 0; i < 200; i++) {
        CHECK(page[i].fold < 5);
        CHECK(i % 3 == 0 || page[i].fold == page[i - 1].fold);
        seen[page[i].fold]++;
    }
    for (int k = 0; k < 5; k++)
        CHECK(seen[k] > 10);
}

static void
sets_that_are_left_out_are_cut_in_the_middle(void)
{
    float target[] = {1, 0}, p[] = {0.4f, 0.1f};
    struct features_place place[] = {{.words = 9}, {.words = 9}};
    struct train_page page = {.f = {.place = place, .n = 2},
                              .target = target,
                              .p = {p},
                              .whole = true};
    struct train_set set = {.page = &page, .pages_n = 1};

    CHECK(train_threshold(&set, TRAIN_BY_DOMAIN, 0, UINT32_MAX) < 0.41);
    CHECK(fabs(train_threshold(&set, TRAIN_BY_SET, 0, UINT32_MAX) - 0.5) <
          1e-9);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(blocks_of_the_truth_are_found),
        TEST(runs_are_preferred),
        TEST(segments_label_the_blocks_they_stand_in),
        TEST(blocks_of_doubtful_truth_weigh_less),
        TEST(a_rule_is_learned_and_saved),
        TEST(libfann_learns_the_rule_too),
        TEST(folds_share_no_domain),
        TEST(sets_that_are_left_out_are_cut_in_the_middle),
        {0}};

    return test_main(table, argc, argv);
}
