/* test_page_kind.c -- what kind of page it is, and where such a page is cut. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "clean/boilerplate/context.h"
#include "clean/boilerplate/page_kind.h"

static struct page_kind_model model;

static void
a_model_is_read_as_it_was_written(void)
{
    static struct page_kind_model again;
    char path[] = "/tmp/winnow-kinds-XXXXXX";
    int fd = mkstemp(path);
    float in[PAGE_KIND_INPUTS_N] = {0}, share[PAGE_KINDS_N], sum = 0;

    CHECK(fd >= 0);
    close(fd);
    for (uint32_t i = 0; i < PAGE_KIND_INPUTS_N; i++) {
        model.mean[i] = (float)i / 8;
        model.scale[i] = 0.5f;
        model.weight[PAGE_KIND_FORUM][i] = 0.25f;
        in[i] = (float)i / 8 + 1;
    }
    model.weight[PAGE_KIND_LISTING][PAGE_KIND_INPUTS_N] = -3;
    CHECK(page_kind_save(&model, path) == ST_OK);
    CHECK(page_kind_load(&again, path) == ST_OK);
    CHECK(memcmp(&again, &model, sizeof model) == 0);
    unlink(path);
    page_kind_shares(&again, in, share);
    for (int k = 0; k < PAGE_KINDS_N; k++)
        sum += share[k];
    CHECK(fabsf(sum - 1) < 1e-5f);
    CHECK(share[PAGE_KIND_FORUM] > 0.99f);
    CHECK(share[PAGE_KIND_LISTING] < share[PAGE_KIND_ARTICLE]);
}

static void
broken_models_are_refused(void)
{
    static const char *const texts[] = {
        "", "winnow forest 1\n", "winnow page kinds 1\n",
        "winnow page kinds 1\ninputs=3\nkinds=article\n1 2 3\n",
        "winnow page kinds 1\ninputs=138\nkinds=article listing\n"};
    const char *fault = NULL;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fault = NULL;
        CHECK(page_kind_parse(&model, str_c(texts[i]), &fault) == ST_INVALID);
        CHECK(fault != NULL && fault[0] != '\0');
    }
    CHECK(page_kind_load(&model, "/nonexistent/kinds") == ST_IO);
}

/* Ten blocks of ten words each; p of the first `n` of them is `text`. */
static float
cut_of(float article, uint32_t n, float text, float rest)
{
    struct features_place place[10] = {{.words = 10}};
    struct features f = {.place = place, .n = 10};
    float p[10];

    f.kind[PAGE_KIND_ARTICLE] = article;
    for (uint32_t i = 0; i < 10; i++) {
        place[i].words = 10;
        p[i] = i < n ? text : rest;
    }
    return context_cut(&f, p);
}

static void
doubtful_pages_that_are_no_articles_are_cut_lower(void)
{
    CHECK(fabsf(cut_of(0, 5, 0.99f, 0.01f) - 0.5f) < 1e-6f);
    CHECK(fabsf(cut_of(1, 5, 0.4f, 0.3f) - 0.5f) < 1e-6f);
    CHECK(cut_of(0, 5, 0.4f, 0.3f) < 0.4f);
    CHECK(cut_of(0.5f, 5, 0.4f, 0.3f) > cut_of(0, 5, 0.4f, 0.3f));
    CHECK(cut_of(0, 0, 0, 0) >= 0.1f);
}

static void
a_shifted_value_is_on_its_side_of_the_half(void)
{
    CHECK(fabsf(context_shifted(0.3f, 0.3f) - 0.5f) < 1e-6f);
    CHECK(context_shifted(0.29f, 0.3f) < 0.5f);
    CHECK(context_shifted(0.31f, 0.3f) > 0.5f);
    CHECK(context_shifted(0, 0.3f) <= 0 && context_shifted(1, 0.3f) >= 1);
    CHECK(fabsf(context_shifted(0.7f, 0.5f) - 0.7f) < 1e-6f);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_model_is_read_as_it_was_written),
        TEST(broken_models_are_refused),
        TEST(doubtful_pages_that_are_no_articles_are_cut_lower),
        TEST(a_shifted_value_is_on_its_side_of_the_half),
        {0}};

    return test_main(table, argc, argv);
}
