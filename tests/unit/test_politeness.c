/* What a report may say of clocks, and what of that is believed: the real
 * frontier in virtual time. */
#include "base/log.h"
#include "schedule_case.h"

#define DELAY 1000u
#define HOUR 3600000u

static void
begin(bool robots)
{
    set_up();
    o.politeness_robots = robots;
    o.politeness_delay_ms = DELAY;
    o.politeness_retries = 20;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
}

/* How long nothing is due. */
static uint64_t
wait_at(uint64_t now)
{
    uint64_t wake = 0;

    CHECK(help_lease(f, now, a, &wake).url.n == 0);
    return wake;
}

static void
an_end_in_the_future_is_not_believed(void)
{
    struct frontier_done d;

    begin(false);
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0 + 10 * HOUR);
    help_report(f, &d, T0);
    CHECK(wait_at(T0) == DELAY);
    tear_down();
}

/* In place of the common delay; a Crawl-delay that is longer still counts, and
 * a date as far ahead as that is no date of a clock that was ahead. */
static void
hosts_may_have_delays_of_their_own(void)
{
    static const struct {
        const char *delays;
        uint64_t wait_ms;
    } cases[] = {
        {"A.nl=5s b.nl=7s", 5 * DELAY},
        {".nl=2min a.nl=5s", 120 * DELAY},
        {"b.nl=5s .a.example=9s", DELAY},
        {"a.nl=20ms", 20},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf set = {0};
        struct frontier_done d;

        begin(false);
        frontier_close(f);
        buf_printf(&set, "politeness.delays=%s", cases[i].delays);
        CHECK(opts_set(&o, "test", buf_view(&set)) == ST_OK);
        buf_free(&set);
        open_it(T0);
        d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
        help_report(f, &d, T0);
        CHECK(wait_at(T0) == cases[i].wait_ms);
        reopen(T0);
        CHECK(wait_at(T0) == cases[i].wait_ms);
        tear_down();
    }
}

static void
later_says_when_and_that_is_a_day_at_most(void)
{
    struct frontier_done d;

    begin(false);
    d = help_done(lease(T0).url, OUTCOME_RETRY, T0);
    d.verdict = verdict_http(503);
    d.retry_after_ms = 10 * HOUR;
    help_report(f, &d, T0);
    CHECK(wait_at(T0) == 10 * HOUR);
    reopen(T0); /* that is no date of a clock that was ahead */
    CHECK(wait_at(T0) == 10 * HOUR);
    d = help_done(lease(T0 + 10 * HOUR).url, OUTCOME_RETRY, T0 + 10 * HOUR);
    d.verdict = verdict_http(503);
    d.retry_after_ms = 72 * HOUR;
    help_report(f, &d, T0 + 10 * HOUR);
    CHECK(wait_at(T0 + 10 * HOUR) <= 24 * HOUR);
    CHECK(wait_at(T0 + 10 * HOUR) >= 23 * HOUR);
    tear_down();
}

/* What robots.txt allows is told by its target; until then nobody knows. */
static void
a_host_waits_while_its_robots_txt_is_elsewhere(void)
{
    struct frontier_link target = help_link("http://b.nl/robots.txt");
    struct frontier_lease l;
    struct frontier_done d;

    begin(true);
    l = lease(T0);
    CHECK(l.kind == FRONTIER_ROBOTS);
    d = help_done(l.url, OUTCOME_REDIRECT, T0);
    d.kind = FRONTIER_ROBOTS;
    target.domain = S("b.nl");
    d.links = &target;
    d.links_n = 1;
    help_report(f, &d, T0);
    l = lease(T0);
    CHECK(str_eq(l.url, S("http://b.nl/robots.txt")));
    CHECK(nothing_at(T0 + 60 * DELAY));
    d = help_done(l.url, OUTCOME_ROBOTS_DONE, T0 + 60 * DELAY);
    help_report(f, &d, T0 + 60 * DELAY);
    CHECK(lease(T0 + 61 * DELAY).kind == FRONTIER_PAGE);
    tear_down();
}

static void
what_is_out_counts_for_the_budget(void)
{
    begin(false);
    help_seed(f, "http://b.nl/1", T0);
    help_seed(f, "http://c.nl/1", T0);
    frontier_set_budget(f, 2);
    CHECK(lease(T0).url.n > 0);
    CHECK(lease(T0).url.n > 0);
    CHECK(nothing_at(T0));
    tear_down();
}

/* ---- pauses of many hosts ---- */

#define HOSTS 300u

static void
seed_hosts(unsigned from, unsigned to)
{
    char url[32];

    for (unsigned i = from; i < to; i++) {
        struct frontier_link l;
        size_t fresh;

        snprintf(url, sizeof url, "http://h%u.nl/", i);
        l = help_link(url);
        CHECK(frontier_seed(f, &l, 1, T0, &fresh) == ST_OK);
    }
}

static size_t
leases_at(uint64_t now)
{
    struct frontier_lease *out;
    uint64_t wake;
    size_t n = 0;

    HELP_OK(f, frontier_lease(f, 1, 0, 2 * HOSTS, now, a, &out, &n, &wake));
    return n;
}

/* Has changed some hosts, made some, and pauses all of them by one pattern. */
static void
pause_all(void)
{
    struct control_change c = {.action = CONTROL_PAUSE, .pattern = S(".nl")};
    size_t met;

    CHECK(frontier_begin(f) == ST_OK);
    seed_hosts(HOSTS - 2, HOSTS + 2);
    CHECK(frontier_hello(f, 1, T0) == ST_OK); /* h0.nl comes back */
    met = f->db->hosts.n;
    CHECK(frontier_control(f, &c, T0) == ST_OK);
    CHECK(c.hosts >= HOSTS && f->db->hosts.n == met);
}

static void
a_pause_of_all_hosts_loads_and_writes_none(void)
{
    struct control_change c = {.action = CONTROL_RESUME, .pattern = S(".nl")};

    for (int commits = 0; commits < 2; commits++) {
        set_up();
        open_it(T0);
        CHECK(frontier_begin(f) == ST_OK);
        seed_hosts(0, HOSTS);
        CHECK(frontier_commit(f) == ST_OK);
        CHECK(lease(T0).url.n > 0);
        pause_all();
        if (!commits) {
            frontier_abort(f);
            CHECK(leases_at(T0 + 60000) == HOSTS - 1); /* one is out */
        } else {
            CHECK(frontier_commit(f) == ST_OK);
            CHECK(leases_at(T0 + 60000) == 0);
            HELP_OK(f, frontier_control(f, &c, T0));
            CHECK(c.hosts >= HOSTS);
            CHECK(leases_at(T0 + 60000) >= HOSTS);
        }
        tear_down();
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(hosts_may_have_delays_of_their_own),
        TEST(an_end_in_the_future_is_not_believed),
        TEST(later_says_when_and_that_is_a_day_at_most),
        TEST(a_host_waits_while_its_robots_txt_is_elsewhere),
        TEST(what_is_out_counts_for_the_budget),
        TEST(a_pause_of_all_hosts_loads_and_writes_none),
        {0},
    };

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
