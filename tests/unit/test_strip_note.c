/* test_strip_note.c -- aim: raised numbers are no part of the word or number
 * before them, a footnote knows which block has its mark, and an admonition's
 * block that it is of one. */
#include "test.h"

#include "strip_page.h"

static void
marks_of_notes_stand_in_brackets(void)
{
    page_gives("<p>word.<sup><a href='#n1'>1</a></sup> More", "word.[1] More");
    page_gives("<p>word <a href='#n1'><sup>12</sup></a>, so", "word [12], so");
    page_gives("<p>a<sup id=r><a href=#n>[3]</a></sup>", "a[3]");
    page_gives("<p>in 1999<sup><a href=#n>4</a></sup>.", "in 1999[4].");
    page_gives("<p>page <a href='#p2'>2</a>", "page 2");
    page_gives("<p>a<sup><a href='/x'>1</a></sup>", "a1");
    page_gives("<pre>a<sup><a href=#n>1</a></sup></pre>", "a1");
}

static void
a_number_above_a_number_is_a_power(void)
{
    page_gives("<p>10<sup>6</sup> or 10<sup>-6</sup>, 10<sup>\xe2\x88\x92"
               "3</sup>",
               "10^6 or 10^-6, 10^\xe2\x88\x92"
               "3");
    page_gives("<p>2<sup>nd</sup> m<sup>2</sup> 5 <sup>1</sup>", "2nd m2 5 1");
    page_gives("<p>7<sup></sup>8", "78");
    page_gives("<p>7<sup><b>2</b></sup>", "7^2");
}

static void
a_note_knows_its_text(void)
{
    struct page p;

    page_read(&p,
              S("<h1>t</h1><p>a<sup><a href='#n1'>1</a></sup><p>b<a href='#n2'>"
                "[2]</a> <a href=#n3>see</a><ol><li id=n1><p>one<p>more"
                "</ol><p><a id=n2 href=#x>2</a> two<p id=n3>three"),
              NULL);
    CHECK(strcmp(page_text(&p), "t|a[1]|b[2] see|one|more|2 two|three") == 0);
    CHECK(counts(&p, 1)->note == 0);
    CHECK(counts(&p, 3)->note == 2);
    CHECK(counts(&p, 4)->note == 2);
    CHECK(counts(&p, 5)->note == 3);
    CHECK(counts(&p, 6)->note == 0);
    page_end(&p);
}

static void
what_follows_its_number_is_the_note(void)
{
    struct page p;

    page_read(&p,
              S("<p>a<a href='#F1'><sup>1</sup></a><h5><a id=F1 href='#D1'>(1)"
                "</a></h5><p>one<p>more"),
              NULL);
    CHECK(strcmp(page_text(&p), "a[1]|(1)|one|more") == 0);
    CHECK(counts(&p, 1)->note == 1);
    CHECK(counts(&p, 2)->note == 1);
    CHECK(counts(&p, 3)->note == 0);
    page_end(&p);
}

static void
a_note_knows_whether_it_is_called_so(void)
{
    struct page p;

    page_read(&p,
              S("<p>a<a href='#f1'>1</a><a href='#r1'>2</a><section class="
                "'x footnotes'><ol><li id=f1>one</ol></section><ol class="
                "references><li id=r1>two</ol>"),
              NULL);
    CHECK(counts(&p, 1)->note == 1 && counts(&p, 1)->footnote);
    CHECK(counts(&p, 2)->note == 1 && !counts(&p, 2)->footnote);
    page_end(&p);
}

static void
a_block_knows_that_it_is_in_an_admonition(void)
{
    struct page p;

    page_read(&p,
              S("<p>before<div class='theme-admonition alert'><div>Tip</div><p>"
                "so</div><div class='alert'><p>no</div>"),
              NULL);
    CHECK(!counts(&p, 0)->admonition && counts(&p, 1)->admonition);
    CHECK(counts(&p, 2)->admonition && !counts(&p, 3)->admonition);
    page_end(&p);
}

static void
what_stands_before_its_mark_is_no_note(void)
{
    struct page p;

    page_read(&p, S("<p id=r1>a</p><p id=n1>b <a href='#r1'>1</a>"), NULL);
    CHECK(counts(&p, 0)->note == 0);
    CHECK(counts(&p, 1)->note == 0);
    page_end(&p);
}

/* LaTeXML's */
#define NOTE(text)                                                             \
    "<span class=ltx_note><sup class=ltx_note_mark>1</sup><span "              \
    "class=ltx_note_outer><sup class=ltx_note_mark>1</sup> " text              \
    "</span></span>"

static void
a_note_amid_the_text_stands_behind_it(void)
{
    page_gives("<p>One" NOTE("a <i>note</i>") " goes on.<p>Two",
               "One[1] goes on.|1 a note|Two");
    page_gives("<p>One" NOTE("a") " and" NOTE("b"), "One[1] and[1]|1 a|1 b");
    page_gives("<div>One" NOTE("<div>a</div><div>b</div>") " on</div>",
               "One[1] on|1 a b");
    page_gives("<p>One" NOTE("<p>a</p>") "on", "One[1]|1|a|on");
    page_gives("<p>One<span class=ltx_note_outer>a</p><p>Two", "One|a|Two");
    page_gives("<p>One<span class=ltx_note_outer>a<br><br>b<p>Two",
               "One|a b|Two");
    page_gives("<p>One<span class=ltx_note_outer>a", "One|a");
    page_gives("<h2>One" NOTE("a") "</h2>", "One[1][1] a");
    page_gives("<ul><li>One" NOTE("a") "<li>Two</ul>", "One[1]|1 a|Two");
}

static void
marks_without_end_are_bounded(void)
{
    struct arena *a = arena_new();
    struct buf html = {.arena = a};
    struct page p;

    for (unsigned i = 0; i < 5000; i++)
        buf_printf(&html, "<p><a href='#n%u'>%u</a>", i, i % 1000);
    for (unsigned i = 0; i < 5000; i++)
        buf_printf(&html, "<p id=n%u>a", i);
    page_read(&p, buf_view(&html), NULL);
    CHECK(p.d.blocks_n == 10000);
    CHECK(counts(&p, 5000)->note == 1);
    page_end(&p);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(marks_of_notes_stand_in_brackets),
        TEST(a_number_above_a_number_is_a_power),
        TEST(a_note_knows_its_text),
        TEST(what_follows_its_number_is_the_note),
        TEST(a_note_knows_whether_it_is_called_so),
        TEST(a_block_knows_that_it_is_in_an_admonition),
        TEST(what_stands_before_its_mark_is_no_note),
        TEST(a_note_amid_the_text_stands_behind_it),
        TEST(marks_without_end_are_bounded),
        {0},
    };

    return test_main(table, argc, argv);
}
