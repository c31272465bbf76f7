/* Aim: a host is asked again as soon as its request has ended, though nobody
 * knows what the page came to; the page is out all the same: to nobody else,
 * ended by its report alone, back when its crawler is gone. */
#include "schedule_case.h"

static void
begin_with(uint64_t most)
{
    set_up();
    o.frontier_host_unreported_max = most;
    o.politeness_delay_ms = 0;
    o.politeness_response_factor = 0;
    o.frontier_lease_seconds = 10;
    open_it(T0);
    for (int i = 1; i <= 9; i++)
        help_seed(f, arena_printf(a, "http://a.nl/%d", i).p, T0);
}

static void
begin(void)
{
    begin_with(8);
}

static void
ended_by(uint64_t crawler, const char *url, uint64_t now)
{
    struct frontier_done d = help_done(str_c(url), OUTCOME_FETCHED, now);

    d.crawler = crawler;
    HELP_OK(f, frontier_request_ended(f, &d, now));
}

static void
ended(const char *url, uint64_t now)
{
    ended_by(1, url, now);
}

static bool
next_is(const char *url, uint64_t now)
{
    return str_eq(lease(now).url, str_c(url));
}

static void
report(const char *url, enum frontier_outcome outcome, uint64_t now)
{
    struct frontier_done d = help_done(str_c(url), outcome, now);

    help_report(f, &d, now);
}

/* So many pages of a.nl are reported. */
static void
know(int n)
{
    for (int i = 1; i <= n; i++)
        done_at(lease(T0).url, T0, "");
}

static bool
leased_are(uint64_t n, uint64_t now)
{
    return totals(now).leased == n;
}

static void
the_host_is_free_and_the_page_is_out(void)
{
    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    CHECK(nothing_at(T0));
    ended("http://a.nl/3", T0);
    CHECK(leased_are(1, T0) && totals(T0).hosts_out == 1);
    CHECK(next_is("http://a.nl/4", T0));
    CHECK(leased_are(2, T0) && totals(T0).hosts_out == 2);
    help_check(f);
    report("http://a.nl/3", OUTCOME_FETCHED, T0 + 1);
    CHECK(nothing_at(T0 + 1)); /* a.nl/4 is out */
    report("http://a.nl/4", OUTCOME_FETCHED, T0 + 2);
    CHECK(leased_are(0, T0) && totals(T0).kept == 4 &&
          totals(T0).late_reports == 0);
    help_check(f);
    tear_down();
}

static void
a_page_that_nobody_has_is_left_alone(void)
{
    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/4", T0);
    ended("http://a.nl/1", T0);
    ended("http://b.nl/1", T0);
    ended("no URL", T0);
    ended_by(2, "http://a.nl/3", T0); /* crawler 1 has it */
    CHECK(nothing_at(T0) && leased_are(1, T0));
    report("http://a.nl/3", OUTCOME_FETCHED, T0);
    ended("http://a.nl/3", T0); /* its report was faster */
    CHECK(totals(T0).done == 3 && next_is("http://a.nl/4", T0));
    help_check(f);
    tear_down();
}

static void
pages_that_are_unreported_count_for_the_limit(void)
{
    set_up();
    o.frontier_host_unreported_max = 8;
    o.politeness_delay_ms = 0;
    o.politeness_response_factor = 0;
    o.limits_host_pages = 4;
    open_it(T0);
    for (int i = 1; i <= 9; i++)
        help_seed(f, arena_printf(a, "http://a.nl/%d", i).p, T0);
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(next_is("http://a.nl/4", T0));
    ended("http://a.nl/4", T0);
    CHECK(nothing_at(T0) && leased_are(2, T0));
    HELP_OK(f, frontier_hello(f, 1, T0)); /* both come back */
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(next_is("http://a.nl/4", T0));
    ended("http://a.nl/4", T0);
    CHECK(nothing_at(T0) && leased_are(2, T0));
    report("http://a.nl/4", OUTCOME_FETCHED, T0);
    CHECK(nothing_at(T0));
    report("http://a.nl/3", OUTCOME_RETURNED,
           T0); /* it was no page after all */
    CHECK(next_is("http://a.nl/3", T0));
    report("http://a.nl/3", OUTCOME_FETCHED, T0);
    CHECK(nothing_at(T0) && totals(T0).hosts_full == 1);
    help_check(f);
    tear_down();
}

/* What the first page of a host comes to is known before the second one. */
static void
no_more_are_unreported_than_were_reported(void)
{
    begin();
    CHECK(next_is("http://a.nl/1", T0));
    ended("http://a.nl/1", T0);
    CHECK(nothing_at(T0));
    report("http://a.nl/1", OUTCOME_FETCHED, T0);
    CHECK(next_is("http://a.nl/2", T0));
    ended("http://a.nl/2", T0);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(nothing_at(T0));
    report("http://a.nl/3", OUTCOME_FETCHED, T0);
    report("http://a.nl/2", OUTCOME_FETCHED, T0);
    CHECK(next_is("http://a.nl/4", T0));
    help_check(f);
    tear_down();
}

static void
the_option_bounds_them(void)
{
    begin_with(2);
    know(5);
    for (int i = 6; i <= 7; i++) {
        CHECK(next_is(arena_printf(a, "http://a.nl/%d", i).p, T0));
        ended(arena_printf(a, "http://a.nl/%d", i).p, T0);
    }
    CHECK(next_is("http://a.nl/8", T0));
    ended("http://a.nl/8", T0);
    CHECK(nothing_at(T0));
    tear_down();
}

static void
a_host_that_failed_waits_for_its_report(void)
{
    struct frontier_done d = help_done(S("http://a.nl/3"), OUTCOME_FAILED, T0);

    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    d.verdict = VERDICT_PAYWALL; /* it may be the page's alone */
    help_report(f, &d, T0);
    CHECK(next_is("http://a.nl/4", T0));
    ended("http://a.nl/4", T0);
    CHECK(nothing_at(T0));
    report("http://a.nl/4", OUTCOME_FETCHED, T0);
    CHECK(next_is("http://a.nl/5", T0));
    ended("http://a.nl/5", T0);
    CHECK(next_is("http://a.nl/6", T0));
    tear_down();
}

static void
the_delay_runs_from_the_end_of_the_request(void)
{
    begin();
    reopen(T0);
    know(2);
    frontier_close(f);
    o.politeness_delay_ms = 1000;
    open_it(T0);
    CHECK(next_is("http://a.nl/3", T0 + 1000));
    ended("http://a.nl/3", T0 + 1200);
    CHECK(nothing_at(T0 + 2199));
    CHECK(next_is("http://a.nl/4", T0 + 2200));
    report("http://a.nl/3", OUTCOME_FETCHED, T0 + 1200);
    ended("http://a.nl/4", T0 + 2300);
    CHECK(nothing_at(T0 + 3299));
    CHECK(next_is("http://a.nl/5", T0 + 3300));
    tear_down();
}

/* However the page ends; those of another crawler end nothing. */
static void
any_report_ends_it(void)
{
    static const struct {
        enum frontier_outcome outcome;
        uint64_t done, failed, refused, queued;
    } rows[] = {{OUTCOME_FETCHED, 3, 0, 0, 6},
                {OUTCOME_FAILED, 2, 1, 0, 6},
                {OUTCOME_RETRY, 2, 0, 0, 7},
                {OUTCOME_RETURNED, 2, 0, 0, 7},
                {OUTCOME_OUT_OF_SCOPE, 2, 0, 1, 6}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct frontier_done other =
            help_done(S("http://a.nl/3"), OUTCOME_FAILED, T0);
        struct frontier_totals t;

        begin();
        know(2);
        CHECK(next_is("http://a.nl/3", T0));
        ended("http://a.nl/3", T0);
        other.crawler = 2;
        help_report(f, &other, T0);
        CHECK(leased_are(1, T0) && totals(T0).late_reports == 1);
        report("http://a.nl/3", rows[i].outcome, T0);
        t = totals(T0);
        CHECK(t.leased == 0 && t.done == rows[i].done &&
              t.failed == rows[i].failed && t.refused == rows[i].refused &&
              t.queued == rows[i].queued && t.late_reports == 1);
        help_check(f);
        tear_down();
    }
}

static void
it_comes_back_when_its_crawler_starts_anew(void)
{
    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(next_is("http://a.nl/4", T0));
    ended("http://a.nl/4", T0);
    reopen(T0);
    CHECK(leased_are(2, T0));
    HELP_OK(f, frontier_hello(f, 2, T0)); /* another one */
    CHECK(leased_are(2, T0));
    HELP_OK(f, frontier_hello(f, 1, T0));
    CHECK(leased_are(0, T0) && totals(T0).queued == 7);
    help_check(f);
    CHECK(next_is("http://a.nl/3", T0));
    tear_down();
}

static void
it_comes_back_at_its_deadline(void)
{
    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    reopen(T0);
    HELP_OK(f, frontier_hello(f, 2, T0));
    CHECK(str_eq(lease(T0 + 9999).url, S("http://a.nl/4")));
    report("http://a.nl/4", OUTCOME_FETCHED, T0 + 9999);
    CHECK(next_is("http://a.nl/3", T0 + 10000));
    help_check(f);
    tear_down();
}

/* The store is on another machine, ten days behind. */
static void
a_deadline_of_another_clock_is_no_later_than_a_lease_lasts(void)
{
    const uint64_t then = T0 - (uint64_t)10 * 24 * 3600 * 1000;
    struct frontier_lease *l;
    uint64_t wake;
    size_t n;

    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    reopen(then);
    HELP_OK(f, frontier_lease(f, 2, 0, 0, then + 9999, a, &l, &n, &wake));
    CHECK(leased_are(1, then + 9999));
    HELP_OK(f, frontier_lease(f, 2, 0, 0, then + 10000, a, &l, &n, &wake));
    CHECK(leased_are(0, then + 10000) && totals(then).queued == 7);
    tear_down();
}

/* A late result counts, as of any page. */
static void
a_report_after_the_deadline_is_late(void)
{
    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(next_is("http://a.nl/3", T0 + 10000));
    ended("http://a.nl/3", T0 + 10000);
    help_check(f);
    report("http://a.nl/3", OUTCOME_FETCHED, T0 + 10001);
    CHECK(leased_are(0, T0 + 10001) && totals(T0).done == 3);
    report("http://a.nl/3", OUTCOME_FETCHED, T0 + 10002);
    CHECK(totals(T0).done == 3 && totals(T0).late_reports == 1);
    help_check(f);
    tear_down();
}

static void
an_abort_undoes_it(void)
{
    struct frontier_done d = help_done(S("http://a.nl/3"), OUTCOME_FETCHED, T0);

    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_request_ended(f, &d, T0) == ST_OK);
    frontier_abort(f);
    CHECK(nothing_at(T0) && totals(T0).hosts_out == 1);
    help_check(f);
    ended("http://a.nl/3", T0);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_hello(f, 1, T0) == ST_OK);
    frontier_abort(f);
    CHECK(leased_are(1, T0) && totals(T0).hosts_out == 1);
    help_check(f);
    tear_down();
}

/* A budget counts what is out, and so does the end of a crawl. */
static void
it_counts_as_leased(void)
{
    uint64_t wake = 0;

    begin();
    know(2);
    frontier_set_budget(f, 3);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(nothing_at(T0));
    frontier_set_budget(f, 0);
    for (int i = 4; i <= 9; i++) {
        CHECK(lease(T0).url.n > 0);
        report(arena_printf(a, "http://a.nl/%d", i).p, OUTCOME_FETCHED, T0);
    }
    CHECK(help_lease(f, T0, a, &wake).url.n == 0);
    CHECK(wake > 0 && totals(T0).hosts_out == 1); /* it may bring links */
    report("http://a.nl/3", OUTCOME_FETCHED, T0);
    CHECK(help_lease(f, T0, a, &wake).url.n == 0 && wake == 0);
    tear_down();
}

static void
three_crashes_with_it_are_poison(void)
{
    const uint64_t hash = hash64(S("http://a.nl/3"));
    struct str *poison;
    size_t n;

    begin();
    know(2);
    for (int i = 1; i <= 3; i++) {
        CHECK(next_is("http://a.nl/3", T0));
        if (i == 1) /* a suspect is reported before its host is free */
            ended("http://a.nl/3", T0);
        else
            CHECK((ended("http://a.nl/3", T0), nothing_at(T0)));
        HELP_OK(f, frontier_suspects(f, 1, &hash, 1, T0, a, &poison, &n));
        CHECK(n == (i == 3));
        HELP_OK(f, frontier_hello(f, 1, T0));
        help_check(f);
    }
    CHECK(totals(T0).failed == 1 && next_is("http://a.nl/4", T0));
    tear_down();
}

/* All three tries while it is unreported: of a crawler that was never back. */
static void
silence_is_a_try_of_it(void)
{
    struct frontier_lease *l;
    struct row_queued q;
    struct row_seen s;
    uint64_t wake;
    size_t n;

    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    reopen(T0 + 1);
    HELP_OK(f, frontier_lease(f, 2, 0, 1, T0 + 20000, a, &l, &n, &wake));
    CHECK(n == 1 && leased_are(1, T0 + 20000));
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(url_store_seen_get(
              f->db, row_seen_key(ROW_KEYS_NEW, S("a.nl"), S("http://a.nl/3")),
              &s) == ST_OK &&
          s.state == ROW_QUEUED);
    CHECK(url_store_queue_read(f->db, s.position, &q) == ST_OK &&
          q.crashes == 1);
    frontier_abort(f);
    help_check(f);
    tear_down();
}

/* A late lesson must not move the row that is out. */
static void
what_is_leased_stays_where_it_is(void)
{
    struct frontier_lease *again;
    uint64_t call = 0, wake;
    size_t n;

    set_up();
    o.frontier_scorer = (struct str)STR("learned");
    o.politeness_delay_ms = 0;
    o.politeness_response_factor = 0;
    open_it(T0);
    for (int i = 0; i < 80; i++)
        help_seed(f, arena_printf(a, "http://a.nl/d/%d", i).p, T0);
    for (int i = 0; i < 70; i++) {
        struct frontier_lease *l;
        struct str url;

        HELP_OK(f, frontier_lease(f, 1, ++call, 1, T0, a, &l, &n, &wake));
        CHECK(n == 1);
        url = l[0].url;
        if (i > 2) {
            struct frontier_done d = help_done(url, OUTCOME_FETCHED, T0);

            d.call = call;
            HELP_OK(f, frontier_request_ended(f, &d, T0));
            HELP_OK(f, frontier_lease(f, 1, ++call, 1, T0, a, &l, &n, &wake));
            CHECK(n == 1);
            d.verdict = i % 3 ? VERDICT_KEPT : VERDICT_BADNESS;
            help_report(f, &d, T0);
            HELP_OK(f, frontier_lease(f, 1, call, 1, T0, a, &again, &n, &wake));
            CHECK(n == 1 && str_eq(again[0].url, l[0].url));
            HELP_OK(f, frontier_hello(f, 1, T0)); /* counts by its place */
        } else {
            done_at(url, T0, "");
        }
        help_check(f);
        if (test_failed > 0)
            break;
    }
    tear_down();
}

static void
what_an_operator_pauses_is_not_what_is_out(void)
{
    struct control_change c = {.action = CONTROL_PAUSE,
                               .pattern = S("http://a.nl/*")};

    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    HELP_OK(f, frontier_control(f, &c, T0));
    CHECK(nothing_at(T0) && leased_are(1, T0));
    HELP_OK(f, frontier_hello(f, 1, T0));
    CHECK(nothing_at(T0) && leased_are(0, T0)); /* looked at when chosen */
    CHECK(totals(T0).held == 7);
    help_check(f);
    c = (struct control_change){.action = CONTROL_RESUME,
                                .pattern = S("http://a.nl/*")};
    HELP_OK(f, frontier_control(f, &c, T0));
    CHECK(next_is("http://a.nl/3", T0));
    help_check(f);
    tear_down();
}

static void
why_says_so_and_a_repair_has_it_fetched_again(void)
{
    struct buf text = {0};

    begin();
    know(2);
    CHECK(next_is("http://a.nl/3", T0));
    ended("http://a.nl/3", T0);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_why(f, S("http://a.nl/3"), T0, &text) == ST_OK);
    frontier_abort(f);
    buf_char(&text, '\0');
    CHECK(strstr(text.p, "its report has not come yet") != NULL);
    frontier_close(f);
    buf_clear(&text);
    CHECK(frontier_repair(dir, &o, &text) == ST_OK);
    buf_free(&text);
    open_it(T0 + 1000);
    help_check(f);
    CHECK(totals(T0).queued == 7 && leased_are(0, T0));
    tear_down();
}

static const struct test tests[] = {
    TEST(pages_that_are_unreported_count_for_the_limit),
    TEST(the_host_is_free_and_the_page_is_out),
    TEST(a_page_that_nobody_has_is_left_alone),
    TEST(no_more_are_unreported_than_were_reported),
    TEST(the_option_bounds_them),
    TEST(a_host_that_failed_waits_for_its_report),
    TEST(the_delay_runs_from_the_end_of_the_request),
    TEST(any_report_ends_it),
    TEST(it_comes_back_when_its_crawler_starts_anew),
    TEST(it_comes_back_at_its_deadline),
    TEST(a_deadline_of_another_clock_is_no_later_than_a_lease_lasts),
    TEST(a_report_after_the_deadline_is_late),
    TEST(an_abort_undoes_it),
    TEST(it_counts_as_leased),
    TEST(three_crashes_with_it_are_poison),
    TEST(silence_is_a_try_of_it),
    TEST(what_is_leased_stays_where_it_is),
    TEST(what_an_operator_pauses_is_not_what_is_out),
    TEST(why_says_so_and_a_repair_has_it_fetched_again),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
