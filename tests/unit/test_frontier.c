/* The frontier's promises one by one: priorities, clocks, robots, retries, what
 * is refused, folders that are not its own, full disks, and kill -9. */
#include <lmdb.h>
#include <signal.h>
#include <sys/wait.h>

#include "frontier_help.h"
#include "winnow/clock.h"
#include "winnow/log.h"

#define T0 ((uint64_t)1800000000000)

static struct frontier *f;
static struct opts o;
static struct arena *a;
static const char *dir;

static void
set_up(void)
{
    dir = help_folder();
    o = help_opts();
    a = arena_new();
}

static void
open_it(void)
{
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
}

static void
tear_down(void)
{
    frontier_close(f);
    f = NULL;
    help_folder_remove(dir);
    opts_free(&o);
    arena_free(a);
}

static struct frontier_totals
totals(uint64_t now)
{
    struct frontier_totals t;

    frontier_totals(f, &t, now);
    return t;
}

static bool
leased(uint64_t now, const char *url)
{
    return str_eq(help_lease(f, now, a, NULL).url, str_c(url));
}

/* Fetch `url` (leased before) with links of these badnesses. */
static void
fetch_with(const char *url, uint64_t now, double badness,
           const struct frontier_link *links, size_t n)
{
    struct frontier_done d = help_done(str_c(url), OUTCOME_FETCHED, now);

    d.has_badness = true;
    d.badness = (float)badness;
    d.links = links;
    d.links_n = n;
    help_report(f, &d, now);
}

static void
links_of_good_documents_are_fetched_first(void)
{
    struct frontier_link good = help_link("http://x.nl/good"),
                         bad = help_link("http://x.nl/bad");

    set_up();
    open_it();
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "http://b.nl/", T0);
    help_lease(f, T0, a, NULL);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 45, &bad, 1);
    fetch_with("http://b.nl/", T0, 1, &good, 1);
    CHECK(leased(T0 + 1, "http://x.nl/good"));
    tear_down();
}

static void
a_url_found_again_on_a_better_page_rises(void)
{
    struct frontier_link x[] = {help_link("http://x.nl/1"),
                                help_link("http://x.nl/2")};

    set_up();
    open_it();
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "http://b.nl/", T0);
    help_lease(f, T0, a, NULL);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 30, x, 2);
    fetch_with("http://b.nl/", T0, 0, &x[1], 1);
    CHECK(totals(T0).queued == 2);
    CHECK(leased(T0 + 1, "http://x.nl/2"));
    help_check(f);
    tear_down();
}

static void
the_https_twin_of_a_known_page_waits(void)
{
    struct frontier_link x[] = {help_link("https://a.nl/"),
                                help_link("https://b.nl/2")};

    set_up();
    open_it();
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 0, x, 2);
    help_seed(f, "http://c.nl/", T0);
    CHECK(leased(T0 + 9000, "https://b.nl/2"));
    CHECK(leased(T0 + 9000, "http://c.nl/"));
    CHECK(leased(T0 + 9000, "https://a.nl/")); /* last, not never */
    tear_down();
}

static void
a_host_that_yields_nothing_goes_behind_one_that_yields(void)
{
    static const char *const url[] = {"http://poor.nl/1", "http://poor.nl/2",
                                      "http://rich.nl/1", "http://rich.nl/2"};
    struct frontier_link x[] = {help_link("http://poor.nl/next"),
                                help_link("http://rich.nl/next")};
    uint64_t now = T0;

    set_up();
    open_it();
    for (size_t i = 0; i < 4; i++) {
        help_seed(f, url[i], now);
        CHECK(leased(now, url[i]));
        help_report(
            f,
            &(struct frontier_done){.url = str_c(url[i]),
                                    .outcome = OUTCOME_FETCHED,
                                    .reason = i < 2 ? S("language") : S("kept"),
                                    .finished_ms = now,
                                    .contacted = true},
            now);
        now += 5000;
    }
    help_seed(f, "http://a.nl/", now);
    help_lease(f, now, a, NULL);
    fetch_with("http://a.nl/", now, 0, x, 2); /* the poor one is found first */
    CHECK(leased(now, "http://rich.nl/next"));
    CHECK(leased(now, "http://poor.nl/next"));
    tear_down();
}

static void
a_patient_frontier_waits_for_what_is_far_better_and_due_soon(void)
{
    struct frontier_link x[] = {help_link("http://good.nl/1"),
                                help_link("http://good.nl/2")};
    struct frontier_link y = help_link("http://bad.nl/1");
    struct frontier_lease l;
    uint64_t now = T0 + 60000;

    set_up();
    o.frontier_patience = 0.5;
    o.frontier_patience_ms = 1500;
    open_it();
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "http://b.nl/", T0);
    help_lease(f, T0, a, NULL);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 0, x, 2);
    fetch_with("http://b.nl/", T0, 50, &y, 1);
    CHECK(leased(now, "http://good.nl/1"));
    l = help_lease(f, now, a, NULL); /* good.nl is out */
    CHECK(l.url.n == 0);
    fetch_with("http://good.nl/1", now, 0, NULL, 0);
    l = help_lease(f, now + 1, a, NULL); /* good.nl is due in a second */
    CHECK(l.url.n == 0);
    CHECK(leased(now + 1000, "http://good.nl/2"));
    fetch_with("http://good.nl/2", now + 1000, 0, NULL, 0);
    CHECK(leased(now + 1001, "http://bad.nl/1")); /* nothing better is left */
    tear_down();
}

static void
a_host_whose_pages_are_gone_goes_back_and_is_not_forgotten(void)
{
    struct frontier_link x[] = {
        help_link("http://gone.nl/1/a"), help_link("http://gone.nl/2/b"),
        help_link("http://gone.nl/3/c"), help_link("http://good.nl/1")};
    struct frontier_lease l;
    uint64_t now = T0;
    int gone = 0;

    set_up();
    open_it();
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 0, x, 3);
    l = help_lease(f, now, a, NULL);
    CHECK(str_eq(l.authority, S("gone.nl")));
    help_report(f,
                &(struct frontier_done){.url = l.url,
                                        .outcome = OUTCOME_FAILED,
                                        .reason = STR("http_404"),
                                        .finished_ms = now,
                                        .contacted = true},
                now);
    help_seed(f, "http://good.nl/1", now);
    now += 5000;
    CHECK(leased(now, "http://good.nl/1")); /* a mere seed goes before it */
    while ((l = help_lease(f, now, a, NULL)).url.n > 0) {
        fetch_with(arena_cstr(a, l.url), now, 0, NULL, 0);
        now += 5000;
        gone++;
    }
    CHECK(gone == 2);
    tear_down();
}

static void
the_delay_runs_from_the_end_of_the_request(void)
{
    struct frontier_done d;
    uint64_t wake;

    set_up();
    o.politeness_delay_ms = 1000;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "https://a.nl/2", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    CHECK(leased(T0 + 5000, "")); /* http and https: one unit; it is out */
    d = help_done(S("http://a.nl/1"), OUTCOME_FETCHED, T0 + 7000);
    help_report(f, &d, T0 + 7100);
    CHECK(help_lease(f, T0 + 7999, a, &wake).url.n == 0 && wake == 1);
    CHECK(leased(T0 + 8000, "https://a.nl/2"));
    d = help_done(S("https://a.nl/2"), OUTCOME_FETCHED, T0 + 8001);
    help_report(f, &d, T0 + 8001);
    help_lease(f, T0 + 99999, a, &wake);
    CHECK(wake == 0); /* nothing left */
    tear_down();
}

static void
a_host_that_was_not_contacted_is_due_at_once(void)
{
    struct frontier_done d;

    set_up();
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    d = help_done(S("http://a.nl/1"), OUTCOME_DISALLOWED, T0);
    d.contacted = false;
    help_report(f, &d, T0);
    CHECK(totals(T0).refused == 1);
    CHECK(leased(T0, "http://a.nl/2"));
    tear_down();
}

static void
a_crawler_that_starts_again_gives_back_and_holds_back(void)
{
    uint64_t wake;

    set_up();
    o.politeness_delay_ms = 1000;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    frontier_close(f); /* the clock survives as well */
    open_it();
    CHECK(totals(T0).leased == 1);
    HELP_OK(f, frontier_hello(f, 2, T0 + 10)); /* somebody else's */
    CHECK(totals(T0).leased == 1);
    HELP_OK(f, frontier_hello(f, 1, T0 + 500));
    CHECK(totals(T0).leased == 0 && totals(T0).queued == 1);
    CHECK(help_lease(f, T0 + 1499, a, &wake).url.n == 0 && wake == 1);
    CHECK(leased(T0 + 1500, "http://a.nl/1"));
    tear_down();
}

static void
a_lease_ends_at_its_deadline(void)
{
    uint64_t wake;

    set_up();
    o.frontier_lease_seconds = 60;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    CHECK(help_lease(f, T0 + 1, a, &wake).url.n == 0 && wake == 59999);
    CHECK(leased(T0 + 60000, "")); /* a delay more */
    CHECK(leased(T0 + 61000, "http://a.nl/1"));
    tear_down();
}

static void
a_lost_lease_answer_is_given_again_also_after_a_restart(void)
{
    struct frontier_lease *l;
    uint64_t wake;
    size_t n;

    set_up();
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://b.nl/1", T0);
    HELP_OK(f, frontier_lease(f, 9, 5, 1, T0, a, &l, &n, &wake));
    CHECK(n == 1 && str_eq(l[0].url, S("http://a.nl/1")));
    frontier_close(f);
    open_it();
    HELP_OK(f, frontier_lease(f, 9, 5, 1, T0, a, &l, &n, &wake));
    CHECK(n == 1 && str_eq(l[0].url, S("http://a.nl/1")));
    HELP_OK(f, frontier_lease(f, 9, 6, 1, T0, a, &l, &n, &wake));
    CHECK(n == 1 && str_eq(l[0].url, S("http://b.nl/1")));
    tear_down();
}

static void
a_passing_failure_is_tried_again_later_and_then_no_more(void)
{
    struct frontier_done d;
    uint64_t now = T0, wake;

    set_up();
    o.politeness_retries = 2;
    o.politeness_retry_ms = 1000;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    for (uint32_t attempt = 0; attempt < 3; attempt++) {
        struct frontier_lease l = help_lease(f, now, a, NULL);

        CHECK(str_eq(l.url, S("http://a.nl/1")) && l.attempts == attempt);
        d = help_done(l.url, OUTCOME_RETRY, now);
        d.reason = S("http_503");
        d.retry_after_ms = attempt == 0 ? 9000 : 0;
        help_report(f, &d, now);
        if (attempt == 2)
            break;
        CHECK(totals(now).queued == 1 && totals(now).leased == 0);
        CHECK(help_lease(f, now + 700, a, &wake).url.n == 0);
        if (attempt == 0)
            CHECK(help_lease(f, now + 8999, a, &wake).url.n == 0);
        help_check(f);
        now += 20000;
    }
    CHECK(totals(now).failed == 1 && totals(now).queued == 0);
    help_lease(f, now + 1000000, a, &wake);
    CHECK(wake == 0);
    tear_down();
}

static void
retry_after_holds_the_whole_host_back(void)
{
    struct frontier_done d;

    set_up();
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    d = help_done(S("http://a.nl/1"), OUTCOME_RETRY, T0);
    d.retry_after_ms = 120000;
    help_report(f, &d, T0);
    CHECK(leased(T0 + 119999, ""));
    CHECK(help_lease(f, T0 + 120000, a, NULL).url.n > 0);
    tear_down();
}

static void
a_redirect_inherits_and_ends_after_redirects_max(void)
{
    char from[32] = "http://a.nl/0", to[32];
    struct frontier_lease l;
    uint64_t now = T0;

    set_up();
    o.fetch_redirects_max = 3;
    open_it();
    help_seed(f, from, T0);
    for (uint32_t hop = 0;; hop++, now += 5000) {
        struct frontier_link link;
        struct frontier_done d;

        l = help_lease(f, now, a, NULL);
        CHECK(str_eq(l.url, str_c(from)) && l.redirects == hop && l.depth == 0);
        snprintf(to, sizeof to, "http://a.nl/%u", hop + 1);
        link = help_link(to);
        d = help_done(l.url, OUTCOME_REDIRECT, now);
        d.links = &link;
        d.links_n = 1;
        help_report(f, &d, now);
        if (totals(now).queued == 0)
            break;
        memcpy(from, to, sizeof from);
    }
    CHECK(totals(now).done == 3 && totals(now).failed == 1);
    CHECK(totals(now).pages == 1); /* the error is a page, redirects are not */
    tear_down();
}

/* ---- robots ---- */

static struct frontier_done
robots_answer(struct str url, uint32_t status, const char *body, uint64_t now)
{
    struct frontier_done d = help_done(url, OUTCOME_ROBOTS_DONE, now);

    d.robots.status = status;
    d.robots.body = str_c(body);
    return d;
}

static void
robots_txt_comes_first_and_expires(void)
{
    struct frontier_done d;
    struct frontier_lease l;
    struct frontier_robots r;
    uint64_t version;

    set_up();
    o.politeness_robots = true;
    open_it();
    help_seed(f, "https://a.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    CHECK(l.kind == FRONTIER_ROBOTS &&
          str_eq(l.url, S("https://a.nl/robots.txt")) &&
          str_eq(l.robots_of, S("a.nl")));
    d = robots_answer(l.url, 200, "User-agent: *\n", T0);
    d.robots.crawl_delay_ms = 7000;
    help_report(f, &d, T0);
    CHECK(leased(T0 + 6999, "")); /* Crawl-delay rules at once */
    l = help_lease(f, T0 + 7000, a, NULL);
    CHECK(l.kind == FRONTIER_PAGE && l.robots_version == 1);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(version == 1 && str_eq(r.body, S("User-agent: *\n")));
    HELP_OK(f, frontier_robots(f, S("b.nl"), a, &r, &version));
    CHECK(version == 0);
    fetch_with("https://a.nl/1", T0 + 7000, 1, NULL, 0);
    help_seed(f, "http://a.nl/2", T0 + 8000);
    l = help_lease(f, T0 + 86400000 + 1, a, NULL);
    CHECK(l.kind == FRONTIER_ROBOTS); /* a day later it is asked for again */
    d = robots_answer(l.url, 404, "", T0 + 86400000 + 1);
    help_report(f, &d, T0 + 86400000 + 1);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(version == 2 && r.body.n == 0);
    tear_down();
}

static void
unreachable_robots_txt_holds_the_pages_back(void)
{
    struct frontier_done d;
    struct frontier_lease l;
    uint64_t now = T0, wait = 0;

    set_up();
    o.politeness_robots = true;
    o.politeness_retry_ms = 10000;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    for (int tries = 0; tries < 4; tries++) {
        uint64_t wake, before = wait;

        l = help_lease(f, now, a, NULL);
        CHECK(l.kind == FRONTIER_ROBOTS);
        d = robots_answer(l.url, 0, "", now);
        d.robots.unreachable = true;
        d.robots.status = 503;
        help_report(f, &d, now);
        help_lease(f, now, a, &wait);
        CHECK(wait > before); /* it doubles, jitter is a quarter */
        CHECK(help_lease(f, now + wait - 1, a, &wake).url.n == 0);
        now += wait;
    }
    CHECK(totals(now).queued == 1 && totals(now).pages == 0);
    tear_down();
}

static void
robots_txt_refused_without_a_request_lets_the_pages_fail(void)
{
    struct frontier_done d;
    struct frontier_lease l;

    set_up();
    o.politeness_robots = true;
    open_it();
    help_seed(f, "http://nowhere.invalid/1", T0);
    l = help_lease(f, T0, a, NULL);
    d = help_done(l.url, OUTCOME_FAILED, T0);
    d.kind = FRONTIER_ROBOTS;
    d.contacted = false;
    d.reason = S("dns_unknown");
    help_report(f, &d, T0);
    CHECK(leased(T0, "http://nowhere.invalid/1"));
    tear_down();
}

/* Both hosts redirect their robots.txt to each other: neither may starve. */
static void
robots_txt_redirects_are_followed_politely_over_hosts(void)
{
    struct frontier_link to_b = help_link("http://b.nl/r"),
                         to_a = help_link("http://a.nl/r");
    struct frontier_done d;
    struct frontier_lease l, both[2];

    set_up();
    o.politeness_robots = true;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://b.nl/1", T0);
    both[0] = help_lease(f, T0, a, NULL);
    both[1] = help_lease(f, T0, a, NULL);
    for (int i = 0; i < 2; i++) {
        l = both[i];
        d = help_done(l.url, OUTCOME_REDIRECT, T0);
        d.kind = FRONTIER_ROBOTS;
        d.links = str_eq(l.authority, S("a.nl")) ? &to_b : &to_a;
        d.links_n = 1;
        help_report(f, &d, T0);
    }
    CHECK(leased(T0 + 999, ""));
    frontier_close(f); /* it survives */
    open_it();
    for (int i = 0; i < 2; i++) {
        l = help_lease(f, T0 + 1000, a, NULL);
        CHECK(l.kind == FRONTIER_ROBOTS && !str_eq(l.robots_of, l.authority));
        d = robots_answer(l.url, 200, "x", T0 + 1000);
        help_report(f, &d, T0 + 1000);
    }
    help_check(f);
    CHECK(help_lease(f, T0 + 2000, a, NULL).kind == FRONTIER_PAGE);
    CHECK(help_lease(f, T0 + 2000, a, NULL).kind == FRONTIER_PAGE);
    tear_down();
}

static void
robots_txt_redirects_end_after_five_hops(void)
{
    uint64_t now = T0;
    struct frontier_lease l;
    int hops = 0;

    set_up();
    o.politeness_robots = true;
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    while ((l = help_lease(f, now, a, NULL)).kind == FRONTIER_ROBOTS &&
           hops < 99) {
        char url[32];
        struct frontier_link link;
        struct frontier_done d = help_done(l.url, OUTCOME_REDIRECT, now);

        snprintf(url, sizeof url, "http://a.nl/hop%d", ++hops);
        link = help_link(url);
        d.kind = FRONTIER_ROBOTS;
        d.links = &link;
        d.links_n = 1;
        help_report(f, &d, now);
        now += 1000;
    }
    CHECK(hops == 6); /* robots.txt and five redirects */
    CHECK(str_eq(l.url, S("http://a.nl/1")));
    tear_down();
}

/* ---- limits ---- */

static void
a_page_with_100000_links_is_one_report(void)
{
    enum { N = 100000 };
    struct frontier_link *links = calloc(N, sizeof *links);
    struct frontier_done d;
    size_t fresh, known, refused;
    uint64_t from;

    set_up();
    open_it();
    for (size_t i = 0; i < N; i++)
        links[i].url = arena_printf(a, "http://h%zu.nl/%zu", i % 500,
                                    i < 90000 ? i : i - 90000);
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    d = help_done(S("http://a.nl/"), OUTCOME_FETCHED, T0);
    d.links = links;
    d.links_n = N;
    from = clock_steady_ms();
    HELP_OK(f, frontier_done(f, &d, T0, &fresh, &known, &refused));
    CHECK(fresh == 90000 && known == 10000 && refused == 0);
    CHECK(clock_steady_ms() - from < 60000);
    CHECK(totals(T0).seen == 90001);
    help_check(f);
    free(links);
    tear_down();
}

static void
urls_too_long_or_of_other_schemes_are_refused_and_counted(void)
{
    char *huge = malloc(1 << 20);
    struct frontier_link links[] = {help_link("ftp://a.nl/"),
                                    help_link("http://"),
                                    help_link(""),
                                    help_link("http://ok.nl/"),
                                    {.url = {huge, 1 << 20}}};
    struct frontier_done d = help_done(S("http://a.nl/"), OUTCOME_FETCHED, T0);
    size_t fresh, known, refused;

    memset(huge, 'x', 1 << 20);
    memcpy(huge, "http://a.nl/", 12);
    set_up();
    open_it();
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    d.links = links;
    d.links_n = sizeof links / sizeof *links;
    HELP_OK(f, frontier_done(f, &d, T0, &fresh, &known, &refused));
    CHECK(fresh == 1 && known == 0 && refused == 4);
    CHECK(totals(T0).seen == 2 && totals(T0).refused == 0);
    free(huge);
    tear_down();
}

/* ---- folders ---- */

static bool
refused(enum status want)
{
    struct frontier *other = (struct frontier *)&o;
    enum status st = frontier_open(&other, dir, &o, T0);

    if (st != want)
        fprintf(stderr, "got %s\n", status_name(st));
    return st == want && other == NULL;
}

static void
a_folder_in_use_is_refused(void)
{
    set_up();
    open_it();
    CHECK(refused(ST_USAGE));
    frontier_close(f);
    open_it();
    tear_down();
}

static void
write_file(const char *name, const char *bytes)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    if ((file = fopen(path, "wb")) == NULL)
        abort();
    fputs(bytes, file);
    fclose(file);
}

static void
foreign_folders_are_refused(void)
{
    set_up();
    write_file("thesis.txt", "please keep\n");
    CHECK(refused(ST_USAGE));
    help_folder_remove(dir);
    CHECK(mkdir(dir, 0777) == 0);
    write_file("data.mdb", "not a store, but long enough to be looked at ...");
    CHECK(refused(ST_USAGE));
    tear_down();
}

/* Put one row with raw LMDB; no value: the table goes. */
static void
raw_row(const char *table, struct str key, const void *value, size_t n)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val k = {key.n, (void *)(uintptr_t)key.p},
            v = {n, (void *)(uintptr_t)value};

    CHECK(mdb_env_create(&env) == 0 && mdb_env_set_maxdbs(env, 16) == 0);
    CHECK(mdb_env_open(env, dir, 0, 0666) == 0);
    CHECK(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    CHECK(mdb_dbi_open(txn, table, MDB_CREATE, &dbi) == 0);
    if (value != NULL)
        CHECK(mdb_put(txn, dbi, &k, &v, 0) == 0);
    else
        CHECK(mdb_drop(txn, dbi, 1) == 0);
    CHECK(mdb_txn_commit(txn) == 0);
    mdb_env_close(env);
}

static void
raw_put(const char *table, const char *key, const void *value, size_t n)
{
    raw_row(table, str_c(key), value, n);
}

static void
a_store_of_another_program_is_refused(void)
{
    set_up();
    raw_put("somebody", "key", "value", 5);
    CHECK(refused(ST_USAGE));
    tear_down();
}

static void
a_store_of_a_newer_version_is_refused(void)
{
    const unsigned newer = 1000;

    set_up();
    open_it();
    frontier_close(f);
    f = NULL;
    raw_put("meta", "schema", &newer, sizeof newer);
    CHECK(refused(ST_USAGE));
    tear_down();
}

/* The row of host 1 as schema 2 had it: its lease inside, a flag for it. */
static void
old_row(struct buf *out)
{
    struct buf lease = {0};
    struct host *h;

    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_host(f, 1, &h) == ST_OK && h->row.lease.out);
    row_host_write(out, &h->row);
    row_lease_write(&lease, &h->row.lease);
    frontier_abort(f);
    out->p[0] |= 1;
    buf_str(out, buf_view(&lease));
    buf_free(&lease);
}

/* The counters as schema 2 had them: 14, the last host, the classes. */
static void
old_counters(struct buf *out)
{
    static const unsigned char n[25] = {
        [4] = 1, [6] = 1, [10] = 1, [11] = 1, [14] = 1};

    buf_add(out, n, sizeof n);
}

static void
a_store_of_an_older_version_is_brought_up_to_date(void)
{
    static const char *const later_tables[] = {
        "leases", "model", "addresses", "control", "revisit", "due"};
    const unsigned older = 2;
    struct buf row = {0}, counters = {0};
    struct frontier *r;

    set_up();
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    old_row(&row);
    frontier_close(f);
    f = NULL;
    raw_row("hosts", str_n("\0\0\0\1", 4), row.p, row.n);
    old_counters(&counters);
    raw_put("meta", "counters", counters.p, counters.n);
    for (size_t i = 0; i < sizeof later_tables / sizeof *later_tables; i++)
        raw_row(later_tables[i], S(""), NULL, 0);
    raw_put("meta", "schema", &older, sizeof older);
    CHECK(frontier_open_reader(&r, dir, &o) == ST_USAGE);
    open_it();
    help_check(f);
    CHECK(leased(T0 + 1, ""));
    help_seed(f, "http://a.nl/2", T0); /* its row changes */
    frontier_close(f);
    open_it();
    help_check(f);
    CHECK(leased(T0 + 2, ""));
    CHECK(leased(T0 + o.frontier_lease_seconds * 1000 + 1, ""));
    CHECK(leased(T0 + o.frontier_lease_seconds * 1000 + 5000, "http://a.nl/1"));
    help_check(f);
    CHECK(frontier_open_reader(&r, dir, &o) == ST_OK);
    frontier_close(r);
    buf_free(&row);
    buf_free(&counters);
    tear_down();
}

static void
a_folder_that_cannot_be_made_is_refused(void)
{
    set_up();
    write_file("file", "");
    dir = str_c(arena_printf(a, "%s/file/frontier", dir).p).p;
    CHECK(refused(ST_USAGE));
    dir = arena_cstr(a, str_n(dir, strlen(dir) - strlen("/file/frontier")));
    tear_down();
}

/* ---- no space ---- */

static void
a_full_map_changes_nothing(void)
{
    struct frontier_link *links;
    struct frontier_totals before, after;
    size_t n = 20000, fresh;
    enum status st = ST_OK;

    set_up();
    CHECK(frontier_open_sized(&f, dir, &o, 1 << 20) == ST_OK);
    help_seed(f, "http://a.nl/1", T0);
    before = totals(T0);
    links = ARENA_ARRAY(a, struct frontier_link, n);
    for (size_t i = 0; i < n; i++)
        links[i].url = arena_printf(a, "http://h%zu.nl/%zu", i % 100, i);
    CHECK(frontier_begin(f) == ST_OK);
    st = frontier_seed(f, links, n, T0, &fresh);
    if (st == ST_OK)
        st = frontier_commit(f);
    else
        frontier_abort(f);
    CHECK(st == ST_FULL);
    after = totals(T0);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    help_check(f);
    CHECK(leased(T0, "http://a.nl/1")); /* it still works */
    tear_down();
}

static void
too_little_free_space_stops_before_the_transaction(void)
{
    set_up();
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    frontier_close(f);
    o.output_disk_free_mib = (uint64_t)1 << 43; /* more than any disk has */
    open_it();
    CHECK(frontier_begin(f) == ST_FULL);
    frontier_abort(f); /* allowed */
    CHECK(frontier_begin(f) == ST_FULL);
    CHECK(totals(T0).queued == 1);
    tear_down();
}

/* ---- looking at it ---- */

static bool
why_says(struct str url, const char *text)
{
    struct buf b = {0};
    bool found;

    HELP_OK(f, frontier_why(f, url, S(""), T0, &b));
    buf_char(&b, '\0');
    found = strstr(b.p, text) != NULL;
    if (!found)
        fprintf(stderr, "no \"%s\" in:\n%s", text, b.p);
    buf_free(&b);
    return found;
}

static void
why_tells_each_state(void)
{
    struct frontier_link links[] = {help_link("http://b.nl/1"),
                                    help_link("http://b.nl/2")};

    set_up();
    open_it();
    help_seed(f, "http://a.nl/", T0);
    CHECK(why_says(S("http://a.nl/"), "queued, not fetched yet"));
    CHECK(why_says(S("http://a.nl/"), "given as a seed"));
    help_lease(f, T0, a, NULL);
    CHECK(why_says(S("http://a.nl/"), "leased to crawler"));
    links[1].boilerplate = 0.75f;
    fetch_with("http://a.nl/", T0, 2.5, links, 2);
    CHECK(why_says(S("http://a.nl/"), "done, reason: kept"));
    CHECK(why_says(S("http://b.nl/2"), "badness of the linking page: 2.50"));
    CHECK(why_says(S("http://b.nl/2"), "0.7500"));
    CHECK(why_says(S("http://b.nl/2"), "before it: 1 of its shelf"));
    CHECK(why_says(S("http://b.nl/2"), "a page of a.nl"));
    CHECK(why_says(S("http://a.nl/9"), "never seen"));
    CHECK(why_says(S("http://z.nl/"), "never met"));
    CHECK(why_says(S("mailto:x"), "not an http"));
    tear_down();
}

/* In a process of its own, beside the writer, as the command does it. */
static void
a_reader_looks_on_while_the_frontier_is_open(void)
{
    int status = -1;
    pid_t pid;

    set_up();
    open_it();
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    help_lease(f, T0, a, NULL);
    fflush(stdout);
    if ((pid = fork()) == 0) {
        struct frontier *r;
        struct frontier_totals t;
        char *text = NULL;
        size_t n = 0;
        FILE *to = open_memstream(&text, &n);

        if (frontier_open_reader(&r, dir, &o) != ST_OK ||
            frontier_begin(r) != ST_OK || frontier_dump(r, to) != ST_OK)
            _exit(1);
        fclose(to);
        frontier_totals(r, &t, T0);
        frontier_abort(r);
        _exit(t.queued == 1 && t.leased == 1 &&
                      strstr(text, "\"state\":\"leased\"") &&
                      strstr(text, "http://a.nl/2")
                  ? 0
                  : 2);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    tear_down();
}

/* ---- kill -9 ---- */

/* Batch number k, the same in any process. */
static void
batch(struct frontier *to, uint64_t k)
{
    struct random r = random_seed(k);
    struct arena *own = arena_new();
    struct frontier_link links[20];
    struct frontier_lease *leases;
    uint64_t now = T0 + k * 400, wake;
    size_t n, fresh, known, bad;

    for (int i = 0; i < 20; i++)
        links[i] = (struct frontier_link){
            .url =
                arena_printf(own, "http://h%d.nl/%d", (int)random_below(&r, 30),
                             (int)random_below(&r, 4000))};
    CHECK(frontier_begin(to) == ST_OK);
    CHECK(frontier_seed(to, links, 5, now, &fresh) == ST_OK);
    CHECK(frontier_lease(to, 1, 0, 4, now, own, &leases, &n, &wake) == ST_OK);
    for (size_t i = 0; i < n; i++) {
        struct frontier_done d = help_done(
            leases[i].url,
            (enum frontier_outcome[]){OUTCOME_FETCHED, OUTCOME_FAILED,
                                      OUTCOME_RETURNED, OUTCOME_FETCHED}[i],
            now);

        d.links = links + 5 + 3 * i;
        d.links_n = 3;
        CHECK(frontier_done(to, &d, now, &fresh, &known, &bad) == ST_OK);
    }
    CHECK(frontier_commit(to) == ST_OK);
    arena_free(own);
}

static char *
dump_of(struct frontier *from)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);

    HELP_OK(from, frontier_dump(from, to));
    fclose(to);
    return text;
}

static void
crash_once(uint64_t after)
{
    const char *twin_dir = help_folder();
    struct frontier *twin;
    uint64_t k = 0, got;
    char *left, *right;
    int fds[2];
    pid_t pid;

    set_up();
    CHECK(pipe(fds) == 0);
    fflush(stdout);
    if ((pid = fork()) == 0) {
        open_it();
        for (uint64_t i = 0;; i++) {
            batch(f, i);
            if (write(fds[1], &i, sizeof i) != sizeof i)
                _exit(1);
        }
    }
    close(fds[1]);
    while (k < after && read(fds[0], &got, sizeof got) == sizeof got)
        k++;
    kill(pid, SIGKILL);
    while (read(fds[0], &got, sizeof got) == sizeof got)
        k++;
    close(fds[0]);
    waitpid(pid, NULL, 0);
    open_it();
    help_check(f);
    CHECK(frontier_open(&twin, twin_dir, &o, T0) == ST_OK);
    for (uint64_t i = 0; i < k; i++)
        batch(twin, i);
    left = dump_of(f);
    right = dump_of(twin);
    if (strcmp(left, right) != 0) { /* committed, killed before it said so */
        free(right);
        batch(twin, k);
        right = dump_of(twin);
    }
    CHECK(strcmp(left, right) == 0 && left[0] != '\0');
    free(left);
    free(right);
    frontier_close(twin);
    help_folder_remove(twin_dir);
    tear_down();
}

static void
kill_9_loses_no_committed_batch(void)
{
    struct random r = random_seed(11);

    for (int i = 0; i < 12; i++)
        crash_once(1 + random_below(&r, 60));
}

/* ---- for the laboratory ---- */

static double
only_x(void *asked, struct str url)
{
    ++*(size_t *)asked;
    return str_eq(url, S("http://b.nl/x")) ? 1 : 0.25;
}

static void
sum_of_scores(void *sum, const struct frontier_link *link, double score)
{
    (void)link;
    *(double *)sum += score;
}

static void
an_oracle_decides_what_is_fetched_first_and_scores_are_told(void)
{
    size_t asked = 0;
    double sum = 0;

    set_up();
    o.frontier_scorer = S("oracle");
    open_it();
    frontier_set_oracle(f, only_x, &asked);
    frontier_set_scored(f, sum_of_scores, &sum);
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "http://b.nl/x", T0);
    CHECK(asked == 2);
    CHECK(sum == 1.25);
    CHECK(leased(T0, "http://b.nl/x"));
    CHECK(leased(T0, "http://a.nl/"));
    tear_down();
}

static const struct test tests[] = {
    TEST(links_of_good_documents_are_fetched_first),
    TEST(a_url_found_again_on_a_better_page_rises),
    TEST(the_https_twin_of_a_known_page_waits),
    TEST(a_host_that_yields_nothing_goes_behind_one_that_yields),
    TEST(a_patient_frontier_waits_for_what_is_far_better_and_due_soon),
    TEST(a_host_whose_pages_are_gone_goes_back_and_is_not_forgotten),
    TEST(the_delay_runs_from_the_end_of_the_request),
    TEST(a_host_that_was_not_contacted_is_due_at_once),
    TEST(a_crawler_that_starts_again_gives_back_and_holds_back),
    TEST(a_lease_ends_at_its_deadline),
    TEST(a_lost_lease_answer_is_given_again_also_after_a_restart),
    TEST(a_passing_failure_is_tried_again_later_and_then_no_more),
    TEST(retry_after_holds_the_whole_host_back),
    TEST(a_redirect_inherits_and_ends_after_redirects_max),
    TEST(robots_txt_comes_first_and_expires),
    TEST(unreachable_robots_txt_holds_the_pages_back),
    TEST(robots_txt_refused_without_a_request_lets_the_pages_fail),
    TEST(robots_txt_redirects_are_followed_politely_over_hosts),
    TEST(robots_txt_redirects_end_after_five_hops),
    TEST(a_page_with_100000_links_is_one_report),
    TEST(urls_too_long_or_of_other_schemes_are_refused_and_counted),
    TEST(a_folder_in_use_is_refused),
    TEST(foreign_folders_are_refused),
    TEST(a_store_of_another_program_is_refused),
    TEST(a_store_of_a_newer_version_is_refused),
    TEST(a_store_of_an_older_version_is_brought_up_to_date),
    TEST(a_folder_that_cannot_be_made_is_refused),
    TEST(a_full_map_changes_nothing),
    TEST(too_little_free_space_stops_before_the_transaction),
    TEST(why_tells_each_state),
    TEST(a_reader_looks_on_while_the_frontier_is_open),
    TEST(kill_9_loses_no_committed_batch),
    TEST(an_oracle_decides_what_is_fetched_first_and_scores_are_told),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
