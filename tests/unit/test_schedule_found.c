/* What is found in sitemaps, what looks like a trap, what is looked at again:
 * the real frontier in virtual time. */
#include "base/log.h"
#include "schedule_case.h"

/* ---- sitemaps ---- */

static struct frontier_link
link_to(const char *url, const char *domain, enum frontier_kind kind)
{
    struct frontier_link l = help_link(url);

    l.kind = kind;
    l.domain = str_c(domain);
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

static bool
why_names_trap(struct str url)
{
    struct buf why = {0};
    bool found;

    HELP_OK(f, frontier_why(f, url, T0, &why));
    found = memmem(why.p, why.n, "\ntrap: ", 7) != NULL;
    buf_free(&why);
    return found;
}

/* sitemap.xml.gz is no archive that can wait. */
static void
a_packed_sitemap_is_no_trap(void)
{
    struct frontier_link listed[] = {
        link_to("http://a.nl/pages.xml.gz", "a.nl", FRONTIER_SITEMAP),
        link_to("http://a.nl/pages.tar.gz", "a.nl", FRONTIER_PAGE)};
    struct frontier_put_counts counts;
    struct frontier_place map, archive;

    set_up();
    host_with_sitemap();
    list("http://a.nl/sitemap.xml", listed, 2, &counts);
    CHECK(counts.fresh == 2 && totals(T0).traps[TRAP_FILE] == 1);
    HELP_OK(f, frontier_place(f, listed[0].url, &map, NULL));
    HELP_OK(f, frontier_place(f, listed[1].url, &archive, NULL));
    CHECK(map.trap == TRAP_NONE && archive.trap == TRAP_FILE);
    CHECK(map.priority > 10 * archive.priority);
    CHECK(!why_names_trap(listed[0].url) && why_names_trap(listed[1].url));
    tear_down();
}

static void
what_the_operator_gave_is_no_trap(void)
{
    struct str given = STR("http://a.nl/corpus.zip");
    struct frontier_place place;

    set_up();
    open_it(T0);
    help_seed(f, given.p, T0);
    HELP_OK(f, frontier_place(f, given, &place, NULL));
    CHECK(place.trap == TRAP_NONE && !why_names_trap(given));
    CHECK(str_eq(lease(T0).url, given));
    done_at(given, T0, "");
    CHECK(!why_names_trap(given));
    CHECK(why_names_trap(S("http://a.nl/never-met.zip")));
    tear_down();
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
    CHECK(l.kind == FRONTIER_SITEMAP && str_eq(l.owner, S("a.nl")));
    CHECK(!list("http://a.nl/sitemap.xml", listed, 5, &counts));
    CHECK(counts.fresh == 3 && counts.refused == 2);
    list("http://a.nl/sitemap.xml", listed, 5, &counts); /* sent twice */
    CHECK(counts.fresh == 0 && counts.known == 3);
    d = help_done(l.url, OUTCOME_FETCHED, T0);
    d.kind = FRONTIER_SITEMAP;
    d.verdict = VERDICT_SITEMAP;
    help_report(f, &d, T0);
    CHECK(totals(T0).sitemaps == 1);
    CHECK(totals(T0).pages == 1); /* the seed: a sitemap is no page */
    CHECK(str_eq(lease(T0).url, S("http://a.nl/2"))); /* its priority there */
    CHECK(str_eq(lease(T0).url, S("http://www.a.nl/robots.txt")));
    HELP_OK(f, frontier_why(f, S("http://a.nl/2"), T0, &why));
    CHECK(strstr(why.p, "in a sitemap on a.nl, its priority there: 1.00, last "
                        "modified 2023-11-14") != NULL);
    buf_free(&why);
    tear_down();
}

/* Many sites send whoever asks for what they have not to their home page. */
static void
a_page_that_a_sitemap_led_to_is_fetched_as_a_page(void)
{
    struct frontier_link home =
        link_to("http://a.nl/home", "a.nl", FRONTIER_PAGE);
    struct frontier_lease l;
    struct frontier_done d;

    set_up();
    host_with_sitemap();
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0); /* the seed */
    help_report(f, &d, T0);
    d = help_done(lease(T0).url, OUTCOME_REDIRECT, T0);
    d.kind = FRONTIER_SITEMAP;
    d.links = &home;
    d.links_n = 1;
    help_report(f, &d, T0);
    l = lease(T0);
    CHECK(str_eq(l.url, home.url) && l.kind == FRONTIER_SITEMAP);
    d = help_done(l.url, OUTCOME_FAILED, T0);
    d.kind = FRONTIER_SITEMAP;
    d.verdict = VERDICT_NO_SITEMAP;
    help_report(f, &d, T0);
    l = lease(T0 + 1);
    CHECK(str_eq(l.url, home.url) && l.kind == FRONTIER_PAGE);
    d = help_done(l.url, OUTCOME_FETCHED, T0 + 1);
    help_report(f, &d, T0 + 1);
    CHECK(totals(T0).pages == 2 && totals(T0).queued == 0);
    tear_down();
}

/* Whichever of the two has named it first. */
static void
a_sitemap_may_list_the_host_with_www(void)
{
    struct frontier_link listed[] = {
        link_to("http://www.a.nl/1", "a.nl", FRONTIER_PAGE),
        link_to("https://www.a.nl/2", "a.nl", FRONTIER_PAGE),
        link_to("http://shop.a.nl/3", "a.nl", FRONTIER_PAGE),
        link_to("http://www.a.nl:8080/4", "a.nl", FRONTIER_PAGE),
        link_to("http://www.other.nl/5", "other.nl", FRONTIER_PAGE),
    };
    struct frontier_put_counts counts;

    set_up();
    host_with_sitemap();
    list("http://a.nl/sitemap.xml", listed, 5, &counts);
    CHECK(counts.fresh == 2 && counts.refused == 3);
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
a_better_link_leaves_what_the_sitemap_said(void)
{
    struct frontier_link listed =
        link_to("http://a.nl/p", "a.nl", FRONTIER_PAGE);
    struct frontier_link linked = listed;
    struct frontier_put_counts counts;
    struct frontier_lease l;
    struct frontier_done d;

    set_up();
    o.frontier_scorer = S("paper");
    host_with_sitemap();
    listed.lastmod_ms = 1700000000000;
    listed.has_hint = true; /* and 0 */
    list("http://a.nl/sitemap.xml", &listed, 1, &counts);
    CHECK(counts.fresh == 1);
    d = help_done(lease(T0).url, OUTCOME_FETCHED, T0); /* the seed */
    d.verdict = VERDICT_KEPT;
    d.has_badness = true; /* and 0 */
    d.links = &linked;
    d.links_n = 1;
    help_report(f, &d, T0);
    l = lease(T0);
    if (l.kind == FRONTIER_SITEMAP) {
        d = help_done(l.url, OUTCOME_FETCHED, T0);
        d.kind = FRONTIER_SITEMAP;
        help_report(f, &d, T0);
        l = lease(T0);
    }
    CHECK(str_eq(l.url, listed.url) && l.lastmod_ms == listed.lastmod_ms);
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
        d.verdict = good ? VERDICT_KEPT : VERDICT_BADNESS;
        help_report(f, &d, T0);
        list("http://a.nl/sitemap.xml", &page, 1, &counts);
        HELP_OK(f, url_store_seen_get(
                       f->db, row_seen_key(ROW_KEYS_NEW, S("a.nl"), page.url),
                       &s[good]));
        tear_down();
    }
    CHECK(s[1].position.priority > s[0].position.priority);
}

/* The priorities that scorer learned gives to listed URLs. */
static uint16_t
learned_priority(const char *url)
{
    struct row_seen s = {0};
    struct row_url parts;

    CHECK(row_url_split(&parts, str_c(url)));
    HELP_OK(f,
            url_store_seen_get(
                f->db, row_seen_key(ROW_KEYS_NEW, parts.authority, str_c(url)),
                &s));
    CHECK(s.state == ROW_QUEUED);
    return s.position.priority;
}

static void
learned_judges_what_a_sitemap_lists_and_learns_from_it(void)
{
    struct frontier_link listed[] = {
        link_to("http://a.nl/nl/x", "a.nl", FRONTIER_PAGE),
        link_to("http://a.nl/fr/x", "a.nl", FRONTIER_PAGE),
        link_to("http://a.nl/nl/y", "a.nl", FRONTIER_PAGE),
        link_to("http://a.nl/last", "a.nl", FRONTIER_PAGE),
        link_to("http://a.nl/late", "a.nl", FRONTIER_PAGE),
    };
    struct frontier_put_counts counts;
    struct frontier_lease l;
    struct frontier_done d;
    uint16_t first;
    int pages = 0;

    set_up();
    o.frontier_scorer = S("learned");
    CHECK(opts_set(&o, "test", S("clean.language=nl")) == ST_OK);
    listed[1].has_hint = listed[2].has_hint = true;
    listed[1].hint = listed[2].hint = 1; /* its site thinks most of it */
    host_with_sitemap();
    list("http://a.nl/sitemap.xml", listed, 4, &counts);
    CHECK(counts.fresh == 4);
    CHECK(learned_priority("http://a.nl/nl/x") >
          learned_priority("http://a.nl/fr/x"));
    CHECK(learned_priority("http://a.nl/nl/y") >
          learned_priority("http://a.nl/nl/x"));
    first = learned_priority("http://a.nl/last");
    for (int i = 0; i < 6;
         i++) { /* the sitemap, the seed, the listed but one */
        l = lease(T0);
        if (str_eq(l.url, listed[3].url))
            break;
        d = help_done(l.url, OUTCOME_FETCHED, T0);
        d.kind = l.kind;
        if (l.kind == FRONTIER_SITEMAP)
            d.verdict = VERDICT_SITEMAP;
        pages += l.kind == FRONTIER_PAGE;
        help_report(f, &d, T0);
    }
    CHECK(pages >= 3);
    list("http://a.nl/sitemap.xml", listed, 5, &counts);
    CHECK(counts.fresh == 1);
    CHECK(learned_priority("http://a.nl/late") > first);
    tear_down();
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
    CHECK(totals(T0).seen == 5); /* the seed and four */
    CHECK(totals(T0).traps[TRAP_SEGMENTS] == 1);
    CHECK(totals(T0).traps[TRAP_CALENDAR] == 1);
    for (int i = 0; i < 2; i++) {
        struct str url = lease(T0).url;

        CHECK(str_eq(url, links[2].url) || str_eq(url, links[3].url));
        done_at(url, T0, "");
    }
    CHECK(str_eq(lease(T0).url, links[1].url)); /* late, and not never */
    HELP_OK(f, frontier_why(f, links[0].url, T0, &why));
    CHECK(strstr(why.p, "trap: segments") != NULL);
    buf_clear(&why);
    HELP_OK(f, frontier_why(f, links[4].url, T0, &why));
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

static void
a_host_that_has_had_its_pages_waits_for_a_higher_limit(void)
{
    struct buf why = {0};
    uint64_t wake;

    set_up();
    o.politeness_delay_ms = 0;
    o.politeness_retries = 0;
    o.limits_host_pages = 2;
    open_it(T0);
    help_seed(f, "http://a.nl/1", T0);
    help_seed(f, "http://a.nl/2", T0);
    help_seed(f, "http://a.nl/3", T0);
    help_seed(f, "http://b.nl/", T0);
    for (int i = 0; i < 3; i++)
        done_at(lease(T0).url, T0, "");
    CHECK(help_lease(f, T0, a, &wake).url.n == 0);
    CHECK(wake == 0); /* nothing will be due: the crawl is over */
    CHECK(totals(T0).hosts_full == 1 && totals(T0).hosts_waiting == 0 &&
          totals(T0).queued == 1 && totals(T0).done == 3);
    HELP_OK(f, frontier_why(f, S("http://a.nl/3"), T0, &why));
    buf_char(&why, '\0');
    CHECK(strstr(why.p, "full: 2 of its pages") != NULL);
    help_check(f);
    reopen(T0);
    help_seed(f, "http://a.nl/4", T0); /* links to come are remembered */
    CHECK(nothing_at(T0) && totals(T0).queued == 2);
    o.limits_host_pages = 3;
    reopen(T0);
    done_at(lease(T0).url, T0, "");
    CHECK(nothing_at(T0) && totals(T0).done == 4);
    o.limits_host_pages = 0;
    reopen(T0);
    CHECK(str_eq(lease(T0).url, S("http://a.nl/4")));
    CHECK(totals(T0).hosts_full == 0);
    buf_free(&why);
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
    CHECK(totals(T0).queued == 0 && totals(T0).done == 1);
    reopen(T0);
    l = revisit(now += day, OUTCOME_UNCHANGED, 0);
    CHECK(l.revisit == 1 && str_eq(l.etag, S("\"v\"")));
    CHECK(str_eq(l.last_modified, S("Wed, 16 Jul 1997 18:20:30 GMT")));
    CHECK(totals(T0).unchanged == 1 && totals(T0).revisits == 1);
    CHECK(totals(T0).pages == 1 && totals(T0).kept == 1); /* as before */
    l = revisit(now += 129600000, OUTCOME_FETCHED, 7); /* 1.5 days; 200, same */
    CHECK(l.revisit == 2 && totals(T0).pages == 1);
    l = revisit(now += 130000000, OUTCOME_FETCHED, 8); /* the most; changed */
    CHECK(totals(T0).pages == 2 && totals(T0).kept == 2);
    l = revisit(now += 65000000, OUTCOME_FETCHED, 9);
    l = revisit(now += 40000000, OUTCOME_FAILED, 0); /* the least; gone */
    CHECK(l.revisit == 5 && totals(T0).failed == 1);
    CHECK(nothing_at(now + 1000 * day));
    CHECK(totals(T0).done == 0);
    tear_down();
}

/* A server that is out of order for a while ends no visits, or a crawl of years
 * would lose a page by each outage. */
static void
an_outage_ends_no_visits(void)
{
    struct frontier_lease l;
    uint64_t hour = 3600000, now = T0;

    set_up();
    o.politeness_retries = 0;
    o.recrawl_interval_seconds = 86400;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    revisit(T0, OUTCOME_FETCHED, 7);
    l = revisit(now += 24 * hour, OUTCOME_RETRY, 0);
    CHECK(l.revisit == 1 && totals(T0).failed == 1 && totals(T0).done == 0);
    l = revisit(now += 36 * hour, OUTCOME_RETRY, 0);
    CHECK(l.revisit == 1 && str_eq(l.etag, S("\"v\"")));
    reopen(now);
    l = revisit(now += 54 * hour, OUTCOME_UNCHANGED, 0);
    CHECK(l.revisit == 1 && str_eq(l.etag, S("\"v\"")));
    CHECK(totals(T0).failed == 0 && totals(T0).done == 1);
    CHECK(totals(T0).kept == 1 && totals(T0).unchanged == 1);
    revisit(now += 81 * hour, OUTCOME_FETCHED, 8);
    CHECK(totals(T0).kept == 2);
    tear_down();
}

/* As scorer walk does with a page that it meets again. */
static void
queue_again(const char *url)
{
    struct row_queued q = {.kind = FRONTIER_PAGE};
    struct row_url parts;
    struct row_seen_key key;
    struct row_seen seen;

    CHECK(row_url_split(&parts, str_c(url)));
    key = row_seen_key(ROW_KEYS_NEW, parts.authority, str_c(url));
    CHECK(frontier_begin(f) == ST_OK);
    CHECK(url_store_seen_get(f->db, key, &seen) == ST_OK);
    CHECK(url_store_queue_again(f->db, key, str_c(url), &q, &seen) == ST_OK);
    schedule_settle(f->sched);
    CHECK(frontier_commit(f) == ST_OK);
}

static void
again(uint64_t at, enum frontier_outcome outcome, uint64_t digest)
{
    struct frontier_done d = help_done(lease(at).url, outcome, at);

    CHECK(d.url.n > 0);
    d.digest = digest;
    help_report(f, &d, at);
}

/* The page that would have been the next to be fetched again is fetched before
 * its date: another one is not fetched too early in its place, and when there
 * is no other the store is not taken for damaged. */
static void
a_date_that_was_dropped_is_nobodys(void)
{
    const uint64_t hour = 3600000;

    set_up();
    o.recrawl_interval_seconds = 24 * 3600;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    revisit(T0, OUTCOME_FETCHED, 7);
    help_seed(f, "http://b.nl/", T0 + hour);
    again(T0 + hour, OUTCOME_FETCHED, 7);
    queue_again("http://a.nl/");
    again(T0 + 2 * hour, OUTCOME_FETCHED, 7);
    CHECK(nothing_at(T0 + 24 * hour)); /* where the date of a.nl was */
    queue_again("http://b.nl/");
    again(T0 + 24 * hour, OUTCOME_FAILED, 0);
    queue_again("http://a.nl/");
    again(T0 + 24 * hour, OUTCOME_FAILED, 0);
    CHECK(nothing_at(T0 + 30 * hour));
    tear_down();
}

/* a.nl/ was kept at T0 and is due a day later; its sitemap is read at `at`. */
static void
listed_as_changed(uint64_t at, uint64_t lastmod_ms)
{
    struct frontier_link page = link_to("http://a.nl/", "a.nl", FRONTIER_PAGE);
    struct frontier_put_counts counts;
    bool enough;

    page.lastmod_ms = lastmod_ms;
    HELP_OK(f, frontier_sitemap_put(f, S("http://a.nl/sitemap.xml"), S("a.nl"),
                                    &page, 1, at, &counts, &enough));
    CHECK(counts.fresh == 0 && !enough);
}

static void
a_date_in_a_sitemap_makes_a_page_due(void)
{
    const uint64_t hour = 3600000, day = 24 * hour;
    struct frontier_lease l;

    set_up();
    o.recrawl_interval_seconds = 86400;
    o.recrawl_interval_min_seconds = 7200;
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    revisit(T0, OUTCOME_FETCHED, 7);
    listed_as_changed(T0 + hour, T0 - 1);       /* before it was fetched */
    listed_as_changed(T0 + hour, T0 + 9 * day); /* nobody knows yet */
    CHECK(nothing_at(T0 + 3 * hour));
    listed_as_changed(T0 + hour, T0 + 1000);
    help_check(f);
    reopen(T0 + hour);
    l = revisit(T0 + 2 * hour, OUTCOME_UNCHANGED, 0); /* interval_min */
    CHECK(l.revisit == 1 && str_eq(l.etag, S("\"v\"")));
    /* It had not changed: a quarter of 36 hours has to pass now. */
    listed_as_changed(T0 + 3 * hour, T0 + 3 * hour);
    l = revisit(T0 + 11 * hour, OUTCOME_FETCHED, 8);
    CHECK(l.revisit == 2);
    listed_as_changed(T0 + 20 * hour, T0 + 19 * hour); /* at once */
    CHECK(lease(T0 + 20 * hour).revisit == 3);
    tear_down();
}

static void
a_sitemap_is_read_again_as_often_as_it_changes(void)
{
    const uint64_t day = 86400000;
    struct frontier_link more =
        link_to("http://a.nl/sitemap2.xml", "a.nl", FRONTIER_SITEMAP);
    struct frontier_put_counts counts;
    struct frontier_lease l;
    struct frontier_done d;

    set_up();
    o.sitemaps_depth = 1;
    o.recrawl_interval_seconds = 86400;
    o.politeness_robots_ttl_seconds = 1000 * 86400;
    host_with_sitemap();
    d = help_done(lease(T0).url, OUTCOME_FAILED, T0); /* the seed */
    help_report(f, &d, T0);
    CHECK(str_eq(lease(T0).url, S("http://a.nl/sitemap.xml")));
    list("http://a.nl/sitemap.xml", &more, 1, &counts);
    for (uint64_t i = 0; i < 2; i++) {
        d = help_done(i ? more.url : S("http://a.nl/sitemap.xml"),
                      OUTCOME_FETCHED, T0);
        d.kind = FRONTIER_SITEMAP;
        d.verdict = VERDICT_SITEMAP;
        d.etag = S("\"s\"");
        d.digest = 5 + i;
        help_report(f, &d, T0);
        if (i == 0)
            CHECK(str_eq(lease(T0).url, more.url));
    }
    reopen(T0);
    CHECK(nothing_at(T0 + day - 1));
    for (int i = 0; i < 2; i++) {
        l = lease(T0 + day);
        CHECK(l.kind == FRONTIER_SITEMAP && str_eq(l.owner, S("a.nl")));
        CHECK(l.revisit == 1 && str_eq(l.etag, S("\"s\"")));
        if (str_eq(l.url, more.url)) { /* as deep as it was */
            list("http://a.nl/sitemap2.xml",
                 &(struct frontier_link){.kind = FRONTIER_SITEMAP,
                                         .url = S("http://a.nl/3.xml"),
                                         .domain = S("a.nl")},
                 1, &counts);
            CHECK(counts.refused == 1);
        }
        d = help_done(l.url, OUTCOME_UNCHANGED, T0 + day);
        d.kind = FRONTIER_SITEMAP;
        help_report(f, &d, T0 + day);
    }
    CHECK(totals(T0).revisits == 0 && totals(T0).sitemaps == 2);
    CHECK(nothing_at(T0 + 2 * day + day / 2 - 1));
    CHECK(lease(T0 + 2 * day + day / 2).kind == FRONTIER_SITEMAP);
    tear_down();
}

static void
nothing_is_fetched_again_unless_asked_for(void)
{
    set_up();
    open_it(T0);
    help_seed(f, "http://a.nl/", T0);
    revisit(T0, OUTCOME_FETCHED, 7);
    listed_as_changed(T0 + 2000, T0 + 1000);
    CHECK(nothing_at(T0 + (uint64_t)1000 * 86400000));
    tear_down();
}

static const struct test tests[] = {
    TEST(a_packed_sitemap_is_no_trap),
    TEST(what_the_operator_gave_is_no_trap),
    TEST(a_sitemap_is_fetched_and_what_it_lists_is_queued),
    TEST(a_page_that_a_sitemap_led_to_is_fetched_as_a_page),
    TEST(a_better_link_leaves_what_the_sitemap_said),
    TEST(a_sitemap_may_list_the_host_with_www),
    TEST(sitemaps_nest_and_add_no_more_than_they_may),
    TEST(a_hosts_yield_decides_what_its_sitemap_is_worth),
    TEST(learned_judges_what_a_sitemap_lists_and_learns_from_it),
    TEST(a_date_that_was_dropped_is_nobodys),
    TEST(a_date_in_a_sitemap_makes_a_page_due),
    TEST(a_sitemap_is_read_again_as_often_as_it_changes),
    TEST(traps_go_to_the_back_and_sessions_are_one_page),
    TEST(a_host_over_its_cap_waits_for_the_others),
    TEST(a_host_that_has_had_its_pages_waits_for_a_higher_limit),
    TEST(pages_are_fetched_again_as_often_as_they_change),
    TEST(an_outage_ends_no_visits),
    TEST(nothing_is_fetched_again_unless_asked_for),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
