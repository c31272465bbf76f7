/* test_convert.c -- documents become HTML: what is taken, what is left out, and
 * what happens to bad ones.
 *
 * Archives are made in memory, PDFs are what pdftotext would write of them. */
#include "clean/convert/hyphens.h"
#include "clean/convert/kind.h"
#include "clean/convert/reader.h"
#include "test.h"
#include "zip_make.h"

static struct buf page;
static const char *why;

static bool
holds(const char *text)
{
    return memmem(page.p, page.n, text, strlen(text)) != NULL;
}

/* The page of a document; false: there is none. */
static bool
reads(enum convert_kind k, struct str bytes)
{
    buf_clear(&page);
    return convert_read(k, bytes, &page, &why) == ST_OK;
}

static bool
reads_zip(enum convert_kind k, const struct zip_file_text *files)
{
    struct str zip = zip_make(files);
    bool ok = reads(k, zip);

    free((char *)zip.p);
    return ok;
}

/* ---- kinds ---- */

static void
bytes_say_what_it_is(void)
{
    unsigned all = ~0u;
    struct str pdf = S("%PDF-1.4 ..."), rtf = S("{\\rtf1 x}"),
               text = S("Only words."), html = S("<html><p>x</p></html>");

    CHECK(convert_kind_of(all, S("text/html"), S("/a"), pdf) == CONVERT_PDF);
    CHECK(convert_kind_of(all, S("application/pdf"), S("/a.pdf"), html) ==
          CONVERT_NONE);
    CHECK(convert_kind_of(all, S("application/pdf"), S("/a"), rtf) ==
          CONVERT_RTF);
    CHECK(convert_kind_of(all, S("text/plain"), S("/a"), text) == CONVERT_TXT);
    CHECK(convert_kind_of(all, S("text/html"), S("/a.txt"), text) ==
          CONVERT_NONE);
    CHECK(convert_kind_of(all, S(""), S("/a.txt"), text) == CONVERT_TXT);
    CHECK(convert_kind_of(all, S("text/plain"), S("/a"),
                          S("\x7f"
                            "ELF")) == CONVERT_NONE);
    CHECK(convert_kind_of(1u << CONVERT_DOC, S(""), S("/a"), pdf) ==
          CONVERT_NONE);
    CHECK(convert_kind_of(all, S(""), S("/a"), S("")) == CONVERT_NONE);
    CHECK(convert_kind_of(all, S("text/html"), S("/a"),
                          S("<html><p>How a PDF begins: %PDF-1.4</p>")) ==
          CONVERT_NONE);
    CHECK(convert_kind_of(all, S("application/zip"), S("/a.docx"),
                          S("PK\x03\x04 just some archive")) == CONVERT_NONE);
}

static void
types_and_endings_say_what_is_fetched(void)
{
    unsigned two = 1u << CONVERT_PDF | 1u << CONVERT_DOCX;

    CHECK(convert_may_be(two, S("Application/PDF; x=1"), S("http://a/")));
    CHECK(!convert_may_be(two, S("application/rtf"), S("http://a/x.rtf")));
    CHECK(!convert_may_be(two, S("image/png"), S("http://a/x.pdf")));
    CHECK(convert_may_be(two, S("application/octet-stream"),
                         S("http://a/x.pdf?y=1#p")));
    CHECK(!convert_may_be(two, S("application/octet-stream"),
                          S("http://a/x.exe")));
    CHECK(!convert_may_be(0, S("application/pdf"), S("http://a/x.pdf")));
}

/* ---- archives ---- */

#define W "xmlns:w=\"http://schemas.openxmlformats.org/word\""

static const char docx_body[] =
    "<w:document " W "><w:body>"
    "<w:p><w:pPr><w:pStyle w:val=\"berschrift1\"/></w:pPr><w:r><w:t>The "
    "head</w:t></w:r></w:p>"
    "<w:p><w:pPr><w:pStyle w:val=\"Verz1\"/></w:pPr><w:r><w:t>The head 1"
    "</w:t></w:r></w:p>"
    "<w:p><w:r><w:t>One </w:t></w:r><w:del><w:r><w:t>gone "
    "</w:t></w:r></w:del><w:r><w:t>para&amp;graph</w:t></w:r></w:p>"
    "<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>"
    "an item</w:t></w:r></w:p>"
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr>"
    "</w:tbl></w:body></w:document>";
static const char docx_styles[] =
    "<w:styles " W "><w:style w:styleId=\"berschrift1\"><w:name w:val="
    "\"heading 1\"/></w:style><w:style w:styleId=\"Verz1\"><w:name w:val="
    "\"toc 1\"/></w:style></w:styles>";

static void
docx_has_headings_lists_tables(void)
{
    const struct zip_file_text files[] = {
        {"word/document.xml", STR(docx_body)},
        {"word/styles.xml", STR(docx_styles)},
        {"docProps/core.xml",
         STR("<c xmlns:dc=\"d\"><dc:title>My title</dc:title><dc:creator>Ann "
             "B</dc:creator></c>")},
        {NULL, STR("")}};

    CHECK(reads_zip(CONVERT_DOCX, files));
    CHECK(holds("<h1>The head</h1>"));
    CHECK(!holds("The head 1"));
    CHECK(holds("<p>One para&amp;graph</p>"));
    CHECK(holds("<li>an item</li>"));
    CHECK(holds("<td><p>cell</p>"));
    CHECK(holds("<title>My title</title>"));
    CHECK(holds("content=\"Ann B\""));
}

static const char odt_body[] =
    "<o xmlns:t=\"t\"><t:table-of-content><t:p>Contents</t:p>"
    "</t:table-of-content><t:h>Head</t:h><t:p>A sentence<t:note>"
    "<t:note-citation>1</t:note-citation><t:note-body><t:p>said below"
    "</t:p></t:note-body></t:note> goes<t:s/>on.<t:annotation><t:p>secret"
    "</t:p></t:annotation></t:p><t:list><t:list-item><t:p>item</t:p>"
    "</t:list-item></t:list></o>";

static void
odt_keeps_notes_out_of_sentences(void)
{
    const struct zip_file_text files[] = {{"content.xml", STR(odt_body)},
                                          {NULL, STR("")}};

    CHECK(reads_zip(CONVERT_ODT, files));
    CHECK(holds("<h2>Head</h2>"));
    CHECK(holds("<p>A sentence goes on.</p>\n<p>said below</p>"));
    CHECK(holds("<li>item</li>"));
    CHECK(!holds("Contents"));
    CHECK(!holds("secret"));
}

static const char epub_container[] = "<c><rootfile full-path=\"O/p.opf\"/></c>";
static const char epub_package[] =
    "<package xmlns:dc=\"d\"><metadata><dc:title>Book</dc:title></metadata>"
    "<manifest><item id=\"n\" href=\"n.xhtml\" properties=\"nav\" "
    "media-type=\"application/xhtml+xml\"/><item id=\"b\" href=\"b%20b.xhtml\" "
    "media-type=\"application/xhtml+xml\"/><item id=\"a\" href=\"a.xhtml\" "
    "media-type=\"application/xhtml+xml\"/></manifest><spine><itemref "
    "idref=\"n\"/><itemref idref=\"b\"/><itemref idref=\"a\"/></spine>"
    "</package>";

static void
epub_follows_its_spine(void)
{
    const struct zip_file_text files[] = {
        {"META-INF/container.xml", STR(epub_container)},
        {"O/p.opf", STR(epub_package)},
        {"O/n.xhtml", STR("<html><body><p>Chapters</p></body></html>")},
        {"O/a.xhtml", STR("<html><body><p>second</p></body></html>")},
        {"O/b b.xhtml", STR("<html><BODY class='x'><p>first</p></BODY>")},
        {NULL, STR("")}};

    CHECK(reads_zip(CONVERT_EPUB, files));
    CHECK(holds("<p>first</p>\n<p>second</p>"));
    CHECK(!holds("Chapters"));
    CHECK(holds("<title>Book</title>"));
}

static void
encrypted_ones_are_refused(void)
{
    const struct zip_file_text epub[] = {
        {"META-INF/container.xml", STR(epub_container)},
        {"META-INF/encryption.xml", STR("<e><r URI=\"O/a.xhtml\"/></e>")},
        {"O/p.opf", STR(epub_package)},
        {"O/a.xhtml", STR("\x01\x02")},
        {NULL, STR("")}};
    const struct zip_file_text odt[] = {
        {"content.xml", STR("\x01\x02")},
        {"META-INF/manifest.xml", STR("<m><encryption-data/></m>")},
        {NULL, STR("")}};

    CHECK(!reads_zip(CONVERT_EPUB, epub));
    CHECK(strcmp(why, "encrypted") == 0);
    CHECK(!reads_zip(CONVERT_ODT, odt));
    CHECK(strcmp(why, "encrypted") == 0);
}

static void
cut_archives_are_refused(void)
{
    const struct zip_file_text files[] = {{"content.xml", STR(odt_body)},
                                          {NULL, STR("")}};
    struct str zip = zip_make(files);

    for (size_t n = 0; n < zip.n; n++)
        CHECK(!reads(CONVERT_ODT, str_sub(zip, 0, n)));
    for (int k = CONVERT_DOCX; k <= CONVERT_EPUB; k++)
        if (k != CONVERT_RTF)
            CHECK(!reads((enum convert_kind)k, S("no archive at all")));
    CHECK(!reads(CONVERT_DOCX, zip)); /* there is no word/document.xml */
    free((char *)zip.p);
}

static void
bombs_are_refused(void)
{
    size_t n = (size_t)20 << 20;
    char *blanks = malloc(n);
    struct zip_file_text files[] = {{"content.xml", {blanks, n}},
                                    {NULL, STR("")}};

    memset(blanks, ' ', n);
    CHECK(!reads_zip(CONVERT_ODT, files));
    CHECK(strstr(why, "far more") != NULL);
    free(blanks);
}

static void
entities_and_bad_xml_are_refused(void)
{
    struct buf deep = {0};
    struct zip_file_text entities[] = {
        {"content.xml",
         STR("<!DOCTYPE o [<!ENTITY a \"x\">]><o><p>&a;</p></o>")},
        {NULL, STR("")}};
    struct zip_file_text broken[] = {{"content.xml", STR("<o><p>text</o>")},
                                     {NULL, STR("")}};
    struct zip_file_text nested[] = {{"content.xml", STR("")}, {NULL, STR("")}};

    CHECK(!reads_zip(CONVERT_ODT, entities));
    CHECK(strstr(why, "entities") != NULL);
    CHECK(!reads_zip(CONVERT_ODT, broken));
    for (int i = 0; i < 5000; i++)
        buf_c(&deep, "<a>");
    nested[0].text = buf_view(&deep);
    CHECK(!reads_zip(CONVERT_ODT, nested));
    CHECK(strstr(why, "deep") != NULL);
    buf_free(&deep);
}

/* ---- text ---- */

static void
filled_lines_are_joined(void)
{
    CHECK(reads(CONVERT_TXT,
                S("The first paragraph of this text is filled up to a cer-\r\n"
                  "tain width, as those of letters and of books are, and so\r\n"
                  "it has to be put together.\r\n\r\n"
                  "The second one begins after a blank line, and says that\r\n"
                  "certain things are so.\r\n")));
    CHECK(holds("up to a certain width, as those of letters and of books are, "
                "and so it has to be put together.</p>"));
    CHECK(holds("<p>The second one begins after a blank line, and says that "
                "certain things are so.</p>"));
}

static void
verse_keeps_its_lines(void)
{
    CHECK(reads(CONVERT_TXT,
                S("A text that has some lines which are filled, so that it is\n"
                  "known how long lines are in it, and then some which are\n"
                  "not, as those of\n\nTiger, tiger,\nburning bright,\nin the "
                  "forests\nof the night\n\nThe end of it is filled again and "
                  "ends the text, the whole\nof it in fact, as was said.\n")));
    CHECK(holds("Tiger, tiger,<br>\nburning bright,<br>\nin the forests"));
}

static void
long_lines_are_paragraphs(void)
{
    struct buf b = {0};

    for (int i = 0; i < 30; i++)
        buf_c(&b, "so long a line ");
    buf_c(&b, "one\nshort two\n");
    CHECK(reads(CONVERT_TXT, buf_view(&b)));
    CHECK(holds("one</p>\n<p>short two</p>"));
    CHECK(reads(CONVERT_TXT, S("")));
    CHECK(!holds("<p>"));
    buf_free(&b);
}

static void
antiword_rows_are_tables(void)
{
    CHECK(reads(CONVERT_DOC, S("Words.\n|a |b |\n|c |d |\n[pic]\nMore.\n")));
    CHECK(holds("<p>Words.</p>\n<table>"));
    CHECK(holds("<p>d </p>") || holds("<p>d</p>"));
    CHECK(holds("</table>\n<p>More.</p>"));
    CHECK(!holds("pic"));
}

static void
rtf_is_read_by_its_groups(void)
{
    CHECK(reads(
        CONVERT_RTF,
        S("{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Times;}{\\f1"
          "\\fcharset204 Arial;}}{\\info{\\title A \\'e9t\\'e9}{\\author Ann B}"
          "{\\creatim\\yr2020\\mo3\\dy4}}{\\header Head\\par}{\\*\\unknown x}"
          "{\\pict 0011}\\pard\\b Heading\\b0\\par\r\n\\pard na\\u239?ve, "
          "\\ldblquote q\\rdblquote , gr\\u246\\'f6\\u223\\'dfe {\\f1 "
          "\\'e4\\'e0}"
          " \\u-10179?\\u-8704?{\\footnote\\pard A note.} e\\-nd\\line x"
          "\\par{\\field{\\*\\fldinst HYPERLINK \"u\"}{\\fldrslt link}}"
          "{\\field{\\*\\fldinst TOC \\\\o}{\\fldrslt contents\\par}}\\par"
          "\\trowd\\pard\\intbl a\\cell b\\cell\\row\\pard{\\listtext "
          "1.}item\\par"
          "\\pard{\\v hidden}\\{x\\}\\par}")));
    CHECK(holds("<title>A \xc3\xa9t\xc3\xa9</title>"));
    CHECK(holds("content=\"Ann B\""));
    CHECK(holds("content=\"2020-03-04\""));
    CHECK(holds("<h2>Heading</h2>"));
    CHECK(holds(
        "<p>na\xc3\xafve, \xe2\x80\x9cq\xe2\x80\x9d, gr\xc3\xb6\xc3\x9f"
        "e \xd0\xb4\xd0\xb0 \xf0\x9f\x98\x80 end<br>\nx</p>\n<p>A note.</p>"));
    CHECK(holds("<p>link</p>"));
    CHECK(holds("<tr><td><p>a</p>\n</td><td><p>b</p>\n</td></tr>"));
    CHECK(holds("<li>item</li>"));
    CHECK(holds("{x}"));
    CHECK(!holds("Head</p>") && !holds("hidden") && !holds("contents"));
    CHECK(!holds("0011") && !holds("unknown"));
}

static void
bad_rtf_is_no_fault(void)
{
    struct buf deep = {0};

    buf_c(&deep, "{\\rtf1 ");
    for (int i = 0; i < 5000; i++)
        buf_c(&deep, "{");
    buf_c(&deep, "words");
    for (int i = 0; i < 9000; i++)
        buf_c(&deep, "}");
    CHECK(reads(CONVERT_RTF, buf_view(&deep)));
    CHECK(holds("words"));
    CHECK(reads(CONVERT_RTF, S("{\\rtf1 x\\")));
    CHECK(reads(CONVERT_RTF, S("{\\rtf1 x\\'f")));
    CHECK(reads(CONVERT_RTF, S("{\\rtf1 x\\bin99999999 y")));
    CHECK(reads(CONVERT_RTF, S("{\\rtf1\\cell\\row\\row\\cell")));
    CHECK(!reads(CONVERT_RTF, S("no RTF")));
    buf_free(&deep);
}

static void
hyphens_are_of_the_line_or_of_the_word(void)
{
    struct arena *a = arena_new();
    struct hyphens h;
    struct buf t = {.arena = a};
    static const struct {
        const char *before, *line, *joined;
    } cases[] = {{"the exam-", "ple is", "the example is"},
                 {"a well-", "known one", "a well-known one"},
                 {"in Ost-", "Berlin", "in Ost-Berlin"},
                 {"ein-", "und aus", "ein- und aus"},
                 {"a dash -", "and so", "a dash - and so"},
                 {"soft\xc2\xad", "ware", "software"},
                 {"1990-", "1995", "1990- 1995"},
                 {"no hyphen", "here", "no hyphen here"}};

    hyphens_init(&h, a);
    hyphens_learn(&h, S("That is well-known, for example."));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_clear(&t);
        buf_c(&t, cases[i].before);
        hyphens_append(&h, &t, str_c(cases[i].line));
        CHECK(str_eq(buf_view(&t), str_c(cases[i].joined)));
    }
    arena_free(a);
}

static const struct test tests[] = {
    TEST(bytes_say_what_it_is),
    TEST(types_and_endings_say_what_is_fetched),
    TEST(docx_has_headings_lists_tables),
    TEST(odt_keeps_notes_out_of_sentences),
    TEST(epub_follows_its_spine),
    TEST(encrypted_ones_are_refused),
    TEST(cut_archives_are_refused),
    TEST(bombs_are_refused),
    TEST(entities_and_bad_xml_are_refused),
    TEST(filled_lines_are_joined),
    TEST(verse_keeps_its_lines),
    TEST(long_lines_are_paragraphs),
    TEST(antiword_rows_are_tables),
    TEST(rtf_is_read_by_its_groups),
    TEST(bad_rtf_is_no_fault),
    TEST(hyphens_are_of_the_line_or_of_the_word),
    {0},
};

int
main(int argc, char **argv)
{
    int code = test_main(tests, argc, argv);

    buf_free(&page);
    return code;
}
