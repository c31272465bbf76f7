/* Scorer learned: the model, the features, what links score by them.  Its life
 * in the store: test_learned_store.c. */
#include <math.h>

#include "learned_case.h"

/* ---- the model ---- */

static void
a_model_learns_chances_and_counts_how_reliable_it_is(void)
{
    const float start[] = {0.5f};
    struct model *m = model_new(start, 1);
    struct random r = random_seed(7);
    double late = 0;

    CHECK(model_weight(m, 0) == 0.5f && model_weight(m, 1) == 0);
    for (int i = 0; i < 20000; i++) {
        bool good = random_below(&r, 2);
        struct model_feature f[] = {{0, 1}, {good ? 100 : 200, 1}};
        double chance = model_chance(model_sum(m, f, 2));
        bool kept = random_unit(&r) < (good ? 0.8 : 0.1);

        model_count(m, chance, kept);
        model_learn(m, f, 2, chance - kept);
        if (i >= 19000)
            late += fabs(chance - (good ? 0.8 : 0.1));
    }
    CHECK(late / 1000 < 0.05);
    CHECK(model_cases(m) == 20000);
    for (size_t i = 0; i < MODEL_CLASSES; i++) {
        const struct model_class *c = &model_classes(m)[i];

        if (c->n > 1000)
            CHECK(fabs((double)c->kept - c->chances) / (double)c->n < 0.06);
    }
    model_free(m);
}

static void
a_model_reads_back_what_it_wrote_and_refuses_what_is_malformed(void)
{
    struct model *m = model_new(NULL, 0), *copy = model_new(NULL, 0);
    const struct model_feature f[] = {{3, 1}, {40000, -0.5f}};
    struct buf b = {0};
    uint32_t chunk = 0, n = 0;

    CHECK(!model_changed(m, &chunk));
    for (int i = 0; i < 50; i++) {
        model_count(m, 0.7, i % 3 == 0);
        model_learn(m, f, 2, 0.7 - (i % 3 == 0));
    }
    for (chunk = 0; model_changed(m, &chunk); chunk++, n++) {
        model_write_chunk(m, chunk, &b);
        CHECK(model_read_chunk(copy, chunk, buf_view(&b)));
        for (size_t cut = 1; cut < b.n; cut++)
            CHECK(!model_read_chunk(m, chunk + 1, str_n(b.p, cut)));
        CHECK(model_read_chunk(m, chunk + 1, S(""))); /* never learnt */
    }
    CHECK(n == 2);
    model_saved(m);
    chunk = 0;
    CHECK(!model_changed(m, &chunk));
    CHECK(!model_read_chunk(m, MODEL_CHUNKS, S("")));
    model_write_classes(m, &b);
    CHECK(model_read_classes(copy, buf_view(&b)));
    CHECK(model_cases(copy) == 50);
    for (uint32_t i = 0; i < MODEL_WEIGHTS; i++)
        CHECK(model_weight(m, i) == model_weight(copy, i));
    model_learn(m, f, 2, -0.3);
    model_learn(copy, f, 2, -0.3);
    CHECK(model_weight(m, 3) == model_weight(copy, 3));
    buf_free(&b);
    model_free(m);
    model_free(copy);
}

/* ---- marks ---- */

static enum url_language
mark_of(const char *host, const char *rest)
{
    struct crawl_languages nl = {.n = 0};

    crawl_languages_add(&nl, S("nl"));
    return url_language_of(&nl, str_c(host), str_c(rest));
}

static enum url_language
country_of(const char *host)
{
    struct crawl_languages nl = {.n = 0};

    crawl_languages_add(&nl, S("nl"));
    return url_language_of_country(&nl, str_c(host));
}

static void
marks_of_languages_are_found_where_they_stand(void)
{
    static const char *const wanted[] = {
        "/nl/",       "/a/nl/b",        "/nl-be/x",   "/x.nl.html",
        "/x.html.nl", "/x-nl.html",     "/x_nl.html", "/a/nl",
        "/x?lang=nl", "/x?a=b&hl=NL_nl"};
    static const char *const none[] = {
        "/", "", "/nlx/", "/go/", "/x.html", "/fernl.html", "/x?nl", "/xx/"};

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        CHECK(mark_of("a.org", wanted[i]) == URL_LANGUAGE_WANTED);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(mark_of("a.org", none[i]) == URL_LANGUAGE_NONE);
    CHECK(mark_of("a.org", "/de/x") == URL_LANGUAGE_OTHER);
    CHECK(mark_of("nl.a.org", "/x") == URL_LANGUAGE_WANTED);
    CHECK(mark_of("fr.a.org", "/nl/x") ==
          URL_LANGUAGE_WANTED); /* the last one */
    CHECK(country_of("www.a.nl") == URL_LANGUAGE_WANTED);
    CHECK(country_of("a.be:8080") == URL_LANGUAGE_WANTED);
    CHECK(country_of("a.de") == URL_LANGUAGE_OTHER);
    CHECK(country_of("a.com") == URL_LANGUAGE_NONE);
    CHECK(country_of("127.0.0.1:80") == URL_LANGUAGE_NONE);
    CHECK(country_of("") == URL_LANGUAGE_NONE);
}

static void
a_place_is_words_and_whereabouts(void)
{
    struct link_features a = link_features_of(S("Meer over  DE fiets"), 0, 30);
    struct link_features b =
        link_features_of(S("meer OVER de 7 fiets & meer"), 29, 30);

    CHECK(a.words == 4 && a.anchor_n == 4 && b.words == 5 && b.anchor_n == 4);
    CHECK(memcmp(a.anchor, b.anchor, sizeof a.anchor) == 0);
    CHECK(a.tenth == 0 && b.tenth == 9 && a.crowd == 1);
    a = link_features_of(S(""), 5, 0);
    CHECK(a.words == 0 && a.tenth == 0);
    CHECK(page_level(S("/")) == 0 && page_level(S("")) == 0 &&
          page_level(S("/x")) == 1 && page_level(S("/?x=/a/b")) == 1 &&
          page_level(S("/a/x")) == 2 && page_level(S("/a/b/c/d")) == 3);
}

/* ---- the scorer ---- */

static struct link_signals
link_to(const char *rest)
{
    return (struct link_signals){.parent = PARENT_KEPT,
                                 .has_badness = true,
                                 .badness = 3,
                                 .boilerplate = 0.2f,
                                 .depth = 2,
                                 .host = STR("a.org"),
                                 .rest = str_c(rest)};
}

static void
with_nothing_learnt_good_signs_make_better_links(void)
{
    struct opts o = dutch();
    struct learner l;
    struct link_signals good = link_to("/x.html"), s = good;
    double best;

    learner_open(&l, &o);
    best = learner_link_sums(&l, &good).good;
    s.parent = PARENT_LANGUAGE;
    CHECK(learner_link_sums(&l, &s).good < best);
    s = good;
    s.boilerplate = 1;
    CHECK(learner_link_sums(&l, &s).good < best);
    s = link_to("/de/x.html");
    CHECK(learner_link_sums(&l, &s).good < best);
    s = link_to("/nl/x.html");
    CHECK(learner_link_sums(&l, &s).good > best);
    s = link_to("/x.pdf");
    CHECK(learner_link_sums(&l, &s).good < best);
    learner_close(&l);
    opts_free(&o);
}

static void
a_url_class_of_copies_sinks_with_all_that_is_queued(void)
{
    struct opts o = dutch();
    struct learner l;
    const struct outcome_counts fresh = {{0}}, kept = {{[CLASS_KEPT] = 8}},
                                copies = {{[CLASS_NEAR] = 8}},
                                host = {{[CLASS_KEPT] = 20, [CLASS_NEAR] = 20}};
    struct scorer_yields y = {.host = &host, .url_class = &fresh};
    double unknown;

    learner_open(&l, &o);
    unknown = learner_url_class_sum(&l, &y);
    y.url_class = &kept;
    CHECK(learner_url_class_sum(&l, &y) > unknown);
    y.url_class = &copies;
    CHECK(learner_url_class_sum(&l, &y) < unknown - 1);
    learner_close(&l);
    opts_free(&o);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_model_learns_chances_and_counts_how_reliable_it_is),
        TEST(a_model_reads_back_what_it_wrote_and_refuses_what_is_malformed),
        TEST(marks_of_languages_are_found_where_they_stand),
        TEST(a_place_is_words_and_whereabouts),
        TEST(with_nothing_learnt_good_signs_make_better_links),
        TEST(a_url_class_of_copies_sinks_with_all_that_is_queued),
        {0}};

    return test_main(table, argc, argv);
}
