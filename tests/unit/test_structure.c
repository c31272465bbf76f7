/* What blocks are in their page, and what comes of that in the clean text:
 * rows of tables share a line, code keeps its lines. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/options/opt.h"
#include "strip_page.h"
#include "test.h"

extern const struct stage stage_normalise;

/* The clean text when everything is kept but blocks that are `dropped`. */
static bool
text_is(const char *html, const char *dropped, const char *expected)
{
    struct buf out = {0};
    struct opts o;
    struct page p;
    void *normalise;
    bool same;

    opts_init(&o);
    page_read(&p, str_c(html), "http://a.example/");
    for (uint32_t i = 0; i < p.d.blocks_n; i++)
        p.d.blocks[i].kept = !str_eq(p.d.blocks[i].text, str_c(dropped));
    CHECK(stage_normalise.open(&normalise, &o) == ST_OK);
    CHECK(stage_normalise.run(normalise, &p.d) == ST_OK);
    stage_normalise.close(normalise);
    document_text(&p.d, &out);
    same = str_eq(buf_view(&out), str_c(expected));
    CHECK(document_text_bytes(&p.d) == out.n);
    if (!same)
        fprintf(stderr, "got:\n%.*s", STRF(buf_view(&out)));
    buf_free(&out);
    opts_free(&o);
    page_end(&p);
    return same;
}

static void
cells_of_a_row_share_a_line(void)
{
    CHECK(text_is("<table><tr><th>Town<th>People<tr><td>Gent<td>270"
                  "<tr><td>Brugge<td>119</table>After",
                  "", "Town\tPeople\nGent\t270\nBrugge\t119\nAfter\n"));
    CHECK(text_is("<table><tr><td>a<td><td>c<tr><td colspan=2>d<td>e</table>",
                  "", "a\t\tc\nd\t\te\n"));
}

static void
empty_cells_at_the_front_count_and_dropped_ones_do_not(void)
{
    CHECK(text_is("<table><tr><td><td>x<td>y<tr><td><td>alone</table>", "",
                  "\tx\ty\nalone\n"));
    CHECK(text_is("<table><tr><td>menu<td>x<td>y</table>", "menu", "x\ty\n"));
    CHECK(text_is("<table><tr><td>x<td>ad<td>y</table>", "ad", "x\t\ty\n"));
}

static void
tables_for_layout_are_no_rows(void)
{
    CHECK(text_is("<table><tr><td><p>one<p>two<td>three</table>", "",
                  "one\ntwo\nthree\n"));
    CHECK(text_is("<table><tr><td>a<td><table><tr><td>b<td>c</table><td>d"
                  "</table>",
                  "", "a\nb\tc\nd\n"));
    CHECK(text_is("<table><tr><td>1<td><pre>x\ny</pre></table>", "",
                  "1\nx\ny\n"));
    CHECK(text_is("<td>no<td>table", "", "no\ntable\n"));
}

static void
code_keeps_its_lines_and_indentation(void)
{
    CHECK(text_is("<p>a\n  b</p><pre>\n\n  if (x)\n\ty   = 1; \n\n\n"
                  "  end\n\n</pre>c\nd",
                  "", "a b\n  if (x)\n\ty   = 1;\n\n\n  end\nc d\n"));
    CHECK(text_is("<pre>\n  <span>one</span>\n  <b>two</b><br>three</pre>", "",
                  "  one\n  two\nthree\n"));
    CHECK(text_is("<pre>a\xc2\xa0 b\r\n\x01 c</pre>", "", "a  b\n  c\n"));
}

static const struct block *
block(const struct page *p, const char *text)
{
    for (uint32_t i = 0; i < p->d.blocks_n; i++)
        if (str_eq(p->d.blocks[i].text, str_c(text)))
            return &p->d.blocks[i];
    CHECK(false);
    return &p->d.blocks[0];
}

static bool
form_is(const struct page *p, const char *text, enum form_kind form)
{
    return block(p, text)->form.form == form;
}

static void
forms_are_those_of_the_innermost_element(void)
{
    struct page p;

    page_read(&p,
              S("<h2>head</h2><ul><li><p>item</p><p>more</p><ol><li>deep</ol>"
                "<li><h3>card</h3></ul><dl><dt>term<dd>meaning</dl>"
                "<blockquote><p>said</blockquote><figure><figcaption>below"
                "</figcaption></figure><pre>code</pre><table><caption>what"
                "<tr><td><p>cell</table><p>text"),
              "http://a.example/");
    CHECK(form_is(&p, "head", FORM_HEADING));
    CHECK(block(&p, "head")->form.level == 2);
    CHECK(form_is(&p, "item", FORM_ITEM) && form_is(&p, "deep", FORM_ITEM));
    CHECK(block(&p, "item")->form.part == block(&p, "more")->form.part);
    CHECK(block(&p, "item")->form.part != block(&p, "deep")->form.part);
    CHECK(form_is(&p, "card", FORM_HEADING));
    CHECK(form_is(&p, "term", FORM_TERM));
    CHECK(form_is(&p, "meaning", FORM_DEFINITION));
    CHECK(form_is(&p, "said", FORM_QUOTE));
    CHECK(form_is(&p, "below", FORM_CAPTION));
    CHECK(form_is(&p, "code", FORM_CODE));
    CHECK(form_is(&p, "what", FORM_CAPTION));
    CHECK(form_is(&p, "cell", FORM_CELL));
    CHECK(form_is(&p, "text", FORM_PARAGRAPH));
    page_end(&p);
}

static const struct page_part *
part_of(const struct page *p, const char *text)
{
    uint32_t part = block(p, text)->form.part;

    CHECK(part > 0 && part <= p->d.parts_n);
    return &p->d.parts[part];
}

static bool
is_in(const struct page *p, const char *text, const char *outer)
{
    return part_of(p, text)->parent == block(p, outer)->form.part;
}

static void
parts_know_their_lists_and_what_is_around_them(void)
{
    struct page p;

    page_read(&p,
              S("<ul><li>item<ol><li>deep</ol><pre>code</pre><blockquote>said"
                "</blockquote><li>next</li><ul><li>odd</ul></ul>"
                "<ol><li>other</ol><li>none<table><td>cell<li>own</table>"),
              "http://a.example/");
    CHECK(part_of(&p, "item")->parent == 0 && !part_of(&p, "item")->ordered);
    CHECK(is_in(&p, "deep", "item") && part_of(&p, "deep")->ordered);
    CHECK(is_in(&p, "code", "item") && is_in(&p, "said", "item"));
    CHECK(part_of(&p, "code")->form == FORM_CODE);
    CHECK(part_of(&p, "said")->form == FORM_QUOTE);
    CHECK(part_of(&p, "item")->list == part_of(&p, "next")->list);
    CHECK(part_of(&p, "item")->list != part_of(&p, "deep")->list);
    CHECK(part_of(&p, "item")->list != part_of(&p, "other")->list);
    CHECK(is_in(&p, "odd", "next"));
    CHECK(part_of(&p, "none")->list == 0);
    CHECK(block(&p, "cell")->form.part == 0);
    CHECK(part_of(&p, "own")->parent == 0);
    page_end(&p);
}

/* The numbers of a list's items a, b and c. */
static bool
numbers_are(const char *html, uint32_t a, uint32_t b, uint32_t c)
{
    struct page p;
    bool same;

    page_read(&p, str_c(html), "http://a.example/");
    same = part_of(&p, "a")->number == a && part_of(&p, "b")->number == b &&
           part_of(&p, "c")->number == c;
    page_end(&p);
    return same;
}

static void
items_have_the_numbers_that_the_page_shows(void)
{
    CHECK(numbers_are("<ol><li>a<li>b<ol><li>x</ol><li>c</ol>", 1, 2, 3));
    CHECK(
        numbers_are("<ol start=' 5'><li>a<div><li>b</div><li>c</ol>", 5, 6, 7));
    CHECK(numbers_are("<ol start=0><li>a<li value=9>b<li>c</ol>", 0, 9, 10));
    CHECK(numbers_are("<ol reversed><li>a<li>b<li>c</ol>", 3, 2, 1));
    CHECK(numbers_are("<ol reversed start=8><li>a<li>b<li>c</ol>", 8, 7, 6));
    CHECK(numbers_are("<ol reversed><li>a<li value=9>b<li>c</ol>", 3, 9, 8));
    CHECK(numbers_are("<ol start=-1><li value=x>a<li>b<li>c</ol>", 1, 2, 3));
    CHECK(numbers_are("<ol start=999999999><li>a<li>b<li value=1000000000>c"
                      "</ol>",
                      999999999, 999999999, 999999999));
    CHECK(numbers_are("<ol reversed start=1><li>a<li>b<li>c</ol>", 1, 0, 0));
}

/* Past a bound parts are one with what is around them. */
static void
a_page_has_so_many_parts_and_no_more(void)
{
    struct buf html = {0};
    struct page p;

    for (int i = 0; i < 65540; i++)
        buf_c(&html, "<li>");
    buf_c(&html, "<blockquote>last<pre>code");
    page_read(&p, buf_view(&html), "http://a.example/");
    CHECK(p.d.parts_n == 65536);
    CHECK(form_is(&p, "last", FORM_QUOTE) && form_is(&p, "code", FORM_CODE));
    CHECK(block(&p, "last")->form.part == 0);
    page_end(&p);
    buf_free(&html);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(cells_of_a_row_share_a_line),
        TEST(empty_cells_at_the_front_count_and_dropped_ones_do_not),
        TEST(tables_for_layout_are_no_rows),
        TEST(code_keeps_its_lines_and_indentation),
        TEST(forms_are_those_of_the_innermost_element),
        TEST(parts_know_their_lists_and_what_is_around_them),
        TEST(items_have_the_numbers_that_the_page_shows),
        TEST(a_page_has_so_many_parts_and_no_more),
        {0}};

    return test_main(table, argc, argv);
}
