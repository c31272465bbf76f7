/* test_strip.c -- pages of our own to blocks and links. */
#include "test.h"

#include "base/buf.h"
#include "strip_page.h"

static void
blocks_end_at_block_elements(void)
{
    page_gives("<p>one<p>two<div>three</div>four", "one|two|three|four");
    page_gives("a <b>bold</b> word<h1>Title</h1>", "a bold word|Title");
    page_gives("<ul><li>a<li>b</ul>after", "a|b|after");
    page_gives("<table><tr><td>1<td>2<tr><td>3</table>x", "1|2|3|x");
    page_gives("<dl><dt>term<dd>meaning</dl>", "term|meaning");
    page_gives("one<br>line", "one line");
    page_gives("one<br> <br/>two", "one|two");
    page_gives("one<hr>two</br></br>three", "one|two|three");
}

static void
white_space_and_invisible_characters_collapse(void)
{
    page_gives("<p> a \n\t b&nbsp;&nbsp;c&#x2003;d </p>", "a b c d");
    page_gives("<p>soft\xc2\xadhyphen zero\xe2\x80\x8bwidth \xef\xbb\xbf</p>",
               "softhyphen zerowidth");
    page_gives("<p>ไทย&#8203;<b>ดี</b>\xe2\x80\x8b\xe2\x80\x8bมาก "
               "\xe2\x80\x8bx\xe2\x80\x8b</p>",
               "ไทย\xe2\x80\x8bดี\xe2\x80\x8bมาก x");
    page_gives("<p>\xd9\x85\xe2\x80\x8c\xdb\x8c</p>",
               "\xd9\x85\xe2\x80\x8c\xdb\x8c");
    page_gives("<p>&nbsp; </p><p>x</p>", "x");
    page_gives("\xe3\x80\x80\xe6\x9d\xb1\xe3\x80\x80\xe4\xba\xac",
               "\xe6\x9d\xb1 \xe4\xba\xac");
}

static void
dropped_elements_leave_no_text(void)
{
    page_gives("a<script>if (1 < 2) x('<p>no</p>')</script>b", "ab");
    page_gives("<style>p{}</style><p>x<svg><title>no</title><text>no</text>"
               "</svg>y",
               "xy");
    page_gives("<title>no</title><p>x<select><option>no</select> y", "x y");
    page_gives("<textarea>no</textarea><template><p>no</template>x", "x");
    page_gives("<div>x<select><option>open</div>after", "x|after");
}

/* What no <select> can hold ends one that was left open. */
static void
a_choice_that_is_left_open_ends_at_the_next_control(void)
{
    page_gives("x<select><option>no<input>a<p>b", "xa|b");
    page_gives("x<select><option>no<select>a", "xa");
    page_gives("x<select><option>no<textarea>no</textarea>a", "xa");
    page_gives("<table><tr><td><select><option>no<td>b</table>c", "b|c");
    page_gives("x<select><option>no<p>no<td>no", "x");
}

static void
a_shadow_root_is_shown(void)
{
    page_gives("<x-a><template shadowrootmode=open><style>no</style><p>a"
               "</template><p>b</x-a>",
               "a|b");
    page_gives("<p>a<template shadowrootmode=Closed>b</template>c", "abc");
    page_gives("<p>a<template shadowrootmode=x>no<p>no</template>c", "ac");
}

/* A tag of HTML ends what was left open of svg and math (13.2.6.5). */
static void
a_drawing_that_is_left_open_does_not_hide_the_page(void)
{
    page_gives("<p>a<svg><path d=x><div>b</div>c", "a|b|c");
    page_gives("<p>a<svg><g><path></g><p>b", "a|b");
    page_gives("a<svg><path></p>b", "a|b");
    page_gives("a<svg><g>no<svg>no<span>b</span>", "ab");
    page_gives("a<svg><g>no<font>no<font color=red>b", "ab");
    page_gives("<p>a<svg><foreignObject><div>no</div></foreignObject></svg>b",
               "ab");
    page_gives("<p>a<svg><foreignObject><svg><g><div>no</div></svg>b", "ab");
    page_gives("<p>a <math><mi>x</mi><p>b", "a x|b");
}

/* By the rules of XML, and by those of HTML. */
static void
check_both(const char *page, const char *xml, const char *html)
{
    struct page p;

    page_gives(page, html);
    page_read_by(&p, str_c(page), NULL, true);
    if (strcmp(page_text(&p), xml) != 0)
        fprintf(stderr, "%s\n  gives %s\n  wants %s\n", page, page_text(&p),
                xml);
    CHECK(strcmp(page_text(&p), xml) == 0);
    page_end(&p);
}

static void
elements_of_xml_close_themselves(void)
{
    check_both("<title/><p>a</p>", "a", "");
    check_both("<script src='x'/><p>a</p><script>no</script><p>b</p>", "a|b",
               "b");
    check_both("<style/><p>a</p>", "a", "");
    check_both("<p>a<textarea/>b</p>", "ab", "a");
    check_both("<p>a<iframe src='x'/>b</p>", "ab", "a");
    check_both("<select/><template/><p>a</p>", "a", "");
    check_both("<p>a<br/>b<img/>c<hr/>d</p>", "a bc|d", "a bc|d");
    check_both("<meta/><link/><head/><body/><p>a</p>", "a", "a");
    check_both("<svg/><p>a<math/>b</p>", "ab", "ab");
    check_both("<p>a <![CDATA[x < y]]></p>", "a x < y", "a");
    check_both("<p>a</p><title>T</title><p>b</p>", "a|b", "a|b");
}

static void
what_closes_itself_holds_no_link_text(void)
{
    struct page p;

    page_read_by(&p, str_c("<p><a id='x' href='/y'/>one <a href='/z'>two</a>"),
                 "http://a.example/", true);
    CHECK(p.d.links_n == 2 && p.d.links[0].anchor.n == 0);
    CHECK(p.d.links_n == 2 && str_eq(p.d.links[1].anchor, S("two")));
    CHECK(p.d.blocks_n == 1 && p.d.blocks[0].counts->link_bytes == 3);
    page_end(&p);
}

static void
formulas_are_text(void)
{
    page_gives("<p>if <math><mrow><mi>x</mi> <mo>=</mo> <mn>2</mn><mi>y</mi>"
               "</mrow></math> then",
               "if x=2 y then");
    page_gives("<p>a <math alttext='{\\displaystyle x^{2}}'><mi>x</mi></math>b",
               "a x^{2}b");
    page_gives("<p>a <math><semantics><mi>x</mi><annotation "
               "encoding='application/x-tex'>x &lt; \\pi</annotation><mi>y</mi>"
               "</semantics></math>, b",
               "a x < \\pi, b");
    page_gives("<math><mi>x</mi><annotation-xml><ci>z</ci></annotation-xml>"
               "<annotation encoding='StarMath'>q</annotation></math>",
               "x");
    page_gives("<math><mi>x</mi><script>no</script></math><p>y", "x|y");
}

static void
katex_says_a_formula_once(void)
{
    const char *drawn = "<span class=katex-html aria-hidden=true>x2</span> b";
    char html[400];

    snprintf(html, sizeof html,
             "<p>a <span class=katex><span class=katex-mathml><math><mi>x</mi>"
             "<annotation encoding='application/x-tex'>x^2</annotation></math>"
             "</span>%s",
             drawn);
    page_gives(html, "a x^2 b");
    page_gives(drawn, "x2 b"); /* there is no other one */
}

static void
formulas_are_no_markup(void)
{
    struct page p;

    page_read(&p, str_c("<p>x <math><mi>y</mi><mo>=</mo></math> z"), NULL);
    CHECK(p.d.blocks_n == 1);
    CHECK(p.d.blocks[0].counts->tags == 2); /* <p> and <math> */
    page_end(&p);
}

static void
shortcodes_are_left_out(void)
{
    page_gives("<p>[vc_row full_width=&#8221;stretch_row&#8221; css=&#8221;.a{}"
               "&#8221;][vc_column]Text.[/vc_column] [/vc_row]<p>b",
               "Text.|b");
    page_gives("<p>[vc_row]<p>a [caption id='x' width='3']Words[/caption] b",
               "a Words b");
    page_gives("<p>a[button link=\"#\"]b[/button]c", "abc");
    page_gives("<p>[vc_raw_html]JTNDZGl2JTNF[/vc_raw_html]a", "a");
    page_gives("<p>[sic] see [1] and [x = 3] and [name] [a/b]",
               "[sic] see [1] and [x = 3] and [name] [a/b]");
    page_gives("<p>Use <code>[gallery ids=\"1\"]</code> <pre>[vc_row]</pre>",
               "Use [gallery ids=\"1\"]|[vc_row]");
    page_gives("<p>[vc_row [/ [gallery", "[vc_row [/ [gallery");
    page_gives("<p>[aa [bb c=\"] a [bb c=\"] d]", "a d]");
    page_gives("<p>[aa bb c=d e=\"f\" [gg h] i [aa b] [cc d=e] [f g='h' i]j",
               "i [aa b] [cc d=e] [f g='h' i]j");
}

static void
a_shortcode_that_goes_is_no_longer_in_its_link(void)
{
    struct page p;

    page_read(&p, S("<a href=/x>read [su_button size=\"3\"] on</a>"),
              "http://a.example/");
    CHECK(strcmp(page_text(&p), "read on") == 0);
    CHECK(p.d.blocks[0].counts->link_bytes == p.d.blocks[0].text.n);
    page_end(&p);
}

static void
places_follow_when_a_shortcode_goes(void)
{
    struct page p;

    page_read(&p,
              str_c("<p>[vc_row]a <a href='/x'>link</a> <time>1 May</time>"),
              "http://a.example/");
    CHECK(strcmp(page_text(&p), "a link 1 May") == 0);
    CHECK(p.d.links[0].block_at == 1);
    CHECK(p.d.page_counts->marks_n == 1);
    CHECK(p.d.page_counts->marks[0].from == 6);
    CHECK(p.d.page_counts->marks[0].to == 12);
    page_end(&p);
}

static void
noscript_counts_only_when_there_is_nothing_else(void)
{
    static char page[4000];
    size_t n = 0;

    page_gives("text<noscript>no</noscript>", "text");
    n += (size_t)sprintf(page, "<p>x</p><noscript><p>");
    for (int i = 0; i < 100; i++)
        n += (size_t)sprintf(page + n, "word%d ", i);
    sprintf(page + n, "</noscript>");
    {
        struct page p;

        page_read(&p, str_c(page), NULL);
        CHECK(p.d.blocks_n == 2);
        CHECK(str_starts(p.d.blocks[1].text, S("word0 word1")));
        page_end(&p);
    }
}

static void
misnested_markup_does_not_lose_text(void)
{
    page_gives("</div></p><p>a</span></div>b</p>c", "ab|c");
    page_gives("<b><p>a</b>b</p>c", "ab|c");
    page_gives("a</p>b</section>c", "a|bc");
    page_gives("<div><span>a</div>b</span>c", "a|bc");
    page_gives("<table><tr><td><div>a</td><td>b</table>c", "a|b|c");
    page_gives("<div><table><tr><td>a</div>b<td>c</table>", "ab|c");
    page_gives("<p>unclosed <a href=x>link<p>next", "unclosed link|next");
    page_gives("<", "<");
    page_gives("", "");
}

static void
nested_lists_and_tables_are_counted(void)
{
    struct page p;

    page_read(&p,
              S("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>"
                "<table><tr><td><table><tr><td>e</table>f</table>g"),
              NULL);
    CHECK(strcmp(page_text(&p), "a|b|c|d|e|f|g") == 0);
    CHECK(counts(&p, 0)->lists == 1 && counts(&p, 1)->lists == 2);
    CHECK(counts(&p, 2)->lists == 2 && counts(&p, 3)->lists == 1);
    CHECK(counts(&p, 1)->parent[0] != counts(&p, 2)->parent[0]);
    CHECK(counts(&p, 1)->parent[1] == counts(&p, 2)->parent[1]);
    CHECK(counts(&p, 0)->parent[1] == counts(&p, 3)->parent[1]);
    CHECK(counts(&p, 1)->path == counts(&p, 2)->path);
    CHECK(counts(&p, 1)->path != counts(&p, 0)->path);
    CHECK(counts(&p, 4)->tables == 2 && counts(&p, 5)->tables == 1);
    CHECK(counts(&p, 6)->tables == 0);
    CHECK(counts(&p, 3)->flags & BLOCK_IN_ITEM);
    CHECK(!(counts(&p, 6)->flags & BLOCK_IN_ITEM));
    CHECK(str_eq(p.d.blocks[4].container, S("td")));
    page_end(&p);
}

static void
hidden_and_named_elements_leave_hints(void)
{
    struct page p;

    page_read(&p,
              S("<div class='site-Footer'><p>a</div><p hidden>b</p>"
                "<div style='color:red; DISPLAY : none'><p>c</p></div>"
                "<p aria-hidden=true>d</p><nav><p>e</nav>"
                "<article><div><p id=x_ads_y>f</article>"
                "<div role=navigation>g</div><p>h"),
              NULL);
    CHECK(strcmp(page_text(&p), "a|b|c|d|e|f|g|h") == 0);
    CHECK(counts(&p, 0)->hint[HINT_FOOTER] == 2);
    CHECK(counts(&p, 7)->hint[HINT_FOOTER] == 0);
    CHECK(counts(&p, 1)->flags & BLOCK_HIDDEN);
    CHECK(counts(&p, 2)->flags & BLOCK_HIDDEN);
    CHECK(counts(&p, 3)->flags & BLOCK_HIDDEN);
    CHECK(!(counts(&p, 7)->flags & BLOCK_HIDDEN));
    CHECK(counts(&p, 4)->ancestor[ANCESTOR_NAV] == 2);
    CHECK(counts(&p, 5)->ancestor[ANCESTOR_ARTICLE] == 3);
    CHECK(counts(&p, 5)->article != 0 && counts(&p, 7)->article == 0);
    CHECK(counts(&p, 5)->hint[HINT_PROMO] == 1);
    CHECK(counts(&p, 6)->flags & BLOCK_NAV_ROLE);
    CHECK(!(counts(&p, 7)->flags & BLOCK_NAV_ROLE));
    page_end(&p);
}

static void
a_million_nested_elements_take_linear_time(void)
{
    enum { N = 1000000 };
    char *html = malloc((size_t)N * 26 + 10);
    struct page p;
    size_t n = 0;

    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "<div>");
    n += (size_t)sprintf(html + n, "deep");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "</section></b></div>");
    page_read(&p, str_n(html, n), NULL);
    CHECK(strcmp(page_text(&p), "deep") == 0);
    CHECK(p.d.page_counts->depth_exceeded > 900000);
    page_end(&p);
    free(html);
}

static void
blocks_and_their_length_are_bounded(void)
{
    enum { N = 60000 };
    char *html = malloc((size_t)N * 10);
    struct page p;
    size_t n = 0;

    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "<p>x");
    page_read(&p, str_n(html, n), NULL);
    CHECK(p.d.blocks_n == 50000 && p.d.page_counts->blocks_dropped == 10000);
    page_end(&p);
    n = 0;
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "\xe6\x9d\xb1\xe4\xba\xac ");
    page_read(&p, str_n(html, n), NULL);
    CHECK(p.d.blocks_n == 7);
    for (uint32_t i = 0, words = 0; i < p.d.blocks_n; i++) {
        CHECK(p.d.blocks[i].text.n <= 65536);
        words += p.d.blocks[i].counts->words;
        CHECK(i + 1 < p.d.blocks_n || words == 2 * N);
    }
    page_end(&p);
    free(html);
}

/* Of long text each block has whole words, and of code whole lines. */
static void
a_block_ends_behind_a_word(void)
{
    enum { N = 30000 };
    char *html = malloc((size_t)N * 16);
    static const char *const kinds[][2] = {
        {"<p>", " "}, {"<p>", " \n\t  "}, {"<p><b></b>", " "}, {"<pre>", "\n"}};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = (size_t)sprintf(html, "%s", kinds[k][0]);
        uint32_t words = 0;
        struct page p;

        for (int i = 0; i < N; i++)
            n += (size_t)sprintf(html + n, "w%05d%s", i, kinds[k][1]);
        page_read(&p, str_n(html, n), NULL);
        CHECK(p.d.blocks_n > 3 && p.d.blocks_n < 6);
        for (uint32_t i = 0; i < p.d.blocks_n; i++) {
            CHECK(p.d.blocks[i].text.n % 7 == 6);
            words += p.d.blocks[i].counts->words;
        }
        CHECK(words == N);
        page_end(&p);
    }
    free(html);
}

static void
the_doctype_is_named(void)
{
    static const struct {
        const char *html, *name;
    } row[] = {
        {"<!doctype html><p>x", "HTML5"},
        {"<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">x", "HTML4"},
        {"<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" "
         "\"x\">x",
         "XHTML"},
        {"<p>x", "UNKNOWN"}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct page p;

        page_read(&p, str_c(row[i].html), NULL);
        CHECK(strcmp(p.d.doctype, row[i].name) == 0);
        page_end(&p);
    }
}

static void
pages_do_not_see_each_other(void)
{
    struct page a, b;

    page_read(&a,
              S("<title>t</title><div hidden><article class=post><a href=q>"
                "open"),
              "http://example.org/");
    stage_strip.close(a.strip);
    page_read(&b, S("<p>x"), "http://example.org/");
    CHECK(b.d.blocks_n == 1 && b.d.links_n == 0);
    CHECK(b.d.blocks[0].counts->article == 0);
    CHECK(b.d.blocks[0].counts->flags == BLOCK_STARTS_LOWER);
    page_end(&b);
    arena_free(a.arena);
}

static void
containers_are_bounded_and_parents_come_first(void)
{
    const struct page_counts *page;
    struct buf html = {0};
    struct page p;

    for (int i = 0; i < 40000; i++)
        buf_add(&html, "<div><div>x</div></div>", 23);
    page_read(&p, buf_view(&html), NULL);
    page = p.d.page_counts;
    CHECK(p.d.blocks_n == 40000);
    CHECK(page->containers_n == 65536);
    for (uint32_t i = 1; i < page->containers_n; i++)
        CHECK(page->containers[i].parent < i);
    CHECK(p.d.blocks[0].counts->parent[0] == 3 &&
          p.d.blocks[0].counts->parent[1] == 2 &&
          p.d.blocks[0].counts->parent[2] == 1);
    CHECK(p.d.blocks[39999].counts->parent[0] == 1);
    page_end(&p);
    buf_free(&html);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(blocks_end_at_block_elements),
        TEST(white_space_and_invisible_characters_collapse),
        TEST(dropped_elements_leave_no_text),
        TEST(a_choice_that_is_left_open_ends_at_the_next_control),
        TEST(a_shadow_root_is_shown),
        TEST(a_drawing_that_is_left_open_does_not_hide_the_page),
        TEST(elements_of_xml_close_themselves),
        TEST(what_closes_itself_holds_no_link_text),
        TEST(formulas_are_text),
        TEST(katex_says_a_formula_once),
        TEST(formulas_are_no_markup),
        TEST(shortcodes_are_left_out),
        TEST(a_shortcode_that_goes_is_no_longer_in_its_link),
        TEST(places_follow_when_a_shortcode_goes),
        TEST(noscript_counts_only_when_there_is_nothing_else),
        TEST(misnested_markup_does_not_lose_text),
        TEST(nested_lists_and_tables_are_counted),
        TEST(hidden_and_named_elements_leave_hints),
        TEST(a_million_nested_elements_take_linear_time),
        TEST(blocks_and_their_length_are_bounded),
        TEST(a_block_ends_behind_a_word),
        TEST(containers_are_bounded_and_parents_come_first),
        TEST(the_doctype_is_named),
        TEST(pages_do_not_see_each_other),
        {0}};

    return test_main(table, argc, argv);
}
