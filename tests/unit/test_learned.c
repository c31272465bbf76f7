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
a_shelf_of_copies_sinks_with_all_that_is_queued(void)
{
    struct opts o = dutch();
    struct learner l;
    const struct causes fresh = {{0}}, kept = {{[CAUSE_KEPT] = 8}},
                        copies = {{[CAUSE_NEAR] = 8}},
                        host = {{[CAUSE_KEPT] = 20, [CAUSE_NEAR] = 20}};
    struct scorer_yields y = {.host = &host, .shelf = &fresh};
    double unknown;

    learner_open(&l, &o);
    unknown = learner_shelf_sum(&l, &y);
    y.shelf = &kept;
    CHECK(learner_shelf_sum(&l, &y) > unknown);
    y.shelf = &copies;
    CHECK(learner_shelf_sum(&l, &y) < unknown - 1);
    learner_close(&l);
    opts_free(&o);
}

/* ---- is there a page at all? ---- */

static struct causes
links(uint32_t all, uint32_t dead)
{
    return (struct causes){{[CAUSE_LINKS] = all, [CAUSE_LINKS_DEAD] = dead}};
}

static void
links_are_alive_as_those_of_their_host_and_shelf_were(void)
{
    const struct alive_crawl crawl = {.tried = {40}, .alive = {20}};
    const struct causes fresh = {{0}}, good = links(20, 1),
                        dead = links(20, 20);
    struct alive_host unknown = {0}, mixed = {0}, gone = {0};
    double least = 0, chance;

    alive_add(&mixed, &good);
    alive_add(&mixed, &dead);
    alive_add(&gone, &dead);
    CHECK(mixed.links > 0 && mixed.links < 20 && mixed.alive > 0 &&
          mixed.alive < mixed.links && gone.alive == 0);
    chance = alive_link(&crawl, &unknown, &fresh);
    CHECK(chance > 0.4 && chance < 0.6); /* as hosts are */
    CHECK(alive_link(&crawl, &mixed, &good) > 0.8);
    CHECK(alive_link(&crawl, &mixed, &dead) < 0.15);
    CHECK(alive_link(&crawl, &mixed, &fresh) > 0.3);
    CHECK(alive_link(&crawl, &gone, &fresh) < 0.1);
    for (uint32_t alive = 0; alive <= 10; alive++) { /* rises with each */
        const struct causes shelf = links(10, 10 - alive);
        struct alive_host host = {0};

        alive_add(&host, &shelf);
        chance = alive_link(&crawl, &host, &shelf);
        CHECK(chance > least && chance < 1);
        least = chance;
    }
    CHECK(alive_seed(&crawl) > 0.9); /* seeds are another matter */
}

/* Where one dead link in a host says little, another is tried; where it has
 * always said all, none. */
static void
hosts_tried_in_vain_are_given_up_as_soon_as_others_were(void)
{
    const struct alive_crawl often = {.tried = {200, 90, 40, 20},
                                      .alive = {110, 50, 20, 10}},
                             never = {.tried = {200, 90, 90, 90},
                                      .alive = {110, 0, 0, 0}};
    const struct causes fresh = {{0}}, once = links(1, 1);
    struct alive_host host = {0};
    struct alive_crawl c = {0};
    struct causes none = {{0}};

    CHECK(alive_link(&often, &host, &fresh) > 0.5);
    CHECK(alive_link(&never, &host, &fresh) > 0.5);
    alive_add(&host, &once);
    CHECK(alive_link(&often, &host, &fresh) > 0.4);
    CHECK(alive_link(&never, &host, &fresh) < 0.05);
    for (uint32_t dead = 0; dead < 20; dead++) { /* counted by runs */
        none = links(dead, dead);
        alive_learn(&c, &none, false, true);
    }
    none = links(9, 8);
    alive_learn(&c, &none, false, false); /* one was there: no run */
    for (size_t i = 0; i + 1 < ALIVE_RUNS; i++)
        CHECK(c.tried[i] == 1 && c.alive[i] == 0);
    CHECK(c.tried[ALIVE_RUNS - 1] == 20 - ALIVE_RUNS + 1);
}

static void
trying_the_links_of_an_unknown_host_is_worth_more_than_its_chance(void)
{
    const struct alive_crawl crawl = {.tried = {1000}, .alive = {100}};
    const struct causes fresh = {{0}}, once = links(1, 1), often = links(5, 5);
    struct alive_host unknown = {0}, tried = {0}, given_up = {0};
    double one = alive_worth(&crawl, &unknown, &fresh, 1, 0),
           many = alive_worth(&crawl, &unknown, &fresh, 50, 0);

    alive_add(&tried, &once);
    alive_add(&given_up, &often);
    CHECK(one > alive_link(&crawl, &unknown, &fresh));
    CHECK(many > 2 * one && many < 1);
    CHECK(alive_worth(&crawl, &tried, &once, 50, 0) < many);
    CHECK(alive_worth(&crawl, &given_up, &often, 50, 0) < 0.2 * many);
    CHECK(alive_worth(&crawl, &unknown, &fresh, 50, -2) < many); /* the link */
}

static void
a_shelf_counts_its_latest_links_only_and_its_host_their_sum(void)
{
    struct random r = random_seed(3);
    struct causes shelf[3] = {{{0}}}, host = {{0}};

    for (int i = 0; i < 5000; i++) {
        size_t at = random_below(&r, 3);
        uint32_t all = 0, dead = 0;

        alive_count(&shelf[at], &host, random_below(&r, 4) < at + 1);
        for (size_t k = 0; k < 3; k++) {
            CHECK(shelf[k].n[CAUSE_LINKS] <= 100);
            CHECK(shelf[k].n[CAUSE_LINKS_DEAD] <= shelf[k].n[CAUSE_LINKS]);
            all += shelf[k].n[CAUSE_LINKS];
            dead += shelf[k].n[CAUSE_LINKS_DEAD];
        }
        CHECK(host.n[CAUSE_LINKS] == all && host.n[CAUSE_LINKS_DEAD] == dead);
    }
    for (int i = 0; i < 200; i++)
        alive_count(&shelf[0], &host, true); /* emptied */
    CHECK(shelf[0].n[CAUSE_LINKS_DEAD] + 4 > shelf[0].n[CAUSE_LINKS]);
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
    HELP_OK(from,
            frontier_why(from, S("http://h99.org/good/page.html"), T0, out));
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
    folder_remove(dir);
    arena_free(arena);
    buf_free(&before);
    buf_free(&after);
    opts_free(&o);
}

/* One page each of forty hosts is kept and links to pages of its own, which
 * are gone; the pages of the last one are there. */
static void
dead_links_of_one_host_say_little_against_another(void)
{
    struct opts o = dutch();
    const char *dir = help_folder();
    size_t dead = 0, good = 0;

    arena = arena_new();
    o.frontier_explore = 0;
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    seed_pages("good", 0, 40);
    for (int i = 0; i < 200; i++) {
        struct frontier_lease l = help_lease(f, T0, arena, NULL);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, T0);
        struct frontier_link to[20];
        struct str host = l.authority;

        CHECK(l.url.n > 0);
        if (l.depth > 0 && !str_eq(host, S("h39.org"))) {
            d.outcome = OUTCOME_FAILED;
            d.reason = S("http_404");
            dead++;
        } else if (l.depth > 0) {
            good++;
        }
        for (int k = 0; l.depth == 0 && k < 20; k++) {
            to[k] = help_link(arena_cstr(
                arena, arena_printf(arena, "http://%.*s/text/%c.html",
                                    STRF(host), 'a' + k)));
            d.links = to;
            d.links_n = 20;
        }
        help_report(f, &d, T0);
    }
    CHECK(good == 20); /* found, and then fetched to the end */
    CHECK(dead + good == 160);
    frontier_close(f);
    folder_remove(dir);
    arena_free(arena);
    opts_free(&o);
}

/* As after an update that tells pages apart by other signs. */
static void
a_model_of_other_features_is_forgotten(void)
{
    struct opts o = dutch();
    const char *dir = help_folder();
    struct buf out = {0};

    arena = arena_new();
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    seed_pages("good", 0, 5);
    fetch(5);
    CHECK(model_cases(f->learner.model) == 5);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(tables_put(f->tables, TABLE_META, S("features"), S("another1")) ==
          ST_OK);
    CHECK(frontier_commit(f) == ST_OK);
    frontier_close(f);
    for (int round = 0; round < 2; round++) { /* for good */
        CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
        CHECK(model_cases(f->learner.model) == (uint64_t)round * 3);
        CHECK(f->learner.alive.seeds == (uint32_t)round * 3);
        if (round == 0) {
            seed_pages("poor", 5, 8);
            fetch(3);
        }
        buf_clear(&out);
        HELP_OK(f,
                frontier_why(f, S("http://h7.org/poor/page.html"), T0, &out));
        help_check(f);
        frontier_close(f);
    }
    folder_remove(dir);
    arena_free(arena);
    buf_free(&out);
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
    folder_remove(dir);
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
    folder_remove(dir);
    arena_free(arena);
    opts_free(&o);
}

static const struct test tests[] = {
    TEST(a_model_learns_chances_and_counts_how_reliable_it_is),
    TEST(a_model_reads_back_what_it_wrote_and_refuses_what_is_malformed),
    TEST(marks_of_languages_are_found_where_they_stand),
    TEST(a_place_is_words_and_whereabouts),
    TEST(with_nothing_learnt_good_signs_make_better_links),
    TEST(a_shelf_of_copies_sinks_with_all_that_is_queued),
    TEST(links_are_alive_as_those_of_their_host_and_shelf_were),
    TEST(hosts_tried_in_vain_are_given_up_as_soon_as_others_were),
    TEST(trying_the_links_of_an_unknown_host_is_worth_more_than_its_chance),
    TEST(a_shelf_counts_its_latest_links_only_and_its_host_their_sum),
    TEST(dead_links_of_one_host_say_little_against_another),
    TEST(a_model_of_other_features_is_forgotten),
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
