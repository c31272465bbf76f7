/* Crawls of webs small enough that every answer is worked out by hand: order,
 * coverage, politeness, robots.txt, redirects, duplicates, what oracles do. */
#include "../../crawler/lab/measure.h"
#include "base/log.h"
#include "lab_make.h"

/* start -> list, kept c, missing f;  list -> kept d, kept e;  c -> missing f.
 * Five pages, three of them kept. */
static struct web *
five_pages(void)
{
    struct web *w = web_new();
    uint32_t a = make_page(w, "http://a.nl/", VERDICT_SHORT);
    uint32_t b = make_page(w, "http://a.nl/list", VERDICT_SHORT);
    uint32_t c = make_page(w, "http://a.nl/c", VERDICT_NONE);

    make_page(w, "http://a.nl/d", VERDICT_NONE);
    make_page(w, "http://a.nl/e", VERDICT_NONE);
    make_missing(w, "http://a.nl/f");
    make_links(w, a, 3, "http://a.nl/f", "http://a.nl/list", "http://a.nl/c");
    make_links(w, b, 2, "http://a.nl/d", "http://a.nl/e");
    make_links(w, c, 1, "http://a.nl/f");
    web_add_seed(w, a);
    make_done(w);
    return w;
}

static bool
fetched(const struct web *w, const struct sim_run *r, size_t i, const char *url)
{
    return i < r->fetches_n &&
           str_eq(w->urls.name[r->fetch[i].page], str_c(url));
}

static void
prepare(struct experiment *e, const struct web *w, const struct opts *o)
{
    *e = (struct experiment){.web = w,
                             .opts = o,
                             .seed = w->seed,
                             .seeds_n = w->seeds_n,
                             .threads_n = 1};
}

static void
coverage_and_yield_are_as_worked_out_by_hand(void)
{
    struct web *w = five_pages();
    struct opts o = make_opts();
    struct experiment e;
    const struct sim_run *r;

    prepare(&e, w, &o);
    e.scorer[e.scorers_n++] = S("bfs");
    e.pages_max = 6;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.pages == 5);
    CHECK(e.kept_total == 3);
    CHECK(experiment_run(&e) == ST_OK);
    r = e.run;
    CHECK(r->fetches_n == 6); /* the missing page is fetched, too */
    CHECK(fetched(w, r, 0, "http://a.nl/"));
    CHECK(fetched(w, r, 1, "http://a.nl/f"));
    CHECK(fetched(w, r, 2, "http://a.nl/list"));
    CHECK(fetched(w, r, 3, "http://a.nl/c"));
    CHECK(measure_yield(r) == 0.5);
    CHECK(measure_coverage(&e, r, 50) == 0); /* of 5: the first 3 fetches */
    CHECK(measure_coverage(&e, r, 80) == 1.0 / 3);
    CHECK(measure_coverage(&e, r, 100) == 2.0 / 3);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
links_do_not_wait_for_a_clock_that_stands_still(void)
{
    struct web *w = five_pages();
    struct opts o = make_opts();
    struct experiment e;

    o.frontier_merge_from = 0;
    prepare(&e, w, &o);
    e.scorer[e.scorers_n++] = S("bfs");
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.pages == 5 && e.kept_total == 3);
    CHECK(experiment_run(&e) == ST_OK);
    CHECK(e.run[0].ms == 0);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
the_greedy_oracle_knows_what_is_kept_and_the_ceiling_the_path(void)
{
    struct web *w = five_pages();
    struct opts o = make_opts();
    struct experiment e;

    prepare(&e, w, &o);
    e.scorer[e.scorers_n++] = S("ceiling");
    e.scorer[e.scorers_n++] = S("greedy");
    e.pages_max = 5;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(experiment_run(&e) == ST_OK);
    CHECK(fetched(w, &e.run[0], 1, "http://a.nl/c"));
    CHECK(fetched(w, &e.run[0], 2, "http://a.nl/list"));
    CHECK(e.run[0].kept == 3);
    CHECK(measure_coverage(&e, &e.run[0], 40) == 1.0 / 3);
    CHECK(measure_coverage(&e, &e.run[0], 100) == 1);
    CHECK(fetched(w, &e.run[1], 1, "http://a.nl/c"));
    CHECK(fetched(w, &e.run[1], 2, "http://a.nl/f")); /* found first */
    CHECK(e.run[1].kept == 2);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static float
worth_of(const struct experiment *e, const char *oracle, const char *url)
{
    const struct web *w = e->web;
    uint32_t page = intern_find(&w->urls, str_c(url));

    CHECK(page != INTERN_NONE);
    return e->worth[oracle_find(str_c(oracle))][page];
}

static void
patterns_know_the_share_of_a_kind_of_urls_that_is_kept(void)
{
    struct web *w = five_pages();
    struct opts o = make_opts();
    struct experiment e;

    make_page(w, "http://b.nl/c", VERDICT_NONE); /* a seed on another host */
    web_add_seed(w, intern_find(&w->urls, S("http://b.nl/c")));
    make_done(w);
    prepare(&e, w, &o);
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(worth_of(&e, "patterns", "http://b.nl/c") == 1);
    /* All six of a.nl, one of them missing, are of one kind. */
    CHECK(worth_of(&e, "patterns", "http://a.nl/list") == 3.0F / 6);
    CHECK(worth_of(&e, "patterns", "http://a.nl/f") == 3.0F / 6);
    CHECK(worth_of(&e, "greedy", "http://a.nl/list") == 0);
    CHECK(worth_of(&e, "greedy", "http://a.nl/c") == 1);
    CHECK(oracle_find(S("learned")) == ORACLES_N);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
missing_pages_can_be_left_out(void)
{
    struct web *w = five_pages();
    struct opts o = make_opts();
    struct experiment e;

    prepare(&e, w, &o);
    e.leave_out_missing = true;
    e.scorer[e.scorers_n++] = S("bfs");
    e.pages_max = 10;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.pages == 5);
    CHECK(experiment_run(&e) == ST_OK);
    CHECK(e.run[0].fetches_n == 5);
    CHECK(e.run[0].ended);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

/* One run without an experiment around it. */
static void
crawl_as(const char *scorer, struct sim_run *r, const struct web *w,
         const struct opts *o, uint64_t fetch_ms, double rate)
{
    struct opts with = *o;
    struct scope *scope;
    struct sim_setup setup = {.web = w,
                              .opts = &with,
                              .seed = w->seed,
                              .seeds_n = w->seeds_n,
                              .fetch_ms = fetch_ms,
                              .rate = rate};

    with.frontier_scorer = str_c(scorer);
    CHECK(scope_open(&scope, &with) == ST_OK);
    setup.scope = scope;
    CHECK(sim_run(r, &setup) == ST_OK);
    scope_close(scope);
}

static void
crawl(struct sim_run *r, const struct web *w, const struct opts *o,
      uint64_t fetch_ms, double rate)
{
    crawl_as("bfs", r, w, o, fetch_ms, rate);
}

/* Fetches take 100 ms and start 100 ms apart, hosts rest 1000 ms: a/1 0-100,
 * b/1 100-200, then a waits until 1100 and again until 2200. */
static void
politeness_follows_the_schedule_worked_out_by_hand(void)
{
    static const char *const urls[] = {"http://a.nl/1", "http://a.nl/2",
                                       "http://a.nl/3", "http://b.nl/1"};
    static const struct {
        const char *url;
        uint64_t at_ms;
    } wanted[] = {{"http://a.nl/1", 100},
                  {"http://b.nl/1", 200},
                  {"http://a.nl/2", 1200},
                  {"http://a.nl/3", 2300}};
    struct web *w = web_new();
    struct opts o = make_opts();
    struct sim_run r;

    for (size_t i = 0; i < 4; i++)
        web_add_seed(w, make_page(w, urls[i], VERDICT_NONE));
    make_done(w);
    o.politeness_delay_ms = 1000;
    CHECK(opts_set(&o, "", S("politeness.delays=a.nl=1h")) == ST_OK);
    o.politeness_robots = false;
    crawl(&r, w, &o, 100, 10);
    CHECK(r.fetches_n == 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK(fetched(w, &r, i, wanted[i].url));
        CHECK(i < r.fetches_n && r.fetch[i].at_ms == wanted[i].at_ms);
    }
    CHECK(r.ended);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

/* All links to b.nl are dead; what is there lies behind its home page.  Of c.nl
 * the record has no page but the one that is linked. */
static struct web *
dead_links(void)
{
    struct web *w = web_new();
    uint32_t a = make_page(w, "http://a.nl/", VERDICT_SHORT);
    uint32_t b = make_page(w, "http://b.nl/", VERDICT_SHORT);

    make_page(w, "http://b.nl/good", VERDICT_NONE);
    make_page(w, "http://c.nl/x", VERDICT_NONE);
    make_missing(w, "http://b.nl/old");
    make_missing(w, "http://b.nl/older");
    make_links(w, a, 3, "http://b.nl/old", "http://b.nl/older",
               "http://c.nl/x");
    make_links(w, b, 1, "http://b.nl/good");
    web_add_seed(w, a);
    make_done(w);
    return w;
}

static void
home_pages_lead_to_hosts_whose_links_are_dead(void)
{
    struct web *w = dead_links();
    struct opts o = make_opts();
    struct experiment e;
    struct sim_run r;

    o.politeness_robots = false;
    crawl(&r, w, &o, 0, 0);
    CHECK(r.kept == 1 && r.fetches_n == 4 && r.not_recorded == 0);
    sim_free(&r);
    o.frontier_home_pages = true;
    crawl(&r, w, &o, 0, 0);
    CHECK(r.kept == 2 && r.fetches_n == 6);
    CHECK(r.not_recorded == 1); /* that of c.nl, at no cost */
    sim_free(&r);
    prepare(&e, w, &o);
    e.scorer[e.scorers_n++] = S("ceiling");
    e.pages_max = 4;
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.kept_total == 2 && worth_of(&e, "ceiling", "http://b.nl/") > 0);
    CHECK(experiment_run(&e) == ST_OK);
    CHECK(e.run[0].kept == 2); /* a.nl, c.nl, and b.nl by its home page */
    experiment_free(&e);
    o.scope_visit = (struct str)STR("a[.]nl/|nl/.");
    prepare(&e, w, &o);
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.kept_total == 1); /* it is out of scope */
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

/* By the first of the dead links, if a scorer learns. */
static void
a_home_page_comes_in_place_of_a_dead_link(void)
{
    struct web *w = dead_links();
    struct opts o = make_opts();
    struct sim_run r;

    o.politeness_robots = false;
    crawl_as("learned", &r, w, &o, 0, 0);
    CHECK(r.kept == 2 && r.fetches_n == 6 && r.not_recorded == 0);
    sim_free(&r);
    crawl_as("paper", &r, w, &o, 0, 0);
    CHECK(r.kept == 1 && r.fetches_n == 4);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

static void
robots_txt_is_asked_for_and_obeyed(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    struct sim_run r;

    web_add_seed(w, make_page(w, "http://a.nl/open", VERDICT_NONE));
    web_add_seed(w, make_page(w, "http://a.nl/closed", VERDICT_NONE));
    make_robots(w, "a.nl", "User-agent: *\nDisallow: /closed\n");
    make_done(w);
    crawl(&r, w, &o, 0, 0);
    CHECK(r.robots == 1);
    CHECK(r.fetches_n == 1);
    CHECK(fetched(w, &r, 0, "http://a.nl/open"));
    CHECK(r.disallowed == 1);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

/* The shorter way to the document leads through a page that is forbidden. */
static void
the_ceiling_takes_no_path_that_robots_txt_forbids(void)
{
    struct web *w = web_new();
    uint32_t start = make_page(w, "http://a.nl/", VERDICT_SHORT);
    uint32_t shut = make_page(w, "http://a.nl/shut", VERDICT_SHORT);
    uint32_t list = make_page(w, "http://a.nl/list", VERDICT_SHORT);
    uint32_t more = make_page(w, "http://a.nl/more", VERDICT_SHORT);
    struct opts o = make_opts();
    struct experiment e;

    make_page(w, "http://a.nl/c", VERDICT_NONE);
    make_links(w, start, 2, "http://a.nl/shut", "http://a.nl/list");
    make_links(w, shut, 1, "http://a.nl/c");
    make_links(w, list, 1, "http://a.nl/more");
    make_links(w, more, 1, "http://a.nl/c");
    web_add_seed(w, start);
    make_robots(w, "a.nl", "User-agent: *\nDisallow: /shut\n");
    make_done(w);
    prepare(&e, w, &o);
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(e.kept_total == 1);
    CHECK(worth_of(&e, "ceiling", "http://a.nl/shut") == 0);
    CHECK(worth_of(&e, "ceiling", "http://a.nl/list") > 0);
    experiment_free(&e);
    o.politeness_robots = false;
    prepare(&e, w, &o);
    CHECK(experiment_prepare(&e) == ST_OK);
    CHECK(worth_of(&e, "ceiling", "http://a.nl/shut") > 0);
    CHECK(worth_of(&e, "ceiling", "http://a.nl/list") == 0);
    experiment_free(&e);
    opts_free(&o);
    web_free(w);
}

static void
a_redirect_is_followed_and_is_no_page(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    uint32_t from = make_missing(w, "http://a.nl/dir"), to;
    struct sim_run r;

    to = make_page(w, "http://a.nl/dir/", VERDICT_NONE);
    w->page[from].status = 301;
    w->page[from].location = intern_add(&w->texts, S("/dir/"), NULL);
    w->page[from].target = to;
    web_add_seed(w, from);
    make_done(w);
    crawl(&r, w, &o, 0, 0);
    CHECK(r.redirects == 1);
    CHECK(r.fetches_n == 1);
    CHECK(fetched(w, &r, 0, "http://a.nl/dir/"));
    CHECK(r.kept == 1);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

static void
of_equal_pages_the_first_in_the_crawl_is_kept(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    uint32_t one = make_page(w, "http://a.nl/1", VERDICT_NONE),
             two = make_page(w, "http://b.nl/1", VERDICT_NONE);
    struct sim_run r;

    w->page[two].digest = w->page[one].digest;
    web_add_seed(w, two);
    web_add_seed(w, one);
    make_done(w);
    crawl(&r, w, &o, 0, 0);
    CHECK(r.kept == 1);
    CHECK(r.fetches_n == 2);
    CHECK(fetched(w, &r, 0, "http://b.nl/1") && r.fetch[0].kept);
    CHECK(r.fetch[1].reject == VERDICT_EXACT_DUPLICATE);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

static void
what_was_not_recorded_is_queued_and_costs_nothing(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    uint32_t a = make_page(w, "http://a.nl/", VERDICT_NONE);
    struct sim_run r;

    make_links(w, a, 2, "http://a.nl/elsewhere", "http://b.nl/");
    web_add_seed(w, a);
    make_done(w);
    o.politeness_delay_ms = 1000;
    crawl(&r, w, &o, 100, 0);
    CHECK(r.fetches_n == 1);
    CHECK(r.not_recorded == 2); /* they were queued, at no cost: */
    CHECK(r.robots == 1);       /* a.nl's, then its page */
    CHECK(r.fetch[0].at_ms == 1200);
    CHECK(r.ended);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

/* A date of today is no sign of an endless calendar, one far ahead is.  Crawls
 * take place in the year of the record. */
static void
dates_in_urls_are_read_in_the_year_of_the_record(void)
{
    static const char *const about[] = {"", "lab.year=2019\n"};

    for (int early = 0; early <= 1; early++) {
        struct web *w = web_new();
        struct opts o = make_opts();
        uint32_t a = make_page(w, "http://a.nl/", VERDICT_NONE);
        struct sim_run r;

        make_page(w, "http://a.nl/2026/06/dated", VERDICT_NONE);
        make_page(w, "http://a.nl/plain", VERDICT_NONE);
        make_links(w, a, 2, "http://a.nl/2026/06/dated", "http://a.nl/plain");
        web_add_seed(w, a);
        make_done(w);
        w->about = str_c(about[early]);
        crawl(&r, w, &o, 0, 0);
        CHECK(r.fetches_n == 3);
        CHECK(fetched(w, &r, early ? 2 : 1, "http://a.nl/2026/06/dated"));
        sim_free(&r);
        opts_free(&o);
        web_free(w);
    }
}

static void
a_server_that_fails_is_tried_again_in_virtual_time(void)
{
    struct web *w = web_new();
    struct opts o = make_opts();
    uint32_t a = make_missing(w, "http://a.nl/");
    struct sim_run r;

    w->page[a].status = 503;
    web_add_seed(w, a);
    make_done(w);
    o.politeness_retries = 1;
    o.limits_wait_seconds = 3600;
    crawl(&r, w, &o, 0, 0);
    CHECK(r.fetches_n == 1); /* the last try is the page */
    CHECK(r.kept == 0);
    CHECK(r.ms >= o.politeness_retry_ms / 2);
    sim_free(&r);
    opts_free(&o);
    web_free(w);
}

static const struct test tests[] = {
    TEST(coverage_and_yield_are_as_worked_out_by_hand),
    TEST(links_do_not_wait_for_a_clock_that_stands_still),
    TEST(the_greedy_oracle_knows_what_is_kept_and_the_ceiling_the_path),
    TEST(patterns_know_the_share_of_a_kind_of_urls_that_is_kept),
    TEST(missing_pages_can_be_left_out),
    TEST(politeness_follows_the_schedule_worked_out_by_hand),
    TEST(home_pages_lead_to_hosts_whose_links_are_dead),
    TEST(a_home_page_comes_in_place_of_a_dead_link),
    TEST(robots_txt_is_asked_for_and_obeyed),
    TEST(the_ceiling_takes_no_path_that_robots_txt_forbids),
    TEST(a_redirect_is_followed_and_is_no_page),
    TEST(of_equal_pages_the_first_in_the_crawl_is_kept),
    TEST(what_was_not_recorded_is_queued_and_costs_nothing),
    TEST(dates_in_urls_are_read_in_the_year_of_the_record),
    TEST(a_server_that_fails_is_tried_again_in_virtual_time),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
