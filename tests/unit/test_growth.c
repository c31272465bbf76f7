/* Hosts that make URLs without end, and hosts that send another page in place
 * of the one asked for, are left alone for long: the real frontier in virtual
 * time. */
#include "base/log.h"
#include "schedule_case.h"

#define DELAY 1000u
#define RARELY 3600000u

static uint64_t now;
static int next; /* page that nobody has seen */

static void
begin(void)
{
    struct frontier_link seed = help_link("http://a.nl/p0");
    size_t fresh;

    set_up();
    o.politeness_robots = false;
    o.politeness_delay_ms = DELAY;
    o.politeness_retry_ms = 30000;
    o.traps_growth_pages = 12;
    o.traps_growth_delay_ms = RARELY;
    now = T0;
    next = 0;
    open_it(now);
    HELP_OK(f, frontier_seed(f, &seed, 1, now, &fresh));
}

/* Fetch the next page; it links to `fresh` new ones of its host and `known`
 * that are there.  How long until the host may be asked again. */
static uint64_t
page_of(const char *kind, int fresh, int known, const char *verdict)
{
    char url[16][40];
    struct frontier_link links[16];
    struct frontier_done d = help_done(lease(now).url, OUTCOME_FETCHED, now);
    uint64_t wake = 0;
    int n = 0;

    CHECK(d.url.n > 0);
    for (; n < fresh; n++)
        snprintf(url[n], sizeof url[n], "http://a.nl/%s%d", kind, ++next);
    for (; n < fresh + known; n++)
        snprintf(url[n], sizeof url[n], "http://a.nl/p0");
    for (int i = 0; i < n; i++)
        links[i] = help_link(url[i]);
    d.links = links;
    d.links_n = (size_t)n;
    d.verdict = help_verdict(verdict);
    d.contacted = true;
    help_report(f, &d, now);
    help_lease(f, now, a, &wake);
    now += wake;
    return wake;
}

static uint64_t
page(int fresh, int known, const char *verdict)
{
    return page_of("p", fresh, known, verdict);
}

static void
a_host_whose_pages_lead_to_new_ones_only_is_asked_rarely(void)
{
    uint64_t wake = 0;

    begin();
    for (int i = 1; i < 12; i++)
        CHECK(page(5, 0, "kept") == DELAY);
    CHECK(page(5, 1, "kept") == RARELY); /* five of six are new */
    CHECK(page(5, 0, "kept") == RARELY);
    reopen(now -
           RARELY); /* it stands in the host's row, and is a legal delay */
    help_lease(f, now - RARELY, a, &wake);
    CHECK(wake == RARELY);
    reopen(now);
    CHECK(page(5, 0, "kept") == RARELY);
    tear_down();
}

static void
a_page_that_leads_back_makes_it_an_ordinary_one(void)
{
    begin();
    for (int i = 1; i < 12; i++)
        page(5, 0, "kept");
    CHECK(page(5, 2, "kept") == DELAY); /* five of seven: half the count */
    for (int i = 0; i < 6; i++)
        CHECK(page(5, 0, "kept") == DELAY);
    CHECK(page(5, 0, "kept") == RARELY);
    CHECK(page(5, 2, "kept") == DELAY);
    tear_down();
}

static void
copies_that_lead_to_new_urls_are_growth_as_well(void)
{
    begin();
    for (int i = 1; i < 12; i++)
        CHECK(page(3, 3, "near_duplicate") == DELAY);
    CHECK(page(3, 3, "exact_duplicate") == RARELY);
    CHECK(page(3, 4, "near_duplicate") == DELAY);
    tear_down();
}

static void
a_calendar_that_only_leads_on_is_growth(void)
{
    const char *month = "c?month=";

    begin();
    CHECK(page_of(month, 1, 9, "kept") == DELAY); /* leads to the first */
    for (int i = 1; i < 6; i++)
        CHECK(page_of(month, 1, 9, "short") == DELAY);
    CHECK(page_of(month, 2, 9, "near_duplicate") == DELAY);
    CHECK(page_of(month, 0, 9, "short") == DELAY); /* says nothing */
    for (int i = 8; i < 13; i++)
        CHECK(page_of(month, 1, 9, "short") == DELAY);
    CHECK(page_of(month, 1, 9, "short") == RARELY);
    CHECK(page_of(month, 1, 9, "kept") == DELAY); /* half the count */
    tear_down();
}

static void
what_a_calendar_leads_to_makes_it_an_ordinary_one(void)
{
    begin();
    for (int i = 0; i < 40; i++)
        CHECK(page_of("c?month=", 1, 9, i % 6 == 0 ? "kept" : "short") ==
              DELAY);
    tear_down();
}

static void
pages_of_pictures_are_no_growth(void)
{
    begin();
    for (int i = 0; i < 40; i++)
        CHECK(page_of("bild.jpg?n=", 1, 9, "short") == DELAY);
    tear_down();
}

static void
few_links_say_nothing(void)
{
    begin();
    for (int i = 0; i < 30; i++)
        CHECK(page(2, 0, "kept") == DELAY);
    tear_down();
}

static uint64_t
failure(const char *reason)
{
    struct frontier_done d = help_done(lease(now).url, OUTCOME_FAILED, now);
    uint64_t wake = 0;

    d.verdict = help_verdict(reason);
    d.contacted = true;
    help_report(f, &d, now);
    help_lease(f, now, a, &wake);
    now += wake;
    return wake;
}

static void
a_challenge_is_the_hosts_and_a_paywall_the_pages_at_first(void)
{
    uint64_t first, second;

    begin();
    for (int i = 0; i < 3; i++)
        page(9, 0, "kept");
    CHECK(failure("http_404") == DELAY);
    first = failure("challenge");
    second = failure("blocked");
    CHECK(first >= 22500 && first <= 37500);
    CHECK(second >= 45000 && second <= 75000);
    CHECK(failure("http_404") == DELAY); /* it has answered */
    CHECK(failure("paywall") == DELAY);
    CHECK(failure("paywall") >= 22500);
    CHECK(failure("consent") >= 90000);
    tear_down();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_host_whose_pages_lead_to_new_ones_only_is_asked_rarely),
        TEST(a_page_that_leads_back_makes_it_an_ordinary_one),
        TEST(copies_that_lead_to_new_urls_are_growth_as_well),
        TEST(a_calendar_that_only_leads_on_is_growth),
        TEST(what_a_calendar_leads_to_makes_it_an_ordinary_one),
        TEST(pages_of_pictures_are_no_growth),
        TEST(few_links_say_nothing),
        TEST(a_challenge_is_the_hosts_and_a_paywall_the_pages_at_first),
        {0},
    };

    log_threshold = LOG_ERROR;
    return test_main(table, argc, argv);
}
