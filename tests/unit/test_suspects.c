/* Aim: a page that kills its crawler is leased three times, not for ever; a
 * page that was merely out at a kill is never given up. */
#include "base/random.h"
#include "schedule_case.h"

static struct str *poison;
static size_t poison_n;

static size_t
lease_n(uint64_t crawler, size_t max, uint64_t now, struct frontier_lease **l)
{
    uint64_t wake;
    size_t n = 0;

    HELP_OK(f, frontier_lease(f, crawler, 0, max, now, a, l, &n, &wake));
    return n;
}

/* The crawler starts again and was reading these. */
static void
crash(uint64_t crawler, const char *const *urls, size_t n, uint64_t now)
{
    uint64_t hash[8];

    for (size_t i = 0; i < n; i++)
        hash[i] = hash64(str_c(urls[i]));
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_suspects(f, crawler, hash, n, now, a, &poison, &poison_n) ==
          ST_OK);
    CHECK(frontier_hello(f, crawler, now) == ST_OK);
    CHECK(frontier_commit(f) == ST_OK);
}

static void
the_third_crash_ends_the_page(void)
{
    const char *const url[] = {"http://a.nl/killer"};
    uint64_t now = T0;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/killer", T0);
    help_seed(f, "http://a.nl/other", T0);
    for (int i = 0; i < 3; i++) {
        CHECK(leased(now, url[0]));
        crash(1, url, 1, now + 100);
        CHECK(poison_n == (i == 2));
        if (i == 1) /* the count is durable */
            reopen(now + 200);
        if (i == 1)
            crash(1, url, 1, now + 200); /* said again: it is not out */
        now += 5000;
    }
    CHECK(str_eq(poison[0], str_c(url[0])));
    CHECK(totals(now).failed == 1 && totals(now).queued == 1);
    CHECK(leased(now, "http://a.nl/other"));
    crash(1, url, 1, now);
    CHECK(poison_n == 0 && totals(now).failed == 1);
    tear_down();
}

static void
why_says_poison(void)
{
    const char *const url[] = {"http://a.nl/killer"};
    struct buf text = {0};

    set_up();
    open_it(T0);
    help_seed(f, url[0], T0);
    for (uint64_t i = 0; i < 3; i++) {
        CHECK(leased(T0 + 5000 * i, url[0]));
        crash(1, url, 1, T0 + 5000 * i);
    }
    HELP_OK(f, frontier_why(f, str_c(url[0]), T0 + 20000, &text));
    buf_char(&text, '\0');
    CHECK(strstr(text.p, "poison") != NULL);
    buf_free(&text);
    tear_down();
}

/* kill -9 with all slots full, a hundred times: the crawler read none of them,
 * or one by chance. */
static void
what_was_merely_out_at_a_kill_is_not_given_up(void)
{
    struct frontier_lease *l;
    struct random r = random_seed(5);
    uint64_t now = T0;
    size_t n = 0;

    set_up();
    o.politeness_delay_ms = 100;
    open_it(T0);
    for (int i = 0; i < 320; i++) {
        char url[40];

        snprintf(url, sizeof url, "http://h%d.nl/%d", i % 32, i / 32);
        help_seed(f, url, T0);
    }
    for (int kill = 0; kill < 100; kill++) {
        const char *read;

        n = lease_n(1, 32, now, &l);
        read = n > 0 ? arena_cstr(a, l[random_below(&r, n)].url) : "";
        crash(1, &read, n > 0 && random_below(&r, 2), now + 300);
        CHECK(poison_n == 0);
        for (int k = 0; k < 2; k++) { /* some pages between the kills */
            now += 1000;
            n = lease_n(1, 2, now, &l);
            for (size_t i = 0; i < n; i++) {
                struct frontier_done d =
                    help_done(l[i].url, OUTCOME_FETCHED, now);

                help_report(f, &d, now);
            }
        }
        now += 1000;
    }
    CHECK(totals(now).failed == 0 && totals(now).done > 100);
    tear_down();
}

static void
a_crawler_has_one_suspect_at_a_time(void)
{
    const char *const url[] = {"http://a.nl/", "http://b.nl/", "http://c.nl/"};
    struct frontier_lease *l;

    set_up();
    open_it(T0);
    for (int i = 0; i < 3; i++)
        help_seed(f, url[i], T0);
    CHECK(lease_n(1, 9, T0, &l) == 3);
    crash(1, url, 2, T0);
    CHECK(lease_n(1, 9, T0 + 5000, &l) == 2); /* c, and one of the others */
    CHECK(lease_n(1, 9, T0 + 7000, &l) == 0);
    CHECK(lease_n(2, 9, T0 + 9000, &l) == 1); /* another crawler may */
    for (int i = 0; i < 3; i++) {
        struct frontier_done d = help_done(str_c(url[i]), OUTCOME_FETCHED, T0);

        for (d.crawler = 1; d.crawler < 3; d.crawler++)
            help_report(f, &d, T0 + 9001);
    }
    CHECK(totals(T0).done == 3 && totals(T0).failed == 0);
    tear_down();
}

/* It does not come back, as in a container: nobody says what it was reading. */
static void
a_crawler_that_vanishes_three_times_leaves_poison(void)
{
    uint64_t now = T0;

    set_up();
    o.frontier_lease_seconds = 60;
    open_it(T0);
    help_seed(f, "http://a.nl/killer", T0);
    for (uint64_t crawler = 1; crawler < 4; crawler++) {
        struct frontier_lease *l;

        CHECK(lease_n(crawler, 9, now, &l) == 1);
        CHECK(lease_n(9, 9, now + 60000, &l) == 0); /* one delay more */
        now += 62000;
    }
    CHECK(totals(now).failed == 1 && totals(now).queued == 0);
    tear_down();
}

static void
a_crawler_that_is_slow_but_lives_leaves_none(void)
{
    struct frontier_lease *l;
    uint64_t now = T0;

    set_up();
    o.frontier_lease_seconds = 60;
    open_it(T0);
    help_seed(f, "http://a.nl/slow", T0);
    for (int i = 0; i < 5; i++) {
        CHECK(lease_n(1, 9, now, &l) == 1);
        CHECK(lease_n(1, 0, now + 50000, &l) == 0); /* no room, but it asks */
        CHECK(lease_n(2, 9, now + 60000, &l) == 0);
        now += 62000;
    }
    for (int i = 0; i < 5; i++) { /* nor does one that nobody could hear */
        CHECK(lease_n(1, 9, now, &l) == 1);
        reopen(now + 59000);
        CHECK(lease_n(2, 9, now + 60000, &l) == 0);
        now += 62000;
    }
    CHECK(totals(now).failed == 0 && totals(now).queued == 1);
    tear_down();
}

static void
a_robots_txt_that_kills_is_unreachable(void)
{
    const char *const url[] = {"http://a.nl/robots.txt"};
    uint64_t now = T0, wake;

    set_up();
    o.politeness_robots = true;
    o.politeness_retry_ms = 10000;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    for (uint64_t i = 0; i < 6; i++) {
        struct frontier_lease l = help_lease(f, now, a, NULL);

        CHECK(l.kind == FRONTIER_ROBOTS);
        crash(1, url, 1, now);
        CHECK(poison_n == 0);
        CHECK(help_lease(f, now, a, &wake).url.n == 0);
        CHECK(wake >= (10000u << i) * 3 / 4); /* ever later */
        now += wake;
    }
    CHECK(totals(now).failed == 0 && totals(now).queued == 1);
    tear_down();
}

static const struct test tests[] = {
    TEST(the_third_crash_ends_the_page),
    TEST(why_says_poison),
    TEST(what_was_merely_out_at_a_kill_is_not_given_up),
    TEST(a_crawler_has_one_suspect_at_a_time),
    TEST(a_crawler_that_vanishes_three_times_leaves_poison),
    TEST(a_crawler_that_is_slow_but_lives_leaves_none),
    TEST(a_robots_txt_that_kills_is_unreachable),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
