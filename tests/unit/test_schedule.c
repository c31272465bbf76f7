/* Aim: who is asked when: server addresses, slow servers, servers that say
 * "later", sitemaps, traps, revisits, operators, budgets.  Method: the real
 * frontier in virtual time, one promise a test; and a long random run that
 * counts violations of politeness as a server would, over restarts. */
#include <math.h>

#include "frontier_help.h"
#include "winnow/log.h"
#include "winnow/random.h"

#define T0 ((uint64_t)1800000000000)

static struct frontier *f;
static struct opts o;
static struct arena *a;
static const char *dir;

static void
set_up(void)
{
    dir = help_folder();
    o = help_opts();
    a = arena_new();
}

static void
open_it(uint64_t now)
{
    CHECK(frontier_open(&f, dir, &o, now) == ST_OK);
}

static void
reopen(uint64_t now)
{
    frontier_close(f);
    open_it(now);
}

static void
tear_down(void)
{
    help_check(f);
    frontier_close(f);
    f = NULL;
    help_folder_remove(dir);
    opts_free(&o);
    arena_free(a);
}

static struct frontier_totals
totals(void)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    return t;
}

static struct frontier_lease
lease(uint64_t now)
{
    return help_lease(f, now, a, NULL);
}

static bool
nothing_at(uint64_t now)
{
    return lease(now).url.n == 0;
}

static void
done_at(struct str url, uint64_t now, const char *address)
{
    struct frontier_done d = help_done(url, OUTCOME_FETCHED, now);

    d.address = str_c(address);
    help_report(f, &d, now);
}

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
    d.reason = str_c(reason);
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

/* ---- sitemaps ---- */

static struct frontier_link
link_to(const char *url, const char *domain, enum frontier_kind kind)
{
    struct frontier_link l = help_link(url);
    const char *host = strstr(url, "//") + 2;

    l.kind = kind;
    l.domain = str_c(domain);
    l.authority = str_n(host, strcspn(host, "/"));
    return l;
}

/* a.nl with its robots.txt read, which names one sitemap. */
static void
host_with_sitemap(void)
{
    struct frontier_link named[] = {
        link_to("http://a.nl/sitemap.xml", "a.nl", FRONTIER_SITEMAP)};
    struct frontier_link seed = link_to("http://a.nl/", "a.nl", FRONTIER_PAGE);
    struct frontier_done d;
    size_t fresh;

    o.politeness_robots = true;
    o.politeness_delay_ms = 0;
    open_it(T0);
    HELP_OK(f, frontier_seed(f, &seed, 1, T0, &fresh));
    d = help_done(lease(T0).url, OUTCOME_ROBOTS_DONE, T0);
    d.links = named;
    d.links_n = 1;
    help_report(f, &d, T0);
}

static bool
list(const char *sitemap, const struct frontier_link *links, size_t n,
     struct frontier_put_counts *counts)
{
    bool enough;

    HELP_OK(f, frontier_sitemap_put(f, str_c(sitemap), S("a.nl"), links, n, T0,
                                    counts, &enough));
    return enough;
}

static void
a_sitemap_is_fetched_and_what_it_lists_is_queued(void)
{
    struct frontier_link listed[] = {
        link_to("http://a.nl/1", "a.nl", FRONTIER_PAGE),
        link_to("http://a.nl/2", "a.nl", FRONTIER_PAGE),
        link_to("http://other.nl/3", "other.nl", FRONTIER_PAGE),
        link_to("http://www.a.nl/more.xml", "a.nl", FRONTIER_SITEMAP),
        link_to("http://other.nl/more.xml", "other.nl", FRONTIER_SITEMAP),
    };
    struct frontier_put_counts counts;
    struct frontier_lease l;
    struct frontier_done d;
    struct buf why = {0};

    set_up();
    host_with_sitemap();
    listed[1].has_hint = true;
    listed[1].hint = 1;
    listed[1].lastmod_ms = 1700000000000;
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0); /* the seed */
    help_report(f, &d, T0);
    l = lease(T0);
    CHECK(str_eq(l.url, S("http://a.nl/sitemap.xml")));
    CHECK(l.kind == FRONTIER_SITEMAP && str_eq(l.robots_of, S("a.nl")));
    CHECK(!list("http://a.nl/sitemap.xml", listed, 5, &counts));
    CHECK(counts.fresh == 3 && counts.refused == 2);
    list("http://a.nl/sitemap.xml", listed, 5, &counts); /* sent twice */
    CHECK(counts.fresh == 0 && counts.known == 3);
    d = help_done(l.url, OUTCOME_FETCHED, T0);
    d.kind = FRONTIER_SITEMAP;
    d.reason = S("sitemap");
    help_report(f, &d, T0);
    CHECK(totals().sitemaps == 1);
    CHECK(totals().pages == 1); /* the seed: a sitemap is no page */
    CHECK(str_eq(lease(T0).url, S("http://a.nl/2"))); /* its priority there */
    CHECK(str_eq(lease(T0).url, S("http://www.a.nl/robots.txt")));
    HELP_OK(f, frontier_why(f, S("http://a.nl/2"), S("a.nl"), T0, &why));
    CHECK(strstr(why.p, "in a sitemap on a.nl, its priority there: 1.00, last "
                        "modified 2023-11-14") != NULL);
    buf_free(&why);
    tear_down();
}

static void
sitemaps_nest_and_add_no_more_than_they_may(void)
{
    struct frontier_link more =
        link_to("http://a.nl/sitemap2.xml", "a.nl", FRONTIER_SITEMAP);
    struct frontier_link deep =
        link_to("http://a.nl/sitemap3.xml", "a.nl", FRONTIER_SITEMAP);
    struct frontier_link pages[20];
    struct frontier_put_counts counts;
    char url[20][32];

    set_up();
    o.sitemaps_depth = 1;
    o.sitemaps_urls_max = 12;
    host_with_sitemap();
    CHECK(!list("http://a.nl/sitemap.xml", &more, 1, &counts));
    CHECK(counts.fresh == 1);
    CHECK(!list("http://a.nl/sitemap2.xml", &deep, 1, &counts));
    CHECK(counts.fresh == 0 && counts.refused == 1);
    for (int i = 0; i < 20; i++) {
        snprintf(url[i], sizeof url[i], "http://a.nl/p%d", i);
        pages[i] = link_to(url[i], "a.nl", FRONTIER_PAGE);
    }
    CHECK(list("http://a.nl/sitemap2.xml", pages, 20, &counts));
    CHECK(counts.fresh == 11 && counts.refused == 9);
    tear_down();
}

static void
a_hosts_yield_decides_what_its_sitemap_is_worth(void)
{
    struct frontier_link page = link_to("http://a.nl/p", "a.nl", FRONTIER_PAGE);
    struct frontier_put_counts counts;
    struct frontier_done d;
    struct row_seen s[2];

    for (int good = 0; good < 2; good++) {
        set_up();
        host_with_sitemap();
        d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
        d.reason = good ? S("kept") : S("badness");
        help_report(f, &d, T0);
        list("http://a.nl/sitemap.xml", &page, 1, &counts);
        HELP_OK(f, frontier_seen_get(f, row_seen_key(S("a.nl"), page.url),
                                     &s[good]));
        tear_down();
    }
    CHECK(s[1].place.priority > s[0].place.priority);
}

/* ---- traps ---- */

static void
traps_go_to_the_back_and_sessions_are_one_page(void)
{
    struct frontier_link links[] = {
        help_link("http://a.nl/x/x/x/"),
        help_link("http://a.nl/agenda/2099/07/"),
        help_link("http://a.nl/good"),
        help_link("http://a.nl/s?PHPSESSID=aaaaaaaaaa"),
        help_link("http://a.nl/s?PHPSESSID=bbbbbbbbbb"),
    };
    struct buf why = {0};
    struct frontier_done d;

    set_up();
    o.politeness_delay_ms = 0;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0);
    d.has_badness = true;
    d.links = links;
    d.links_n = 5;
    help_report(f, &d, T0);
    CHECK(totals().seen == 5); /* the seed and four */
    CHECK(totals().traps[TRAP_SEGMENTS] == 1);
    CHECK(totals().traps[TRAP_CALENDAR] == 1);
    for (int i = 0; i < 2; i++) {
        struct str url = lease(T0).url;

        CHECK(str_eq(url, links[2].url) || str_eq(url, links[3].url));
        done_at(url, T0, "");
    }
    CHECK(str_eq(lease(T0).url, links[1].url)); /* late, and not never */
    HELP_OK(f, frontier_why(f, links[0].url, S("a.nl"), T0, &why));
    CHECK(strstr(why.p, "trap: segments") != NULL);
    buf_clear(&why);
    HELP_OK(f, frontier_why(f, links[4].url, S("a.nl"), T0, &why));
    CHECK(strstr(why.p, "the same page as http://a.nl/s\n") != NULL);
    buf_free(&why);
    tear_down();
}

static void
a_host_over_its_cap_waits_for_the_others(void)
{
    set_up();
    o.politeness_delay_ms = 0;
    o.traps_host_pages = 2;
    o.frontier_scorer = S("bfs");
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    help_seed(f, "http://a.nl/3", T0);
    for (int i = 0; i < 2; i++)
        done_at(lease(T0).url, T0, "");
    help_seed(f, "http://b.nl/", T0);
    CHECK(str_eq(lease(T0).url, S("http://b.nl/")));
    CHECK(str_eq(lease(T0).url, S("http://a.nl/3")));
    tear_down();
}

/* ---- revisits ---- */

static struct frontier_lease
revisit(uint64_t at, enum frontier_outcome outcome, uint64_t digest)
{
    struct frontier_lease l;
    struct frontier_done d;

    CHECK(at == T0 || nothing_at(at - 1));
    l = lease(at);
    d = help_done(l.url, outcome, at);
    d.digest = digest;
    d.etag = S("\"v\"");
    d.last_modified = S("Wed, 16 Jul 1997 18:20:30 GMT");
    if (l.url.n > 0)
        help_report(f, &d, at);
    return l;
}

static void
pages_are_fetched_again_as_often_as_they_change(void)
{
    struct frontier_lease l;
    uint64_t day = 86400000, now = T0;

    set_up();
    o.recrawl_interval_seconds = 86400;
    o.recrawl_interval_min_seconds = 40000;
    o.recrawl_interval_max_seconds = 130000;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    l = revisit(T0, OUTCOME_FETCHED, 7);
    CHECK(l.revisit == 0 && l.etag.n == 0);
    CHECK(totals().queued == 0 && totals().done == 1);
    reopen(T0);
    l = revisit(now += day, OUTCOME_UNCHANGED, 0);
    CHECK(l.revisit == 1 && str_eq(l.etag, S("\"v\"")));
    CHECK(str_eq(l.last_modified, S("Wed, 16 Jul 1997 18:20:30 GMT")));
    CHECK(totals().unchanged == 1 && totals().revisits == 1);
    CHECK(totals().pages == 1 && totals().kept == 1);  /* as before */
    l = revisit(now += 129600000, OUTCOME_FETCHED, 7); /* 1.5 days; 200, same */
    CHECK(l.revisit == 2 && totals().pages == 1);
    l = revisit(now += 130000000, OUTCOME_FETCHED, 8); /* the most; changed */
    CHECK(totals().pages == 2 && totals().kept == 2);
    l = revisit(now += 65000000, OUTCOME_FETCHED, 9);
    l = revisit(now += 40000000, OUTCOME_FAILED, 0); /* the least; gone */
    CHECK(l.revisit == 5 && totals().failed == 1);
    CHECK(nothing_at(now + 1000 * day));
    CHECK(totals().done == 0);
    tear_down();
}

static void
nothing_is_fetched_again_unless_asked_for(void)
{
    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    revisit(T0, OUTCOME_FETCHED, 7);
    CHECK(nothing_at(T0 + (uint64_t)1000 * 86400000));
    tear_down();
}

/* ---- operators ---- */

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

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(hosts_behind_one_address_take_turns),
        TEST(
            a_contact_that_drags_on_keeps_neighbours_waiting_for_a_moment_only),
        TEST(neighbours_go_on_as_soon_as_a_contact_is_over),
        TEST(loopback_has_no_clock_unless_asked_for),
        TEST(random_crawls_with_restarts_never_ask_too_soon),
        TEST(a_slow_server_is_left_alone_for_longer),
        TEST(a_host_that_says_later_is_left_alone_at_once_and_longer_each_time),
        TEST(another_failure_is_the_pages_own),
        TEST(a_sitemap_is_fetched_and_what_it_lists_is_queued),
        TEST(sitemaps_nest_and_add_no_more_than_they_may),
        TEST(a_hosts_yield_decides_what_its_sitemap_is_worth),
        TEST(traps_go_to_the_back_and_sessions_are_one_page),
        TEST(a_host_over_its_cap_waits_for_the_others),
        TEST(pages_are_fetched_again_as_often_as_they_change),
        TEST(nothing_is_fetched_again_unless_asked_for),
        TEST(a_paused_host_rests_until_it_is_resumed),
        TEST(deleted_urls_go_and_do_not_come_back),
        TEST(a_long_delete_goes_in_pieces_and_leaves_what_is_out),
        TEST(what_cannot_be_used_is_refused_and_changes_nothing),
        TEST(a_change_that_is_not_committed_has_not_happened),
        TEST(crawlers_share_one_budget),
        {0}};

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
