/* Is there a page at all behind a link?  By how the links of its host and of
 * its kind have ended. */
#include "frontier_help.h"

static struct outcome_counts
links(uint32_t all, uint32_t dead)
{
    return (struct outcome_counts){
        {[CLASS_LINKS] = all, [CLASS_LINKS_DEAD] = dead}};
}

static void
links_are_alive_as_those_of_their_host_and_url_class_were(void)
{
    const struct link_rot_crawl crawl = {.tried = {40}, .working = {20}};
    const struct outcome_counts fresh = {{0}}, good = links(20, 1),
                                dead = links(20, 20);
    struct link_rot_host unknown = {0}, mixed = {0}, gone = {0};
    double least = 0, chance;

    link_rot_add(&mixed, &good);
    link_rot_add(&mixed, &dead);
    link_rot_add(&gone, &dead);
    CHECK(mixed.links > 0 && mixed.links < 20 && mixed.working > 0 &&
          mixed.working < mixed.links && gone.working == 0);
    chance = link_rot_link(&crawl, &unknown, &fresh);
    CHECK(chance > 0.4 && chance < 0.6); /* as hosts are */
    CHECK(link_rot_link(&crawl, &mixed, &good) > 0.8);
    CHECK(link_rot_link(&crawl, &mixed, &dead) < 0.15);
    CHECK(link_rot_link(&crawl, &mixed, &fresh) > 0.3);
    CHECK(link_rot_link(&crawl, &gone, &fresh) < 0.1);
    for (uint32_t working = 0; working <= 10; working++) { /* rises with each */
        const struct outcome_counts url_class = links(10, 10 - working);
        struct link_rot_host host = {0};

        link_rot_add(&host, &url_class);
        chance = link_rot_link(&crawl, &host, &url_class);
        CHECK(chance > least && chance < 1);
        least = chance;
    }
    CHECK(link_rot_seed(&crawl) > 0.9); /* seeds are another matter */
}

/* Where one dead link in a host says little, another is tried; where it has
 * always said all, none. */
static void
hosts_tried_in_vain_are_given_up_as_soon_as_others_were(void)
{
    const struct link_rot_crawl often = {.tried = {200, 90, 40, 20},
                                         .working = {110, 50, 20, 10}},
                                never = {.tried = {200, 90, 90, 90},
                                         .working = {110, 0, 0, 0}};
    const struct outcome_counts fresh = {{0}}, once = links(1, 1);
    struct link_rot_host host = {0};
    struct link_rot_crawl c = {0};
    struct outcome_counts none = {{0}};

    CHECK(link_rot_link(&often, &host, &fresh) > 0.5);
    CHECK(link_rot_link(&never, &host, &fresh) > 0.5);
    link_rot_add(&host, &once);
    CHECK(link_rot_link(&often, &host, &fresh) > 0.4);
    CHECK(link_rot_link(&never, &host, &fresh) < 0.05);
    for (uint32_t dead = 0; dead < 20; dead++) { /* counted by runs */
        none = links(dead, dead);
        link_rot_learn(&c, &none, false, true);
    }
    none = links(9, 8);
    link_rot_learn(&c, &none, false, false); /* one was there: no run */
    for (size_t i = 0; i + 1 < LINK_ROT_RUNS; i++)
        CHECK(c.tried[i] == 1 && c.working[i] == 0);
    CHECK(c.tried[LINK_ROT_RUNS - 1] == 20 - LINK_ROT_RUNS + 1);
}

static void
trying_the_links_of_an_unknown_host_is_worth_more_than_its_chance(void)
{
    const struct link_rot_crawl crawl = {.tried = {1000}, .working = {100}};
    const struct outcome_counts fresh = {{0}}, once = links(1, 1),
                                often = links(5, 5);
    struct link_rot_host unknown = {0}, tried = {0}, given_up = {0};
    double one = link_rot_trial(&crawl, &unknown, &fresh, 1, 0),
           many = link_rot_trial(&crawl, &unknown, &fresh, 50, 0);

    link_rot_add(&tried, &once);
    link_rot_add(&given_up, &often);
    CHECK(one > link_rot_link(&crawl, &unknown, &fresh));
    CHECK(many > 2 * one && many < 1);
    CHECK(link_rot_trial(&crawl, &tried, &once, 50, 0) < many);
    CHECK(link_rot_trial(&crawl, &given_up, &often, 50, 0) < 0.2 * many);
    CHECK(link_rot_trial(&crawl, &unknown, &fresh, 50, -2) <
          many); /* the link */
    CHECK(link_rot_proven(&crawl, &tried, &once) >
          3 * link_rot_link(&crawl, &tried, &once));
}

/* Where no host's first link was there, the next host's is not expected to be:
 * 40 such hosts are as many fetches. */
static void
hope_for_the_links_of_unknown_hosts_ends(void)
{
    const struct outcome_counts fresh = {{0}};
    struct link_rot_host unknown = {0};
    struct link_rot_crawl none = {.seeds = 0}, vain = {.tried = {40}};

    CHECK(link_rot_trial(&none, &unknown, &fresh, 50, 0) > 0.8);
    CHECK(link_rot_trial(&vain, &unknown, &fresh, 50, 0) < 0.5);
}

/* A link like those that are gone: so are the ones queued behind it. */
static void
trying_a_link_that_is_likely_gone_is_worth_little_more_than_its_chance(void)
{
    const struct link_rot_crawl crawl = {.tried = {1000}, .working = {600}};
    const struct outcome_counts some = links(60, 50);
    struct link_rot_host host = {0};

    link_rot_add(&host, &some);
    CHECK(link_rot_trial(&crawl, &host, &some, 50, -2) < 0.06);
}

static void
a_url_class_counts_its_latest_links_only_and_its_host_their_sum(void)
{
    struct random r = random_seed(3);
    struct outcome_counts url_class[3] = {{{0}}}, host = {{0}};

    for (int i = 0; i < 5000; i++) {
        size_t at = random_below(&r, 3);
        uint32_t all = 0, dead = 0;

        outcomes_count_latest(&url_class[at], &host, CLASS_LINKS,
                              CLASS_LINKS_DEAD, random_below(&r, 4) < at + 1);
        for (size_t k = 0; k < 3; k++) {
            CHECK(url_class[k].n[CLASS_LINKS] <= 100);
            CHECK(url_class[k].n[CLASS_LINKS_DEAD] <=
                  url_class[k].n[CLASS_LINKS]);
            all += url_class[k].n[CLASS_LINKS];
            dead += url_class[k].n[CLASS_LINKS_DEAD];
        }
        CHECK(host.n[CLASS_LINKS] == all && host.n[CLASS_LINKS_DEAD] == dead);
    }
    for (int i = 0; i < 200; i++)
        outcomes_count_latest(&url_class[0], &host, CLASS_LINKS,
                              CLASS_LINKS_DEAD, true); /* emptied */
    CHECK(url_class[0].n[CLASS_LINKS_DEAD] + 4 > url_class[0].n[CLASS_LINKS]);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(links_are_alive_as_those_of_their_host_and_url_class_were),
        TEST(hosts_tried_in_vain_are_given_up_as_soon_as_others_were),
        TEST(trying_the_links_of_an_unknown_host_is_worth_more_than_its_chance),
        TEST(hope_for_the_links_of_unknown_hosts_ends),
        TEST(
            trying_a_link_that_is_likely_gone_is_worth_little_more_than_its_chance),
        TEST(a_url_class_counts_its_latest_links_only_and_its_host_their_sum),
        {0}};

    return test_main(table, argc, argv);
}
