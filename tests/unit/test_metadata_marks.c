/* test_metadata_marks.c -- aim: what programs that show posts of several people
 * say of each in links, not in words, and archives of mail in the head of each.
 */
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

static bool
message_says(const char *body, const char *author, const char *date)
{
    return page_says(body, META_AUTHOR, META_FROM_BYLINE, author) &&
           page_says(body, META_PUBLISHED, META_FROM_TEXT, date);
}

static void
the_head_of_a_message_says_who_wrote_it_and_when(void)
{
#define WHEN "Mon, 20 Nov 2023 09:51:33 +0100"
#define ISO "2023-11-20T09:51:33+01:00"
    CHECK(
        message_says("<ul><li><em>To</em>: users@a.example<li><em>Subject</em>"
                     ": A thread<li><em>From</em>: Jane Doe &lt;<a href=x>"
                     "jane@a.example</a>&gt;<li><em>Date</em>: " WHEN "</ul>",
                     "Jane Doe", ISO));
    CHECK(message_says("<table><tr><th>Von:<td>jane@a.example (Jane Doe)<tr>"
                       "<th>Datum:<td>" WHEN "<tr><th>Betreff:<td>A thread"
                       "</table>",
                       "Jane Doe", ISO));
    CHECK(message_says("<p>From: &quot;Jane Doe&quot;<p>Date: " WHEN
                       "<p>Subject: A thread",
                       "Jane Doe", ISO));
    CHECK(message_says("<p>From: jane@a.example<p>Date: " WHEN
                       "<p>Subject: A thread",
                       "", ISO));
    CHECK(message_says("<table><tr><th>Author<td>Jane Doe<tr><th>Date<td>"
                       "2023-11-20.09:51:33</table>",
                       "Jane Doe", "2023-11-20T09:51:33"));
    CHECK(page_says("<table><tr><th>Author<th>Date<tr><td>Jane Doe<td>" WHEN
                    "</table>",
                    META_AUTHOR, META_FROM_BYLINE, ""));
    CHECK(page_says("<p>From: Bern Main Station<p>To: Milan<p>Date: " WHEN,
                    META_AUTHOR, META_FROM_BYLINE, ""));
    CHECK(page_says("<p>a<p>b<p>c<p>d<p>e<p>From: Jane Doe<p>Date: " WHEN
                    "<p>Subject: quoted far behind the heading",
                    META_AUTHOR, META_FROM_BYLINE, ""));
}

static void
what_an_article_quotes_is_not_of_the_article(void)
{
#define ARTICLE                                                                \
    "<script type=application/ld+json>{\"@type\":\"NewsArticle\","             \
    "\"author\":{\"@type\":\"Person\",\"name\":\"Anna Roe\"}}</script>"
    CHECK(page_says(ARTICLE "<p>From: Jane Doe<p>Date: " WHEN
                            "<p>Subject: what a newspaper has seen",
                    META_AUTHOR, META_FROM_BYLINE, ""));
    CHECK(page_says("<p class=author>By Anna Roe<ul><li>Author: John Doe<li>"
                    "Date: 21 September 1937</ul>",
                    META_AUTHOR, META_FROM_BYLINE, "Anna Roe"));
    CHECK(message_says("<dl><dt>Autor<dd>Jan Doe<dt>Datum<dd>3. November 2021"
                       "</dl>",
                       "Jan Doe", "2021-11-03"));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(an_author_may_be_the_link_that_a_byline_begins_with),
        TEST(the_head_of_a_message_says_who_wrote_it_and_when),
        TEST(what_an_article_quotes_is_not_of_the_article),
        {0},
    };

    return test_main(table, argc, argv);
}
