/* test_metadata_marks.c -- aim: what programs that show posts of several people
 * say of each in links, not in words. */
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
        TEST(an_author_may_be_the_link_that_a_byline_begins_with),
        {0},
    };

    return test_main(table, argc, argv);
}
