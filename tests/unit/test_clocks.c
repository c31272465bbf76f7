/* Aim: no clock that is set, forward or back, makes a request early or makes
 * anything wait longer than the rules allow.  First the frontier with times put
 * in; then the keeper of its time, with clocks put in. */
#include "../../frontier/store/tables_impl.h"
#include "frontier/schedule/timekeeper.h"
#include "schedule_case.h"

#define DAY ((uint64_t)24 * 3600 * 1000)
#define LONGEST 30000u /* politeness.*_delay_max_ms */
#define AHEAD (T0 + DAY)

static void
report(const char *url, enum frontier_outcome outcome, uint64_t now,
       const char *address)
{
    struct frontier_done d = help_done(str_c(url), outcome, now);

    d.address = str_c(address);
    d.verdict = outcome == OUTCOME_RETRY ? verdict_http(500) : VERDICT_KEPT;
    help_report(f, &d, now);
}

/* What was written by a clock that was a day ahead; `now`: of the next one. */
static void
a_day_ahead(uint64_t now, bool again)
{
    set_up();
    o.politeness_address_delay_ms = 700;
    open_it(AHEAD);
    help_seed(f, "http://a.nl/1", AHEAD);
    help_seed(f, "http://a.nl/2", AHEAD);
    lease(AHEAD);
    report("http://a.nl/1", OUTCOME_RETURNED, AHEAD, "192.0.2.1");
    CHECK(leased(AHEAD + 1000, "http://a.nl/1"));
    report("http://a.nl/1", OUTCOME_FETCHED, AHEAD + 1000, "192.0.2.1");
    if (again)
        reopen(now);
}

static void
a_clock_that_was_ahead_holds_nobody_for_long(void)
{
    for (int again = 0; again < 2; again++) { /* set back meanwhile; before */
        uint64_t wake;

        a_day_ahead(T0, again);
        CHECK(help_lease(f, T0, a, &wake).url.n == 0);
        CHECK(wake > 0 && wake <= LONGEST);
        CHECK(nothing_at(T0 + 999)); /* its delay at least */
        CHECK(leased(T0 + LONGEST, "http://a.nl/2"));
        report("http://a.nl/2", OUTCOME_FETCHED, T0 + LONGEST, "192.0.2.1");
        help_check(f);
        tear_down();
    }
}

static void
what_is_cut_is_cut_in_the_store(void)
{
    a_day_ahead(T0, true);
    CHECK(nothing_at(T0)); /* cut now, not at each look again */
    reopen(T0 + LONGEST / 2);
    CHECK(leased(T0 + LONGEST, "http://a.nl/2"));
    tear_down();
}

static void
a_lease_of_a_clock_that_was_ahead_ends(void)
{
    set_up();
    o.frontier_lease_seconds = 60;
    open_it(AHEAD);
    help_seed(f, "http://a.nl/1", AHEAD);
    CHECK(leased(AHEAD, "http://a.nl/1"));
    reopen(T0);
    CHECK(nothing_at(T0 + 1000));
    CHECK(nothing_at(T0 + 61000)); /* it has ended: one delay more */
    CHECK(leased(T0 + 62000, "http://a.nl/1"));
    tear_down();
}

static void
a_retry_of_a_clock_that_was_ahead_comes_and_its_host_is_spared(void)
{
    set_up();
    o.politeness_retry_ms = 5000;
    open_it(T0 + 3 * DAY);
    help_seed(f, "http://a.nl/1", T0 + 3 * DAY);
    help_seed(f, "http://b.nl/1", T0 + 3 * DAY);
    lease(T0 + 3 * DAY);
    report("http://a.nl/1", OUTCOME_RETRY, T0 + 3 * DAY, "");
    reopen(T0);
    CHECK(leased(T0, "http://b.nl/1"));
    CHECK(nothing_at(T0 + 999));
    CHECK(leased(T0 + DAY, "http://a.nl/1"));
    help_check(f);
    tear_down();
}

static void
robots_txt_of_a_clock_that_was_ahead_is_asked_for_again(void)
{
    struct frontier_done d;
    struct frontier_lease l;

    set_up();
    o.politeness_robots = true;
    o.politeness_robots_ttl_seconds = 3600;
    open_it(AHEAD);
    help_seed(f, "http://a.nl/1", AHEAD);
    d = help_done(lease(AHEAD).url, OUTCOME_ROBOTS_DONE, AHEAD);
    d.robots.status = 200;
    help_report(f, &d, AHEAD);
    reopen(T0);
    lease(T0);
    l = lease(T0 + LONGEST);
    CHECK(l.kind == FRONTIER_PAGE);
    report("http://a.nl/1", OUTCOME_FETCHED, T0 + LONGEST, "");
    help_seed(f, "http://a.nl/2", T0 + LONGEST);
    CHECK(lease(T0 + 3600 * 1000 + LONGEST).kind == FRONTIER_ROBOTS);
    tear_down();
}

static void
a_revisit_comes_after_its_interval_by_the_new_clock(void)
{
    set_up();
    o.recrawl_interval_seconds = 3600;
    o.recrawl_interval_min_seconds = 3600;
    o.recrawl_interval_max_seconds = 3600;
    open_it(AHEAD);
    for (int i = 0; i < 3; i++) {
        char url[32];

        snprintf(url, sizeof url, "http://h%d.nl/", i);
        help_seed(f, url, AHEAD);
        CHECK(leased(AHEAD, url));
        report(url, OUTCOME_FETCHED, AHEAD, "");
    }
    reopen(T0);
    CHECK(nothing_at(T0));
    help_check(f);
    CHECK(nothing_at(T0 + 3600 * 1000 - 1));
    lease(T0 + 3600 * 1000); /* due; their hosts are met again */
    for (int i = 0; i < 3; i++)
        CHECK(lease(T0 + 3600 * 1000 + LONGEST).url.n > 0);
    tear_down();
}

/* What is far ahead by a rule is left as it is. */
static void
a_host_that_is_left_alone_for_long_stays_so(void)
{
    struct host *h;

    set_up();
    open_it(T0);
    help_seed(f, "http://maze.nl/1", T0);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(url_store_host_named(f->db, S("maze.nl"), S(""), false, &h) == ST_OK);
    h->row.growth = (uint8_t)o.traps_growth_pages;
    h->row.next_contact_ms = T0 + o.traps_growth_delay_ms;
    url_store_host_changed(f->db, h);
    CHECK(frontier_commit(f) == ST_OK);
    CHECK(nothing_at(T0 + 1));
    reopen(T0 + 2);
    CHECK(nothing_at(T0 + LONGEST + 3));
    CHECK(nothing_at(T0 + o.traps_growth_delay_ms - 1));
    CHECK(leased(T0 + o.traps_growth_delay_ms, "http://maze.nl/1"));
    tear_down();
}

/* A clock that was set forward looks like time that has passed. */
static void
in_doubt_everybody_waits_one_full_delay(void)
{
    set_up();
    o.politeness_address_delay_ms = 700;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    lease(T0);
    report("http://a.nl/1", OUTCOME_RETURNED, T0, "192.0.2.1");
    CHECK(leased(T0 + 1000, "http://a.nl/1"));
    report("http://a.nl/1", OUTCOME_FETCHED, T0 + 1000, "192.0.2.1");
    help_seed(f, "http://new.nl/1", T0);
    reopen(AHEAD);
    CHECK(frontier_time_lost(f, AHEAD) == ST_OK);
    CHECK(leased(AHEAD, "http://new.nl/1")); /* it was never asked */
    CHECK(nothing_at(AHEAD + o.politeness_delay_ms - 1));
    CHECK(leased(AHEAD + o.politeness_delay_ms, "http://a.nl/2"));
    tear_down();
}

/* Also where there is no room to begin anything else: room comes back. */
static void
in_doubt_on_a_full_disk_they_wait_as_well(void)
{
    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    CHECK(leased(T0, "http://a.nl/1"));
    report("http://a.nl/1", OUTCOME_FETCHED, T0, "");
    o.output_disk_free_mib = 1 << 30;
    reopen(AHEAD);
    CHECK(frontier_begin(f) == ST_FULL);
    CHECK(frontier_time_lost(f, AHEAD) == ST_OK);
    o.output_disk_free_mib = 0;
    f->db->tables->disk_free = 0;
    CHECK(nothing_at(AHEAD + o.politeness_delay_ms - 1));
    CHECK(leased(AHEAD + o.politeness_delay_ms, "http://a.nl/2"));
    tear_down();
}

/* ---- the keeper ---- */

static struct timekeeper_clocks
clocks(uint64_t wall_ms, uint64_t boot_ms, const char *boot)
{
    struct timekeeper_clocks c = {.wall_ms = wall_ms, .boot_ms = boot_ms};

    snprintf(c.boot, sizeof c.boot, "%s", boot);
    return c;
}

static void
the_frontiers_time_does_not_jump(void)
{
    const char *store = help_folder();
    struct timekeeper_clocks c = clocks(T0, 5000, "one");
    struct timekeeper t;
    bool unsure;

    timekeeper_start(&t, store, &c, &unsure);
    CHECK(unsure && timekeeper_now(&t, &c) == T0);
    CHECK(timekeeper_keep(&t, store, &c) == ST_OK);
    c = clocks(AHEAD, 6000, "one"); /* set forward, then back */
    CHECK(timekeeper_now(&t, &c) == T0 + 1000);
    c = clocks(T0 - DAY, 7000, "one");
    CHECK(timekeeper_now(&t, &c) == T0 + 2000);

    timekeeper_start(&t, store, &c, &unsure); /* a restart */
    CHECK(!unsure && timekeeper_now(&t, &c) == T0 + 2000);
    c = clocks(AHEAD, 8000, "one");
    timekeeper_start(&t, store, &c, &unsure);
    CHECK(!unsure && timekeeper_now(&t, &c) == T0 + 3000);

    c = clocks(AHEAD, 10, "two"); /* a reboot: nobody knows */
    timekeeper_start(&t, store, &c, &unsure);
    CHECK(unsure && timekeeper_now(&t, &c) == AHEAD);
    CHECK(timekeeper_keep(&t, store, &c) == ST_OK);
    timekeeper_start(&t, store, &c, &unsure);
    CHECK(!unsure);
    folder_remove(store);
}

static void
a_note_of_nothing_is_none(void)
{
    static const char *const notes[] = {"", "one", "one x", "- 5", "\xff 1 2"};
    const char *store = help_folder();
    struct timekeeper_clocks c = clocks(T0, 5000, "one");
    struct timekeeper t;
    bool unsure;

    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        char path[100];
        FILE *to;

        snprintf(path, sizeof path, "%s/clock", store);
        to = fopen(path, "w");
        fputs(notes[i], to);
        fclose(to);
        timekeeper_start(&t, store, &c, &unsure);
        CHECK(unsure && timekeeper_now(&t, &c) == T0);
    }
    c = clocks(T0, 5000, ""); /* a machine that does not say */
    CHECK(timekeeper_keep(&t, store, &c) == ST_OK);
    timekeeper_start(&t, store, &c, &unsure);
    CHECK(unsure);
    folder_remove(store);
    timekeeper_start(&t, store, &c, &unsure);
    CHECK(timekeeper_keep(&t, store, &c) == ST_IO);
}

/* The wall clock was set back by a day since: the frontier's own goes on. */
static void
after_a_repair_everybody_waits_one_full_delay(void)
{
    struct timekeeper_clocks c;
    struct timekeeper t = {0};
    struct buf text = {0};
    uint64_t now;

    set_up();
    o.politeness_delay_ms = 60000;
    timekeeper_look(&c);
    now = c.wall_ms + DAY;
    t.offset_ms = (int64_t)(now - c.boot_ms);
    open_it(now);
    help_seed(f, "http://a.nl/", now);
    frontier_close(f);
    f = NULL;
    CHECK(timekeeper_keep(&t, dir, &c) == ST_OK);
    CHECK(frontier_repair(dir, &o, &text) == ST_OK);
    open_it(now);
    CHECK(nothing_at(now + o.politeness_delay_ms - 1));
    CHECK(leased(now + 2 * o.politeness_delay_ms, "http://a.nl/"));
    buf_free(&text);
    tear_down();
}

static const struct test tests[] = {
    TEST(a_clock_that_was_ahead_holds_nobody_for_long),
    TEST(what_is_cut_is_cut_in_the_store),
    TEST(a_lease_of_a_clock_that_was_ahead_ends),
    TEST(a_retry_of_a_clock_that_was_ahead_comes_and_its_host_is_spared),
    TEST(robots_txt_of_a_clock_that_was_ahead_is_asked_for_again),
    TEST(a_revisit_comes_after_its_interval_by_the_new_clock),
    TEST(a_host_that_is_left_alone_for_long_stays_so),
    TEST(in_doubt_everybody_waits_one_full_delay),
    TEST(in_doubt_on_a_full_disk_they_wait_as_well),
    TEST(after_a_repair_everybody_waits_one_full_delay),
    TEST(the_frontiers_time_does_not_jump),
    TEST(a_note_of_nothing_is_none),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = (enum log_level)(LOG_ERROR + 1);
    return test_main(tests, argc, argv);
}
