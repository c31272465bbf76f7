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

/* ---- is there a page at all? ---- */

static struct outcome_counts
links(uint32_t all, uint32_t dead)
{
    return (struct outcome_counts){
        {[CLASS_LINKS] = all, [CLASS_LINKS_DEAD] = dead}};
}

static void
links_are_alive_as_those_of_their_host_and_url_class_were(void)
{
    const struct link_rot_crawl crawl = {.tried = {40}, .working = {20}};
    const struct outcome_counts fresh = {{0}}, good = links(20, 1),
                                dead = links(20, 20);
    struct link_rot_host unknown = {0}, mixed = {0}, gone = {0};
    double least = 0, chance;

    link_rot_add(&mixed, &good);
    link_rot_add(&mixed, &dead);
    link_rot_add(&gone, &dead);
    CHECK(mixed.links > 0 && mixed.links < 20 && mixed.working > 0 &&
          mixed.working < mixed.links && gone.working == 0);
    chance = link_rot_link(&crawl, &unknown, &fresh);
    CHECK(chance > 0.4 && chance < 0.6); /* as hosts are */
    CHECK(link_rot_link(&crawl, &mixed, &good) > 0.8);
    CHECK(link_rot_link(&crawl, &mixed, &dead) < 0.15);
    CHECK(link_rot_link(&crawl, &mixed, &fresh) > 0.3);
    CHECK(link_rot_link(&crawl, &gone, &fresh) < 0.1);
    for (uint32_t working = 0; working <= 10; working++) { /* rises with each */
        const struct outcome_counts url_class = links(10, 10 - working);
        struct link_rot_host host = {0};

        link_rot_add(&host, &url_class);
        chance = link_rot_link(&crawl, &host, &url_class);
        CHECK(chance > least && chance < 1);
        least = chance;
    }
    CHECK(link_rot_seed(&crawl) > 0.9); /* seeds are another matter */
}

/* Where one dead link in a host says little, another is tried; where it has
 * always said all, none. */
static void
hosts_tried_in_vain_are_given_up_as_soon_as_others_were(void)
{
    const struct link_rot_crawl often = {.tried = {200, 90, 40, 20},
                                         .working = {110, 50, 20, 10}},
                                never = {.tried = {200, 90, 90, 90},
                                         .working = {110, 0, 0, 0}};
    const struct outcome_counts fresh = {{0}}, once = links(1, 1);
    struct link_rot_host host = {0};
    struct link_rot_crawl c = {0};
    struct outcome_counts none = {{0}};

    CHECK(link_rot_link(&often, &host, &fresh) > 0.5);
    CHECK(link_rot_link(&never, &host, &fresh) > 0.5);
    link_rot_add(&host, &once);
    CHECK(link_rot_link(&often, &host, &fresh) > 0.4);
    CHECK(link_rot_link(&never, &host, &fresh) < 0.05);
    for (uint32_t dead = 0; dead < 20; dead++) { /* counted by runs */
        none = links(dead, dead);
        link_rot_learn(&c, &none, false, true);
    }
    none = links(9, 8);
    link_rot_learn(&c, &none, false, false); /* one was there: no run */
    for (size_t i = 0; i + 1 < LINK_ROT_RUNS; i++)
        CHECK(c.tried[i] == 1 && c.working[i] == 0);
    CHECK(c.tried[LINK_ROT_RUNS - 1] == 20 - LINK_ROT_RUNS + 1);
}

static void
trying_the_links_of_an_unknown_host_is_worth_more_than_its_chance(void)
{
    const struct link_rot_crawl crawl = {.tried = {1000}, .working = {100}};
    const struct outcome_counts fresh = {{0}}, once = links(1, 1),
                                often = links(5, 5);
    struct link_rot_host unknown = {0}, tried = {0}, given_up = {0};
    double one = link_rot_trial(&crawl, &unknown, &fresh, 1, 0),
           many = link_rot_trial(&crawl, &unknown, &fresh, 50, 0);

    link_rot_add(&tried, &once);
    link_rot_add(&given_up, &often);
    CHECK(one > link_rot_link(&crawl, &unknown, &fresh));
    CHECK(many > 2 * one && many < 1);
    CHECK(link_rot_trial(&crawl, &tried, &once, 50, 0) < many);
    CHECK(link_rot_trial(&crawl, &given_up, &often, 50, 0) < 0.2 * many);
    CHECK(link_rot_trial(&crawl, &unknown, &fresh, 50, -2) <
          many); /* the link */
}

static void
a_url_class_counts_its_latest_links_only_and_its_host_their_sum(void)
{
    struct random r = random_seed(3);
    struct outcome_counts url_class[3] = {{{0}}}, host = {{0}};

    for (int i = 0; i < 5000; i++) {
        size_t at = random_below(&r, 3);
        uint32_t all = 0, dead = 0;

        link_rot_count(&url_class[at], &host, random_below(&r, 4) < at + 1);
        for (size_t k = 0; k < 3; k++) {
            CHECK(url_class[k].n[CLASS_LINKS] <= 100);
            CHECK(url_class[k].n[CLASS_LINKS_DEAD] <=
                  url_class[k].n[CLASS_LINKS]);
            all += url_class[k].n[CLASS_LINKS];
            dead += url_class[k].n[CLASS_LINKS_DEAD];
        }
        CHECK(host.n[CLASS_LINKS] == all && host.n[CLASS_LINKS_DEAD] == dead);
    }
    for (int i = 0; i < 200; i++)
        link_rot_count(&url_class[0], &host, true); /* emptied */
    CHECK(url_class[0].n[CLASS_LINKS_DEAD] + 4 > url_class[0].n[CLASS_LINKS]);
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
            d.verdict = VERDICT_LANGUAGE;
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

/* Twenty hosts of one domain brought copies, twenty of another did not: a host
 * of the first that nobody knows is asked later than one of the second, unless
 * duplicates are not to be learnt from. */
static void
copies_speak_against_the_other_hosts_of_their_domain(void)
{
    for (int learn = 0; learn < 2; learn++) {
        struct opts o = dutch();
        const char *dir = help_folder();
        struct frontier_lease first, second;
        char url[64];

        arena = arena_new();
        o.frontier_explore = 0;
        o.frontier_learn_duplicates = learn != 0;
        CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
        for (int i = 0; i < 40; i++) {
            snprintf(url, sizeof url, "http://h%d.%s.nl/page.html", i,
                     i % 2 ? "mirror" : "own");
            help_seed(f, url, T0);
        }
        for (int i = 0; i < 40; i++) {
            struct frontier_lease l = help_lease(f, T0, arena, NULL);
            struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, T0);

            CHECK(l.url.n > 0);
            if (str_ends(l.authority, S(".mirror.nl")))
                d.verdict = VERDICT_NEAR_DUPLICATE;
            help_report(f, &d, T0);
        }
        help_seed(f, "http://new.mirror.nl/page.html", T0);
        help_seed(f, "http://new.own.nl/page.html", T0);
        first = help_lease(f, T0, arena, NULL);
        second = help_lease(f, T0, arena, NULL);
        if (learn)
            CHECK(str_eq(first.authority, S("new.own.nl")) &&
                  first.score > 1.5 * second.score);
        else
            CHECK(first.score < 1.1 * second.score);
        frontier_close(f);
        folder_remove(dir);
        arena_free(arena);
        opts_free(&o);
    }
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
            d.verdict = verdict_http(404);
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
    CHECK(model_cases(help_learner(f)->model) == 5);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(tables_put(f->db->tables, TABLE_META, S("features"), S("another1")) ==
          ST_OK);
    CHECK(frontier_commit(f) == ST_OK);
    frontier_close(f);
    for (int round = 0; round < 2; round++) { /* for good */
        CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
        CHECK(model_cases(help_learner(f)->model) == (uint64_t)round * 3);
        CHECK(help_learner(f)->link_rot.seeds == (uint32_t)round * 3);
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
            d.verdict = VERDICT_LANGUAGE;
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
            d.verdict = help_verdict(ends[random_below(&r, 4)]);
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
        CHECK(model_cases(help_learner(f)->model) == lessons);
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
    TEST(a_url_class_of_copies_sinks_with_all_that_is_queued),
    TEST(links_are_alive_as_those_of_their_host_and_url_class_were),
    TEST(hosts_tried_in_vain_are_given_up_as_soon_as_others_were),
    TEST(trying_the_links_of_an_unknown_host_is_worth_more_than_its_chance),
    TEST(a_url_class_counts_its_latest_links_only_and_its_host_their_sum),
    TEST(copies_speak_against_the_other_hosts_of_their_domain),
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
