/* What operators pause, resume and delete: the real frontier in virtual time.
 */
#include "base/log.h"
#include "frontier/features/pattern.h"
#include "schedule_case.h"

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

#define MANY 12000

static void
seed_many(void)
{
    struct frontier_link *links = calloc(MANY, sizeof *links);
    char(*url)[32] = calloc(MANY, sizeof *url);
    size_t fresh;

    for (int i = 0; i < MANY; i++) {
        snprintf(url[i], sizeof url[i], "http://h%d.nl/x%d", i % 5, i);
        links[i] = help_link(url[i]);
    }
    HELP_OK(f, frontier_seed(f, links, MANY, T0, &fresh));
    free(links);
    free(url);
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
    HELP_OK(f, frontier_why(f, S("http://a.nl/"), T0, &why));
    CHECK(strstr(why.p, "paused: by the operator's .a.nl") != NULL);
    buf_free(&why);
    CHECK(say(CONTROL_RESUME, ".a.nl").hosts == 3);
    for (int i = 0; i < 3; i++)
        CHECK(lease(T0).url.n > 0);
    tear_down();
}

static void
hosts_are_paused_and_resumed_in_any_case(void)
{
    const struct control_rule *rules;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl:81/", T0);
    CHECK(say(CONTROL_PAUSE, "A.nl:81").hosts == 1);
    CHECK(frontier_control_rules(f, &rules) == 1 &&
          str_eq(rules[0].pattern, S("a.nl:81")));
    CHECK(say(CONTROL_RESUME, "a.NL:81").hosts == 1);
    CHECK(frontier_control_rules(f, &rules) == 0);
    say(CONTROL_PAUSE, "b.nl");
    /* as a store of before has it */
    HELP_OK(f, schedule_rule_set(
                   f->sched, &(struct control_rule){CONTROL_PAUSE, S(".A.nl"),
                                                    T0, false, false}));
    say(CONTROL_DELETE, ".a.nl");
    CHECK(frontier_control_rules(f, &rules) == 2);
    say(CONTROL_RESUME, ".a.nl");
    CHECK(frontier_control_rules(f, &rules) == 1);
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
    CHECK(totals(T0).deleted == 20 && totals(T0).held == 20);
    CHECK(totals(T0).queued == 2);
    help_check(f);
    reopen(T0);
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
    d.links = links;
    d.links_n = 2;
    help_report(f, &d, T0);
    CHECK(totals(T0).seen == 23);
    CHECK(totals(T0).links_refused == 1);
    say(CONTROL_RESUME, "http://a.nl/cal/*");
    help_seed(f, "http://a.nl/cal/y", T0);
    CHECK(totals(T0).seen == 24);
    tear_down();
}

/* Of hosts, too: in their places, until the store is compacted. */
static void
what_was_deleted_comes_back_until_it_is_compacted(void)
{
    static const char *const patterns[] = {"http://a.nl/cal/*", "a.nl"};
    uint64_t wake, before, after;
    struct buf why = {0};

    for (int i = 0; i < 4; i++) {
        const char *pattern = patterns[i % 2];

        set_up();
        o.politeness_delay_ms = 0;
        open_it(T0);
        help_seed(f, "http://a.nl/cal/1", T0);
        help_seed(f, "http://a.nl/cal/2", T0);
        CHECK(say(CONTROL_DELETE, pattern).urls == 2);
        CHECK(nothing_at(T0));
        CHECK(help_lease(f, T0, a, &wake).url.n == 0 && wake == 0); /* ended */
        buf_clear(&why);
        HELP_OK(f, frontier_why(f, S("http://a.nl/cal/1"), T0, &why));
        CHECK(strstr(why.p, "held: deleted by the operator's ") != NULL);
        if (i >= 2) {
            frontier_close(f);
            CHECK(frontier_compact(dir, &o, &before, &after) == ST_OK);
            open_it(T0);
            CHECK(totals(T0).held == 0 && totals(T0).refused == 2);
        }
        CHECK(say(CONTROL_RESUME, pattern).urls == (i < 2 ? 2 : 0));
        CHECK(totals(T0).queued == (i < 2 ? 2 : 0) && totals(T0).held == 0);
        help_check(f);
        if (i < 2)
            CHECK(str_eq(lease(T0).url, S("http://a.nl/cal/1")));
        tear_down();
    }
    buf_free(&why);
}

static void
a_look_shows_what_a_delete_would_meet(void)
{
    struct buf sample = {0};
    struct control_change c = {
        .action = CONTROL_LOOK, .pattern = S("*/x*"), .sample = &sample};
    const struct control_rule *rules;
    uint64_t urls = 0;
    size_t lines = 0;

    set_up();
    open_it(T0);
    seed_many();
    help_seed(f, "http://h1.nl/y", T0);
    do {
        HELP_OK(f, frontier_control(f, &c, T0));
        urls += c.urls;
    } while (c.next_n > 0);
    CHECK(urls == MANY && totals(T0).queued == MANY + 1);
    CHECK(frontier_control_rules(f, &rules) == 0);
    for (size_t i = 0; i < sample.n; i++)
        lines += sample.p[i] == '\n';
    CHECK(lines == CONTROL_SAMPLE_MAX);
    CHECK(str_starts(buf_view(&sample), S("http://h")));
    buf_free(&sample);
    tear_down();
}

static void
what_can_match_nothing_is_told_from_what_may(void)
{
    static const char *const none[] = {
        "http://a.nl",
        "http://A.nl/*",
        "a.nl/x*",
        "ftp://a.nl/*",
        "http://u@a.nl/*",
        "http://a.nl/x#y",
        "http://\xc3\xa9.nl/*",
        "\xc3\xa9.nl",
        "http:/",
        "a.nl?x",
        "httpx://a.nl/*",
        "https://a.nl",
        "http://",
        "http://a.nl:80/*",
        "https://a.nl:443/x",
        "a.nl.",
        ".",
        "",
        "a.nl b.nl",
        "a.nl,b.nl",
    };
    static const char *const some[] = {"http://a.nl/",
                                       "http://a.nl*",
                                       "*/cal/*",
                                       "http*://a.nl/*",
                                       "h*",
                                       "http://*.nl/a/1*",
                                       "a.nl",
                                       ".nl",
                                       "*",
                                       "a.nl:8080",
                                       "A.nl",
                                       "https://a.nl/X?y=Z",
                                       "http://a.nl/@x",
                                       "h*//a.nl/x",
                                       "http://a*/",
                                       "http://*",
                                       "http://a.nl:8*",
                                       "https://a.nl:80/*"};

    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        CHECK(pattern_fault(str_c(none[i])) != NULL);
        if (pattern_fault(str_c(none[i])) == NULL)
            fprintf(stderr, "may match: %s\n", none[i]);
    }
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        CHECK(pattern_fault(str_c(some[i])) == NULL);
        if (pattern_fault(str_c(some[i])) != NULL)
            fprintf(stderr, "%s: %s\n", some[i], pattern_fault(str_c(some[i])));
    }
}

/* One of five hosts takes one piece of a scan, not three. */
static void
a_delete_of_a_host_passes_over_the_others(void)
{
    struct control_change c = {.action = CONTROL_DELETE,
                               .pattern = STR("h3*.nl")};

    set_up();
    open_it(T0);
    seed_many();
    HELP_OK(f, frontier_control(f, &c, T0));
    CHECK(c.urls == MANY / 5 && c.next_n == 0);
    CHECK(totals(T0).queued == MANY - MANY / 5);
    CHECK(say(CONTROL_PURGE, "h3.nl").urls == MANY / 5);
    tear_down();
}

#define OTHERS 6000

static void
seed_names(void)
{
    static const char *const named[] = {
        "http://x.co.uk/",     "http://x.co.uk:81/",     "http://a.x.co.uk/",
        "http://notx.co.uk/",  "http://localhost/",      "http://localhost:81/",
        "http://[::1]:8080/x", "http://www.1.2.3.4.nl/", "http://1.2.3.4:81/"};
    struct frontier_link links[OTHERS + 9];
    size_t n = 0, fresh;

    for (; n < OTHERS; n++)
        links[n] = help_link(arena_printf(a, "http://h%zu.nl/", n).p);
    for (size_t i = 0; i < 9; i++)
        links[n++] = help_link(named[i]);
    HELP_OK(f, frontier_seed(f, links, n, T0, &fresh));
    CHECK(fresh == n);
}

/* In one piece, though more hosts are queued than a piece looks at. */
static void
hosts_that_a_pattern_names_are_found_without_the_others(void)
{
    static const struct {
        const char *pattern;
        uint64_t hosts;
    } names[] = {
        {"x.co.uk", 2},     {"X.co.UK", 2},    {".x.co.uk", 3},
        {".X.co.uk", 3},    {"x.co.uk:81", 1}, {".co.uk", 4},
        {"localhost", 2},   {"[::1]", 1},      {"[::1]:8080", 1},
        {"1.2.3.4", 1},     {"2.3.4", 0},      {"co.uk", 0},
        {".1.2.3.4.nl", 1}, {"h5999.nl", 1},   {".h1.nl", 1},
        {"none.nl", 0},     {".a.x.co.uk", 1}, {"a.x.co.uk", 1},
        {"uk", 0},          {"x.co.uk:82", 0},
    };

    set_up();
    open_it(T0);
    seed_names();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct control_change c = {.action = CONTROL_LOOK,
                                   .pattern = str_c(names[i].pattern)};

        HELP_OK(f, frontier_control(f, &c, T0));
        CHECK(c.urls == names[i].hosts && c.next_n == 0);
        CHECK(say(CONTROL_PAUSE, names[i].pattern).hosts == names[i].hosts);
        CHECK(say(CONTROL_RESUME, names[i].pattern).hosts == names[i].hosts);
        CHECK(say(CONTROL_DELETE, names[i].pattern).urls == names[i].hosts);
        CHECK(say(CONTROL_RESUME, names[i].pattern).urls == names[i].hosts);
    }
    CHECK(say(CONTROL_PAUSE, ".nl").hosts == OTHERS + 1);
    CHECK(say(CONTROL_PAUSE, "*.nl").hosts == OTHERS + 1);
    CHECK(say(CONTROL_LOOK, ".localhost").urls == 2);
    help_check(f);
    tear_down();
}

/* By its transaction, or later than the names of others were read; not when
 * that was aborted. */
static void
a_host_that_has_just_come_is_found(void)
{
    struct frontier_link link = help_link("http://new.nl:81/");
    struct control_change c = {.action = CONTROL_LOOK, .pattern = S("new.nl")};
    size_t fresh;

    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    CHECK(say(CONTROL_LOOK, "a.nl").urls == 1);
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(frontier_seed(f, &link, 1, T0, &fresh) == ST_OK);
    CHECK(frontier_control(f, &c, T0) == ST_OK && c.urls == 1);
    frontier_abort(f);
    CHECK(say(CONTROL_LOOK, "new.nl").urls == 0);
    help_seed(f, "http://b.nl/", T0); /* has its number */
    help_seed(f, "http://new.nl/", T0);
    help_seed(f, "http://new.nl:82/", T0);
    CHECK(say(CONTROL_LOOK, "b.nl").urls == 1);
    CHECK(say(CONTROL_DELETE, "new.nl").urls == 2);
    CHECK(str_eq(lease(T0 + 100000).url, S("http://a.nl/"))); /* forgets them */
    CHECK(say(CONTROL_PURGE, "new.nl").urls == 2);
    tear_down();
}

static void
thousands_of_hosts_can_be_deleted(void)
{
    set_up();
    open_it(T0);
    log_mute(true);
    for (int i = 0; i < 2000; i++)
        say(i % 2 == 0 ? CONTROL_DELETE : CONTROL_PAUSE,
            arena_printf(a, "h%d.nl", i).p);
    log_mute(false);
    help_seed(f, "http://h1998.nl/", T0);
    help_seed(f, "http://h1999.nl/", T0);
    CHECK(nothing_at(T0));
    help_seed(f, "http://h2000.nl/", T0);
    CHECK(str_eq(lease(T0).url, S("http://h2000.nl/")));
    say(CONTROL_RESUME, "h1999.nl");
    CHECK(str_eq(lease(T0).url, S("http://h1999.nl/")));
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
    CHECK(totals(T0).leased == 1 && totals(T0).queued == 0);
    free(links);
    free(url);
    tear_down();
}

/* ---- URLs that are paused ---- */

static void
paused_urls_rest_and_come_back_in_their_place(void)
{
    struct frontier_link links[2] = {help_link("http://a.nl/forum/new"),
                                     help_link("http://a.nl/page")};
    struct frontier_done d;
    struct buf why = {0};
    uint64_t wake;

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/forum/1", T0);
    help_seed(f, "http://a.nl/forum/2", T0);
    help_seed(f, "http://a.nl/", T0);
    help_seed(f, "https://b.nl/forum/1", T0);
    CHECK(say(CONTROL_PAUSE, "http://a.nl/forum/*").urls == 2);
    CHECK(totals(T0).held == 2 && totals(T0).queued == 2 &&
          totals(T0).seen == 4);
    help_check(f);
    reopen(T0);
    help_seed(f, "http://a.nl/forum/1", T0); /* known */
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
    CHECK(str_eq(d.url, S("http://a.nl/")));
    d.links = links;
    d.links_n = 2;
    help_report(f, &d, T0);
    CHECK(totals(T0).held == 3 && totals(T0).seen == 6);
    HELP_OK(f, frontier_why(f, links[0].url, T0, &why));
    CHECK(strstr(why.p, "held: paused by the operator's http://a.nl/f"));
    buf_free(&why);
    done_at(lease(T0).url, T0, "");
    done_at(lease(T0).url, T0, "");
    CHECK(help_lease(f, T0, a, &wake).url.n == 0);
    CHECK(wake > 0); /* there is something left to do */
    CHECK(say(CONTROL_RESUME, "http://a.nl/forum/*").urls == 3);
    CHECK(totals(T0).held == 0 && totals(T0).queued == 3);
    CHECK(str_eq(lease(T0).url, S("http://a.nl/forum/1")));
    done_at(S("http://a.nl/forum/1"), T0, "");
    CHECK(str_eq(lease(T0).url, S("http://a.nl/forum/2")));
    done_at(S("http://a.nl/forum/2"), T0, "");
    CHECK(str_eq(lease(T0).url, S("http://a.nl/forum/new")));
    tear_down();
}

/* In a large store links wait in the log before they are in the queue. */
static void
links_are_paused_when_they_are_merged(void)
{
    struct frontier_link links[2] = {help_link("http://a.nl/forum/new"),
                                     help_link("http://a.nl/page")};
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 0;
    o.frontier_merge_from = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
    d.links = links;
    d.links_n = 2;
    help_report(f, &d, T0);
    CHECK(totals(T0).links_waiting == 2);
    say(CONTROL_PAUSE, "http://a.nl/forum/*");
    for (uint64_t t = 1; totals(T0).links_waiting > 0 && t < 99; t++)
        CHECK(nothing_at(T0) || totals(T0).leased == 1);
    CHECK(totals(T0).held == 1 && totals(T0).links_waiting == 0);
    tear_down();
}

/* Out when the pause comes: the lease ends without an outcome, and the URL is
 * held when its turn comes again; a late report is taken all the same. */
static void
what_is_out_when_it_is_paused_is_held_later(void)
{
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/x", T0);
    CHECK(lease(T0).url.n > 0);
    CHECK(say(CONTROL_PAUSE, "*/x").urls == 0);
    CHECK(totals(T0).leased == 1 && totals(T0).held == 0);
    HELP_OK(f, frontier_hello(f, 1, T0));
    CHECK(nothing_at(T0 + 1));
    CHECK(totals(T0).leased == 0 && totals(T0).held == 1);
    help_check(f);
    d = help_done(S("http://a.nl/x"), OUTCOME_FETCHED, T0);
    help_report(f, &d, T0);
    CHECK(totals(T0).held == 0 && totals(T0).done == 1);
    tear_down();
}

static void
what_several_pauses_hold_waits_for_the_last(void)
{
    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/forum/x", T0);
    help_seed(f, "http://a.nl/forum/y", T0);
    say(CONTROL_PAUSE, "*/forum/*");
    say(CONTROL_PAUSE, "http://a.nl/*x");
    CHECK(say(CONTROL_RESUME, "*/forum/*").urls == 1);
    CHECK(str_eq(lease(T0).url, S("http://a.nl/forum/y")));
    done_at(S("http://a.nl/forum/y"), T0, "");
    CHECK(nothing_at(T0));
    say(CONTROL_DELETE, "http://a.nl/forum/*"); /* while it is held */
    CHECK(totals(T0).held == 1);
    CHECK(say(CONTROL_RESUME, "http://a.nl/*x").urls == 0);
    CHECK(totals(T0).held == 1 && totals(T0).queued == 0);
    CHECK(say(CONTROL_RESUME, "http://a.nl/forum/*").urls == 1);
    CHECK(totals(T0).held == 0 && totals(T0).queued == 1);
    tear_down();
}

/* Random pauses, crashes and fetches against a list of what may not be asked
 * for: no paused URL goes out, and in the end each was fetched once. */
#define URLS 300
#define PATTERNS 5

static const char *const patterns[PATTERNS] = {
    "http://h1.nl/a/*", "*/b/*", "*7", "http://h2.nl/*", "http://*.nl/a/1*"};

struct judge {
    bool paused[PATTERNS];
    unsigned fetched[URLS];
    struct random r;
    uint64_t now;
};

static struct str
url_number(unsigned i)
{
    return arena_printf(a, "http://h%u.nl/%c/%u", i % 3, "abc"[i / 3 % 3], i);
}

static void
fetch_one(struct judge *j, bool lose)
{
    struct frontier_lease l = lease(j->now += 10);
    unsigned number;

    if (l.url.n == 0)
        return;
    for (size_t p = 0; p < PATTERNS; p++)
        CHECK(!j->paused[p] || !pattern_url(str_c(patterns[p]), l.url));
    number = (unsigned)strtoul(strrchr(l.url.p, '/') + 1, NULL, 10);
    if (lose) { /* its crawler is killed */
        HELP_OK(f, frontier_hello(f, 1, j->now));
        return;
    }
    j->fetched[number]++;
    done_at(l.url, j->now, "");
}

static void
change_one(struct judge *j)
{
    size_t p = random_below(&j->r, PATTERNS);

    say(j->paused[p] ? CONTROL_RESUME : CONTROL_PAUSE, patterns[p]);
    j->paused[p] = !j->paused[p];
    help_check(f);
}

static void
pauses_at_random_lose_nothing_and_let_nothing_out(void)
{
    struct judge j = {.r = random_seed(11), .now = T0};

    set_up();
    o.politeness_delay_ms = 0;
    o.frontier_explore = 0.2;
    open_it(T0);
    for (unsigned i = 0; i < 2 * URLS; i++) {
        if (i < URLS) {
            char *url = arena_cstr(a, url_number(i));

            help_seed(f, url, j.now);
        }
        fetch_one(&j, random_below(&j.r, 5) == 0);
        if (random_below(&j.r, 10) == 0)
            change_one(&j);
        if (random_below(&j.r, 50) == 0)
            reopen(j.now);
    }
    for (size_t p = 0; p < PATTERNS; p++)
        if (j.paused[p])
            say(CONTROL_RESUME, patterns[p]);
    memset(j.paused, 0, sizeof j.paused);
    for (unsigned i = 0; i < 2 * URLS; i++)
        fetch_one(&j, false);
    for (unsigned i = 0; i < URLS; i++)
        CHECK(j.fetched[i] == 1);
    CHECK(totals(T0).held == 0 && totals(T0).done == URLS);
    tear_down();
}

/* A lease is asked for every second, nobody else helps. */
static void
leases_go_on_until(size_t rules, uint64_t held)
{
    const struct control_rule *rule;
    uint64_t t = T0;

    while ((frontier_control_rules(f, &rule) > rules ||
            (rules > 0 && rule->unfinished)) &&
           (t += 1000) < T0 + 100000)
        CHECK(nothing_at(t) || held == 0);
    CHECK(frontier_control_rules(f, &rule) == rules);
    CHECK(rules == 0 || !rule->unfinished);
    CHECK(totals(T0).held == held);
    help_check(f);
}

/* The operator's program is killed after one piece. */
static void
leases_finish_what_an_operator_has_begun(void)
{
    struct control_change pause = {.action = CONTROL_PAUSE,
                                   .pattern = S("*/x*")},
                          resume = {.action = CONTROL_RESUME,
                                    .pattern = S("*/x*")};
    const struct control_rule *rules;

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    seed_many();
    HELP_OK(f, frontier_control(f, &pause, T0));
    CHECK(pause.next_n > 0 && totals(T0).held == pause.urls);
    CHECK(nothing_at(T0)); /* not even of the others */
    CHECK(frontier_control_rules(f, &rules) == 1 && rules[0].unfinished);
    reopen(T0);
    leases_go_on_until(1, MANY);
    HELP_OK(f, frontier_control(f, &resume, T0 + 1));
    CHECK(resume.next_n > 0);
    reopen(T0);
    leases_go_on_until(0, 0);
    tear_down();
}

static size_t
again(const char *const *urls, size_t n)
{
    struct frontier_link links[8];
    size_t queued;

    for (size_t i = 0; i < n; i++)
        links[i] = help_link(urls[i]);
    HELP_OK(f, frontier_again(f, links, n, T0, &queued));
    return queued;
}

static void
a_page_is_fetched_again_however_it_has_ended(void)
{
    static const char *const urls[] = {
        "http://a.nl/1", "http://b.nl/2",      "http://c.nl/3", "http://d.nl/4",
        "http://e.nl/5", "http://unknown.nl/", "no URL"};
    static const enum frontier_outcome ends[] = {
        OUTCOME_FETCHED, OUTCOME_FAILED, OUTCOME_DISALLOWED, OUTCOME_FAILED};
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    for (size_t i = 0; i < 4; i++) {
        help_seed(f, urls[i], T0);
        d = help_done(lease(T0).url, ends[i], T0);
        help_report(f, &d, T0);
    }
    help_seed(f, urls[4], T0);
    CHECK(say(CONTROL_DELETE, "d.nl").action == CONTROL_DELETE);
    CHECK(again(urls, 7) == 3); /* 4 is not wanted, 5 is queued already */
    CHECK(totals(T0).queued == 4 && totals(T0).done == 0);
    CHECK(totals(T0).failed == 1 && totals(T0).refused == 0);
    CHECK(again(urls, 7) == 0);
    help_check(f);
    reopen(T0);
    for (size_t i = 0; i < 4; i++) {
        d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
        help_report(f, &d, T0);
    }
    CHECK(nothing_at(T0) && totals(T0).done == 4);
    help_check(f);
    tear_down();
}

/* What the dedup service has judged is known by its visit. */
static void
each_fetch_by_hand_is_another_visit(void)
{
    static const char *const url[] = {"http://a.nl/1"};
    struct frontier_lease l[3];
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, url[0], T0);
    for (size_t i = 0; i < 3; i++) {
        CHECK(i == 0 || again(url, 1) == 1);
        l[i] = lease(T0);
        d = help_done(l[i].url, OUTCOME_FETCHED, T0);
        if (i == 2)
            d.verdict = VERDICT_EXACT_DUPLICATE;
        help_report(f, &d, T0);
    }
    CHECK(l[0].revisit == 0 && l[1].revisit > 0);
    CHECK(l[2].revisit > l[1].revisit && l[2].etag.n == 0);
    CHECK(totals(T0).kept == 2 && totals(T0).pages == 2);
    CHECK(totals(T0).unchanged == 1 && totals(T0).done == 1);
    help_check(f);
    tear_down();
}

static void
a_page_named_by_hand_is_followed_when_it_is_kept(void)
{
    static const char *const url[] = {"http://a.nl/1"};
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 0;
    o.recrawl_interval_seconds = 86400;
    open_it(T0);
    help_seed(f, url[0], T0);
    for (size_t i = 0; i < 3; i++) {
        CHECK(i == 0 || again(url, 1) == 1);
        d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
        d.verdict = i == 2 ? VERDICT_KEPT : VERDICT_SHORT;
        help_report(f, &d, T0);
        CHECK(nothing_at(T0 + 86400000 - 1));
        CHECK(nothing_at(T0 + 86400000) == (i < 2));
    }
    help_check(f);
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
               {CONTROL_DELETE, "http://a.nl/ x"},
               {CONTROL_DELETE, "http://a.nl"},
               {CONTROL_PAUSE, "a.nl/x"},
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
    TEST(hosts_are_paused_and_resumed_in_any_case),
    TEST(deleted_urls_go_and_do_not_come_back),
    TEST(what_was_deleted_comes_back_until_it_is_compacted),
    TEST(a_look_shows_what_a_delete_would_meet),
    TEST(what_can_match_nothing_is_told_from_what_may),
    TEST(a_delete_of_a_host_passes_over_the_others),
    TEST(hosts_that_a_pattern_names_are_found_without_the_others),
    TEST(a_host_that_has_just_come_is_found),
    TEST(thousands_of_hosts_can_be_deleted),
    TEST(a_long_delete_goes_in_pieces_and_leaves_what_is_out),
    TEST(paused_urls_rest_and_come_back_in_their_place),
    TEST(links_are_paused_when_they_are_merged),
    TEST(what_is_out_when_it_is_paused_is_held_later),
    TEST(what_several_pauses_hold_waits_for_the_last),
    TEST(pauses_at_random_lose_nothing_and_let_nothing_out),
    TEST(leases_finish_what_an_operator_has_begun),
    TEST(a_page_is_fetched_again_however_it_has_ended),
    TEST(each_fetch_by_hand_is_another_visit),
    TEST(a_page_named_by_hand_is_followed_when_it_is_kept),
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
