/* test_strip_links.c -- aim: what of a page is a link, where it leads and where
 * it stands; no page has more of them than fit. */
#include "test.h"

#include "base/buf.h"
#include "strip_page.h"

/* "url anchor block relation nofollow" of each link, joined by '|'. */
static void
check_links(const char *html, const char *want)
{
    struct page p;
    struct str all = STR("");

    page_read(&p, str_c(html), "http://www.example.org/a/b.html");
    for (uint32_t i = 0; i < p.d.links_n; i++) {
        const struct link *l = &p.d.links[i];

        all = arena_printf(p.arena, "%.*s%s%.*s [%.*s] %u %c%s", STRF(all),
                           i ? "|" : "", STRF(l->url), STRF(l->anchor),
                           l->block_i, "hdx"[l->relation],
                           l -> nofollow ? " nofollow" : "");
    }
    if (!str_eq(all, str_c(want)))
        fprintf(stderr, "%s\n  gives %.*s\n  wants %s\n", html, STRF(all),
                want);
    CHECK(str_eq(all, str_c(want)));
    page_end(&p);
}

static void
links_are_resolved_and_related(void)
{
    check_links("<a href=c.html>see <b> this</b></a>",
                "http://www.example.org/a/c.html [see this] 0 h");
    check_links("<a href='//de.example.org/x?a=1&amp;b=2#frag'>x</a>",
                "http://de.example.org/x?a=1&b=2 [x] 0 d");
    check_links("<a href=https://example.com rel='noopener UGC'>x</a>",
                "https://example.com/ [x] 0 x nofollow");
    check_links("<base href=/z/><base href=/no/><a href=q>x</a>",
                "http://www.example.org/z/q [x] 0 h");
    check_links("<a href=q>x</a><base href=/z/>",
                "http://www.example.org/z/q [x] 0 h");
    check_links("<map><area href=q alt='the north'></map>",
                "http://www.example.org/a/q [the north] 0 h");
    check_links("<a href=q><img alt='a picture'></a>",
                "http://www.example.org/a/q [a picture] 0 h");
    check_links("<meta http-equiv=Refresh content='0; URL=\"/next\"'>",
                "http://www.example.org/next [] 0 h");
    check_links("<frameset><frame src=menu.html></frameset>",
                "http://www.example.org/a/menu.html [] 0 h");
}

static void
the_header_refresh_is_a_link(void)
{
    static const struct {
        const char *headers, *href; /* NULL: none */
    } rows[] = {
        {"A: b\r\nrefresh: 0; url=/next\r\nC: d\r\n",
         "http://www.example.org/next"},
        {"Refresh: 5;URL='n.html'", "http://www.example.org/a/n.html"},
        {"Refresh: 30\r\nX-Refresh: 0; url=/x\r\n", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct page p;

        page_read_with(&p, S("<p>wait"), "http://www.example.org/a/b", false,
                       rows[i].headers);
        CHECK(p.d.links_n == (rows[i].href != NULL));
        if (p.d.links_n > 0)
            CHECK(str_eq(p.d.links[0].url, str_c(rows[i].href)));
        page_end(&p);
    }
}

static void
what_is_no_link_is_none(void)
{
    check_links("<a href=mailto:a@b.org>x</a><a href='javascript:y()'>x</a>"
                "<a href='#top'>x</a><a name=q>x</a><a href=''>x</a>"
                "<a href=tel:123>x</a><a href='http://['>x</a>",
                "");
    check_links("<template><a href=q>x</a></template>", "");
}

static void
links_know_their_block(void)
{
    check_links("<p>one<p>two <a href=q>x</a> <a href=r>y</a><p>three",
                "http://www.example.org/a/q [x] 1 h|"
                "http://www.example.org/a/r [y] 1 h");
    check_links("<p>one</p><p><a href=q></a></p><p>two",
                "http://www.example.org/a/q [] 1 h");
    check_links("one<a href=q><div>two</div></a>",
                "http://www.example.org/a/q [two] 1 h");
    check_links("<p>one</p><a href=q></a>",
                "http://www.example.org/a/q [] 1 h");
    check_links("<a href=q>x<a href=r>y</a>",
                "http://www.example.org/a/q [x] 0 h|"
                "http://www.example.org/a/r [y] 0 h");
}

static const struct link *
link_of(const struct page *p, const char *end)
{
    for (uint32_t i = 0; i < p->d.links_n; i++)
        if (str_ends(p->d.links[i].url, str_c(end)))
            return &p->d.links[i];
    abort();
}

/* Links of one list have one path, whatever numbers their classes hold; a path
 * holds the innermost elements only. */
static void
links_know_where_they_stand(void)
{
    struct page p;
    char deep[400] = "", *at = deep;

    for (int i = 0; i < 20; i++)
        at += sprintf(at, "<div class=d>");
    sprintf(at, "<a href=/deep>x</a>");
    page_read(&p,
              S("<nav><ul><li class='item-1'><a href=/one>x</a></li>"
                "<li class='item-2'><a href=/two>x</a></li>"
                "<li class=other><a href=/three>x</a></ul></nav>"
                "<main><table><tr><td><a href=/four>x</a></table></main>"
                "<div role=menu><form><a href=/five>x</a></form></div>"
                "<map><area href=/six></map><footer><a href=/seven>x</a>"),
              "http://a.org/");
    CHECK(link_of(&p, "/one")->within == (LINK_IN_NAV | LINK_IN_ITEM));
    CHECK(link_of(&p, "/four")->within == (LINK_IN_MAIN | LINK_IN_TABLE));
    CHECK(link_of(&p, "/five")->within == (LINK_IN_NAV | LINK_IN_FORM));
    CHECK(link_of(&p, "/six")->within == 0);
    CHECK(link_of(&p, "/seven")->within == LINK_IN_FOOTER);
    CHECK(link_of(&p, "/one")->path.n == 2 * 6); /* html body nav ul li a */
    CHECK(str_eq(link_of(&p, "/one")->path, link_of(&p, "/two")->path));
    CHECK(!str_eq(link_of(&p, "/one")->path, link_of(&p, "/three")->path));
    CHECK(link_of(&p, "/six")->path.n == 2 * 3);
    page_end(&p);
    page_read(&p, str_c(deep), "http://a.org/");
    CHECK(link_of(&p, "/deep")->path.n == 2 * LINK_PATH_STEPS);
    page_end(&p);
}

static void
the_language_of_a_target_is_what_markup_says(void)
{
    struct page p;

    page_read(&p,
              S("<link rel=alternate hreflang=FR href=/c>"
                "<link rel=alternate hreflang=x-default href=/d>"
                "<link rel='alternate' hreflang='pt-BR' href='http://b.org/'>"
                "<a href=a hreflang=' nl-BE ' lang=de>x</a>"
                "<a href=b lang=de>x</a><a href=c>x</a><a href=d>x</a>"
                "<a href=//b.org>x</a><a href=e hreflang='no language'>x</a>"
                "<a href=f hreflang=abcdefghijklmnopq>x</a>"),
              "http://a.org/");
    CHECK(str_eq(link_of(&p, "/a")->language, S("nl-be")));
    CHECK(str_eq(link_of(&p, "/b")->language, S("de")));
    CHECK(str_eq(link_of(&p, "/c")->language, S("fr")));
    CHECK(link_of(&p, "/d")->language.n == 0);
    CHECK(str_eq(link_of(&p, "b.org/")->language, S("pt-br")));
    CHECK(link_of(&p, "/e")->language.n == 0);
    CHECK(link_of(&p, "/f")->language.n == 0);
    CHECK(p.d.alternates_n == 0); /* x-default is no language */
    page_end(&p);
}

static void
a_page_in_other_languages_may_stand_in_the_head_alone(void)
{
    struct page p;

    page_read(&p,
              S("<link rel=alternate hreflang=fr href=/fr>"
                "<link rel=alternate hreflang=en href=/self>"
                "<link rel=alternate hreflang=nl-BE href=nl#top>"
                "<link rel=alternate hreflang=de href='mailto:x@a.org'>"
                "<a href=/fr>x</a>"),
              "http://a.org/self");
    CHECK(p.d.alternates_n == 1 && p.d.links_n == 1);
    CHECK(str_eq(p.d.alternates[0].url, S("http://a.org/nl")));
    CHECK(str_eq(p.d.alternates[0].language, S("nl-be")));
    page_end(&p);
    page_read(&p, S("<link rel=alternate hreflang=fr href=/fr><p>x"),
              "http://a.org/");
    CHECK(p.d.alternates_n == 1 && p.d.links_n == 0);
    page_end(&p);
}

static void
link_text_is_counted(void)
{
    struct page p;

    page_read(&p, S("<p>ab <a href=q>cdef</a> gh</p><p><a href=r>all</a>"),
              NULL);
    CHECK(counts(&p, 0)->link_bytes == 4 && counts(&p, 0)->bytes == 10);
    CHECK(counts(&p, 0)->links == 1);
    CHECK(counts(&p, 1)->link_bytes == counts(&p, 1)->bytes);
    CHECK(p.d.links_n == 0 && p.d.links_dropped == 2); /* no base */
    page_end(&p);
}

static bool
is_navigation(const char *html)
{
    struct page p;
    bool is;

    page_read(&p, str_c(html), "http://www.example.org/");
    CHECK(p.d.blocks_n == 1);
    is = counts(&p, 0)->flags & BLOCK_NAV_ROLE;
    page_end(&p);
    return is;
}

static void
links_to_the_next_page_are_navigation(void)
{
    CHECK(is_navigation("<p>Next: <a rel=next href=b>Ways out</a>, Up: <a "
                        "href=c rel=up>Contents</a></p>"));
    CHECK(is_navigation("<p><a rel='nofollow PREV' href='#b'>Ways in</a>"));
    CHECK(!is_navigation("<p><a rel=nofollow href=b>Ways out</a></p>"));
    CHECK(!is_navigation("<p>What this leads to is said <a rel=next href=b>in "
                         "the next part</a>.</p>"));
}

static void
a_hundred_thousand_links_are_bounded(void)
{
    enum { N = 100000 };
    static char html[N * 32];
    struct page p;
    size_t n = 0;

    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "<a href=/p/%d>x</a> ", i);
    page_read(&p, str_n(html, n), "http://example.org/");
    CHECK(p.d.links_n == 10000);
    CHECK(p.d.links_dropped == N - 10000);
    CHECK(str_eq(p.d.links[9999].url, S("http://example.org/p/9999")));
    page_end(&p);
}

static void
a_link_of_a_megabyte_is_dropped(void)
{
    enum { N = 1 << 20 };
    static char html[N + 100];
    struct page p;

    memset(html, 'a', sizeof html);
    memcpy(html, "<a href='/", 10);
    memcpy(html + N, "'>anchor</a>", 13);
    page_read(&p, str_c(html), "http://example.org/");
    CHECK(p.d.links_n == 0 && p.d.links_dropped == 1);
    CHECK(strcmp(page_text(&p), "anchor") == 0);
    page_end(&p);
}

/* A million open elements and as many end tags that match nothing must not
 * cost more than their length: this test would run for hours. */
static void
a_link_in_the_deep_ends_with_its_tag(void)
{
    enum { N = 300 };
    char html[N * 11 + 100];
    size_t n = 0;
    struct page p;

    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "<div>");
    n += (size_t)sprintf(html + n, "<a href=/x>one</a> two");
    page_read(&p, str_n(html, n), "http://a.example/");
    CHECK(p.d.links_n == 1 && str_eq(p.d.links[0].anchor, S("one")));
    page_end(&p);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(links_are_resolved_and_related),
        TEST(the_header_refresh_is_a_link),
        TEST(what_is_no_link_is_none),
        TEST(links_know_their_block),
        TEST(links_know_where_they_stand),
        TEST(the_language_of_a_target_is_what_markup_says),
        TEST(a_page_in_other_languages_may_stand_in_the_head_alone),
        TEST(link_text_is_counted),
        TEST(links_to_the_next_page_are_navigation),
        TEST(a_hundred_thousand_links_are_bounded),
        TEST(a_link_of_a_megabyte_is_dropped),
        TEST(a_link_in_the_deep_ends_with_its_tag),
        {0}};

    return test_main(table, argc, argv);
}
