/* test_author_fit.c -- what stands where an author would and is none. */
#include "test.h"

#include "clean/metadata/metadata.h"
#include "clean/metadata/model.h"
#include "strip_page.h"

static struct page page;
static struct guesses found;

static void
read_it(const char *html)
{
    uint32_t heading_i;
    void *none;

    CHECK(stage_metadata.open(&none, NULL) == ST_OK);
    page_read(&page, str_c(html), "https://www.daily.example/a/storm");
    metadata_collect(&found, &page.d, &heading_i);
}

/* Whether `name` is among the first n of the authors. */
static bool
is_among(uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (str_eq(found.of[META_AUTHOR][i].value, str_c(name)))
            return true;
    return false;
}

/* A page whose `name` is found, and can be its author or not. */
static void
author_is(bool fit, const char *name, const char *html)
{
    bool right;

    read_it(html);
    right = is_among(found.bylines_n, name) &&
            is_among(found.n[META_AUTHOR], name) == fit;
    CHECK(right);
    if (!right)
        fprintf(stderr, "%s: %s\n", name, html);
    page_end(&page);
}

#define STORM "<body><h1>Storm</h1>"

static void
networks_and_menu_entries_are_no_authors(void)
{
    author_is(false, "Bluesky",
              STORM "<p><a href=https://bsky.app/profile/jane>Bluesky</a>");
    author_is(false, "E-Mail", STORM "<p class=author>E-Mail</p>");
    author_is(false, "ZDJĘCIA", STORM "<p class=author>ZDJĘCIA</p>");
    author_is(false, "Facebook, Twitter",
              STORM "<p class=author>Facebook, Twitter</p>");
    author_is(true, "Jane Doe, Twitter",
              STORM "<p class=author>Jane Doe, Twitter</p>");
    author_is(true, "Twitter Jane", STORM "<p class=author>Twitter Jane</p>");
}

static void
a_network_is_the_author_of_its_own_pages(void)
{
    author_is(false, "Facebook", "<meta name=author content=Facebook>" STORM);
    author_is(true, "Facebook",
              "<meta property=og:site_name content=Facebook>"
              "<meta name=author content=Facebook>" STORM);
}

static void
marks_of_a_way_are_in_no_name(void)
{
    author_is(false, "Home › Weather",
              STORM "<p class=author>Home › Weather</p>");
    author_is(false, "© Jane Doe", STORM "<p class=author>© Jane Doe</p>");
    author_is(false, "#storm", STORM "<p class=author>#storm</p>");
    author_is(false, "Jane Doe »", STORM "<p class=author>Jane Doe »</p>");
    author_is(true, "Jane Doe «Daily»",
              STORM "<p class=author>Jane Doe «Daily»</p>");
}

static void
the_rest_of_a_sentence_is_no_name(void)
{
    author_is(false, "and Citation", STORM "<h2>Authors and Citation</h2>");
    author_is(false, "Share this page",
              STORM "<p class=author>Share this page</p>");
    author_is(true, "E Zaccarella", STORM "<p>By E Zaccarella");
    author_is(true, "Andrea Roe", STORM "<p>By Andrea Roe");
}

static void
menus_and_ways_lead_to_no_author(void)
{
    author_is(false, "Our Office",
              STORM "<nav><a href=/team/office>Our Office</a></nav>");
    author_is(false, "Our Office",
              STORM "<p class=breadcrumb><a href=/team/office>Our Office</a>");
    author_is(true, "Our Office",
              STORM "<p><a href=/team/office>Our Office</a>");
    author_is(true, "Our Office",
              "<meta name=author content='Our Office'>" STORM
              "<nav><a href=/team/office>Our Office</a></nav>");
}

static void
a_section_is_no_author(void)
{
#define SECTION "<meta property=article:section content='Health &amp; Body'>"
#define SHOWN "<p class=author>Health &amp; Body</p>"
    author_is(false, "Health & Body", SECTION STORM SHOWN);
    author_is(true, "Health & Body", STORM SHOWN);
    author_is(true, "Health & Body",
              SECTION
              "<meta name=author content='Health &amp; Body'>" STORM SHOWN);
}

static void
headings_of_posts_are_no_authors(void)
{
#define DATED(text) "<h2>" text "</h2><p>3 May 2024</p>"
    author_is(false, "Spring Cake", "<body><h1>Spring Cake</h1><p>3 May 2024");
    author_is(false, "Plum Cake", STORM DATED("Plum Cake") DATED("Rye Bread"));
    author_is(true, "Jane Doe", STORM DATED("Jane Doe") "<p>Text.");
    author_is(true, "Plum Cake",
              STORM DATED("Plum Cake") DATED("Rye Bread") "<p>By Plum Cake");
}

/* A date beside a byline is weighed by it, whatever the byline says; authors
 * are weighed by those that can be some. */
static void
dates_know_of_all_bylines(void)
{
#define HAS(id) row[META_FEATURE_##id]
    float row[META_FEATURES_N] = {0};
    struct page_facts facts;

    read_it(STORM "<p class=author>Jane Doe</p><p>Text.<p>Text."
                  "<p class=author>Bluesky</p><p>3 May 2024</p>");
    CHECK(found.n[META_AUTHOR] == 1 && found.bylines_n == 2);
    page_facts(&facts, &found, 0);
    meta_features(row, &found, &facts, META_PUBLISHED, 0);
    CHECK(HAS(AUTHORS) == 2 && HAS(TO_AUTHOR) == 1);
    meta_features(row, &found, &facts, META_AUTHOR, 0);
    CHECK(HAS(RIVALS) == 1);
    page_end(&page);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(networks_and_menu_entries_are_no_authors),
        TEST(a_network_is_the_author_of_its_own_pages),
        TEST(marks_of_a_way_are_in_no_name),
        TEST(the_rest_of_a_sentence_is_no_name),
        TEST(menus_and_ways_lead_to_no_author),
        TEST(a_section_is_no_author),
        TEST(headings_of_posts_are_no_authors),
        TEST(dates_know_of_all_bylines),
        {0}};

    return test_main(tests, argc, argv);
}
