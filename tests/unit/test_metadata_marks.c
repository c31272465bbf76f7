/* test_metadata_marks.c -- aim: what programs that show posts of several people
 * say of each in attributes and links, not in words. */
#include "test.h"

#include "clean/metadata/metadata.h"
#include "strip_page.h"

/* The page's candidate for a field from a source; "": it has none. */
static bool
page_says(const char *body, enum meta_field field, enum meta_source source,
          const char *want)
{
    struct page p;
    struct buf html = {0};
    struct str got = S("");
    void *none;
    bool same;

    CHECK(stage_metadata.open(&none, NULL) == ST_OK);
    buf_printf(&html, "<body><h1>A thread</h1>%s", body);
    page_read(&p, buf_view(&html), "https://www.daily.example/a/storm");
    CHECK(stage_metadata.run(NULL, &p.d) == ST_OK);
    for (uint32_t i = p.d.meta.candidates_n; i-- > 0;) {
        const struct meta_candidate *c = &p.d.meta.candidates[i];

        if (c->field == field && c->sources >> source & 1)
            got = c->value;
    }
    same = str_eq(got, str_c(want));
    if (!same)
        fprintf(stderr, "%s: '%.*s'\n", body, STRF(got));
    page_end(&p);
    buf_free(&html);
    return same;
}

/* What is read when the pointer rests on "3 years ago". */
static void
titles_tell_the_moment(void)
{
#define TITLED(title)                                                          \
    "<p>Added <a title='" title "' href=/log>3 years</a> ago</p>"
    static const char *const moments[][2] = {
        {TITLED("28.08.2021 00:22"), "2021-08-28T00:22:00"},
        {TITLED("2021-08-28 00:22:05"), "2021-08-28T00:22:05"},
        {TITLED("On 2021-08-28 00:22"), "2021-08-28T00:22:00"},
        {TITLED("Aug 28, 2021, 12:22 AM"), "2021-08-28T00:22:00"},
        {TITLED("Sender time: Aug. 28, 2021, 3:22 p.m."),
         "2021-08-28T15:22:00"},
        {TITLED("Samstag, 28. August 2021 um 00:22 Uhr"),
         "2021-08-28T00:22:00"},
        {TITLED("See timeline at 08/28/21 00:22:05"), "2021-08-28T00:22:05"},
        {TITLED("28.08.2021"), ""}, /* as in a calendar of archives */
        {TITLED("Open 10:00 to 18:30"), ""},
        {TITLED("Meeting of 3 May 2021 10:00 with all who have come"), ""},
    };
#undef TITLED

    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++)
        CHECK(page_says(moments[i][0], META_PUBLISHED, META_FROM_TIME,
                        moments[i][1]));
}

/* A rank or a date behind the link is no part of the name in it; of several
 * links of a kind each is a name. */
static void
an_author_may_be_the_link_that_a_byline_begins_with(void)
{
    static const char *const bylines[][2] = {
        {"By <a href=/users/6>Bernd Schulze</a> <a href=/log>3 years</a> ago",
         "Bernd Schulze"},
        {"<a href='/member?id=8'>lutz95</a> Junior Member", "lutz95"},
        {"By <a href=/users/6>Jane Doe</a> and <a href=/users/7>John Roe</a>",
         "Jane Doe and John Roe"},
        {"By <a href=/author/jd/>Jane Doe</a> and <a href=/author/jr/>John "
         "Roe</a>",
         "Jane Doe and John Roe"},
    };
    char html[256];

    for (size_t i = 0; i < sizeof bylines / sizeof *bylines; i++) {
        (void)snprintf(html, sizeof html, "<p class=author>%s</p>",
                       bylines[i][0]);
        CHECK(page_says(html, META_AUTHOR, META_FROM_CLASS, bylines[i][1]));
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(titles_tell_the_moment),
        TEST(an_author_may_be_the_link_that_a_byline_begins_with),
        {0},
    };

    return test_main(table, argc, argv);
}
