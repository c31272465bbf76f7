/* Aim: links that were accepted come into the queues in bounded time, whatever
 * calls come.  Method: the clock is a number; the service's own thread is given
 * some seconds. */
#include "base/clock.h"
#include "frontier/intake/pending.h"
#include "frontier_help.h"

#define T0 1800000000000u
#define LINKS 100000
#define PAGE 500 /* links of one call */

static struct opts o;
static struct frontier *f;
static struct arena *a;
static const char *dir;

static void
set_up(void)
{
    dir = help_folder();
    o = help_opts();
    o.frontier_merge_from = 0;
    a = arena_new();
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
}

static void
tear_down(void)
{
    frontier_close(f);
    folder_remove(dir);
    arena_free(a);
    opts_free(&o);
}

static uint64_t
waiting(void)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    return t.links_waiting;
}

/* Page k's links, to hosts that other pages link to, too. */
static struct frontier_link *
links_of(int k)
{
    struct frontier_link *l = ARENA_ARRAY(a, struct frontier_link, PAGE);

    for (int i = 0; i < PAGE; i++)
        l[i].url = arena_printf(a, "http://h%d.nl/%d/%d", i % 50, k, i);
    return l;
}

static void
load(uint64_t now_ms)
{
    const struct row_parent p = {.facts = {.depth = 1}};
    struct row_link_counts counts = {0};

    for (int k = 0; k < LINKS / PAGE; k++) {
        arena_reset(a);
        f->db->now_ms = now_ms;
        HELP_OK(f, intake_put(f->in, links_of(k), PAGE, &p, &counts));
    }
    CHECK(counts.fresh == LINKS);
    CHECK(waiting() > LINKS / 20);
}

/* By then everything can be leased. */
static uint64_t
deadline(void)
{
    return T0 + o.frontier_merge_seconds * 1000 + 5000;
}

static void
all_is_in(void)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    CHECK(t.links_waiting == 0);
    CHECK(t.queued + t.leased == LINKS && t.seen == LINKS);
    help_check(f);
}

static void
links_come_in_when_nobody_calls(void)
{
    uint64_t now = T0, again;
    int calls = 0;

    set_up();
    load(T0);
    CHECK(frontier_maintain(f, now, &again) == ST_OK);
    CHECK(again <= o.frontier_merge_seconds * 1000);
    for (; again != UINT64_MAX && now < deadline(); calls++) {
        now += again > 0 ? again : 10; /* so slow a disk */
        CHECK(frontier_maintain(f, now, &again) == ST_OK);
        CHECK(again == frontier_maintain_due(f, now));
    }
    CHECK(again == UINT64_MAX && now <= deadline());
    CHECK(calls > 5 && calls < 200); /* slices, and no busy waiting */
    all_is_in();
    tear_down();
}

static void
links_come_in_beside_leases(void)
{
    uint64_t now = T0;

    set_up();
    for (int i = 0; i < 50; i++) {
        char url[64];

        snprintf(url, sizeof url, "http://h%d.nl/", i);
        help_seed(f, url, T0);
    }
    o.politeness_delay_ms = 0;
    load(T0);
    while (waiting() > 0 && now < deadline()) {
        arena_reset(a);
        (void)help_lease(f, now += 200, a, NULL);
    }
    CHECK(waiting() == 0);
    help_check(f);
    tear_down();
}

static void
links_come_in_beside_reports(void)
{
    uint64_t now = T0;

    set_up();
    load(T0);
    while (waiting() > 0 && now < deadline()) {
        struct frontier_done d = help_done(S("http://h1.nl/robots.txt"),
                                           OUTCOME_ROBOTS_DONE, now += 200);

        help_report(f, &d, now);
    }
    CHECK(waiting() == 0);
    help_check(f);
    tear_down();
}

/* Nobody calls it but to look. */
static void
the_service_brings_them_in_by_itself(void)
{
    static atomic_bool stop;
    struct frontier_service *service;
    const struct frontier_client_hello greeting = {0};
    struct frontier_client *c;
    struct frontier_client_welcome w = {0};

    set_up();
    load(clock_wall_ms());
    frontier_close(f);
    o.frontier_url = S("inproc://intake");
    o.frontier_merge_seconds = 1;
    CHECK(frontier_service_start(&service, dir, &o) == ST_OK);
    CHECK(frontier_client_open(&c, &o, 7) == ST_OK);
    for (int i = 0; i < 20; i++) { /* a loaded machine may take longer */
        CHECK(frontier_client_hello(c, &greeting, &stop, a, &w) == ST_OK);
        if (w.totals.links_waiting == 0)
            break;
        clock_sleep_ms(1000);
    }
    CHECK(w.totals.links_waiting == 0 && w.totals.queued == LINKS);
    frontier_client_close(c);
    frontier_service_stop(service);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    tear_down();
}

static void
pause_and_close(void)
{
    struct control_change c = {.action = CONTROL_PAUSE,
                                     .pattern = S("h1.nl")};

    HELP_OK(f, frontier_control(f, &c, T0));
    frontier_close(f);
}

static void
a_repair_keeps_what_waits_once_and_the_rules(void)
{
    struct buf text = {0};
    uint64_t waited;

    set_up();
    load(T0);
    waited = waiting();
    pause_and_close();
    for (int i = 0; i < 2; i++) { /* nobody has opened it in between */
        buf_clear(&text);
        CHECK(frontier_repair(dir, &o, &text) == ST_OK);
        buf_char(&text, '\0');
        CHECK(strstr(text.p, "control    1 rows, all") != NULL);
        CHECK(strstr(text.p, " 0 rows could not be used") != NULL);
    }
    buf_free(&text);
    CHECK(frontier_open(&f, dir, &o, T0) == ST_OK);
    CHECK(waiting() == waited);
    help_check(f);
    tear_down();
}

static const struct test tests[] = {
    TEST(links_come_in_when_nobody_calls),
    TEST(links_come_in_beside_leases),
    TEST(links_come_in_beside_reports),
    TEST(the_service_brings_them_in_by_itself),
    TEST(a_repair_keeps_what_waits_once_and_the_rules),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
