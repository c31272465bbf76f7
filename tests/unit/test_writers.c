/* Records are well-formed whatever the document holds, and say what it says.
 *
 * XML is checked by a small parser of our own (tags balanced, every & a known
 * reference, only characters XML 1.0 allows), JSON by json-c. */
#include <json.h>

#include "base/buf.h"
#include "base/random.h"
#include "clean/chain/codepoint.h"
#include "clean/write/facts.h"
#include "clean/write/writer.h"
#include "test.h"

static struct block blocks[4];
static struct opts opts;

static struct document
document(void)
{
    struct document d = {
        .id = {"01890a5d-ac96-774b-bcce-b302099a8057"},
        .url_text = S("http://a.example/x?a=1&b=<2>"),
        .charset = S("UTF-8"),
        .doctype = "HTML5",
        .meta = {.title = S("A \"title\" & <more>"), .author = S("O'Neil")},
        .blocks = blocks,
        .blocks_n = 4,
        .kept_blocks_n = 2,
        .kept_chars = 14,
        .all_chars = 28,
        .boilerplate_mean = 0.25,
        .badness = 12.5,
        .language = S("nl"),
        .badness_best = 12.5,
        .language_best = S("nl"),
        .tokens_n = 3,
    };

    blocks[0] = (struct block){
        .text = S("Menu"), .boilerplate = 0.9f, .duplicate_of = -1};
    blocks[1] = (struct block){.text = S("Eerste \\ <\"regel\">"),
                               .boilerplate = 0.04f,
                               .duplicate_of = -1,
                               .kept = true};
    blocks[2] =
        (struct block){.text = S("Eerste \\ <\"regel\">"), .duplicate_of = 1};
    blocks[3] = (struct block){.text = S("Tweede \xc3\xa9\xf0\x9f\x98\x80."),
                               .boilerplate = 0.5f,
                               .duplicate_of = -1,
                               .kept = true};
    return d;
}

static struct buf
rendered(const char *format, const struct document *d)
{
    const struct writer *w = writer_find(str_c(format));
    struct buf out = {0};

    CHECK(w != NULL);
    if (w != NULL)
        w->render(&opts, d, &out);
    return out;
}

static void
formats_are_found_by_name(void)
{
    CHECK(strcmp(writer_find(S("text"))->suffix, "txt") == 0);
    CHECK(strcmp(writer_find(S("xml"))->suffix, "xml") == 0);
    CHECK(strcmp(writer_find(S("jsonl"))->suffix, "jsonl") == 0);
    CHECK(writer_find(S("XML")) == NULL && writer_find(S("")) == NULL);
}

static void
text_is_the_kept_blocks_one_a_line(void)
{
    struct document d = document();
    struct buf out = rendered("text", &d);

    CHECK(
        str_eq(buf_view(&out),
               S("Eerste \\ <\"regel\">\nTweede \xc3\xa9\xf0\x9f\x98\x80.\n")));
    buf_free(&out);
}

static void
xml_has_the_names_and_values_of_texrex(void)
{
    struct document d = document();
    struct buf out = rendered("xml", &d);

    buf_char(&out, '\0');
    CHECK(strncmp(out.p,
                  "<doc url=\"http://a.example/x?a=1&amp;b=&lt;2&gt;\" id=\"",
                  53) == 0);
    CHECK(strstr(out.p, " id=\"01890a5d-ac96-774b-bcce-b302099a8057\" ") !=
          NULL);
    CHECK(strstr(out.p, "\" sourcecharset=\"UTF-8\" sourcedoctype=\"HTML5\" "
                        "bdc=\"g\" bdv=\"12.5\" nbc=\"14\" nbcprop=\"0.5\" "
                        "nbd=\"2\" nbdprop=\"0.5\" avgbpc=\"0.25\" ") != NULL);
    CHECK(strstr(out.p, "language=\"nl\">\n<meta name=\"title\" content=\"A "
                        "&quot;title&quot; &amp; &lt;more&gt;\" />\n"
                        "<meta name=\"author\" content=\"O&apos;Neil\" />\n"
                        "<div idx=\"0\" bpc=\"j\" bpv=\"0.9\">\nMenu\n</div>\n"
                        "<div idx=\"1\" bpc=\"a\" bpv=\"0.04\">\nEerste \\ "
                        "&lt;&quot;regel&quot;&gt;\n</div>\n"
                        "<dup idx=\"2\" of=\"1\">\n") != NULL);
    CHECK(strcmp(out.p + out.n - 1 - 14, "</div>\n</doc>\n") == 0);
    CHECK(strstr(out.p, "reject=") == NULL);
    buf_free(&out);
    d.reject = VERDICT_SHORT;
    out = rendered("xml", &d);
    buf_char(&out, '\0');
    CHECK(strstr(out.p, " reject=\"short\">") != NULL);
    buf_free(&out);
}

static bool
is(struct json_object *o, const char *key, const char *expected)
{
    struct json_object *value = NULL;

    return json_object_object_get_ex(o, key, &value) &&
           strcmp(json_object_get_string(value), expected) == 0;
}

static void
json_is_one_flat_object_a_line(void)
{
    struct document d = document();
    struct buf out = rendered("jsonl", &d);
    struct json_object *o;

    CHECK(out.p[out.n - 1] == '\n' && memchr(out.p, '\n', out.n - 1) == NULL);
    out.p[out.n - 1] = '\0';
    o = json_tokener_parse(out.p);
    CHECK(o != NULL);
    CHECK(is(o, "url", "http://a.example/x?a=1&b=<2>"));
    CHECK(is(o, "text",
             "Eerste \\ <\"regel\">\nTweede \xc3\xa9\xf0\x9f\x98\x80.\n"));
    CHECK(is(o, "title", "A \"title\" & <more>"));
    CHECK(is(o, "badness", "12.5") && is(o, "chars", "14"));
    CHECK(is(o, "language", "nl") && is(o, "author", "O'Neil"));
    CHECK(is(o, "reject", "") && is(o, "keywords", "")); /* always there */
    json_object_put(o);
    buf_free(&out);
    d.reject = VERDICT_BADNESS;
    out = rendered("jsonl", &d);
    out.p[out.n - 1] = '\0';
    o = json_tokener_parse(out.p);
    CHECK(is(o, "reject", "badness"));
    json_object_put(o);
    buf_free(&out);
}

static bool
known_reference(struct str s)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                        "&apos;"};

    for (size_t i = 0; i < 5; i++)
        if (str_starts(s, str_c(names[i])))
            return true;
    return false;
}

#define DEPTH_MAX 32

/* The name in a tag, behind its '<' or '</'. */
static struct str
name_of(struct str tag)
{
    size_t n = 0;

    while (n < tag.n && ascii_alpha(tag.p[n]))
        n++;
    return str_sub(tag, 0, n);
}

/* Balanced tags, no stray '<', '&' or forbidden character. */
static bool
well_formed(struct str s)
{
    struct str open[DEPTH_MAX];
    size_t depth = 0;

    for (size_t at = 0; at < s.n;) {
        struct str rest = str_sub(s, at, s.n);
        uint32_t cp = codepoint_next(s, &at);

        if ((cp < 0x20 && cp != '\n' && cp != '\t') || cp == 0xfffe ||
            cp == 0xffff)
            return false;
        if (cp == '&' && !known_reference(rest))
            return false;
        if (cp != '<')
            continue;
        if (str_starts(rest, S("</"))) {
            if (depth == 0 ||
                !str_eq(name_of(str_sub(rest, 2, rest.n)), open[--depth]))
                return false;
        } else {
            struct str name = name_of(str_sub(rest, 1, rest.n));

            if (name.n == 0 || depth == DEPTH_MAX)
                return false;
            open[depth++] = name;
        }
        while (at < s.n && s.p[at] != '>') /* attributes hold no '>' */
            if (s.p[at++] == '<')
                return false;
        depth -= at < s.n && s.p[at - 1] == '/';
    }
    return depth == 0;
}

static void
any_text_gives_well_formed_records(void)
{
    struct random r = random_seed(11);

    for (int round = 0; round < 300; round++) {
        char text[200];
        struct str junk = {text, 0};
        struct document d = document();
        struct json_object *o;
        struct buf out;

        while (junk.n + 4 < sizeof text) {
            uint32_t cp =
                (uint32_t)random_below(&r, round % 2 ? 0x80 : 0x110000);

            if (cp < 0xd800 || cp > 0xdfff)
                junk.n += codepoint_put(text + junk.n, cp);
        }
        d.url_text = d.meta.title = d.meta.author = d.charset = junk;
        for (uint32_t i = 0; i < d.blocks_n; i++)
            d.blocks[i].text = junk;
        out = rendered("xml", &d);
        CHECK(well_formed(buf_view(&out)));
        buf_free(&out);
        d.blocks[1].form.form = (uint8_t)(round % FORM_N);
        out = rendered("tei", &d);
        CHECK(well_formed(buf_view(&out)));
        buf_free(&out);
        out = rendered("jsonl", &d);
        out.p[out.n - 1] = '\0';
        CHECK(memchr(out.p, '\n', out.n) == NULL);
        CHECK((o = json_tokener_parse(out.p)) != NULL);
        json_object_put(o);
        buf_free(&out);
    }
}

/* '>' and U+0338 are one character in form C. */
static void
no_tag_is_composed_with_the_text_behind_it(void)
{
    static const char *const formats[] = {"xml", "tei"};

    for (size_t f = 0; f < 2; f++)
        for (uint8_t form = 0; form < FORM_N; form++) {
            struct document d = document();
            struct buf out;

            d.meta.title = d.blocks[1].text = S("\xcc\xb8x");
            d.blocks[1].form.form = form;
            out = rendered(formats[f], &d);
            CHECK(!str_has(buf_view(&out), S(">\xcc\xb8")));
            CHECK(str_has(buf_view(&out), S("\xcc\xb8x")) ||
                  str_has(buf_view(&out), S("&#x338;x")));
            buf_free(&out);
        }
}

static void
an_empty_document_has_a_record_too(void)
{
    struct document d = {.url_text = S(""), .badness = 50, .language = S("")};
    struct buf out = rendered("xml", &d);

    CHECK(well_formed(buf_view(&out)));
    buf_char(&out, '\0');
    CHECK(strstr(out.p, "bdc=\"z\" bdv=\"50\"") != NULL);
    CHECK(strstr(out.p, "nbcprop=\"-1\"") != NULL);
    buf_free(&out);
    out = rendered("text", &d);
    CHECK(out.n == 0);
    buf_free(&out);
}

/* Whatever is printed without printf(3) reads as that would have it. */
static void
numbers_are_those_of_printf(void)
{
    static const double edges[] = {
        0,          1,   .1,       .01,       1e-3,      1e-4,
        9.99999e-5, .5,  .9999994, .9999995,  .99999949, .0999999,
        .25,        -.5, .1234565, .01234565, 1e300,     3.25};
    struct random random = random_seed(7);
    struct buf out = {0};
    char want[40];

    for (int i = 0; i < 200000; i++) {
        double v = i < (int)(sizeof edges / sizeof *edges)
                       ? edges[i]
                       : random_unit(&random) / (i % 4 == 0 ? 1000 : 1);

        if (i % 3 == 0) /* as most of them come */
            v = (double)(float)v;
        buf_clear(&out);
        fact_real(v, &out);
        snprintf(want, sizeof want, "%.6g", v);
        CHECK(str_eq(buf_view(&out), str_c(want)));
    }
    buf_clear(&out);
    buf_number(&out, 0);
    buf_number(&out, 10);
    buf_number(&out, UINT64_MAX);
    CHECK(str_eq(buf_view(&out), S("01018446744073709551615")));
    buf_free(&out);
}

static void
what_is_longer_than_the_room_is_printed_whole(void)
{
    char want[600];
    struct buf out = {0};

    for (int n = 0; n < 500; n++) {
        buf_free(&out);
        buf_printf(&out, "%*d", n, 7);
        buf_printf(&out, "-%0*d", n, 9);
        snprintf(want, sizeof want, "%*d", n, 7);
        CHECK(str_starts(buf_view(&out), str_c(want)));
        CHECK(out.n == 2 * (size_t)(n > 0 ? n : 1) + 1);
    }
    buf_free(&out);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(formats_are_found_by_name),
        TEST(numbers_are_those_of_printf),
        TEST(what_is_longer_than_the_room_is_printed_whole),
        TEST(text_is_the_kept_blocks_one_a_line),
        TEST(xml_has_the_names_and_values_of_texrex),
        TEST(json_is_one_flat_object_a_line),
        TEST(any_text_gives_well_formed_records),
        TEST(no_tag_is_composed_with_the_text_behind_it),
        TEST(an_empty_document_has_a_record_too),
        {0},
    };

    int code;

    opts_init(&opts);
    code = test_main(table, argc, argv);
    opts_free(&opts);
    return code;
}
