/* Scorer learned in a frontier: what a crawl teaches orders what is fetched
 * next, once each, and outlives the process. */
#include "learned_case.h"

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

/* A service saves what was learnt now and then, and all of it when it ends. */
static void
what_a_service_has_learnt_is_saved_when_it_ends(void)
{
    struct opts o = dutch();
    const char *dir = help_folder();
    struct buf said = {0};

    arena = arena_new();
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    CHECK(frontier_save_later(f, &o) == ST_OK);
    seed_pages("good", 0, 30);
    seed_pages("poor", 30, 60);
    fetch(60);
    help_seed(f, "http://h99.org/good/page.html", T0);
    frontier_save_now(f);
    frontier_close(f);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    say(f, &said);
    CHECK(strstr(text_of(&said), "learned from 60 pages") != NULL);
    help_check(f);
    frontier_close(f);
    folder_remove(dir);
    arena_free(arena);
    buf_free(&said);
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

/* Do the links of a page with verdict `first` go before those of one with
 * `second`, when all that counts is whether the page is a good document? */
static bool
links_go_first(enum verdict first, enum verdict second)
{
    struct opts o = help_opts();
    const char *dir = help_folder();
    struct frontier_link link = help_link("http://c.org/x"),
                         other = help_link("http://d.org/y");
    const enum verdict verdict[] = {second, first};
    bool yes;

    arena = arena_new();
    o.frontier_scorer = (struct str)STR("learned");
    o.frontier_prior = str_c(arena_printf(arena, "%s.tsv", dir).p);
    CHECK(file_write(o.frontier_prior.p, S("PARENT_KEPT\t4\n")) == ST_OK);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    help_seed(f, "http://a.org/", T0);
    help_seed(f, "http://b.org/", T0);
    for (int i = 0; i < 2; i++) {
        struct frontier_lease l = help_lease(f, T0, arena, NULL);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, T0);

        d.verdict = verdict[i];
        d.links = i == 0 ? &other : &link;
        d.links_n = 1;
        help_report(f, &d, T0);
    }
    yes = str_eq(help_lease(f, T0, arena, NULL).url, S("http://c.org/x"));
    frontier_close(f);
    folder_remove(dir);
    unlink(o.frontier_prior.p);
    o.frontier_prior = (struct str){0};
    opts_free(&o);
    arena_free(arena);
    return yes;
}

static void
a_page_of_an_unwanted_kind_is_as_good_a_place_for_links_as_a_kept_one(void)
{
    CHECK(links_go_first(VERDICT_KEPT, VERDICT_BOILERPLATE));
    CHECK(links_go_first(VERDICT_PAGE_KIND, VERDICT_BOILERPLATE));
    CHECK(!links_go_first(VERDICT_BOILERPLATE, VERDICT_PAGE_KIND));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_a_service_has_learnt_is_saved_when_it_ends),
        TEST(copies_speak_against_the_other_hosts_of_their_domain),
        TEST(dead_links_of_one_host_say_little_against_another),
        TEST(a_model_of_other_features_is_forgotten),
        TEST(what_was_learnt_orders_new_urls_and_outlives_the_process),
        TEST(explored_pages_are_of_any_host_and_are_marked),
        TEST(
            a_page_of_an_unwanted_kind_is_as_good_a_place_for_links_as_a_kept_one),
        TEST(random_lessons_are_learnt_once_whatever_aborts_or_ends),
        {0}};

    return test_main(table, argc, argv);
}
