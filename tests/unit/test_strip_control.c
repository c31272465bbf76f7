/* test_strip_control.c -- aim: what is there to be clicked at is no text, and
 * nothing else goes with it. */
#include "test.h"

#include "strip_page.h"

static void
a_mark_that_links_to_its_heading_goes(void)
{
    page_gives("<h2 id=a>One<a class=headerlink href='#a' title='Permalink'>"
               "\xc2\xb6</a></h2>two",
               "One|two");
    page_gives("<h2><a href='#a'>#</a> One</h2>two", "One|two");
    page_gives("<dt>f(x)<a href=#f> \xc2\xa7 </a> of <i>y</i>", "f(x) of y");
    page_gives("<p>a<a href=#x><b>\xe2\x86\x91</b>\xe2\x80\x8b</a>.", "a.");
    page_gives("<ul><li><a href=#r>^</a> Smith 2001", "Smith 2001");
}

static void
links_that_say_something_stay(void)
{
    page_gives("<p>word<a href=#n1>[1]</a>.", "word[1].");
    page_gives("<p>a <a href=#b>b</a> c", "a b c");
    page_gives("<p>a <a href='/x#b'>\xc2\xb6</a> c", "a \xc2\xb6 c");
    page_gives("<p>a <a href='#b'>\xe4\xb8\xad</a> c", "a \xe4\xb8\xad c");
    page_gives("<p>a <a name=b>\xc2\xb6</a> c", "a \xc2\xb6 c");
    page_gives("<pre>a\n<a href=#l2>|</a>b</pre>", "a\n|b");
}

static bool
has_linked(const char *html, uint32_t link_bytes, uint32_t place_bytes)
{
    const struct block_counts *c;
    struct page p;
    bool has;

    page_read(&p, str_c(html), "http://www.example.org/");
    CHECK(p.d.blocks_n == 1);
    c = p.d.blocks[0].counts;
    has = c->link_bytes == link_bytes && c->place_bytes == place_bytes;
    page_end(&p);
    return has;
}

static void
a_heading_that_leads_to_a_place_of_its_page_is_no_link(void)
{
    CHECK(has_linked("<h2 id=a><a href='#a'>One <b>two</b></a></h2>", 0, 6));
    CHECK(has_linked("<h2><a href='/b'>One</a> <a href='#a'>two</a>", 3, 3));
    CHECK(has_linked("<h2><a href='#'>One</a></h2>", 3, 0));
    CHECK(has_linked("<h2><a href='#Top'>One</a></h2>", 3, 0));
    CHECK(has_linked("<p><a href='#a'>One</a></p>", 3, 0));
}

static void
blocks_and_readings_in_such_a_link_stay_as_they_are(void)
{
    page_gives("<a href=#x>*<p>a</p>*</a>b", "*|a|*b");
    page_gives("<p>a<a href=#x>", "a");
    page_gives("<p>a<a href=#x>-", "a-");
    page_gives("<p><ruby>a<rt><a href=#x>*</a></rt></ruby>", "a(*)");
    page_gives("<p>a<a href=#x>*<a href=#y>b</a>", "ab");
}

static void
marks_of_a_page_are_cut_with_it(void)
{
    struct page p;

    page_read(&p,
              S("<p>a <span itemprop=author>b<a rel=author href=#x>*</a>"
                "</span>"),
              NULL);
    CHECK(strcmp(page_text(&p), "a b") == 0);
    for (uint32_t i = 0; i < p.d.page_counts->marks_n; i++)
        CHECK(p.d.page_counts->marks[i].to <= 3);
    page_end(&p);
}

static void
an_element_in_such_a_link_has_no_text(void)
{
    struct page p;

    page_read(&p,
              S("<p>ab<a href='#x'><span itemprop=articleSection>######</span>"
                "</a>Natur\xc3\xa9 and more"),
              "http://www.example.org/");
    CHECK(p.d.page_counts->marks_n == 1);
    CHECK(p.d.page_counts->marks[0].from == 2);
    CHECK(p.d.page_counts->marks[0].to == 2);
    page_end(&p);
}

static void
mediawiki_s_controls_are_no_text(void)
{
    page_gives("<a class='mw-jump-link' href='#mw-head'>Naar navigatie</a>"
               "<h2><span class='mw-headline'>Geschiedenis</span><span "
               "class='mw-editsection'><span>[</span><a href='/e'>bewerken</a>"
               "<span>]</span></span></h2><p>a",
               "Geschiedenis|a");
    page_gives("<div id='jump-to-nav' class='mw-jump'>Jump to: <a href='#n'>"
               "navigation</a></div><p>a",
               "a");
    page_gives("<div class='mw-body'>a</div>", "a");
}

static void
markers_of_items_and_notes_are_no_text(void)
{
    page_gives("<li class=ltx_item><span class='ltx_tag ltx_tag_item'>1.</span>"
               "<p>a</li><dl><dt><span class='ltx_tag ltx_tag_item'>b</span>",
               "a|b");
    page_gives("<p>a <span class='ltx_tag ltx_tag_note'>1</span>b", "a b");
    page_gives("<details open><summary class=hideme><span>Expand</span>"
               "</summary>a</details><details><summary>b</summary>c",
               "a|b|c");
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_mark_that_links_to_its_heading_goes),
        TEST(links_that_say_something_stay),
        TEST(a_heading_that_leads_to_a_place_of_its_page_is_no_link),
        TEST(blocks_and_readings_in_such_a_link_stay_as_they_are),
        TEST(marks_of_a_page_are_cut_with_it),
        TEST(an_element_in_such_a_link_has_no_text),
        TEST(mediawiki_s_controls_are_no_text),
        TEST(markers_of_items_and_notes_are_no_text),
        {0},
    };

    return test_main(table, argc, argv);
}
