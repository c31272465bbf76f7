/* Aim: only who holds a lease ends it.  Two crawlers, one of which hangs past
 * its deadline and reports when another has the URL: nothing is out twice, no
 * host is asked by two, what was fetched counts all the same. */
#include "schedule_case.h"

#define LATE (T0 + 20000) /* the lease of T0 has ended */

static struct frontier_lease
lease_by(uint64_t crawler, uint64_t call, uint64_t now)
{
    struct frontier_lease *l;
    uint64_t wake;
    size_t n = 0;

    HELP_OK(f, frontier_lease(f, crawler, call, 1, now, a, &l, &n, &wake));
    return n == 1 ? l[0] : (struct frontier_lease){.url = STR("")};
}

static void
report_by(uint64_t crawler, uint64_t call, const char *url,
          enum frontier_outcome outcome, uint64_t now)
{
    struct frontier_done d = help_done(str_c(url), outcome, now);

    d.crawler = crawler;
    d.call = call;
    help_report(f, &d, now);
}

/* Crawler 1 hangs with a.nl/1, crawler 2 has got it. */
static void
begin(uint64_t recrawl_seconds)
{
    set_up();
    o.recrawl_interval_seconds = recrawl_seconds;
    o.recrawl_interval_min_seconds = recrawl_seconds;
    o.recrawl_interval_max_seconds = recrawl_seconds;
    o.frontier_lease_seconds = 10;
    o.politeness_delay_ms = 1000;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    CHECK(str_eq(lease_by(1, 1, T0).url, S("http://a.nl/1")));
    CHECK(lease_by(2, 1, T0 + 10001).url.n == 0); /* held back one delay */
    CHECK(str_eq(lease_by(2, 2, LATE).url, S("http://a.nl/1")));
    CHECK(totals(LATE).late_reports == 0);
}

static void
a_late_failure_ends_nobody_elses_lease(void)
{
    static const enum frontier_outcome no_results[] = {
        OUTCOME_FAILED, OUTCOME_RETRY, OUTCOME_DISALLOWED, OUTCOME_OUT_OF_SCOPE,
        OUTCOME_RETURNED};

    begin(0);
    for (size_t i = 0; i < sizeof no_results / sizeof *no_results; i++) {
        report_by(1, 1, "http://a.nl/1", no_results[i], LATE + 1);
        CHECK(totals(LATE).leased == 1 && totals(LATE).late_reports == i + 1);
        CHECK(lease_by(1, 5 + i, LATE + 5000).url.n == 0); /* no second one */
        help_check(f);
    }
    CHECK(lease_by(2, 2, LATE + 5000).url.n > 0); /* the same answer again */
    report_by(2, 2, "http://a.nl/1", OUTCOME_FETCHED, LATE + 5000);
    CHECK(totals(LATE).done == 1 && totals(LATE).leased == 0);
    CHECK(str_eq(lease_by(1, 20, LATE + 6000).url, S("http://a.nl/2")));
    tear_down();
}

static void
the_same_crawler_ends_its_new_lease_only_with_its_call(void)
{
    begin(0);
    lease_by(2, 3, LATE + 10001); /* its lease has ended, too */
    CHECK(str_eq(lease_by(2, 4, LATE + 12000).url, S("http://a.nl/1")));
    report_by(2, 2, "http://a.nl/1", OUTCOME_FAILED, LATE + 12001);
    CHECK(totals(LATE).leased == 1 && totals(LATE).failed == 0);
    report_by(2, 4, "http://a.nl/1", OUTCOME_FAILED, LATE + 12002);
    CHECK(totals(LATE).leased == 0 && totals(LATE).failed == 1);
    tear_down();
}

/* Its document is stored, its links are known: the URL has ended.  But the
 * request of the other is under way. */
static void
a_late_result_counts_and_the_holder_keeps_the_host(void)
{
    begin(0);
    report_by(1, 1, "http://a.nl/1", OUTCOME_FETCHED, LATE + 1);
    CHECK(totals(LATE).done == 1 && totals(LATE).kept == 1 &&
          totals(LATE).leased == 0);
    help_check(f);
    CHECK(lease_by(1, 2, LATE + 3000).url.n == 0); /* the host is busy */
    reopen(LATE + 3000);                           /* ... durably */
    CHECK(lease_by(1, 2, LATE + 3000).url.n == 0);
    CHECK(lease_by(2, 2, LATE + 3000).url.n == 0); /* not once more */
    report_by(2, 2, "http://a.nl/1", OUTCOME_FETCHED, LATE + 4000);
    CHECK(totals(LATE).done == 1 && totals(LATE).kept == 1);
    help_check(f);
    CHECK(lease_by(1, 3, LATE + 4999).url.n == 0); /* one delay after it */
    CHECK(str_eq(lease_by(1, 4, LATE + 5000).url, S("http://a.nl/2")));
    tear_down();
}

/* Its due date may come before the holder's report: what is queued anew is
 * nobody's yet. */
static void
a_holder_of_what_is_queued_again_ends_the_host_alone(void)
{
    static const enum frontier_outcome outcomes[] = {
        OUTCOME_FETCHED, OUTCOME_RETURNED, OUTCOME_RETRY, OUTCOME_FAILED};

    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        begin(1);
        report_by(1, 1, "http://a.nl/1", OUTCOME_FETCHED, LATE + 1);
        CHECK(lease_by(1, 2, LATE + 3000).url.n == 0); /* it is due again */
        CHECK(totals(LATE).revisits == 1 && totals(LATE).leased == 0);
        report_by(2, 2, "http://a.nl/1", outcomes[i], LATE + 4000);
        CHECK(totals(LATE).leased == 0 && totals(LATE).failed == 0);
        help_check(f);
        CHECK(lease_by(1, 3, LATE + 5000).url.n > 0);
        CHECK(totals(LATE).leased == 1);
        help_check(f);
        tear_down();
    }
}

static void
a_holder_that_hangs_after_a_late_result_costs_the_host_its_deadline(void)
{
    begin(0);
    report_by(1, 1, "http://a.nl/1", OUTCOME_FETCHED, LATE + 1);
    CHECK(lease_by(1, 2, LATE + 9999).url.n == 0);
    lease_by(1, 3, LATE + 10000);
    CHECK(str_eq(lease_by(1, 4, LATE + 11000).url, S("http://a.nl/2")));
    help_check(f);
    tear_down();
}

static void
a_late_robots_txt_is_taken_when_nobody_knows_it(void)
{
    struct frontier_done d;
    struct frontier_robots r;
    struct frontier_lease l;
    uint64_t version;

    set_up();
    o.frontier_lease_seconds = 10;
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    l = lease_by(1, 1, T0);
    CHECK(l.kind == FRONTIER_ROBOTS && l.call == 1);
    lease_by(2, 1, LATE);
    CHECK(lease_by(2, 2, LATE + 2000).kind == FRONTIER_ROBOTS);
    report_by(1, 1, "http://a.nl/robots.txt", OUTCOME_ROBOTS_DONE, LATE + 2001);
    CHECK(lease_by(1, 2, LATE + 5000).url.n == 0); /* crawler 2 has it still */
    d = help_done(S("http://a.nl/robots.txt"), OUTCOME_ROBOTS_DONE,
                  LATE + 2001);
    d.robots.status = 200;
    d.robots.body = S("Disallow: /2");
    d.crawler = 2;
    d.call = 2;
    help_report(f, &d, LATE + 5001);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(version == frontier_robots_version(S("Disallow: /2")) &&
          str_eq(r.body, d.robots.body));
    d.crawler = 1; /* what is known is not replaced by something older */
    d.robots.body = S("");
    help_report(f, &d, LATE + 5002);
    HELP_OK(f, frontier_robots(f, S("a.nl"), a, &r, &version));
    CHECK(version == frontier_robots_version(S("Disallow: /2")) &&
          r.body.n > 0);
    tear_down();
}

/* While crawler 2 is at a.nl, no other host behind its address is asked. */
static void
a_late_report_does_not_free_an_address(void)
{
    struct frontier_done d;

    set_up();
    o.frontier_lease_seconds = 10;
    o.politeness_address_delay_ms = 1500;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://b.nl/1", T0);
    for (int i = 0; i < 2; i++) {
        d = help_done(lease_by(1, 1 + (uint64_t)i, T0).url, OUTCOME_RETURNED,
                      T0);
        d.address = S("192.0.2.1");
        d.contacted = false;
        help_report(f, &d, T0);
    }
    CHECK(str_eq(lease_by(1, 3, T0).url, S("http://a.nl/1")));
    d = help_done(S("http://b.nl/1"), OUTCOME_FETCHED, T0 + 5000);
    CHECK(str_eq(lease_by(2, 1, T0 + 5000).url, d.url)); /* it hangs */
    d.crawler = 2;
    d.address = S("192.0.2.1");
    help_report(f, &d, T0 + 6000);
    lease_by(2, 2, T0 + 10000);
    CHECK(str_eq(lease_by(2, 3, LATE).url, S("http://a.nl/1")));
    help_seed(f, "http://b.nl/2", LATE);
    report_by(1, 3, "http://a.nl/1", OUTCOME_RETURNED, LATE + 1);
    CHECK(lease_by(1, 4, LATE + 1000).url.n == 0);
    tear_down();
}

/* A damaged store: its row of `seen` is lost, or says that it has ended. */
static void
spoil_seen(const char *authority, const char *url, bool lost)
{
    struct row_seen_key key =
        row_seen_key(f->db->keys, str_c(authority), str_c(url));
    struct row_seen s = {.state = ROW_FAILED, .verdict = VERDICT_OTHER};

    CHECK(frontier_begin(f) == ST_OK);
    if (lost) {
        CHECK(tables_delete(f->db->tables, TABLE_SEEN, row_seen_bytes(&key)) ==
              ST_OK);
    } else {
        f->db->counters.totals.failed++;
        CHECK(url_store_seen_put(f->db, key, &s) == ST_OK);
    }
    CHECK(frontier_commit(f) == ST_OK);
}

static void
what_seen_does_not_know_is_fetched_once_all_the_same(void)
{
    for (int lost = 0; lost < 2; lost++) {
        set_up();
        o.politeness_delay_ms = 1000;
        open_it(T0);
        help_seed(f, "http://a.nl/1", T0);
        spoil_seen("a.nl", "http://a.nl/1", lost);
        CHECK(str_eq(lease_by(1, 1, T0).url, S("http://a.nl/1")));
        report_by(1, 1, "http://a.nl/1", OUTCOME_FETCHED, T0 + 1);
        CHECK(totals(T0).leased == 0 && totals(T0).queued == 0 &&
              totals(T0).done == 1 && totals(T0).failed == 0);
        CHECK(lease_by(1, 2, T0 + 9000).url.n == 0);
        help_check(f);
        tear_down();
    }
}

static const struct test tests[] = {
    TEST(a_late_failure_ends_nobody_elses_lease),
    TEST(the_same_crawler_ends_its_new_lease_only_with_its_call),
    TEST(a_late_result_counts_and_the_holder_keeps_the_host),
    TEST(a_holder_of_what_is_queued_again_ends_the_host_alone),
    TEST(a_holder_that_hangs_after_a_late_result_costs_the_host_its_deadline),
    TEST(a_late_robots_txt_is_taken_when_nobody_knows_it),
    TEST(a_late_report_does_not_free_an_address),
    TEST(what_seen_does_not_know_is_fetched_once_all_the_same),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
