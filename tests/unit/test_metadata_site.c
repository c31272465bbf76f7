/* test_metadata_site.c -- aim: a page that names no site has its name from what
 * its title leaves off, where that is surely so; and which <h1> are titles. */
#include "test.h"

#include "clean/metadata/metadata.h"
#include "strip_page.h"

#define TEXT                                                                   \
    "<p>A paragraph of running text that is long enough to be one, with a "    \
    "second half that says the same again in other words.</p>"

/* Of a page with these texts as <title> and as body. */
static bool
page_at(const char *url, const char *title, const char *body,
        const char *want_title, const char *want_site)
{
    struct page p;
    struct buf html = {0};
    void *none;
    bool same;

    CHECK(stage_metadata.open(&none, NULL) == ST_OK);
    buf_printf(&html, "<head><title>%s</title></head><body>%s" TEXT, title,
               body);
    page_read(&p, buf_view(&html), url);
    CHECK(stage_metadata.run(NULL, &p.d) == ST_OK);
    same = str_eq(p.d.meta.title, str_c(want_title)) &&
           str_eq(p.d.meta.site, str_c(want_site));
    if (!same)
        fprintf(stderr, "%s: title '%.*s', site '%.*s'\n", title,
                STRF(p.d.meta.title), STRF(p.d.meta.site));
    page_end(&p);
    buf_free(&html);
    return same;
}

static bool
page_has(const char *title, const char *body, const char *want_title,
         const char *want_site)
{
    return page_at("http://www.example.org/a/b", title, body, want_title,
                   want_site);
}

static void
what_the_title_leaves_off_is_the_site(void)
{
    CHECK(page_has("Na de orkaan van vorige week - Streekwiki",
                   "<h1>Na de orkaan van vorige week</h1>",
                   "Na de orkaan van vorige week", "Streekwiki"));
    CHECK(page_has("Streekwiki | Na de orkaan van vorige week",
                   "<h1>Na de orkaan van vorige week</h1>",
                   "Na de orkaan van vorige week", "Streekwiki"));
}

static void
not_a_section_nor_a_part_of_the_title(void)
{
    CHECK(page_has("Orkaan: een verhaal", "<h1>Orkaan: een verhaal</h1>",
                   "Orkaan: een verhaal", ""));
    CHECK(page_has("Orkaan - Natuur - Streekwiki", "<h1>Orkaan</h1>",
                   "Orkaan - Natuur", ""));
    CHECK(page_has("Orkaan - en wat er daarna nog kwam", "<h1>Orkaan</h1>",
                   "Orkaan", ""));
    CHECK(page_has("Orkaan > Natuur", "<h1>Orkaan</h1>", "Orkaan", ""));
    CHECK(page_has("Na de orkaan van vorige week - Pagina 2",
                   "<h1>Na de orkaan van vorige week</h1>",
                   "Na de orkaan van vorige week", ""));
}

static void
who_names_the_site_is_believed(void)
{
    CHECK(page_has("Orkaan - Natuur",
                   "<meta property=og:site_name content=Streek><h1>Orkaan</h1>",
                   "Orkaan", "Streek"));
    CHECK(page_has("Orkaan - Example", "<h1>Orkaan</h1>", "Orkaan", "Example"));
}

static void
a_name_in_brackets_that_stands_above_every_page(void)
{
    CHECK(page_has("Na de orkaan van vorige week [Streekwiki]",
                   "<h1>Streekwiki</h1><h1>Na de orkaan van vorige week</h1>",
                   "Na de orkaan van vorige week", "Streekwiki"));
    CHECK(page_has("Orkaan [met foto's]", "<h1>Orkaan [met foto's]</h1>",
                   "Orkaan [met foto's]", ""));
}

static void
a_name_that_leads_home_is_the_site(void)
{
    CHECK(page_has("Streekwiki - Orkaan",
                   "<header><h1><a href='/'>Streekwiki</a></h1></header>"
                   "<h2>Orkaan</h2>",
                   "Orkaan", "Streekwiki"));
    CHECK(
        page_has("Orkaan: Streekwiki",
                 "<div><a href='http://www.example.org/'>Streekwiki</a></div>",
                 "Orkaan", "Streekwiki"));
    CHECK(page_has("Begin - Orkaan en storm",
                   "<nav><a href='/'>Begin</a></nav><p>x", "Orkaan en storm",
                   ""));
}

static void
a_heading_above_the_page_is_the_site(void)
{
    CHECK(page_has("Streekwiki van het noorden - Orkaan",
                   "<header><h1>Streekwiki van het noorden</h1></header>"
                   "<main><h1>Orkaan</h1></main>",
                   "Orkaan", "Streekwiki van het noorden"));
    CHECK(page_has("Na de orkaan van vorige week - Natuur",
                   "<main><header><h1>Na de orkaan van vorige week</h1>"
                   "</header></main><h1>Natuur</h1>",
                   "Na de orkaan van vorige week", "Natuur"));
}

static void
the_name_of_a_page_in_its_url_is_no_title(void)
{
    const char *h1 = "<h1><a href='/'>Streekwiki</a></h1><h1>Orkaan</h1>";

    CHECK(page_at("http://w.example/doku.php?id=natuur:na-de-storm&x=1",
                  "natuur:na-de-storm [Streekwiki]", h1, "Orkaan",
                  "Streekwiki"));
    CHECK(page_at("http://w.example/storm.html", "storm - Streekwiki", h1,
                  "Orkaan", "Streekwiki"));
    CHECK(page_at("http://w.example/Storm", "Storm", "<h1>Orkaan</h1>", "Storm",
                  ""));
    CHECK(page_at("http://w.example/storm", "storm", "<p>x", "storm", ""));
}

#define SECTION(name) "<h1>" name "</h1>" TEXT

static void
many_headings_that_the_title_does_not_say_are_of_sections(void)
{
    CHECK(page_has("Storms",
                   SECTION("NAME") SECTION("How can I become a member of it?")
                       SECTION("How can I contribute resources to it?")
                           SECTION("AUTHOR"),
                   "Storms", ""));
    CHECK(page_has("Streekwiki - How the coast is called upon",
                   SECTION("How the coast is called upon") SECTION("Two words")
                       SECTION("Three more words") SECTION("Four words more"),
                   "How the coast is called upon", "Streekwiki"));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_the_title_leaves_off_is_the_site),
        TEST(not_a_section_nor_a_part_of_the_title),
        TEST(who_names_the_site_is_believed),
        TEST(a_name_in_brackets_that_stands_above_every_page),
        TEST(a_name_that_leads_home_is_the_site),
        TEST(a_heading_above_the_page_is_the_site),
        TEST(the_name_of_a_page_in_its_url_is_no_title),
        TEST(many_headings_that_the_title_does_not_say_are_of_sections),
        {0},
    };

    return test_main(table, argc, argv);
}
