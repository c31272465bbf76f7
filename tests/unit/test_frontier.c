/* The promises of a lease one by one: what comes first, clocks, retries,
 * redirects, what is refused, and what the laboratory is told. */
#include "base/clock.h"
#include "base/log.h"
#include "frontier/parts.h"
#include "frontier_case.h"

static void
links_of_good_documents_are_fetched_first(void)
{
    struct frontier_link good = help_link("http://x.nl/good"),
                         bad = help_link("http://x.nl/bad");

    set_up();
    open_it(T0);
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
    open_it(T0);
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
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 0, x, 2);
    help_seed(f, "http://c.nl/", T0);
    CHECK(leased(T0 + 9000, "https://b.nl/2"));
    CHECK(leased(T0 + 9000, "http://c.nl/"));
    CHECK(leased(T0 + 9000, "https://a.nl/")); /* last, not never */
    tear_down();
}

/* Two pages of each of two hosts, those of poor.nl with this verdict; which
 * link is leased first then, of those found on a third host? */
static bool
poor_comes_first(enum verdict verdict)
{
    static const char *const url[] = {"http://poor.nl/1", "http://poor.nl/2",
                                      "http://rich.nl/1", "http://rich.nl/2"};
    struct frontier_link x[] = {help_link("http://poor.nl/next"),
                                help_link("http://rich.nl/next")};
    uint64_t now = T0;
    bool first;

    open_it(T0);
    for (size_t i = 0; i < 4; i++) {
        help_seed(f, url[i], now);
        CHECK(leased(now, url[i]));
        help_report(
            f,
            &(struct frontier_done){.url = str_c(url[i]),
                                    .crawler = 1,
                                    .outcome = OUTCOME_FETCHED,
                                    .verdict = i < 2 ? verdict : VERDICT_KEPT,
                                    .finished_ms = now,
                                    .contacted = true},
            now);
        now += 5000;
    }
    help_seed(f, "http://a.nl/", now);
    help_lease(f, now, a, NULL);
    fetch_with("http://a.nl/", now, 0, x, 2); /* the poor one is found first */
    first = leased(now, "http://poor.nl/next");
    CHECK(first || leased(now, "http://poor.nl/next")); /* rich.nl was leased */
    return first;
}

static void
a_host_that_yields_nothing_goes_behind_one_that_yields(void)
{
    set_up();
    CHECK(!poor_comes_first(VERDICT_LANGUAGE));
    tear_down();
}

static void
duplicates_put_a_host_back_unless_they_teach_nothing(void)
{
    static const enum verdict copies[] = {VERDICT_EXACT_DUPLICATE,
                                          VERDICT_NEAR_DUPLICATE};

    for (int learn = 0; learn < 2; learn++)
        for (int i = 0; i < 2; i++) {
            set_up();
            o.frontier_learn_duplicates = learn != 0;
            CHECK(poor_comes_first(copies[i]) == !learn);
            CHECK(totals(T0).kept == 3); /* whatever is learned of them */
            tear_down();
        }
}

static void
a_patient_frontier_waits_for_what_is_far_better_and_due_soon(void)
{
    struct frontier_link x[] = {help_link("http://good.nl/1"),
                                help_link("http://good.nl/2")};
    struct frontier_link y = help_link("http://bad.nl/1");
    struct frontier_lease l;
    struct frontier_totals t;
    uint64_t now = T0 + 60000;

    set_up();
    o.frontier_patience = 0.5;
    o.frontier_patience_ms = 1500;
    open_it(T0);
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
    frontier_totals(f, &t, now + 1);
    CHECK(t.idle_slots == 1);
    CHECK(leased(now + 1000, "http://good.nl/2"));
    frontier_totals(f, &t, now + 1000);
    CHECK(t.idle_slots == 0 && t.idle_ms == 1000);
    fetch_with("http://good.nl/2", now + 1000, 0, NULL, 0);
    CHECK(leased(now + 1001, "http://bad.nl/1")); /* nothing better is left */
    tear_down();
}

static void
patience_ends_with_a_server_that_hangs(void)
{
    struct frontier_link x[] = {help_link("http://good.nl/1"),
                                help_link("http://good.nl/2")};
    struct frontier_link y = help_link("http://bad.nl/1");
    uint64_t now = T0 + 60000;

    set_up();
    o.frontier_patience = 0.5;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "http://b.nl/", T0);
    help_lease(f, T0, a, NULL);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 0, x, 2);
    fetch_with("http://b.nl/", T0, 50, &y, 1);
    CHECK(leased(now, "http://good.nl/1")); /* and no answer comes */
    CHECK(help_lease(f, now + 1900, a, NULL).url.n == 0);
    CHECK(leased(now + 2100, "http://bad.nl/1"));
    tear_down();
}

static void
every_scorer_waits_when_told_to(void)
{
    struct frontier_link x = help_link("http://b.nl/1");

    for (int told = 0; told <= 1; told++) {
        set_up();
        o.frontier_scorer = S("bfs");
        o.frontier_patience = 0.99;
        open_it(T0);
        if (told)
            frontier_set_patience(f, 0.99);
        help_seed(f, "http://a.nl/", T0);
        help_lease(f, T0, a, NULL);
        fetch_with("http://a.nl/", T0, 0, &x, 1);
        help_seed(f, "http://a.nl/another", T0); /* not due yet, but a seed */
        CHECK(leased(T0 + 1, "http://b.nl/1") == !told);
        tear_down();
    }
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
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    help_lease(f, T0, a, NULL);
    fetch_with("http://a.nl/", T0, 0, x, 3);
    l = help_lease(f, now, a, NULL);
    CHECK(str_eq(l.authority, S("gone.nl")));
    help_report(f,
                &(struct frontier_done){.url = l.url,
                                        .crawler = 1,
                                        .outcome = OUTCOME_FAILED,
                                        .verdict = verdict_http(404),
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
    open_it(T0);
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
    open_it(T0);
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
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    frontier_close(f); /* the clock survives as well */
    open_it(T0);
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
    open_it(T0);
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
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://b.nl/1", T0);
    HELP_OK(f, frontier_lease(f, 9, 5, 1, T0, a, &l, &n, &wake));
    CHECK(n == 1 && str_eq(l[0].url, S("http://a.nl/1")));
    frontier_close(f);
    open_it(T0);
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
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    for (uint32_t attempt = 0; attempt < 3; attempt++) {
        struct frontier_lease l = help_lease(f, now, a, NULL);

        CHECK(str_eq(l.url, S("http://a.nl/1")) && l.attempts == attempt);
        d = help_done(l.url, OUTCOME_RETRY, now);
        d.verdict = verdict_http(503);
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
    open_it(T0);
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
    open_it(T0);
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

/* It would be a known URL, and never be asked for. */
static void
a_redirect_to_the_page_itself_asks_for_it_again(void)
{
    static const char *const to[] = {
        "http://a.nl/x?utm_source=b", "http://a.nl/x;jsessionid=A1",
        "http://a.nl/x;jsessionid=A1", "http://a.nl/x"};
    struct frontier_lease l;
    uint64_t now = T0;

    set_up();
    o.fetch_redirects_max = 3;
    open_it(T0);
    help_seed(f, "http://a.nl/x", T0);
    for (uint32_t hop = 0; hop < 4; hop++, now += 5000) {
        struct frontier_link link = help_link(to[hop]);
        struct frontier_done d;

        l = help_lease(f, now, a, NULL);
        CHECK(str_eq(l.url, str_c(hop > 0 ? to[hop - 1] : "http://a.nl/x")));
        CHECK(l.redirects == hop && l.attempts == 0);
        d = help_done(l.url, OUTCOME_REDIRECT, now);
        d.links = &link;
        d.links_n = 1;
        help_report(f, &d, now);
        CHECK(totals(now).queued == (hop < 3) && totals(now).seen == 1);
    }
    CHECK(totals(now).done == 0 && totals(now).failed == 1);
    tear_down();
}

/* Page `from` is asked for and leads to `to`. */
static void
leads_to(const char *from, const char *to, uint64_t now)
{
    struct frontier_link link = help_link(to);
    struct frontier_done d;

    help_seed(f, from, now);
    CHECK(str_eq(help_lease(f, now, a, NULL).url, str_c(from)));
    d = help_done(str_c(from), OUTCOME_REDIRECT, now);
    d.links = &link;
    d.links_n = 1;
    help_report(f, &d, now);
}

/* Page /n is asked for and leads to the login, which is asked for as well. */
static void
login_answers(unsigned n, enum frontier_outcome outcome, uint64_t now)
{
    const char *login = arena_printf(a, "http://a.nl/login?next=/%u", n).p;
    struct frontier_link on = help_link("http://a.nl/let-in");
    struct frontier_done d;

    leads_to(arena_printf(a, "http://a.nl/%u", n).p, login, now);
    d = help_done(help_lease(f, now + 5000, a, NULL).url, outcome, now + 5000);
    CHECK(str_eq(d.url, str_c(login)));
    d.verdict = outcome == OUTCOME_FETCHED ? VERDICT_SHORT : VERDICT_REDIRECT;
    d.links = &on;
    d.links_n = outcome == OUTCOME_REDIRECT;
    help_report(f, &d, now + 5000);
}

/* What leads to a login that was a page, and not kept, twice, has failed. */
static void
a_login_that_lets_nobody_through_is_asked_twice(void)
{
    struct host *h = NULL;

    set_up();
    open_it(T0);
    login_answers(1, OUTCOME_FETCHED, T0);
    login_answers(2, OUTCOME_FETCHED, T0 + 10000);
    leads_to("http://a.nl/3", "http://a.nl/login?next=/3", T0 + 20000);
    CHECK(totals(T0).queued == 0 && totals(T0).failed == 1);
    CHECK(frontier_begin(f) == ST_OK &&
          url_store_host_named(f->db, S("a.nl"), S(""), false, &h) == ST_OK);
    CHECK(h->row.outcomes.n[CLASS_OTHER] == 1 &&
          h->row.outcomes.n[CLASS_ERROR] == 0); /* no dead link */
    CHECK(frontier_commit(f) == ST_OK);
    leads_to("http://a.nl/4", "http://b.nl/login?next=/4", T0 + 25000);
    CHECK(totals(T0).queued == 1 && totals(T0).failed == 1);
    tear_down();
}

static void
a_login_that_has_led_on_stays_open(void)
{
    struct frontier_done d;

    set_up();
    open_it(T0);
    login_answers(1, OUTCOME_REDIRECT, T0);
    d = help_done(help_lease(f, T0 + 10000, a, NULL).url, OUTCOME_FETCHED,
                  T0 + 10000);
    help_report(f, &d, T0 + 10000);
    login_answers(2, OUTCOME_FETCHED, T0 + 15000);
    login_answers(3, OUTCOME_FETCHED, T0 + 25000);
    leads_to("http://a.nl/4", "http://a.nl/login?next=/4", T0 + 35000);
    CHECK(totals(T0).queued == 1 && totals(T0).failed == 0);
    tear_down();
}

/* Of a host of many kinds of pages the late ones are counted together. */
static void
what_other_pages_came_to_closes_no_login(void)
{
    struct frontier_done d;
    uint64_t now = T0;

    set_up();
    open_it(T0);
    for (char c = 'a'; c <= 'o'; c++, now += 5000) {
        const char *url = c == 'o' ? "http://a.nl/find?q=1"
                                   : arena_printf(a, "http://a.nl/%c/", c).p;

        help_seed(f, url, now);
        d = help_done(help_lease(f, now, a, NULL).url, OUTCOME_FETCHED, now);
        d.verdict = c == 'o' ? VERDICT_SHORT : VERDICT_KEPT;
        help_report(f, &d, now);
    }
    leads_to("http://a.nl/1", "http://a.nl/login?next=/1", now);
    CHECK(totals(now).queued == 1 && totals(now).failed == 0);
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
    o.frontier_page_links_max = 0;
    open_it(T0);
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
    open_it(T0);
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
    open_it(T0);
    frontier_set_greedy_oracle(f, only_x, &asked);
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
    TEST(duplicates_put_a_host_back_unless_they_teach_nothing),
    TEST(a_patient_frontier_waits_for_what_is_far_better_and_due_soon),
    TEST(patience_ends_with_a_server_that_hangs),
    TEST(every_scorer_waits_when_told_to),
    TEST(a_host_whose_pages_are_gone_goes_back_and_is_not_forgotten),
    TEST(the_delay_runs_from_the_end_of_the_request),
    TEST(a_host_that_was_not_contacted_is_due_at_once),
    TEST(a_crawler_that_starts_again_gives_back_and_holds_back),
    TEST(a_lease_ends_at_its_deadline),
    TEST(a_lost_lease_answer_is_given_again_also_after_a_restart),
    TEST(a_passing_failure_is_tried_again_later_and_then_no_more),
    TEST(retry_after_holds_the_whole_host_back),
    TEST(a_redirect_inherits_and_ends_after_redirects_max),
    TEST(a_redirect_to_the_page_itself_asks_for_it_again),
    TEST(a_login_that_lets_nobody_through_is_asked_twice),
    TEST(a_login_that_has_led_on_stays_open),
    TEST(what_other_pages_came_to_closes_no_login),
    TEST(a_page_with_100000_links_is_one_report),
    TEST(urls_too_long_or_of_other_schemes_are_refused_and_counted),
    TEST(an_oracle_decides_what_is_fetched_first_and_scores_are_told),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
