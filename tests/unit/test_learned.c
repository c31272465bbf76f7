/* Scorer learned: the model, the features, and its life in the store. */
#include <math.h>

#include "frontier_help.h"

#define T0 ((uint64_t)1700000000000)

static struct opts
dutch(void)
{
    static struct str code = STR("nl");
    struct opts o = help_opts();

    o.clean_language = (struct opt_list){&code, 1};
    o.frontier_scorer = (struct str)STR("learned");
    o.politeness_delay_ms = 0;
    return o;
}

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

        model_learn(m, f, 2, chance, kept);
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
    for (int i = 0; i < 50; i++)
        model_learn(m, f, 2, 0.7, i % 3 == 0);
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
    model_learn(m, f, 2, 0.7, true);
    model_learn(copy, f, 2, 0.7, true);
    CHECK(model_weight(m, 3) == model_weight(copy, 3));
    buf_free(&b);
    model_free(m);
    model_free(copy);
}

/* ---- marks ---- */

static enum mark
mark_of(const char *host, const char *rest)
{
    struct mark_languages nl = {.n = 0};

    mark_add(&nl, S("nl"));
    return mark_of_url(&nl, str_c(host), str_c(rest));
}

static enum mark
country_of(const char *host)
{
    struct mark_languages nl = {.n = 0};

    mark_add(&nl, S("nl"));
    return mark_of_country(&nl, str_c(host));
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
        CHECK(mark_of("a.org", wanted[i]) == MARK_WANTED);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(mark_of("a.org", none[i]) == MARK_NONE);
    CHECK(mark_of("a.org", "/de/x") == MARK_OTHER);
    CHECK(mark_of("nl.a.org", "/x") == MARK_WANTED);
    CHECK(mark_of("fr.a.org", "/nl/x") == MARK_WANTED); /* the last one */
    CHECK(country_of("www.a.nl") == MARK_WANTED);
    CHECK(country_of("a.be:8080") == MARK_WANTED);
    CHECK(country_of("a.de") == MARK_OTHER);
    CHECK(country_of("a.com") == MARK_NONE);
    CHECK(country_of("127.0.0.1:80") == MARK_NONE);
    CHECK(country_of("") == MARK_NONE);
}

static void
a_place_is_words_and_whereabouts(void)
{
    struct link_place a = place_of(S("Meer over  DE fiets"), 0, 30);
    struct link_place b = place_of(S("meer OVER de 7 fiets & meer"), 29, 30);

    CHECK(a.words == 4 && a.anchor_n == 4 && b.words == 5 && b.anchor_n == 4);
    CHECK(memcmp(a.anchor, b.anchor, sizeof a.anchor) == 0);
    CHECK(a.tenth == 0 && b.tenth == 9 && a.crowd == 1);
    a = place_of(S(""), 5, 0);
    CHECK(a.words == 0 && a.tenth == 0);
    CHECK(place_level(S("/")) == 0 && place_level(S("")) == 0 &&
          place_level(S("/x")) == 1 && place_level(S("/?x=/a/b")) == 1 &&
          place_level(S("/a/x")) == 2 && place_level(S("/a/b/c/d")) == 3);
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
    best = learner_link_sum(&l, &good);
    s.parent = PARENT_LANGUAGE;
    CHECK(learner_link_sum(&l, &s) < best);
    s = good;
    s.boilerplate = 1;
    CHECK(learner_link_sum(&l, &s) < best);
    s = link_to("/de/x.html");
    CHECK(learner_link_sum(&l, &s) < best);
    s = link_to("/nl/x.html");
    CHECK(learner_link_sum(&l, &s) > best);
    s = link_to("/x.pdf");
    CHECK(learner_link_sum(&l, &s) < best);
    learner_close(&l);
    opts_free(&o);
}

static void
a_shelf_of_copies_or_dead_links_sinks_with_all_that_is_queued(void)
{
    struct opts o = dutch();
    struct learner l;
    const struct causes fresh = {{0}}, kept = {{[CAUSE_KEPT] = 8}},
                        gone = {{[CAUSE_ERROR] = 8}},
                        copies = {{[CAUSE_NEAR] = 8}},
                        host = {{[CAUSE_KEPT] = 20, [CAUSE_NEAR] = 20}};
    struct scorer_yields y = {.host = &host, .shelf = &fresh};
    double unknown;

    learner_open(&l, &o);
    unknown = learner_shelf_sum(&l, &y);
    y.shelf = &kept;
    CHECK(learner_shelf_sum(&l, &y) > unknown);
    y.shelf = &gone;
    CHECK(learner_shelf_sum(&l, &y) < unknown - 1);
    y.shelf = &copies;
    CHECK(learner_shelf_sum(&l, &y) < unknown - 1);
    learner_close(&l);
    opts_free(&o);
}

/* ---- its life in a frontier ---- */

static struct frontier *f;
static struct arena *arena;

/* Fetch what comes; pages with `good` in their URL are kept. */
static void
fetch(int n)
{
    for (int i = 0; i < n; i++) {
        struct frontier_lease l = help_lease(f, T0, arena, NULL);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, T0);

        if (l.url.n == 0)
            return;
        if (strstr(arena_cstr(arena, l.url), "good") == NULL)
            d.reason = S("language");
        help_report(f, &d, T0);
    }
}

static void
seed_pages(const char *kind, int from, int to)
{
    char url[64];

    for (int i = from; i < to; i++) {
        snprintf(url, sizeof url, "http://h%d.org/%s/page.html", i, kind);
        help_seed(f, url, T0);
    }
}

static const char *
text_of(const struct buf *b)
{
    return arena_cstr(arena, buf_view(b));
}

static void
say(struct frontier *from, struct buf *out)
{
    buf_clear(out);
    frontier_reliability(from, out);
    HELP_OK(from, frontier_why(from, S("http://h99.org/good/page.html"),
                               S("h99.org"), T0, out));
}

static void
what_was_learnt_orders_new_urls_and_outlives_the_process(void)
{
    struct opts o = dutch();
    const char *dir = help_folder();
    struct buf before = {0}, after = {0};
    struct frontier_lease l;
    size_t fresh;
    struct frontier_link link = help_link("http://h99.org/good/page.html");

    arena = arena_new();
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    seed_pages("good", 0, 30);
    seed_pages("poor", 30, 60);
    fetch(60);
    seed_pages("poor", 60, 70);
    help_seed(f, "http://h99.org/good/page.html", T0);
    say(f, &before);
    CHECK(strstr(text_of(&before), "word of the path good") != NULL);
    CHECK(strstr(text_of(&before), "learned from 60 pages") != NULL);

    /* A lesson of an aborted transaction was none. */
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_seed(f, &link, 1, T0, &fresh) == ST_OK);
    {
        struct frontier_lease *leases;
        size_t n, a, b, c;
        uint64_t wake;
        struct frontier_done d;

        CHECK(frontier_lease(f, 1, 0, 1, T0, arena, &leases, &n, &wake) ==
              ST_OK);
        CHECK(n == 1);
        d = help_done(leases[0].url, OUTCOME_FETCHED, T0);
        CHECK(frontier_done(f, &d, T0, &a, &b, &c) == ST_OK);
    }
    frontier_abort(f);
    say(f, &after);
    CHECK(str_eq(buf_view(&before), buf_view(&after)));

    frontier_close(f);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    say(f, &after);
    CHECK(str_eq(buf_view(&before), buf_view(&after)));
    help_check(f);
    l = help_lease(f, T0, arena, NULL); /* found last, fetched first */
    CHECK(str_eq(l.url, link.url) && l.score > 0 && !l.explored);
    frontier_close(f);
    help_folder_remove(dir);
    arena_free(arena);
    buf_free(&before);
    buf_free(&after);
    opts_free(&o);
}

static void
explored_pages_are_of_any_host_and_are_marked(void)
{
    struct opts o = dutch();
    const char *dir = help_folder();
    size_t explored = 0, poor = 0, marked = 0;
    FILE *to = tmpfile();
    char line[4096];

    arena = arena_new();
    o.frontier_explore = 0.2;
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    seed_pages("good", 0, 20);
    seed_pages("poor", 20, 40);
    fetch(40);
    seed_pages("good", 40, 240);
    seed_pages("poor", 240, 440);
    for (int i = 0; i < 200; i++) {
        struct frontier_lease l = help_lease(f, T0, arena, NULL);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, T0);

        explored += l.explored;
        if (strstr(arena_cstr(arena, l.url), "poor") != NULL) {
            poor++;
            d.reason = S("language");
            CHECK(l.explored);
        }
        help_report(f, &d, T0);
    }
    CHECK(explored > 20 && explored < 70 && poor > 5);
    HELP_OK(f, frontier_dump(f, to));
    rewind(to);
    while (fgets(line, sizeof line, to) != NULL)
        if (strstr(line, "\"explored\":true") != NULL)
            marked++;
    CHECK(marked >= explored && marked <= explored + 40);
    fclose(to);
    frontier_close(f);
    help_folder_remove(dir);
    arena_free(arena);
    opts_free(&o);
}

/* Random pages with random links and ends, transactions that abort, stores that
 * are opened again: what the model knows is what was committed, and the store
 * keeps every promise. */
static void
random_lessons_are_learnt_once_whatever_aborts_or_ends(void)
{
    struct opts o = dutch();
    const char *dir = help_folder();
    struct random r = random_seed(11);
    uint64_t lessons = 0;

    arena = arena_new();
    o.frontier_explore = 0.1;
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    seed_pages("start", 0, 6);
    for (int step = 0; step < 1500; step++) {
        static const char *const ends[] = {"kept", "language", "short",
                                           "near_duplicate"};
        struct frontier_link links[5];
        struct frontier_lease *leases;
        struct frontier_done d;
        size_t n, fresh, known, refused;
        uint64_t wake;

        CHECK(frontier_begin(f) == ST_OK);
        CHECK(frontier_lease(f, 1, 0, 1, T0 + (uint64_t)step * 2, arena,
                             &leases, &n, &wake) == ST_OK);
        if (n == 1) {
            d = help_done(leases[0].url, OUTCOME_FETCHED, T0);
            d.reason = str_c(ends[random_below(&r, 4)]);
            if (random_below(&r, 6) == 0)
                d.outcome = OUTCOME_FAILED;
            d.links = links;
            d.links_n = random_below(&r, 5);
            for (size_t i = 0; i < d.links_n; i++) {
                char url[64];

                snprintf(url, sizeof url, "http://h%d.org/%s/%d.html",
                         (int)random_below(&r, 9),
                         random_below(&r, 2) ? "good" : "nl",
                         (int)random_below(&r, 400));
                links[i] = help_link(arena_cstr(arena, str_c(url)));
                links[i].anchor = S("een twee");
            }
            CHECK(frontier_done(f, &d, T0, &fresh, &known, &refused) == ST_OK);
        }
        if (random_below(&r, 5) == 0) {
            frontier_abort(f);
        } else {
            CHECK(frontier_commit(f) == ST_OK);
            lessons += n;
        }
        CHECK(model_cases(f->learner.model) == lessons);
        if (random_below(&r, 100) == 0) {
            frontier_close(f);
            CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
        }
        if (step % 250 == 0)
            help_check(f);
    }
    CHECK(lessons > 500);
    help_check(f);
    frontier_close(f);
    help_folder_remove(dir);
    arena_free(arena);
    opts_free(&o);
}

static const struct test tests[] = {
    TEST(a_model_learns_chances_and_counts_how_reliable_it_is),
    TEST(a_model_reads_back_what_it_wrote_and_refuses_what_is_malformed),
    TEST(marks_of_languages_are_found_where_they_stand),
    TEST(a_place_is_words_and_whereabouts),
    TEST(with_nothing_learnt_good_signs_make_better_links),
    TEST(a_shelf_of_copies_or_dead_links_sinks_with_all_that_is_queued),
    TEST(what_was_learnt_orders_new_urls_and_outlives_the_process),
    TEST(explored_pages_are_of_any_host_and_are_marked),
    TEST(random_lessons_are_learnt_once_whatever_aborts_or_ends),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
