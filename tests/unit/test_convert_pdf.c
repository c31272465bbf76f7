/* test_convert_pdf.c -- the layout of PDFs: columns, running heads, page
 * numbers, hyphens, tables of contents, paragraphs over pages.
 *
 * Pages are written as pdftotext -bbox-layout does, a line at a place. */
#include "base/buf.h"
#include "clean/convert/reader.h"
#include "test.h"

static struct buf bbox, page;
static const char *why;

#define HEIGHT 10.0

static void
begin(void)
{
    buf_clear(&bbox);
    buf_c(&bbox, "<html xmlns=\"x\"><head><title>Report</title>"
                 "<meta name=\"Author\" content=\"Ann B\"/></head><body><doc>");
}

static void
new_page(void)
{
    buf_c(&bbox, "<page width=\"600\" height=\"800\">");
}

static void
end_page(void)
{
    buf_c(&bbox, "</page>");
}

/* A line from x to `right`, its words of equal width. */
static void
line_of(double x, double right, double y, double height, const char *text)
{
    struct str rest = str_c(text), word;
    double width, at = x;
    size_t n = 1;

    for (const char *c = text; *c != '\0'; c++)
        n += *c == ' ';
    width = (right - x) / (double)n;
    buf_c(&bbox, "<flow><block><line>");
    while (str_cut(&rest, ' ', &word)) {
        buf_printf(&bbox,
                   "<word xMin=\"%f\" yMin=\"%f\" xMax=\"%f\" yMax=\"%f\">%.*s"
                   "</word>",
                   at, y, at + width - 2, y + height, STRF(word));
        at += width;
    }
    buf_c(&bbox, "</line></block></flow>");
}

static void
line(double x, double right, double y, const char *text)
{
    line_of(x, right, y, HEIGHT, text);
}

static bool
reads(void)
{
    buf_c(&bbox, "</doc></body></html>");
    buf_clear(&page);
    return convert_read(CONVERT_PDF, buf_view(&bbox), &page, &why) == ST_OK;
}

static bool
holds(const char *text)
{
    return memmem(page.p, page.n, text, strlen(text)) != NULL;
}

static void
columns_are_read_one_after_the_other(void)
{
    begin();
    new_page();
    line_of(100, 500, 100, 20, "A title over both columns");
    for (int i = 0; i < 6; i++) { /* as a program may give them: by rows */
        line(50, 290, 150 + 12 * i,
             i < 5 ? "leftish leftish leftish leftish" : "left end.");
        line(310, 550, 150 + 12 * i, "rightish rightish rightish rightish");
    }
    end_page();
    CHECK(reads());
    CHECK(holds("<h1>A title over both columns</h1>"));
    CHECK(holds("leftish leftish leftish leftish leftish leftish leftish"));
    CHECK(holds("rightish rightish rightish rightish rightish rightish "
                "rightish rightish"));
    CHECK(!holds("leftish right"));
    CHECK(!holds("rightish left"));
    CHECK(holds("<title>Report</title>"));
    CHECK(holds("content=\"Ann B\""));
}

static void
heads_feet_and_numbers_go(void)
{
    begin();
    for (int p = 0; p < 3; p++) {
        char number[32];

        new_page();
        line(50, 200, 30, p % 2 == 0 ? "Annual Report 2020" : "Chapter 7");
        line(50, 550, 200, "Some text of the page that goes on to the end");
        line(50, 550, 212, "and on a second line which is filled as well so");
        snprintf(number, sizeof number, "Page %d of 3", p + 1);
        line(280, 320, 770, number);
        end_page();
    }
    CHECK(reads());
    CHECK(!holds("Annual Report"));
    CHECK(!holds("of 3"));
    CHECK(holds("Chapter 7")); /* on one page only: who knows */
    CHECK(holds("filled as well so"));
}

static void
headings_above_pages_stay(void)
{
    static const char *const heads[] = {"Article 5", "Article 16",
                                        "Article 24"};

    begin();
    for (int p = 0; p < 3; p++) {
        char head[32];

        new_page();
        snprintf(head, sizeof head, "The Society | %d", 100 + p);
        line(50, 200, 30, head);
        line(50, 200, 80, heads[p]);
        line(50, 550, 110, "Some text of the page that goes on to the end");
        line(50, 550, 122, "and on a second line which is filled as well so");
        end_page();
    }
    CHECK(reads());
    for (int p = 0; p < 3; p++)
        CHECK(holds(heads[p]));
    CHECK(!holds("Society"));
}

static void
paragraphs_go_on_over_pages(void)
{
    begin();
    new_page();
    line(50, 550, 600,
         "A sentence that is not at its end when the page is and");
    line(50, 550, 612,
         "that even has a word which the end of the page hyphen-");
    end_page();
    new_page();
    line(50, 550, 60, "ates and then goes on for a line and more than that is");
    line(50, 200, 72, "and ends.");
    line(50, 550, 84, "Another paragraph that begins without any indent since");
    line(50, 550, 96, "the line before it had room for more words than it has");
    end_page();
    CHECK(reads());
    CHECK(holds("the page hyphenates and then"));
    CHECK(holds("is and ends.</p>\n<p>Another paragraph"));
}

static void
indents_and_gaps_begin_paragraphs(void)
{
    begin();
    new_page();
    line(50, 550, 100, "one one one one one one one one one one one one one");
    line(50, 550, 112, "one one one one one one one one one one one one end");
    line(65, 550, 124, "two two two two two two two two two two two two two");
    line(50, 550, 136, "two two two two two two two two two two two two end");
    line(50, 550, 166, "six six six six six six six six six six six six six");
    line(50, 550, 178,
         "\xe2\x80\xa2 first of a list, two lines of it, of which");
    line(60, 550, 190, "this is the second, as the indent of it may show to");
    end_page();
    CHECK(reads());
    CHECK(holds("end</p>\n<p>two two"));
    CHECK(holds("end</p>\n<p>six six"));
    CHECK(holds("<li>first of a list, two lines of it, of which this is"));
}

static void
contents_go_with_their_heading(void)
{
    begin();
    new_page();
    line(50, 120, 100, "Contents");
    line(50, 550, 120, "1 Introduction . . . . . . . . . . . . . 1");
    line(50, 500, 132, "2 Methods ........................");
    line(540, 550, 132, "12");
    line(50, 550, 144, "3 Results \xe2\x80\xa6\xe2\x80\xa6\xe2\x80\xa6 17");
    line(50, 550, 200,
         "The text itself is not a part of the table of contents");
    end_page();
    CHECK(reads());
    CHECK(!holds("Contents"));
    CHECK(!holds("Introduction"));
    CHECK(!holds("Methods"));
    CHECK(!holds("12"));
    CHECK(!holds("Results"));
    CHECK(holds("The text itself is not a part"));
}

static void
notes_wait_for_the_paragraph(void)
{
    begin();
    new_page();
    line(50, 550, 100, "a text with a body of a few lines so that its size is");
    line(50, 550, 112,
         "known and the note is smaller than the lines of it and");
    line_of(50, 550, 700, 7,
            "1 This is the note at the foot of the page, small.");
    end_page();
    new_page();
    line(50, 550, 60, "here it goes on and has its end on the second page in");
    line(50, 550, 72, "which there is not much else, but some of the text it");
    end_page();
    CHECK(reads());
    CHECK(holds("lines of it and here it goes on"));
    CHECK(holds("<p>1 This is the note"));
}

static void
tables_are_read_by_rows(void)
{
    begin();
    new_page();
    for (int i = 0; i < 4; i++) {
        line(50, 120, 100 + 14 * i, "name");
        line(200, 240, 100 + 14 * i, "10 kg");
        line(350, 390, 100 + 14 * i, "20 m");
    }
    end_page();
    CHECK(reads());
    CHECK(holds("<table>"));
    CHECK(holds("name</p>\n</td><td><p>10 kg</p>\n</td><td><p>20 m"));
}

static void
bad_input_is_refused(void)
{
    buf_clear(&page);
    CHECK(convert_read(CONVERT_PDF, S(""), &page, &why) == ST_INVALID);
    CHECK(convert_read(CONVERT_PDF, S("<html><p>"), &page, &why) == ST_INVALID);
    CHECK(convert_read(CONVERT_PDF, S("<html/>"), &page, &why) == ST_INVALID);
    begin();
    new_page();
    end_page();
    CHECK(reads()); /* pages without text are an empty page */
    begin();
    new_page();
    line(1e300, -1e300, 1e300, "x y");
    line(-5, 5, -7, "z\x01\xff z");
    buf_c(&bbox, "<word xMin=\"nan\" yMin=\"inf\">w</word>");
    end_page();
    CHECK(reads());
    CHECK(holds("z"));
}

static const struct test tests[] = {
    TEST(columns_are_read_one_after_the_other),
    TEST(heads_feet_and_numbers_go),
    TEST(headings_above_pages_stay),
    TEST(paragraphs_go_on_over_pages),
    TEST(indents_and_gaps_begin_paragraphs),
    TEST(contents_go_with_their_heading),
    TEST(notes_wait_for_the_paragraph),
    TEST(tables_are_read_by_rows),
    TEST(bad_input_is_refused),
    {0},
};

int
main(int argc, char **argv)
{
    int code = test_main(tests, argc, argv);

    buf_free(&bbox);
    buf_free(&page);
    return code;
}
