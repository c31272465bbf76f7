/* Aim: one page and one host have one spelling in the frontier, whatever comes
 * in, by whichever way; secrets in URLs are kept nowhere. */
#include "schedule_case.h"

static const char *const spellings[] = {
    "http://w.x/p",      "http://W.x/p",      "http://w.x./p",
    "http://w.x:80/p",   "http://u:pw@w.x/p", "http://other:pw@W.X.:80/p#f",
    "http://w.x/a/../p", "http://w%2Ex/p",    "HTTP://w.x/p",
};
enum { N = sizeof spellings / sizeof *spellings };

static void
all(struct frontier_link *links)
{
    for (int i = 0; i < N; i++)
        links[i] = help_link(spellings[i]);
}

/* Everything the frontier keeps, as text. */
static void
nothing_secret_is_kept(void)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);

    HELP_OK(f, frontier_dump(f, to));
    fclose(to);
    CHECK(n > 0 && strstr(text, "pw@") == NULL);
    CHECK(strstr(text, "70774077") == NULL); /* "pw@w" in hex */
    free(text);
}

static void
seeds_in_nine_spellings_are_one_page_of_one_host(void)
{
    struct frontier_link links[N + 1];
    size_t fresh;

    set_up();
    open_it(T0);
    all(links);
    links[N] = help_link("http://w.x../p"); /* no name of a host */
    HELP_OK(f, frontier_seed(f, links, N + 1, T0, &fresh));
    CHECK(fresh == 1 && totals(T0).seen == 1 && totals(T0).hosts == 1);
    CHECK(totals(T0).links_respelled == N - 1);
    CHECK(totals(T0).links_refused == 1);
    nothing_secret_is_kept();
    CHECK(leased(T0, "http://w.x/p"));
    CHECK(nothing_at(T0));
    reopen(T0);
    CHECK(totals(T0).links_respelled == N - 1);
    tear_down();
}

static void
outlinks_and_redirects_are_respelled(void)
{
    struct frontier_link links[N], to = help_link("http://u:pw@W.x.:80/q");
    struct frontier_done d;

    for (int large = 0; large < 2; large++) { /* at once; by way of the log */
        set_up();
        o.frontier_merge_from = large ? 0 : 1000;
        open_it(T0);
        help_seed(f, "http://a.nl/", T0);
        help_seed(f, "http://b.nl/", T0);
        all(links);
        lease(T0);
        lease(T0);
        fetch_with("http://a.nl/", T0, 0, links, N);
        d = help_done(S("http://b.nl/"), OUTCOME_REDIRECT, T0);
        d.links = &to;
        d.links_n = 1;
        help_report(f, &d, T0);
        CHECK(totals(T0).links_respelled == N);
        nothing_secret_is_kept();
        CHECK(str_eq(lease(T0).authority, S("w.x")));
        CHECK(nothing_at(T0 + 1)); /* one clock */
        CHECK(totals(T0).seen + totals(T0).links_waiting == 4);
        CHECK(totals(T0).hosts == 3);
        nothing_secret_is_kept();
        tear_down();
    }
}

static void
robots_txt_is_found_by_any_spelling_of_its_host(void)
{
    static const char *const names[] = {"w.x", "W.x", "w.x.", "w.x:443"};
    struct frontier_link to = help_link("http://u:pw@W.x./robots2.txt");
    struct frontier_robots r;
    struct frontier_done d;
    uint64_t version;

    set_up();
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "https://w.x/p", T0);
    d = help_done(lease(T0).url, OUTCOME_REDIRECT, T0);
    d.kind = FRONTIER_ROBOTS;
    d.links = &to;
    d.links_n = 1;
    help_report(f, &d, T0);
    nothing_secret_is_kept();
    d = help_done(lease(T0 + 5000).url, OUTCOME_ROBOTS_DONE, T0 + 5000);
    CHECK(str_eq(d.url, S("http://w.x/robots2.txt")));
    d.robots.status = 200;
    d.robots.body = S("User-agent: *");
    help_report(f, &d, T0 + 5000);
    for (int i = 0; i < 3; i++) {
        HELP_OK(f, frontier_robots(f, str_c(names[i]), a, &r, &version));
        CHECK(version == frontier_robots_version(d.robots.body) &&
              r.status == 200);
    }
    HELP_OK(f, frontier_robots(f, str_c(names[3]), a, &r, &version));
    CHECK(version == 0); /* http://w.x:443 is another server */
    tear_down();
}

static void
what_a_sitemap_lists_is_respelled(void)
{
    struct frontier_link links[N], map = help_link("http://w.x/map.xml");
    struct frontier_put_counts counts;
    struct frontier_done d;
    bool enough;

    set_up();
    o.politeness_robots = true;
    open_it(T0);
    help_seed(f, "http://w.x/", T0);
    d = help_done(lease(T0).url, OUTCOME_ROBOTS_DONE, T0);
    d.robots.status = 200;
    map.kind = FRONTIER_SITEMAP;
    d.links = &map;
    d.links_n = 1;
    help_report(f, &d, T0);
    all(links);
    HELP_OK(f, frontier_sitemap_put(f, map.url, S("W.x."), links, N, T0,
                                    &counts, &enough));
    CHECK(counts.fresh == 1 && counts.known == N - 1 && counts.refused == 0);
    nothing_secret_is_kept();
    tear_down();
}

static const struct test tests[] = {
    TEST(seeds_in_nine_spellings_are_one_page_of_one_host),
    TEST(outlinks_and_redirects_are_respelled),
    TEST(robots_txt_is_found_by_any_spelling_of_its_host),
    TEST(what_a_sitemap_lists_is_respelled),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return test_main(tests, argc, argv);
}
