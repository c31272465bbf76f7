/* Aim: who is asked when: server addresses, slow servers, servers that say
 * "later", budgets.  Method: the real frontier in virtual time, one promise a
 * test; and a long random run that counts violations of politeness as a server
 * would, over restarts. */
#include "base/log.h"
#include "base/random.h"
#include "schedule_case.h"

/* ---- addresses ---- */

/* What a crawler does first with a host whose address is not known. */
static void
learn(const char *url, uint64_t now, const char *address)
{
    struct frontier_lease l = lease(now);
    struct frontier_done d = help_done(l.url, OUTCOME_RETURNED, now);

    CHECK(str_eq(l.url, str_c(url)) && !l.address_known);
    d.contacted = false;
    d.address = str_c(address);
    help_report(f, &d, now);
}

static void
hosts_behind_one_address_take_turns(void)
{
    struct frontier_lease l;

    set_up();
    o.politeness_address_delay_ms = 500;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    learn("http://a.nl/", T0, "192.0.2.1");
    l = lease(T0);
    CHECK(str_eq(l.url, S("http://a.nl/")) && l.address_known);
    help_seed(f, "http://b.nl/", T0);
    learn("http://b.nl/", T0, "192.0.2.1");
    CHECK(nothing_at(T0 + 1)); /* a.nl is being contacted */
    help_seed(f, "http://c.nl/", T0);
    learn("http://c.nl/", T0 + 2, "192.0.2.2");
    CHECK(str_eq(lease(T0 + 2).url, S("http://c.nl/"))); /* another address */
    done_at(S("http://a.nl/"), T0 + 100, "192.0.2.1");
    CHECK(nothing_at(T0 + 599));
    reopen(T0 + 599);                           /* its clock is in the store */
    HELP_OK(f, frontier_hello(f, 1, T0 + 599)); /* c.nl comes back, later */
    CHECK(nothing_at(T0 + 599));
    CHECK(str_eq(lease(T0 + 600).url, S("http://b.nl/")));
    tear_down();
}

/* Hosts whose address an earlier run has learned do not wait for one another
 * when the crawl goes on without a delay of addresses. */
static void
addresses_have_no_clock_without_a_delay(void)
{
    set_up();
    o.politeness_address_delay_ms = 500;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    learn("http://a.nl/", T0, "192.0.2.1");
    CHECK(lease(T0).url.n > 0);
    help_seed(f, "http://b.nl/", T0);
    learn("http://b.nl/", T0, "192.0.2.1");
    done_at(S("http://a.nl/"), T0 + 100, "192.0.2.1");
    help_seed(f, "http://a.nl/2", T0 + 100);
    o.politeness_address_delay_ms = 0;
    reopen(T0 + 9000);
    CHECK(lease(T0 + 9000).url.n > 0);
    CHECK(lease(T0 + 9000).url.n > 0); /* while the first one is out */
    CHECK(nothing_at(T0 + 9000));
    tear_down();
}

static void
a_contact_that_drags_on_keeps_neighbours_waiting_for_a_moment_only(void)
{
    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    learn("http://a.nl/", T0, "192.0.2.1");
    CHECK(lease(T0).url.n > 0);
    help_seed(f, "http://b.nl/", T0);
    learn("http://b.nl/", T0, "192.0.2.1");
    CHECK(nothing_at(T0 + 1999));
    CHECK(lease(T0 + 2000).url.n > 0);
    tear_down();
}

static void
loopback_has_no_clock_unless_asked_for(void)
{
    for (int asked = 0; asked < 2; asked++) {
        struct frontier_lease l;

        set_up();
        o.politeness_address_loopback = asked;
        open_it(T0);
        help_seed(f, "http://a.nl/", T0);
        help_seed(f, "http://b.nl/", T0);
        learn("http://a.nl/", T0, "127.0.0.1");
        l = lease(T0);
        CHECK(str_eq(l.url, S("http://a.nl/")) && l.address_known);
        learn("http://b.nl/", T0, "127.0.0.1");
        CHECK(nothing_at(T0) == (asked == 1));
        tear_down();
    }
}

static void
neighbours_go_on_as_soon_as_a_contact_is_over(void)
{
    set_up();
    o.politeness_address_delay_ms = 100;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    learn("http://a.nl/", T0, "192.0.2.1");
    CHECK(lease(T0).url.n > 0);
    help_seed(f, "http://b.nl/", T0);
    learn("http://b.nl/", T0, "192.0.2.1");
    CHECK(nothing_at(T0 + 1)); /* it waits while a.nl is contacted ... */
    done_at(S("http://a.nl/"), T0 + 50, "192.0.2.1");
    CHECK(nothing_at(T0 + 149));
    CHECK(lease(T0 + 150).url.n > 0); /* ... and not for longer */
    tear_down();
}

/* A server's view: the contacts of each host and each address, in order. */
struct contact {
    uint64_t end;
    bool met;
};

enum { RUN_HOSTS = 40, RUN_ADDRESSES = 7, RUN_STEPS = 6000 };

static void
random_crawls_with_restarts_never_ask_too_soon(void)
{
    struct contact host[RUN_HOSTS] = {0}, address[RUN_ADDRESSES] = {0};
    struct {
        struct str url;
        int host;
        bool robots;
    } out[RUN_HOSTS];
    struct random r = random_seed(11);
    uint64_t now = T0, asked = 0, turns = 0;
    size_t out_n = 0;

    set_up();
    o.politeness_address_delay_ms = 300;
    o.politeness_delay_ms = 700;
    o.politeness_robots = true;
    open_it(now);
    for (int i = 0; i < RUN_HOSTS; i++)
        for (int k = 0; k < 30; k++) {
            char url[64];

            snprintf(url, sizeof url, "http://h%02d.nl/%d", i, k);
            help_seed(f, url, now);
        }
    for (int step = 0; step < RUN_STEPS; step++) {
        struct frontier_lease l;
        char ip[32];
        int h;

        now += random_below(&r, 25);
        if (random_below(&r, 500) == 0) { /* crash and come back */
            reopen(now);
            HELP_OK(f, frontier_hello(f, 1, now));
            for (size_t i = 0; i < out_n; i++) {
                host[out[i].host].end = now; /* it may have been asked */
                address[out[i].host % RUN_ADDRESSES].end = now;
            }
            out_n = 0;
        }
        if (out_n > 0 && random_below(&r, 2) == 0) { /* one ends */
            size_t i = random_below(&r, out_n);
            struct frontier_done d = help_done(
                out[i].url,
                out[i].robots ? OUTCOME_ROBOTS_DONE : OUTCOME_FETCHED, now);

            h = out[i].host;
            snprintf(ip, sizeof ip, "192.0.2.%d", h % RUN_ADDRESSES);
            d.address = str_c(ip);
            d.took_ms = (uint32_t)random_below(&r, 200);
            host[h].end = address[h % RUN_ADDRESSES].end = now;
            help_report(f, &d, now);
            out[i] = out[--out_n];
        }
        l = lease(now);
        if (l.url.n == 0)
            continue;
        h = (l.url.p[8] - '0') * 10 + (l.url.p[9] - '0');
        snprintf(ip, sizeof ip, "192.0.2.%d", h % RUN_ADDRESSES);
        if (!l.address_known) {
            struct frontier_done d = help_done(l.url, OUTCOME_RETURNED, now);

            d.kind = l.kind;
            d.contacted = false;
            d.address = str_c(ip);
            help_report(f, &d, now);
            continue;
        }
        CHECK(!host[h].met || now >= host[h].end + 700);
        /* While a contact lasts over two seconds the address is free. */
        CHECK(!address[h % RUN_ADDRESSES].met ||
              now >= address[h % RUN_ADDRESSES].end + 300);
        for (size_t i = 0; i < out_n; i++)
            CHECK(out[i].host != h);
        turns += address[h % RUN_ADDRESSES].met &&
                 now < address[h % RUN_ADDRESSES].end + 700;
        host[h].met = address[h % RUN_ADDRESSES].met = true;
        host[h].end = address[h % RUN_ADDRESSES].end = now;
        out[out_n].url = l.url;
        out[out_n].robots = l.kind == FRONTIER_ROBOTS;
        out[out_n++].host = h;
        asked++;
    }
    CHECK(asked > 300); /* and it was no standstill */
    CHECK(turns > 50);  /* addresses are used again as soon as they may */
    tear_down();
}

/* ---- delays ---- */

static void
a_slow_server_is_left_alone_for_longer(void)
{
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 1000;
    o.politeness_response_factor = 2;
    o.politeness_response_delay_max_ms = 9000;
    open_it(T0);
    for (int i = 0; i < 4; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/%d", i);
        help_seed(f, url, T0);
    }
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
    d.took_ms = 3000;
    help_report(f, &d, T0);
    reopen(T0);
    CHECK(nothing_at(T0 + 5999));
    d = help_done(lease(T0 + 6000).url, OUTCOME_FETCHED, T0 + 6000);
    d.took_ms = 60000;
    help_report(f, &d, T0 + 6000);
    CHECK(nothing_at(T0 + 14999));
    d = help_done(lease(T0 + 15000).url, OUTCOME_FETCHED, T0 + 15000);
    d.took_ms = 10;
    help_report(f, &d, T0 + 15000);
    CHECK(nothing_at(T0 + 15999));
    CHECK(lease(T0 + 16000).url.n > 0);
    tear_down();
}

static uint64_t
throttle(const char *reason, uint32_t retry_after_ms, uint64_t now)
{
    struct frontier_lease l = lease(now);
    struct frontier_done d = help_done(l.url, OUTCOME_RETRY, now);
    uint64_t at = now;

    CHECK(l.url.n > 0);
    d.verdict = help_verdict(reason);
    d.retry_after_ms = retry_after_ms;
    help_report(f, &d, now);
    while (lease(at).url.n == 0)
        at += 100;
    HELP_OK(f, frontier_hello(f, 1, at));
    return at - now;
}

static void
a_host_that_says_later_is_left_alone_at_once_and_longer_each_time(void)
{
    uint64_t now = T0, ms;

    set_up();
    o.politeness_retry_ms = 10000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 20;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    for (unsigned i = 0; i < 4; i++) {
        ms = throttle(i % 2 ? "http_429" : "http_503", 0, now);
        CHECK(ms >= 7500u << i);
        CHECK(ms <= (12500u << i) + 100);
        now += ms + 1;
    }
    ms = throttle("http_503", 3600000, now);
    CHECK(ms >= 3600000 && ms <= 3600100);
    tear_down();
}

/* Pages that are tried while their host refuses all are none the worse for it,
 * and there when it answers again. */
static void
an_outage_without_an_end_costs_all_of_its_pages(void)
{
    uint64_t now = T0;

    set_up();
    o.politeness_retries = 1;
    open_it(now);
    help_seed(f, "http://a.nl/1", now);
    help_seed(f, "http://a.nl/2", now);
    help_seed(f, "http://a.nl/3", now);
    for (int i = 0; i < 60 && totals(now).failed < 3; i++) {
        struct frontier_done d;

        now += (uint64_t)2 * 24 * 3600 * 1000;
        d = help_done(lease(now).url, OUTCOME_RETRY, now);
        d.verdict = verdict_http(503);
        if (d.url.n > 0)
            help_report(f, &d, now);
    }
    CHECK(totals(now).failed == 3);
    tear_down();
}

static void
an_outage_of_a_host_costs_it_no_page(void)
{
    static const char *const urls[] = {"http://a.nl/1", "http://a.nl/2",
                                       "http://a.nl/3", "http://a.nl/4"};
    static const char *const why[] = {"connect", "http_503", "connect_timeout",
                                      "http_429"};
    const size_t n = sizeof urls / sizeof *urls;
    uint64_t now = T0;
    size_t fetched = 0;

    set_up();
    o.politeness_retry_ms = 1000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 2;
    open_it(T0);
    for (size_t i = 0; i < n; i++)
        help_seed(f, urls[i], T0);
    for (unsigned i = 0; i < 10; i++)
        now += throttle(why[i % 4], 0, now) + 1;
    for (unsigned i = 0; i < 10000 && fetched < n; i++, now += 1000) {
        struct frontier_lease l = lease(now);
        struct frontier_done d = help_done(l.url, OUTCOME_FETCHED, now);

        if (l.url.n > 0) {
            help_report(f, &d, now);
            fetched++;
        }
    }
    CHECK(fetched == n);
    help_check(f);
    tear_down();
}

/* Whoever alone answers so is given up, as before. */
static void
a_page_that_alone_answers_503_is_given_up(void)
{
    uint64_t now = T0;
    unsigned tries = 0;

    set_up();
    o.politeness_retry_ms = 1000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 2;
    open_it(T0);
    help_seed(f, "http://a.nl/bad", T0);
    for (int i = 0; i < 9; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/%d", i);
        help_seed(f, url, T0);
    }
    for (unsigned i = 0; i < 10000; i++, now += 1000) {
        struct frontier_lease l = lease(now);
        bool bad = str_eq(l.url, S("http://a.nl/bad"));
        struct frontier_done d =
            help_done(l.url, bad ? OUTCOME_RETRY : OUTCOME_FETCHED, now);

        if (l.url.n == 0)
            continue;
        tries += bad;
        if (bad)
            d.verdict = help_verdict("http_503");
        help_report(f, &d, now);
    }
    CHECK(tries == 3 || tries == 4);
    CHECK(lease(now).url.n == 0);
    tear_down();
}

static void
a_mistake_of_a_program_is_the_pages_own_for_long(void)
{
    set_up();
    o.politeness_retry_ms = 10000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 2;
    open_it(T0);
    for (int i = 0; i < 9; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/%d", i);
        help_seed(f, url, T0);
    }
    for (int i = 0; i < 4; i++)
        CHECK(throttle("http_500", 0, T0) == 0);
    CHECK(throttle("http_500", 0, T0) >= 7500); /* the fifth in a row */
    tear_down();
}

static void
a_kind_of_page_that_never_was_there_says_nothing_of_its_host(void)
{
    set_up();
    o.politeness_retry_ms = 10000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 2;
    open_it(T0);
    help_seed(f, "http://a.nl/there/0", T0);
    done_at(lease(T0).url, T0, "");
    for (int i = 0; i < 9; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/reply/%d", i);
        help_seed(f, url, T0);
    }
    for (int i = 0; i < 8; i++)
        CHECK(throttle("http_500", 0, T0) == 0);
    tear_down();
}

static void
a_kind_of_page_that_is_never_there_does_so_in_the_end(void)
{
    set_up();
    o.politeness_retry_ms = 10000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/there/0", T0);
    done_at(lease(T0).url, T0, "");
    for (int i = 0; i < 30; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://a.nl/reply/%d", i);
        help_seed(f, url, T0);
    }
    for (int i = 0; i < 24; i++)
        CHECK(throttle("http_500", 0, T0) == 0);
    CHECK(throttle("http_500", 0, T0) >= 7500);
    tear_down();
}

static void
a_page_that_fails_again_says_nothing_new_of_its_host(void)
{
    uint64_t now = T0;

    set_up();
    o.politeness_retry_ms = 1000;
    o.politeness_delay_ms = 0;
    o.politeness_retries = 20;
    open_it(T0);
    help_seed(f, "http://a.nl/0", T0);
    for (int i = 0; i < 9; i++) {
        struct frontier_done d;

        while ((d = help_done(lease(now).url, OUTCOME_RETRY, now)).url.n == 0)
            now += 1000;
        d.verdict = verdict_http(500);
        help_report(f, &d, now);
    }
    help_seed(f, "http://a.nl/1", now);
    CHECK(str_eq(lease(now).url, S("http://a.nl/1")));
    tear_down();
}

static void
another_failure_is_the_pages_own(void)
{
    set_up();
    o.politeness_retry_ms = 10000;
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    CHECK(throttle("timeout", 0, T0) == 0);
    tear_down();
}

/* ---- budget ---- */

static void
crawlers_share_one_budget(void)
{
    struct frontier_lease *leases;
    uint64_t wake;
    size_t n;

    set_up();
    open_it(T0);
    for (int i = 0; i < 9; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://h%d.nl/", i);
        help_seed(f, url, T0);
    }
    frontier_set_budget(f, 5);
    HELP_OK(f, frontier_lease(f, 1, 1, 3, T0, a, &leases, &n, &wake));
    CHECK(n == 3);
    done_at(leases[0].url, T0, "");
    HELP_OK(f, frontier_lease(f, 2, 1, 9, T0, a, &leases, &n, &wake));
    CHECK(n == 2 && wake > 0);
    HELP_OK(f, frontier_lease(f, 2, 1, 9, T0, a, &leases, &n, &wake));
    CHECK(n == 2); /* the answer was lost: the same two */
    HELP_OK(f, frontier_hello(f, 1, T0)); /* crawler 1 gives its two back */
    HELP_OK(f, frontier_lease(f, 2, 2, 9, T0, a, &leases, &n, &wake));
    CHECK(n == 2);
    tear_down();
}

static const struct test tests[] = {
    TEST(hosts_behind_one_address_take_turns),
    TEST(addresses_have_no_clock_without_a_delay),
    TEST(a_contact_that_drags_on_keeps_neighbours_waiting_for_a_moment_only),
    TEST(neighbours_go_on_as_soon_as_a_contact_is_over),
    TEST(loopback_has_no_clock_unless_asked_for),
    TEST(random_crawls_with_restarts_never_ask_too_soon),
    TEST(a_slow_server_is_left_alone_for_longer),
    TEST(a_host_that_says_later_is_left_alone_at_once_and_longer_each_time),
    TEST(an_outage_of_a_host_costs_it_no_page),
    TEST(an_outage_without_an_end_costs_all_of_its_pages),
    TEST(a_page_that_alone_answers_503_is_given_up),
    TEST(a_mistake_of_a_program_is_the_pages_own_for_long),
    TEST(a_kind_of_page_that_never_was_there_says_nothing_of_its_host),
    TEST(a_kind_of_page_that_is_never_there_does_so_in_the_end),
    TEST(a_page_that_fails_again_says_nothing_new_of_its_host),
    TEST(another_failure_is_the_pages_own),
    TEST(crawlers_share_one_budget),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
