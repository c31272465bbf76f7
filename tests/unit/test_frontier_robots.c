/* robots.txt: before everything else of a host, unreachable, redirected. */
#include "base/log.h"
#include "frontier_case.h"

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
    open_it(T0);
    help_seed(f, "https://a.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    CHECK(l.kind == FRONTIER_ROBOTS &&
          str_eq(l.url, S("https://a.nl/robots.txt")) &&
          str_eq(l.owner, S("a.nl")));
    d = robots_answer(l.url, 200, "User-agent: *\n", T0);
    d.robots.crawl_delay_ms = 7000;
    help_report(f, &d, T0);
    CHECK(leased(T0 + 6999, "")); /* Crawl-delay rules at once */
    l = help_lease(f, T0 + 7000, a, NULL);
    CHECK(l.kind == FRONTIER_PAGE &&
          l.robots_version == frontier_robots_version(S("User-agent: *\n")));
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(version == l.robots_version && str_eq(r.body, S("User-agent: *\n")));
    HELP_OK(f, frontier_robots(f, S("b.nl"), a, &r, &version));
    CHECK(version == 0);
    fetch_with("https://a.nl/1", T0 + 7000, 1, NULL, 0);
    help_seed(f, "http://a.nl/2", T0 + 8000);
    l = help_lease(f, T0 + 86400000 + 1, a, NULL);
    CHECK(l.kind == FRONTIER_ROBOTS); /* a day later it is asked for again */
    d = robots_answer(l.url, 404, "", T0 + 86400000 + 1);
    help_report(f, &d, T0 + 86400000 + 1);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(version == frontier_robots_version(S("")) && r.body.n == 0);
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
    open_it(T0);
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
    open_it(T0);
    help_seed(f, "http://nowhere.invalid/1", T0);
    l = help_lease(f, T0, a, NULL);
    d = help_done(l.url, OUTCOME_FAILED, T0);
    d.kind = FRONTIER_ROBOTS;
    d.contacted = false;
    d.verdict = VERDICT_DNS;
    help_report(f, &d, T0);
    CHECK(leased(T0, "http://nowhere.invalid/1"));
    tear_down();
}

/* A crawler's list may be another one's tomorrow: its pages are let through to
 * be refused, and nothing is allowed. */
static void
robots_txt_of_a_host_that_is_left_out_allows_nothing(void)
{
    struct frontier_done d;
    struct frontier_lease l;
    struct frontier_robots r;
    uint64_t version;

    set_up();
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    l = help_lease(f, T0, a, NULL);
    d = help_done(l.url, OUTCOME_OUT_OF_SCOPE, T0);
    d.kind = FRONTIER_ROBOTS;
    d.contacted = false;
    d.verdict = VERDICT_OUT_OF_SCOPE;
    help_report(f, &d, T0);
    l = help_lease(f, T0, a, NULL);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(l.kind == FRONTIER_PAGE && l.robots_version == version);
    CHECK(str_eq(r.body, S("User-agent: *\nDisallow: /\n")));
    d = help_done(l.url, OUTCOME_OUT_OF_SCOPE, T0);
    d.contacted = false;
    help_report(f, &d, T0);
    CHECK(help_lease(f, T0 + 61000, a, NULL).kind == FRONTIER_ROBOTS);
    tear_down();
}

/* Nobody knows the rules, and the pages' own host is there to be asked. */
static void
robots_txt_redirected_to_where_nobody_can_be_asked_is_unreachable(void)
{
    struct frontier_link to = help_link("http://nowhere.invalid/robots.txt");
    struct frontier_done d;
    struct frontier_lease l;

    set_up();
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    d = help_done(l.url, OUTCOME_REDIRECT, T0);
    d.kind = FRONTIER_ROBOTS;
    d.links = &to;
    d.links_n = 1;
    help_report(f, &d, T0);
    l = help_lease(f, T0 + 1000, a, NULL);
    CHECK(str_eq(l.owner, S("a.nl")) &&
          str_eq(l.authority, S("nowhere.invalid")));
    d = help_done(l.url, OUTCOME_FAILED, T0 + 1000);
    d.kind = FRONTIER_ROBOTS;
    d.contacted = false;
    d.verdict = VERDICT_NO_SUCH_HOST;
    help_report(f, &d, T0 + 1000);
    CHECK(leased(T0 + 2000, "")); /* not http://a.nl/1 */
    help_check(f);
    l = help_lease(f, T0 + 86400000, a, NULL);
    CHECK(str_eq(l.url, S("http://a.nl/robots.txt")));
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
    open_it(T0);
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
    open_it(T0);
    for (int i = 0; i < 2; i++) {
        l = help_lease(f, T0 + 1000, a, NULL);
        CHECK(l.kind == FRONTIER_ROBOTS && !str_eq(l.owner, l.authority));
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
    open_it(T0);
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

static struct frontier_done
tdmrep_answer(struct str url, enum frontier_outcome outcome, uint64_t now)
{
    struct frontier_done d = help_done(url, outcome, now);

    d.kind = FRONTIER_TDMREP;
    return d;
}

/* Behind robots.txt, a delay later, through a redirect; its rules come before
 * the text, and both expire together. */
static void
tdmrep_json_comes_second_and_stands_before_robots_txt(void)
{
    static const char file[] = "https://a.nl/.well-known/tdmrep.json";
    struct frontier_link to_b = help_link("https://b.nl/t");
    struct frontier_done d;
    struct frontier_lease l;
    struct frontier_robots r;
    uint64_t version;

    set_up();
    o.politeness_robots = true;
    o.politeness_tdmrep = S("on");
    open_it(T0);
    help_seed(f, "https://a.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    d = robots_answer(l.url, 200, "User-agent: *\n", T0);
    help_report(f, &d, T0);
    CHECK(leased(T0 + 999, ""));
    frontier_close(f); /* it survives */
    open_it(T0);
    l = help_lease(f, T0 + 1000, a, NULL);
    CHECK(l.kind == FRONTIER_TDMREP && str_eq(l.url, str_c(file)) &&
          str_eq(l.owner, S("a.nl")) &&
          l.robots_version == frontier_robots_version(S("User-agent: *\n")));
    d = tdmrep_answer(l.url, OUTCOME_REDIRECT, T0 + 1000);
    d.links = &to_b;
    d.links_n = 1;
    help_report(f, &d, T0 + 1000);
    help_check(f);
    CHECK(totals(T0 + 1000).leased == 0);
    l = help_lease(f, T0 + 2000, a, NULL);
    CHECK(l.kind == FRONTIER_TDMREP && str_eq(l.authority, S("b.nl")) &&
          str_eq(l.owner, S("a.nl")));
    d = tdmrep_answer(l.url, OUTCOME_ROBOTS_DONE, T0 + 2000);
    d.robots.body = S("[rules]");
    help_report(f, &d, T0 + 2000);
    l = help_lease(f, T0 + 3000, a, NULL);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(l.kind == FRONTIER_PAGE && version == l.robots_version);
    CHECK(str_eq(r.body, S("[rules]User-agent: *\n")));
    fetch_with("https://a.nl/1", T0 + 3000, 1, NULL, 0);
    help_seed(f, "https://a.nl/2", T0 + 4000);
    l = help_lease(f, T0 + 86400000 + 1, a, NULL);
    CHECK(l.kind == FRONTIER_ROBOTS);
    d = robots_answer(l.url, 404, "", T0 + 86400000 + 1);
    help_report(f, &d, T0 + 86400000 + 1);
    l = help_lease(f, T0 + 86410000, a, NULL);
    CHECK(l.kind == FRONTIER_TDMREP); /* what it said is forgotten, too */
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(r.body.n == 0);
    tear_down();
}

/* ... and one that is not there, or forbidden by robots.txt, or keeps failing,
 * says nothing. */
static void
tdmrep_json_that_cannot_be_had_says_nothing(void)
{
    static const enum frontier_outcome ends[] = {OUTCOME_FAILED,
                                                 OUTCOME_DISALLOWED};
    struct frontier_done d;
    struct frontier_lease l;
    uint64_t now = T0, wait;

    set_up();
    o.politeness_robots = true;
    o.clean_rights = S("training");
    o.politeness_retries = 2;
    o.politeness_retry_ms = 10000;
    open_it(now);
    for (size_t i = 0; i < 2; i++) {
        help_seed(f, i == 0 ? "http://a.nl/1" : "http://b.nl/1", now);
        l = help_lease(f, now, a, NULL);
        d = robots_answer(l.url, 200, "x", now);
        help_report(f, &d, now);
        l = help_lease(f, now += 1000, a, NULL);
        CHECK(l.kind == FRONTIER_TDMREP);
        d = tdmrep_answer(l.url, ends[i], now);
        help_report(f, &d, now);
        l = help_lease(f, now += 1000, a, NULL);
        CHECK(l.kind == FRONTIER_PAGE &&
              l.robots_version == frontier_robots_version(S("x")));
        fetch_with(i == 0 ? "http://a.nl/1" : "http://b.nl/1", now, 1, NULL, 0);
    }
    help_seed(f, "http://c.nl/1", now);
    l = help_lease(f, now, a, NULL);
    d = robots_answer(l.url, 200, "x", now);
    help_report(f, &d, now);
    now += 1000;
    for (int tries = 0; tries < 3; tries++) {
        l = help_lease(f, now, a, NULL);
        CHECK(l.kind == FRONTIER_TDMREP);
        d = tdmrep_answer(l.url, OUTCOME_RETRY, now);
        help_report(f, &d, now);
        help_lease(f, now, a, &wait);
        CHECK(tries == 2 ? wait <= 1000 : wait > 5000);
        now += wait;
    }
    CHECK(help_lease(f, now, a, NULL).kind == FRONTIER_PAGE);
    tear_down();
}

static void
tdmrep_json_is_not_asked_for_where_it_does_not_count(void)
{
    struct frontier_done d;
    struct frontier_lease l;

    set_up();
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    d = robots_answer(l.url, 200, "x", T0);
    help_report(f, &d, T0);
    CHECK(leased(T0 + 1000, "http://a.nl/1"));
    tear_down();
}

/* Of hosts that wait to be leased and that nobody has met; no addresses. */
static void
names_of_hosts_that_come_next_are_told_once(void)
{
    struct frontier_done d;
    struct frontier_lease l;
    struct str *names;
    size_t n;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://b.nl:8080/1", T0);
    help_seed(f, "http://[::1]:8080/1", T0);
    help_seed(f, "http://c.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    CHECK(str_eq(l.url, S("http://a.nl/1")));
    HELP_OK(f, frontier_unmet(f, a, &names, &n));
    CHECK(n == 2 && str_eq(names[0], S("b.nl")) && str_eq(names[1], S("c.nl")));
    HELP_OK(f, frontier_unmet(f, a, &names, &n));
    CHECK(n == 0);
    d = help_done(l.url, OUTCOME_FETCHED, T0);
    d.address = S("192.0.2.1");
    help_report(f, &d, T0);
    frontier_close(f); /* a.nl is known now, the others are told again */
    open_it(T0);
    help_seed(f, "http://a.nl/2", T0);
    help_lease(f, T0 + 100000, a, NULL);
    help_lease(f, T0 + 100000, a, NULL);
    HELP_OK(f, frontier_unmet(f, a, &names, &n));
    CHECK(n == 1 || n == 2);
    for (size_t i = 0; i < n; i++)
        CHECK(!str_eq(names[i], S("a.nl")));
    tear_down();
}

/* What others ask of it is no page of it. */
static void
a_full_host_has_the_robots_txt_of_others(void)
{
    const struct frontier_link to_b = help_link("http://b.nl/r");
    struct frontier_done d;
    struct frontier_lease l;

    set_up();
    o.politeness_delay_ms = 0;
    o.limits_host_pages = 1;
    open_it(T0);
    help_seed(f, "http://b.nl/1", T0);
    help_seed(f, "http://b.nl/2", T0);
    l = help_lease(f, T0, a, NULL);
    d = help_done(l.url, OUTCOME_FETCHED, T0);
    help_report(f, &d, T0);
    frontier_close(f);
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    l = help_lease(f, T0, a, NULL);
    CHECK(str_eq(l.url, S("http://a.nl/robots.txt")));
    d = help_done(l.url, OUTCOME_REDIRECT, T0);
    d.kind = FRONTIER_ROBOTS;
    d.links = &to_b;
    d.links_n = 1;
    help_report(f, &d, T0);
    l = help_lease(f, T0, a, NULL);
    CHECK(str_eq(l.url, S("http://b.nl/r")));
    d = robots_answer(l.url, 200, "x", T0);
    help_report(f, &d, T0);
    CHECK(leased(T0, "http://a.nl/1") && leased(T0, ""));
    help_check(f);
    tear_down();
}

static const struct test tests[] = {
    TEST(a_full_host_has_the_robots_txt_of_others),
    TEST(names_of_hosts_that_come_next_are_told_once),
    TEST(tdmrep_json_comes_second_and_stands_before_robots_txt),
    TEST(tdmrep_json_that_cannot_be_had_says_nothing),
    TEST(tdmrep_json_is_not_asked_for_where_it_does_not_count),
    TEST(robots_txt_comes_first_and_expires),
    TEST(unreachable_robots_txt_holds_the_pages_back),
    TEST(robots_txt_refused_without_a_request_lets_the_pages_fail),
    TEST(robots_txt_of_a_host_that_is_left_out_allows_nothing),
    TEST(robots_txt_redirected_to_where_nobody_can_be_asked_is_unreachable),
    TEST(robots_txt_redirects_are_followed_politely_over_hosts),
    TEST(robots_txt_redirects_end_after_five_hops),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
