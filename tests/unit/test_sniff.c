/* Aim: what goes into cleaning is HTML.  Method: a table of declared types,
 * first bytes, and the answer. */
#include "base/buf.h"
#include "clean/charset/sniff.h"
#include "clean/cleaner/cleaner.h"
#include "test.h"

struct sniff_row {
    const char *type;
    struct str bytes;
    bool html;
};

static void
check(const struct sniff_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (sniff_is_html(str_c(rows[i].type), rows[i].bytes) == rows[i].html)
            continue;
        test_failed++;
        fprintf(stderr, "row %zu (%s): want %d\n", i, rows[i].type,
                rows[i].html);
    }
}

#define CHECK_ROWS(rows) check(rows, sizeof(rows) / sizeof *(rows))

static void
declared_html_is_believed_unless_bytes_contradict(void)
{
    static const struct sniff_row rows[] = {
        {"text/html", STR("<p>x"), true},
        {"TEXT/HTML; charset=utf-8", STR("just words"), true},
        {"application/xhtml+xml", STR("<?xml version='1.0'?><html>"), true},
        {"text/html, text/html", STR("<p>"), true},
        {"text/html", STR(""), true},
        {"text/html", STR("<p>one \x01 stray control character in a page"),
         true},
        {"text/html", STR("\xff\xfe<\0p\0>\0"), true},
        {"text/html", STR("<\0p\0>\0x\0"), true},
        {"text/html", STR("%PDF-1.4\n"), false},
        {"text/html", STR("\x89PNG\r\n\x1a\n"), false},
        {"text/html", STR("GIF89a"), false},
        {"text/html", STR("\xff\xd8\xff\xe0"), false},
        {"text/html", STR("PK\x03\x04"), false},
        {"text/html", STR("\x1f\x8b\x08\0"), false},
        {"text/html", STR("RIFFxxxxWEBPVP8 "), false},
        {"text/html", STR("xxxxftypmp42"), false},
        {"text/html", STR("a\0\1\2\3b\0\1\2\3"), false},
        {"text/html", STR("<?xml version='1.0'?><!-- x --><rss version='2.0'>"),
         false},
        {"text/html", STR("<feed xmlns='http://www.w3.org/2005/Atom'>"), false},
        {"text/html", STR("<!-- never ends"), true},
        {"text/html", STR("<?never ends"), true},
    };

    CHECK_ROWS(rows);
}

static void
undeclared_bytes_must_begin_like_html(void)
{
    static const struct sniff_row rows[] = {
        {"", STR("<!DOCTYPE html>"), true},
        {"", STR("\xef\xbb\xbf \n<HTML lang=nl>"), true},
        {"unknown/unknown", STR("<div class=a>"), true},
        {"html", STR("<!-- a comment --><p>"), true},
        {"", STR("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC ''><html>"),
         true},
        {"", STR(" \n<?xml version='1.0'?>\n<html>"), true},
        {"", STR("<?xml version='1.0'?><svg>"), false},
        {"", STR("<bogus>"), false},
        {"", STR("<p"), false},
        {"", STR("plain words"), false},
        {"", STR("<p>\0"), false},
        {"", STR(""), false},
        {"*/*", STR("{\"json\": 1}"), false},
    };

    CHECK_ROWS(rows);
}

static void
other_types_are_not_html_whatever_they_hold(void)
{
    static const struct sniff_row rows[] = {
        {"text/plain", STR("<!DOCTYPE html><p>x"), false},
        {"application/json", STR("<html>"), false},
        {"image/png", STR("<html>"), false},
        {"application/xml", STR("<html>"), false},
        {"application/pdf", STR("%PDF-1.4"), false},
    };

    CHECK_ROWS(rows);
}

#define XML "<?xml version='1.0' encoding='utf-8'?>\n"
#define XMLNS " xmlns=\"http://www.w3.org/1999/xhtml\""
#define XMLNS_H " xmlns:h='http://www.w3.org/1999/xhtml'"
#define SUBSET                                                                 \
    "<!DOCTYPE html [\n<!-- it's > ] -->\n<!ENTITY x \"]> <y>\">\n"            \
    "<!ELEMENT y (z)*>\n] >\n"
#define XHTML_1                                                                \
    "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'xhtml1.dtd'>\n"

static void
xml_is_a_page_when_xhtml_begins_in_it(void)
{
    static const struct sniff_row rows[] = {
        {"application/xml", STR(XML "<html" XMLNS ">"), true},
        {"text/xml; charset=utf-8", STR("<html lang='nl'\n" XMLNS " >"), true},
        {"text/xml",
         STR("\xef\xbb\xbf" XML "<!-- x > y --><?xml-stylesheet href='x'?>\n"
             "<!DOCTYPE html><html" XMLNS ">"),
         true},
        {"application/xml", STR(XML XHTML_1 "<html>"), true},
        {"application/xml", STR(XML SUBSET "<html" XMLNS ">"), true},
        {"application/xml", STR(XML SUBSET "<rss>"), false},
        {"text/xml", STR("<!DOCTYPE html \"x><html" XMLNS ">"), true},
        {"application/xml", STR(XML "<h:html" XMLNS_H ">"), true},
        {"application/xml", STR(XML "<h:html lang='nl' xmlns:x='y'" XMLNS_H),
         true},
        {"application/xml", STR(XML "<h:html" XMLNS ">"), false},
        {"application/xml", STR(XML "<x:html" XMLNS_H ">"), false},
        {"application/xml", STR(XML "<h:htmlx" XMLNS_H ">"), false},
        {"application/xml", STR(XML "<:html xmlns:=''>"), false},
        {"", STR(XML "<h:html" XMLNS_H ">"), true},
        {"", STR("<h:html" XMLNS_H ">"), false},
        {"application/xml", STR(XML "<html>"), false},
        {"application/xml", STR(XML "<html xmlns='urn:x'>" XMLNS), false},
        {"application/xml", STR(XML "<htmlx" XMLNS ">"), false},
        {"application/xml", STR(XML "<rss version='2.0'" XMLNS ">"), false},
        {"text/xml", STR(XML "<feed xmlns='http://www.w3.org/2005/Atom'>"),
         false},
        {"text/xml", STR(XML "<svg" XMLNS "><html" XMLNS ">"), false},
        {"text/xml", STR(XML "<urlset><html" XMLNS ">"), false},
        {"text/xml", STR(XML), false},
        {"text/xml", STR(""), false},
        {"text/xml", STR("%PDF-1.4 <html" XMLNS ">"), false},
        {"image/svg+xml", STR(XML "<html" XMLNS ">"), false},
        {"application/rss+xml", STR(XML "<html" XMLNS ">"), false},
    };

    CHECK_ROWS(rows);
}

static bool
is_wide_page(const char *type, const char *text, size_t unit, bool big,
             bool bom)
{
    static char wide[4000];
    size_t n = 0;

    for (size_t i = bom ? 0 : 1; i <= strlen(text); i++)
        for (size_t k = 0; k < unit; k++, n++) {
            size_t byte = big ? unit - 1 - k : k;

            wide[n] = byte > 1    ? '\0'
                      : i > 0     ? (byte == 0 ? text[i - 1] : '\0')
                      : byte == 0 ? '\xff'
                                  : '\xfe';
        }
    return sniff_is_html(str_c(type), str_n(wide, n));
}

static void
wide_characters_are_read_as_what_they_say(void)
{
    for (int i = 0; i < 6; i++) {
        size_t unit = i < 4 ? 2 : 4;
        bool big = i % 2, bom = i > 1;

        CHECK(is_wide_page("text/xml", XML "<html" XMLNS ">", unit, big, bom));
        CHECK(is_wide_page("text/html", "<p>text", unit, big, bom));
        CHECK(is_wide_page("", "<p>text", unit, big, bom));
        CHECK(!is_wide_page("text/xml", XML "<svg>", unit, big, bom));
        CHECK(!is_wide_page("text/html", XML "<rss>", unit, big, bom));
    }
}

static void
the_prefix_of_xhtml_is_found(void)
{
    CHECK(str_eq(sniff_xhtml_prefix(S(XML SUBSET "<h:html" XMLNS_H ">")),
                 S("h:")));
    CHECK(sniff_xhtml_prefix(S(XML "<html" XMLNS_H XMLNS ">")).n == 0);
    CHECK(sniff_xhtml_prefix(S(XML "<h:html" XMLNS ">")).n == 0);
    CHECK(sniff_xhtml_prefix(S("")).n == 0);
}

static void
who_declares_xml_has_its_rules(void)
{
    struct str xhtml = S(XML XHTML_1 "<html" XMLNS ">"),
               html = S("<!DOCTYPE html><html" XMLNS ">");

    CHECK(sniff_is_xml(S("application/xhtml+xml"), html));
    CHECK(sniff_is_xml(S("Application/XHTML+XML; charset=utf-8"), html));
    CHECK(sniff_is_xml(S("text/xml"), xhtml));
    CHECK(!sniff_is_xml(S("text/html"), xhtml)); /* as browsers have it */
    CHECK(sniff_is_xml(S(""), xhtml));
    CHECK(!sniff_is_xml(S(""), html)); /* templates have it, and no rules */
    CHECK(!sniff_is_xml(S(""), S(XML XHTML_1 "<html>")));
    CHECK(!sniff_is_xml(S(""), S(XML "<svg" XMLNS ">")));
    CHECK(!sniff_is_xml(S(""), S("")));
}

static bool
holds(const char *bytes, const char *what)
{
    const char *found = sniff_corpus(str_c(bytes));

    return found != NULL && strcmp(found, what) == 0;
}

static void
what_holds_texts_is_told_from_pages(void)
{
    CHECK(holds("{\"id\":\"1\"}\n", "JSON lines"));
    CHECK(holds("\n{ \"id\":", "JSON lines"));
    CHECK(holds(XML "<teiCorpus xmlns=\"x\">", "TEI"));
    CHECK(holds("<TEI>", "TEI"));
    CHECK(holds(XML "<xml>\n<doc id=\"1\">", "XML of a corpus"));
    CHECK(holds("<doc url=\"x\" id=\"1\">", "XML of a corpus"));
    CHECK(
        holds("---\ntitle: \"a\"\nlanguage: \"nl\"\n---\n\n## b", "Markdown"));
    CHECK(sniff_corpus(S("")) == NULL && sniff_corpus(S("{")) == NULL);
    CHECK(sniff_corpus(S("---\nlayout: x\n---\n<p>text")) == NULL);
    CHECK(sniff_corpus(S("---\n---\ntext")) == NULL);
    CHECK(sniff_corpus(S("---\ntext\n")) == NULL);
    CHECK(sniff_corpus(S("{{ page.title }}<p>")) == NULL);
    CHECK(sniff_corpus(S("<!doctype html><html>")) == NULL);
    CHECK(sniff_corpus(S(XML "<html><TEI>")) == NULL);
    CHECK(sniff_corpus(S("<document>")) == NULL);
    CHECK(sniff_corpus(S("a {\"b\"} <doc >")) == NULL);
}

static void
pages_in_mime_parts_are_not_html(void)
{
#define PARTS "\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<html>"
#define CHROME                                                                 \
    "From: <Saved by Blink>\r\nSubject: =?utf-8?Q?x?=\r\nMIME-Version: "       \
    "1.0\r\n"                                                                  \
    "Content-Type: multipart/related;\r\n\ttype=\"text/html\"" PARTS
    static const struct sniff_row rows[] = {
        {"text/html", STR(CHROME), false},
        {"", STR(CHROME), false},
        {"text/html",
         STR("mime-version: 1.0\ncontent-type:\n multipart/related" PARTS),
         false},
        {"text/html",
         STR("MIME-Version: 1.0\nContent-Type: text/html\n"
             "Content-Transfer-Encoding: quoted-printable\n\n<html lang=3Dnl>"),
         false},
        /* headers that a broken CGI script repeats */
        {"text/html", STR("MIME-Version: 1.0\nContent-Type: text/html\n\n<p>"),
         true},
        {"text/html", STR("Content-Type: multipart/related" PARTS), true},
        {"text/html", STR(" MIME-Version: 1.0\nContent-Type: multipart/x\n\n"),
         true},
        {"text/html",
         STR("<p>MIME-Version: 1.0\nContent-Type: multipart/x\n\n"), true},
        {"text/html", STR("MIME-Version: 1.0\nContent-Type: multipart/x"),
         true},
    };

    CHECK_ROWS(rows);
    CHECK(sniff_is_mime(S(CHROME)));
}

static void
only_the_beginning_decides(void)
{
    struct buf b = {0};

    buf_c(&b, "<p>");
    for (int i = 0; i < 1445; i++)
        buf_char(&b, 'x');
    for (int i = 0; i < 1445; i++)
        buf_char(&b, '\0');
    CHECK(sniff_is_html(S("text/html"), buf_view(&b)));
    CHECK(sniff_is_html(S(""), buf_view(&b)));
    buf_free(&b);
}

static void
white_space_before_the_page_does_not_count(void)
{
    struct buf b = {0};

    for (int i = 0; i < 5000; i++)
        buf_char(&b, i % 80 ? ' ' : '\n');
    buf_c(&b, "<!DOCTYPE html><title>x</title>");
    CHECK(sniff_is_html(S(""), buf_view(&b)));
    CHECK(sniff_is_html(S("text/html"), buf_view(&b)));
    b.p[b.n - 3] = '\0';
    CHECK(!sniff_is_html(S(""), buf_view(&b)));
    buf_free(&b);
}

static void
what_no_text_holds_tells_a_file_of_another_type(void)
{
    CHECK(strcmp(sniff_binary(str_n("PK\x03\x04\x14\0", 6)),
                 "application/zip") == 0);
    CHECK(strcmp(sniff_binary(str_n("\x04\x22\x4d\x18\x64", 5)),
                 "application/x-lz4") == 0);
    CHECK(sniff_binary(S("OTTO von Bismarck")) == NULL);
    CHECK(sniff_binary(S("te\x01xt")) == NULL && sniff_binary(S("")) == NULL);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(declared_html_is_believed_unless_bytes_contradict),
        TEST(undeclared_bytes_must_begin_like_html),
        TEST(other_types_are_not_html_whatever_they_hold),
        TEST(xml_is_a_page_when_xhtml_begins_in_it),
        TEST(wide_characters_are_read_as_what_they_say),
        TEST(the_prefix_of_xhtml_is_found),
        TEST(who_declares_xml_has_its_rules),
        TEST(what_holds_texts_is_told_from_pages),
        TEST(what_no_text_holds_tells_a_file_of_another_type),
        TEST(pages_in_mime_parts_are_not_html),
        TEST(only_the_beginning_decides),
        TEST(white_space_before_the_page_does_not_count),
        {0},
    };

    return test_main(table, argc, argv);
}
