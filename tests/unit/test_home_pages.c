/* Aim: with frontier.home_pages the first link to a host brings the host's home
 * page with it, with frontier.home_instead the first page of a host that is
 * gone, once, known as what nobody has linked; nothing else does.
 * Method: links of made pages; the tables are asked. */
#include <signal.h>
#include <sys/wait.h>

#include "frontier/intake/home_pages.h"
#include "frontier_help.h"

#define T0 1800000000000u

static struct opts o;
static struct frontier *f;
static struct arena *a;
static const char *dir;

static void
start(void)
{
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
}

static void
set_up(bool on)
{
    dir = help_folder();
    o = help_opts();
    o.frontier_home_pages = on;
    o.politeness_delay_ms = 0;
    a = arena_new();
    start();
}

static void
tear_down(void)
{
    help_check(f);
    frontier_close(f);
    folder_remove(dir);
    arena_free(a);
    opts_free(&o);
}

static struct str anchor = STR("a long anchor");
static uint8_t within = LINK_IN_NAV;

static const struct row_parent page = {
    .facts = {.depth = 3, .badness = 2, .has_badness = true}};

static struct row_link_counts
put(const struct row_parent *parent, size_t n, const char *const *urls)
{
    struct frontier_link l[8];
    struct row_link_counts counts = {0};

    for (size_t i = 0; i < n; i++)
        l[i] = (struct frontier_link){.url = str_c(urls[i]),
                                      .anchor = anchor,
                                      .boilerplate = 0.25F,
                                      .relation = LINK_EXTERNAL,
                                      .within = within};
    CHECK(intake_put(f->in, l, n, parent, &counts) == ST_OK);
    return counts;
}

#define PUT(...)                                                               \
    put(&page, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),         \
        (const char *[]){__VA_ARGS__})

static struct frontier_totals
totals(void)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    return t;
}

/* Its row of the queue; false: the URL is not queued. */
static bool
queued(const char *url, struct row_queued *q)
{
    struct row_url parts;
    struct row_seen s;
    bool is;

    CHECK(row_url_split(&parts, str_c(url)));
    CHECK(frontier_begin(f) == ST_OK);
    is = url_store_seen_get(
             f->db, row_seen_key(ROW_KEYS_NEW, parts.authority, str_c(url)),
             &s) == ST_OK &&
         s.state == ROW_QUEUED;
    if (is && q != NULL)
        CHECK(url_store_queue_read(f->db, s.position, q) == ST_OK);
    frontier_abort(f);
    return is;
}

static void
the_first_link_to_a_host_brings_its_home_page(void)
{
    struct row_link_counts counts = {0};
    struct row_queued q;

    set_up(true);
    HELP_OK(f, (counts = PUT("https://b.nl/x", "https://b.nl/y"), ST_OK));
    CHECK(counts.fresh == 2); /* it is no link of the page */
    CHECK(totals().queued == 3 && totals().home_pages == 1);
    CHECK(queued("https://b.nl/", &q) && !queued("http://b.nl/", NULL));
    CHECK(q.facts.depth == 3 && q.facts.has_badness && q.facts.badness == 2);
    CHECK(q.facts.boilerplate == 0.25F);            /* the same block ... */
    CHECK(q.facts.features.path == LINK_PATH_HOME); /* ... but no link */
    CHECK(q.facts.features.words == 0 && q.facts.features.within == 0);
    HELP_OK(f, (PUT("https://b.nl/z"), PUT("http://c.nl/x"), ST_OK));
    CHECK(totals().queued == 6 && totals().home_pages == 2);
    tear_down();
}

/* Who fetches it, and the crawl log, hear of it. */
static void
a_lease_says_that_no_link_leads_there(void)
{
    size_t homes = 0, leases = 0;

    set_up(true);
    HELP_OK(f, (PUT("https://b.nl/x", "http://c.nl/"), ST_OK));
    for (uint64_t now = T0; leases < 3; now += 1000, leases++) {
        struct frontier_lease l = help_lease(f, now, a, NULL);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, now);

        CHECK(l.home_page == str_eq(l.url, S("https://b.nl/")));
        homes += l.home_page;
        help_report(f, &d, now);
    }
    CHECK(homes == 1 && totals().done == 3);
    tear_down();
}

static void
without_the_option_nothing_does(void)
{
    set_up(false);
    HELP_OK(f, (PUT("https://b.nl/x"), ST_OK));
    CHECK(totals().queued == 1 && totals().home_pages == 0);
    CHECK(!queued("https://b.nl/", NULL));
    tear_down();
}

static void
a_home_page_that_is_linked_is_a_link(void)
{
    const struct frontier_link l[] = {
        {.url = S("http://d.nl/x"), .relation = LINK_EXTERNAL},
        {.url = S("http://d.nl/"), .relation = LINK_EXTERNAL, .boilerplate = 1},
    };
    struct row_link_counts counts = {0};
    struct row_queued q;

    set_up(true);
    HELP_OK(f, (PUT("http://b.nl/x", "http://b.nl/"), PUT("http://c.nl/"),
                PUT("http://c.nl/x"), ST_OK));
    HELP_OK(f, intake_put(f->in, l, 2, &page, &counts));
    CHECK(totals().queued == 6 && totals().home_pages == 0);
    CHECK(queued("http://d.nl/", &q)); /* though the other's block is better */
    CHECK(q.facts.features.path != LINK_PATH_HOME);
    CHECK(q.facts.boilerplate == 1);
    tear_down();
}

static void
seeds_redirects_and_sitemaps_bring_none(void)
{
    const struct row_parent redirect = {.facts = {.depth = 1},
                                        .priority = 30000},
                            sitemap = {.facts = {.depth = 1, .sitemap = true},
                                       .priority = 30000};

    set_up(true);
    help_seed(f, "http://a.nl/seed", T0);
    HELP_OK(f,
            (put(&redirect, 1, (const char *[]){"http://b.nl/target"}), ST_OK));
    HELP_OK(f,
            (put(&sitemap, 1, (const char *[]){"http://c.nl/listed"}), ST_OK));
    CHECK(totals().queued == 3 && totals().home_pages == 0);
    HELP_OK(f, (PUT("http://a.nl/x", "http://b.nl/x", "http://c.nl/x"), ST_OK));
    CHECK(totals().queued == 6 && totals().home_pages == 0);
    tear_down();
}

/* The same when links wait in the log, and are merged later. */
static void
links_in_bulk_bring_one_too(void)
{
    uint64_t again, now = T0;

    set_up(true);
    frontier_close(f);
    o.frontier_merge_from = 0;
    start();
    f->db->now_ms = T0;
    HELP_OK(f, (PUT("http://b.nl/x", "http://c.nl/x", "http://c.nl/"), ST_OK));
    HELP_OK(f, (PUT("http://b.nl/y", "http://d.nl/y"), ST_OK));
    CHECK(totals().queued == 0);
    do
        CHECK(frontier_maintain(f, now += 1000, &again) == ST_OK);
    while (again != UINT64_MAX);
    CHECK(totals().queued == 7 && totals().home_pages == 2);
    CHECK(queued("http://b.nl/", NULL) && queued("http://d.nl/", NULL));
    tear_down();
}

/* A process that is killed with or without a commit. */
static void
die(bool committed)
{
    int status;
    pid_t child;

    frontier_close(f);
    child = fork();
    if (child == 0) {
        start();
        if (frontier_begin(f) == ST_OK)
            PUT("http://b.nl/x");
        if (committed)
            (void)frontier_commit(f);
        raise(SIGKILL);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    start();
}

static void
once_whatever_dies_or_is_undone(void)
{
    set_up(true);
    CHECK(frontier_begin(f) == ST_OK);
    PUT("http://b.nl/x");
    CHECK(totals().home_pages == 1);
    frontier_abort(f);
    CHECK(totals().home_pages == 0 && totals().queued == 0);
    die(false);
    CHECK(totals().home_pages == 0 && totals().queued == 0);
    die(true);
    CHECK(totals().home_pages == 1 && totals().queued == 2);
    HELP_OK(f, (PUT("http://b.nl/x", "http://b.nl/y"), ST_OK));
    CHECK(totals().home_pages == 1 && totals().queued == 3);
    tear_down();
}

static void
a_store_of_before_counts_none(void)
{
    struct row_counters c = {
        .totals = {.links_dropped = 3,
                   .home_pages = 5,
                   .traps = {[TRAP_ACT] = 7, [TRAP_FILE] = 8}}};
    struct buf row = {0};

    row_counters_write(&row, &c);
    CHECK(row_counters_read(&c, buf_view(&row)) && c.totals.home_pages == 5);
    CHECK(c.totals.traps[TRAP_ACT] == 7 && c.totals.traps[TRAP_FILE] == 8);
    row.n--; /* its last byte */
    CHECK(row_counters_read(&c, buf_view(&row)));
    CHECK(c.totals.traps[TRAP_ACT] == 7 && c.totals.traps[TRAP_FILE] == 0);
    row.n--;
    CHECK(row_counters_read(&c, buf_view(&row)) && c.totals.home_pages == 5);
    CHECK(c.totals.traps[TRAP_ACT] == 0);
    row.n--;
    CHECK(row_counters_read(&c, buf_view(&row)) && c.totals.home_pages == 0);
    CHECK(c.totals.links_dropped == 3);
    row.n--;
    CHECK(!row_counters_read(&c, buf_view(&row)));
    buf_free(&row);
}

/* A name server that answers for every name. */
static void
names_without_end_bring_no_more(void)
{
    struct frontier_link l = {.domain = S("trap.nl"),
                              .relation = LINK_EXTERNAL};
    struct row_link_counts counts = {0};
    uint64_t most = HOME_PAGES_QUEUED / 2; /* and a link each */

    set_up(true);
    CHECK(frontier_begin(f) == ST_OK);
    for (size_t i = 0; i < most + 100; i++) {
        l.url = arena_printf(a, "http://h%zu.trap.nl/x", i);
        CHECK(intake_put(f->in, &l, 1, &page, &counts) == ST_OK);
    }
    CHECK(totals().home_pages >= most - 1 && totals().home_pages <= most);
    CHECK(frontier_commit(f) == ST_OK);
    most = totals().home_pages;
    HELP_OK(f, (PUT("http://b.nl/x"), ST_OK)); /* of another domain */
    CHECK(totals().home_pages == most + 1);
    tear_down();
}

/* ---- what is learnt ---- */

/* A page that is queued has ended: no lease, no time, its lesson alone. */
static void
learn(const char *url, enum outcome_class class)
{
    struct row_queued q;
    struct row_url parts;
    struct host *h;

    CHECK(queued(url, &q) && row_url_split(&parts, str_c(url)));
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(url_store_host_named(f->db, parts.authority, S(""), false, &h) ==
          ST_OK);
    scoring_learn(f->sc, &h->row, 0, &q, class);
    CHECK(frontier_commit(f) == ST_OK);
}

/* What is learnt of home pages that were added, as far as it concerns this
 * URL. */
static double
of_home_pages(const char *url)
{
    const struct learner *l = help_learner(f);
    struct learner_case c = {.n = 0};
    struct row_queued q;
    struct row_url parts;
    struct link_signals s;
    double sum = 0;

    CHECK(queued(url, &q) && row_url_split(&parts, str_c(url)));
    s = scoring_signals(f->sc, &q, parts.authority);
    learner_link(l, &c, &s);
    for (size_t i = 0; i < c.n; i++)
        if (c.kind[i] != NULL && str_starts(str_c(c.kind[i]), S("home page")))
            sum += model_sum(l->model, &c.f[i], 1);
    return sum;
}

/* Added home pages are kept, home pages that bare links lead to are not. */
static void
what_comes_of_them_is_learnt_apart(void)
{
    set_up(true);
    frontier_close(f);
    o.frontier_scorer = (struct str)STR("learned");
    start();
    anchor = S("");
    within = 0;
    HELP_OK(f, (PUT("http://y.nl/x", "http://z.nl/"), ST_OK));
    for (int i = 0; i < 50; i++) {
        const char *added = arena_printf(a, "http://added%d.nl/", i).p,
                   *under = arena_printf(a, "http://added%d.nl/x", i).p,
                   *bare = arena_printf(a, "http://bare%d.nl/", i).p;

        HELP_OK(f, (PUT(under, bare), ST_OK));
        learn(added, CLASS_KEPT);
        learn(bare, CLASS_OTHER);
    }
    CHECK(of_home_pages("http://y.nl/") > 0.1);
    CHECK(of_home_pages("http://z.nl/") == 0);
    CHECK(of_home_pages("http://y.nl/x") == 0);
    tear_down();
}

/* ---- in place of a page that is gone ---- */

static void
set_up_instead(const char *scorer, bool on)
{
    set_up(false);
    frontier_close(f);
    o.frontier_scorer = str_c(scorer);
    o.frontier_home_instead = on;
    start();
}

/* The next page ends so. */
static struct frontier_lease
ended(enum frontier_outcome outcome)
{
    static uint64_t now = T0;
    struct frontier_lease l = help_lease(f, now += 1000, a, NULL);
    struct frontier_done d = help_done(l.url, outcome, now);

    help_report(f, &d, now);
    return l;
}

static void
the_first_page_that_is_gone_brings_the_home_page(void)
{
    struct row_queued q;

    set_up_instead("learned", true);
    HELP_OK(f, (PUT("https://b.nl/x", "https://b.nl/y"), ST_OK));
    ended(OUTCOME_FAILED);
    CHECK(totals().queued == 2 && totals().home_pages == 1);
    CHECK(queued("https://b.nl/", &q) && !queued("http://b.nl/", NULL));
    CHECK(q.facts.depth == 3 && q.facts.has_badness && q.facts.badness == 2);
    CHECK(q.facts.boilerplate == 0.25F && q.facts.relation == LINK_EXTERNAL);
    CHECK(q.facts.features.path == LINK_PATH_HOME);
    CHECK(q.facts.features.words == 0 && q.facts.features.within == 0);
    for (int i = 0; i < 2; i++) { /* once, whatever else is gone */
        struct frontier_lease l = ended(OUTCOME_FAILED);

        CHECK(l.home_page == str_eq(l.url, S("https://b.nl/")));
    }
    CHECK(totals().home_pages == 1 && totals().failed == 3);
    CHECK(totals().queued == 0);
    tear_down();
}

static void
a_host_that_has_shown_a_page_needs_none(void)
{
    set_up_instead("learned", true);
    HELP_OK(f, (PUT("http://b.nl/x", "http://b.nl/y"), ST_OK));
    ended(OUTCOME_FETCHED);
    ended(OUTCOME_FAILED);
    HELP_OK(f, (PUT("http://c.nl/"), ST_OK)); /* its home page is gone */
    ended(OUTCOME_FAILED);
    CHECK(totals().queued == 0 && totals().home_pages == 0);
    HELP_OK(f, (PUT("http://d.nl/x", "http://d.nl/"), ST_OK));
    ended(OUTCOME_FAILED); /* it is queued as a link */
    CHECK(totals().queued == 1 && totals().home_pages == 0);
    tear_down();
}

static void
none_comes_so_without_the_option_or_a_scorer_that_learns(void)
{
    const struct {
        const char *scorer;
        bool on;
        uint64_t homes;
    } cases[] = {{"learned", true, 1},
                 {"learned", false, 0},
                 {"bfs", true, 0},
                 {"paper", true, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up_instead(cases[i].scorer, cases[i].on);
        HELP_OK(f, (PUT("http://b.nl/x"), ST_OK));
        ended(OUTCOME_FAILED);
        CHECK(totals().home_pages == cases[i].homes);
        CHECK(totals().queued == cases[i].homes);
        tear_down();
    }
}

static void
a_host_that_does_not_answer_brings_none(void)
{
    struct frontier_done d;
    struct frontier_lease l;

    set_up_instead("learned", true);
    HELP_OK(f, (PUT("http://b.nl/x"), ST_OK));
    l = help_lease(f, T0, a, NULL);
    d = help_done(l.url, OUTCOME_FAILED, T0);
    d.contacted = false;
    help_report(f, &d, T0);
    CHECK(totals().failed == 1 && totals().queued == 0);
    CHECK(totals().home_pages == 0);
    tear_down();
}

static const struct test tests[] = {
    TEST(the_first_link_to_a_host_brings_its_home_page),
    TEST(a_lease_says_that_no_link_leads_there),
    TEST(without_the_option_nothing_does),
    TEST(a_home_page_that_is_linked_is_a_link),
    TEST(seeds_redirects_and_sitemaps_bring_none),
    TEST(links_in_bulk_bring_one_too),
    TEST(once_whatever_dies_or_is_undone),
    TEST(a_store_of_before_counts_none),
    TEST(names_without_end_bring_no_more),
    TEST(what_comes_of_them_is_learnt_apart),
    TEST(the_first_page_that_is_gone_brings_the_home_page),
    TEST(a_host_that_has_shown_a_page_needs_none),
    TEST(none_comes_so_without_the_option_or_a_scorer_that_learns),
    TEST(a_host_that_does_not_answer_brings_none),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
