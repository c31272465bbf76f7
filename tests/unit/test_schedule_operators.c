/* What operators pause, resume and delete: the real frontier in virtual time.
 */
#include "schedule_case.h"
#include "winnow/log.h"

static struct control_change
say(enum control_action action, const char *pattern)
{
    struct control_change c = {.action = action, .pattern = str_c(pattern)};
    uint64_t urls = 0;

    do {
        HELP_OK(f, frontier_control(f, &c, T0));
        urls += c.urls;
    } while (c.next_n > 0);
    c.urls = urls;
    return c;
}

static void
a_paused_host_rests_until_it_is_resumed(void)
{
    uint64_t wake;
    struct buf why = {0};

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "http://www.a.nl/", T0);
    help_seed(f, "http://b.nl/", T0);
    CHECK(say(CONTROL_PAUSE, ".a.nl").hosts == 2);
    CHECK(str_eq(lease(T0).url, S("http://b.nl/")));
    CHECK(help_lease(f, T0, a, &wake).url.n == 0 && wake > 0);
    help_seed(f, "http://c.a.nl/", T0); /* links are taken */
    CHECK(nothing_at(T0));
    reopen(T0);
    HELP_OK(f, frontier_hello(f, 1, T0));
    CHECK(str_eq(lease(T0).url, S("http://b.nl/")));
    CHECK(nothing_at(T0));
    HELP_OK(f, frontier_why(f, S("http://a.nl/"), S("a.nl"), T0, &why));
    CHECK(strstr(why.p, "paused: by the operator's .a.nl") != NULL);
    buf_free(&why);
    CHECK(say(CONTROL_RESUME, ".a.nl").hosts == 3);
    for (int i = 0; i < 3; i++)
        CHECK(lease(T0).url.n > 0);
    tear_down();
}

static void
deleted_urls_go_and_do_not_come_back(void)
{
    struct frontier_link links[2] = {help_link("http://a.nl/cal/x"),
                                     help_link("http://a.nl/ok2")};
    struct frontier_done d;
    char url[48];

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    for (int i = 0; i < 20; i++) {
        snprintf(url, sizeof url, "http://a.nl/cal/%d", i);
        help_seed(f, url, T0);
    }
    help_seed(f, "http://a.nl/ok", T0);
    help_seed(f, "http://b.nl/cal/1", T0);
    CHECK(say(CONTROL_DELETE, "http://a.nl/cal/*").urls == 20);
    CHECK(totals().deleted == 20 && totals().refused == 20);
    CHECK(totals().queued == 2);
    reopen(T0);
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
    d.links = links;
    d.links_n = 2;
    help_report(f, &d, T0);
    CHECK(totals().seen == 23);
    CHECK(totals().links_refused == 1);
    say(CONTROL_RESUME, "http://a.nl/cal/*");
    help_seed(f, "http://a.nl/cal/y", T0);
    CHECK(totals().seen == 24);
    tear_down();
}

static void
a_long_delete_goes_in_pieces_and_leaves_what_is_out(void)
{
    struct control_change c = {.action = CONTROL_DELETE, .pattern = S("*/x*")};
    struct frontier_link *links = calloc(12000, sizeof *links);
    char(*url)[32] = calloc(12000, sizeof *url);
    uint64_t urls = 0;
    size_t fresh, pieces = 0;

    set_up();
    open_it(T0);
    for (int i = 0; i < 12000; i++) {
        snprintf(url[i], sizeof url[i], "http://h%d.nl/x%d", i % 5, i);
        links[i] = help_link(url[i]);
    }
    HELP_OK(f, frontier_seed(f, links, 12000, T0, &fresh));
    CHECK(lease(T0).url.n > 0);
    do {
        HELP_OK(f, frontier_control(f, &c, T0));
        urls += c.urls;
        pieces++;
    } while (c.next_n > 0);
    CHECK(urls == 11999 && pieces > 2);
    CHECK(totals().leased == 1 && totals().queued == 0);
    free(links);
    free(url);
    tear_down();
}

static void
what_cannot_be_used_is_refused_and_changes_nothing(void)
{
    static const struct {
        enum control_action action;
        const char *pattern;
    } bad[] = {{CONTROL_PAUSE, ""},
               {CONTROL_PAUSE, "a b"},
               {CONTROL_PAUSE, "http://a.nl/"},
               {CONTROL_RESUME, "a.nl"}};
    const struct control_rule *rules;
    enum log_level level = log_threshold;

    set_up();
    open_it(T0);
    log_threshold = (enum log_level) - 1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct control_change c = {.action = bad[i].action,
                                   .pattern = str_c(bad[i].pattern)};

        CHECK(frontier_begin(f) == ST_OK);
        CHECK(frontier_control(f, &c, T0) == ST_USAGE);
        frontier_abort(f);
    }
    log_threshold = level;
    CHECK(frontier_control_rules(f, &rules) == 0);
    tear_down();
}

static void
a_change_that_is_not_committed_has_not_happened(void)
{
    struct control_change c = {.action = CONTROL_PAUSE, .pattern = S("a.nl")};

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_control(f, &c, T0) == ST_OK);
    frontier_abort(f);
    CHECK(lease(T0).url.n > 0);
    tear_down();
}

static const struct test tests[] = {
    TEST(a_paused_host_rests_until_it_is_resumed),
    TEST(deleted_urls_go_and_do_not_come_back),
    TEST(a_long_delete_goes_in_pieces_and_leaves_what_is_out),
    TEST(what_cannot_be_used_is_refused_and_changes_nothing),
    TEST(a_change_that_is_not_committed_has_not_happened),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
