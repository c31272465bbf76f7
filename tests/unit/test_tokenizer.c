/* Aim: the tokenizer does what the html5lib cases (test_tokenizer_suite) leave
 * to the tree, and stays linear.  Method: tokens written as one line; hostile
 * repetitions at 2 MB against a generous clock. */
#include "base/buf.h"
#include "base/clock.h"
#include "clean/markup/entity.h"
#include "clean/markup/tokenizer.h"
#include "test.h"

/* --- A sink that writes tokens as one line of text ---------------------- */

struct trace {
    struct buf out;
    bool in_text;
};

static void
trace_open(struct trace *t, const char *kind)
{
    if (t->in_text)
        buf_char(&t->out, ']');
    t->in_text = false;
    buf_c(&t->out, kind);
}

static void
trace_text(void *self, struct str s)
{
    struct trace *t = self;

    if (!t->in_text)
        buf_char(&t->out, '[');
    t->in_text = true;
    buf_str(&t->out, s);
}

static void
trace_start(void *self, const struct tag_token *tag)
{
    struct trace *t = self;

    trace_open(t, "<");
    buf_str(&t->out, tag->name);
    for (uint32_t i = 0; i < tag->attributes_n; i++) {
        buf_char(&t->out, ' ');
        buf_str(&t->out, tag->attributes[i].name);
        buf_char(&t->out, '=');
        buf_str(&t->out, tag->attributes[i].value);
    }
    buf_c(&t->out, tag->self_closing ? "/>" : ">");
}

static void
trace_end(void *self, const struct tag_token *tag)
{
    trace_open(self, "</");
    buf_str(&((struct trace *)self)->out, tag->name);
    buf_char(&((struct trace *)self)->out, '>');
}

static void
trace_comment(void *self, struct str s)
{
    trace_open(self, "{");
    buf_str(&((struct trace *)self)->out, s);
    buf_char(&((struct trace *)self)->out, '}');
}

static void
check_tokens(struct str html, struct str want, int line)
{
    struct trace trace = {0};
    struct token_sink sink = {.self = &trace,
                              .text = trace_text,
                              .start_tag = trace_start,
                              .end_tag = trace_end,
                              .comment = trace_comment};
    struct tokenizer *t = tokenizer_new();
    /* An exact-size copy lets ASan see reads past the end. */
    char *copy = malloc(html.n ? html.n : 1);

    memcpy(copy, html.p, html.n);
    tokenizer_run(t, str_n(copy, html.n), &sink);
    trace_open(&trace, "");
    if (!str_eq(buf_view(&trace.out), want)) {
        test_failed++;
        fprintf(stderr, "line %d: got  %.*s\n         want %.*s\n", line,
                STRF(buf_view(&trace.out)), STRF(want));
    }
    free(copy);
    buf_free(&trace.out);
    tokenizer_free(t);
}

#define TOKENS(html, want) check_tokens(S(html), S(want), __LINE__)

static void
check_xml(struct str html, struct str want)
{
    struct trace trace = {0};
    struct token_sink sink = {.self = &trace,
                              .text = trace_text,
                              .start_tag = trace_start,
                              .end_tag = trace_end};
    struct tokenizer *t = tokenizer_new();

    tokenizer_run_xml(t, html, &sink);
    trace_open(&trace, "");
    CHECK(str_eq(buf_view(&trace.out), want));
    buf_clear(&trace.out);
    tokenizer_run(t, S("<title/><p>"), &sink); /* HTML again */
    trace_open(&trace, "");
    CHECK(str_eq(buf_view(&trace.out), S("<title/>[<p>]")));
    buf_free(&trace.out);
    tokenizer_free(t);
}

/* --- Own cases ----------------------------------------------------------- */

static void
text_tags_and_attributes_come_out(void)
{
    TOKENS("a &amp; b", "[a & b]");
    TOKENS("<P Class=x ID='y' a=\"1\" A=2>t</P >",
           "<p class=x id=y a=1>[t]</p>");
    TOKENS("<a href='?a=1&copy=2&lt;'>", "<a href=?a=1&copy=2<>");
    TOKENS("<br/><i / b>", "<br/><i b=>");
    TOKENS("1 < 2 <3 </>", "[1 < 2 <3 ]");
    TOKENS("", "");
    TOKENS("<", "[<]");
    TOKENS("</", "[</]");
    TOKENS("x<div class='never closed", "[x]");
}

static void
new_lines_and_NUL_are_normalised(void)
{
    TOKENS("a\r\nb\rc\nd", "[a\nb\nc\nd]");
    TOKENS("<a b='x\r\ny\rz'>", "<a b=x\ny\nz>");
    TOKENS("<!--x\r\ny-->", "{x\ny}");
    TOKENS("a\0b", "[ab]");
    TOKENS("<svg>a\0b", "<svg>[a\xef\xbf\xbd"
                        "b]");
    TOKENS("<title>a\0\rb</title>", "<title>[a\xef\xbf\xbd\nb]</title>");
    TOKENS("<a\0 b\0='\0'>", "<a\xef\xbf\xbd b\xef\xbf\xbd=\xef\xbf\xbd>");
}

static void
content_models_follow_start_tags(void)
{
    TOKENS("<title><b>&amp;</b></TITLE x>y", "<title>[<b>&</b>]</title>[y]");
    TOKENS("<style><b>&amp;</b></style >y", "<style>[<b>&amp;</b>]</style>[y]");
    TOKENS("<script>a<b</scrip></script/>y",
           "<script>[a<b</scrip>]</script>[y]");
    TOKENS("<script><!--<script></script>--></script>y",
           "<script>[<!--<script></script>-->]</script>[y]");
    TOKENS("<script><!--</script>y", "<script>[<!--]</script>[y]");
    TOKENS("<script><!--><script></script>y",
           "<script>[<!--><script>]</script>[y]");
    TOKENS("<noscript><b>y</noscript>", "<noscript><b>[y]</noscript>");
    TOKENS("<plaintext></plaintext>", "<plaintext>[</plaintext>]");
    TOKENS("<textarea></textareaa></textarea>",
           "<textarea>[</textareaa>]</textarea>");
}

static void
CDATA_counts_inside_svg_and_math_only(void)
{
    TOKENS("<p><![CDATA[x]]>", "<p>{[CDATA[x]]}");
    TOKENS("<svg><![CDATA[x<b>]]]>y</svg><![CDATA[z]]>",
           "<svg>[x<b>]y]</svg>{[CDATA[z]]}");
    TOKENS("<svg/><![CDATA[x]]>", "<svg/>{[CDATA[x]]}");
    TOKENS("<svg><desc><![CDATA[x]]><p><![CDATA[y]]>",
           "<svg><desc>[x]<p>{[CDATA[y]]}");
    TOKENS("<svg><g><div><![CDATA[x]]>", "<svg><g><div>{[CDATA[x]]}");
    TOKENS("<div><svg><g></div><![CDATA[x]]>",
           "<div><svg><g></div>{[CDATA[x]]}");
    TOKENS("<math><mi>x</mi><![CDATA[x]]>", "<math><mi>[x]</mi>[x]");
}

static void
raw_text_elements_are_ordinary_inside_svg(void)
{
    TOKENS("<svg><style>a<b>c</style>", "<svg><style>[a]<b>[c]</style>");
    TOKENS("<svg><title>a<i>c</title></svg><title><i></title>",
           "<svg><title>[a]<i>[c]</title></svg><title>[<i>]</title>");
    TOKENS("<svg><foreignObject><style><i></style></foreignObject><style><a>",
           "<svg><foreignobject><style>[<i>]</style></foreignobject>"
           "<style><a>");
}

static void
comments_end_where_the_rules_say(void)
{
    TOKENS("<!---->", "{}");
    TOKENS("<!-->a", "{}[a]");
    TOKENS("<!--->a", "{}[a]");
    TOKENS("<!--a--!>b", "{a}[b]");
    TOKENS("<!--a--!-->b", "{a--!}[b]");
    TOKENS("<!--a>-->b", "{a>}[b]");
    TOKENS("<!--a--", "{a}");
    TOKENS("<!--a--!", "{a}");
    TOKENS("<?xml?>a", "{?xml?}[a]");
    TOKENS("</ x>a", "{ x}[a]");
    TOKENS("<!>", "{}");
}

static void
count_tag(void *self, const struct tag_token *tag)
{
    ((size_t *)self)[0] += tag->attributes_n;
    ((size_t *)self)[1]++;
}

static void
count_text(void *self, struct str s)
{
    ((size_t *)self)[2] += s.n;
}

static void
attributes_are_bounded_and_duplicates_dropped(void)
{
    size_t count[3] = {0};
    struct token_sink sink = {.self = count,
                              .text = count_text,
                              .start_tag = count_tag,
                              .end_tag = count_tag};
    struct tokenizer *t = tokenizer_new();
    struct buf b = {0};

    buf_c(&b, "<a");
    for (int i = 0; i < 1000; i++)
        buf_printf(&b, " a%d A%d=1", i % 100, i % 100);
    buf_c(&b, "><b");
    for (int i = 0; i < 1000; i++)
        buf_printf(&b, " b%d", i);
    buf_c(&b, ">");
    tokenizer_run(t, buf_view(&b), &sink);
    CHECK(count[0] == 100 + 256);
    CHECK(count[1] == 2);
    buf_free(&b);
    tokenizer_free(t);
}

static void
elements_of_xml_close_themselves(void)
{
    check_xml(S("<title/><p>a<script src='x'/>b<style/><iframe/>c"),
              S("<title/><p>[a]<script src=x/>[b]<style/><iframe/>[c]"));
    check_xml(S("<textarea/><xmp/><noframes/><plaintext/>a<b>"),
              S("<textarea/><xmp/><noframes/><plaintext/>[a]<b>"));
    check_xml(S("<script>1 < <b></script><title>a<b></title>"),
              S("<script>[1 < <b>]</script><title>[a<b>]</title>"));
    check_xml(S("<p>a<![CDATA[<b> & ]]>c"), S("<p>[a<b> & c]"));
    check_xml(S("<svg><title/><style/></svg>a"),
              S("<svg><title/><style/></svg>[a]"));
}

static void
hostile_repetition_takes_linear_time(void)
{
    static const struct str units[] = {
        STR("<"),
        STR("<div "),
        STR("a=1 "),
        STR("<a b='"),
        STR("\""),
        STR("&"),
        STR("&amp"),
        STR("&#1"),
        STR("&#x"),
        STR("</"),
        STR("<!"),
        STR("<!--"),
        STR("<!-->"),
        STR("--!"),
        STR("<?"),
        STR("]]"),
        STR("<svg>"),
        STR("<svg><desc>"),
        STR("<a a a a a a a a a b c d e f g h i a>"),
        STR("<![CDATA["),
        STR("\r"),
        STR("\0x"),
        STR("<script>"),
        STR("<script><!--"),
        STR("<script><!--<script>"),
        STR("</script"),
        STR("<title>"),
        STR("<title></titl"),
        STR("<a \0>"),
        STR("&NotNestedGreaterGreate"),
        STR("<math>"),
        STR("</p>"),
        STR("<!doctype "),
        STR("<!doctype a public '"),
        STR("<X Y=Z&amp;>")};
    const size_t size = 2u << 20;

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t count[3] = {0};
        struct token_sink sink = {.self = count,
                                  .text = count_text,
                                  .start_tag = count_tag,
                                  .end_tag = count_tag};
        struct tokenizer *t = tokenizer_new();
        char *page = malloc(size);
        uint64_t from_ms, took_ms;

        for (size_t k = 0; k < size; k++)
            page[k] = units[i].p[k % units[i].n];
        from_ms = clock_steady_ms();
        tokenizer_run(t, str_n(page, size), &sink);
        took_ms = clock_steady_ms() - from_ms;
        /* Linear takes 1 to 60 ms; quadratic took minutes.  Sanitizers and a
         * busy machine need the room between. */
        if (took_ms > 5000) {
            test_failed++;
            fprintf(stderr, "%.*s repeated: %llu ms\n", STRF(units[i]),
                    (unsigned long long)took_ms);
        }
        CHECK(count[2] <= 3 * size);
        free(page);
        tokenizer_free(t);
    }
}

static void
every_tag_name_is_found_and_no_other(void)
{
    for (int i = 1; i < TAG_N; i++)
        CHECK(tag_find(tag_name((enum tag)i)) == (enum tag)i);
    CHECK(tag_find(S("div")) == TAG_DIV);
    CHECK(tag_find(S("annotation-xml")) == TAG_ANNOTATION_XML);
    CHECK(tag_find(S("")) == TAG_OTHER);
    CHECK(tag_find(S("divv")) == TAG_OTHER);
    CHECK(tag_find(S("annotation-xmm")) == TAG_OTHER);
    CHECK(tag_find(S("a-very-long-custom-element")) == TAG_OTHER);
    CHECK(tag_name(TAG_OTHER).n == 0);
}

/* --- Character references ---------------------------------------------- */

static void
check_decoded(const char *in, const char *want, size_t want_n)
{
    struct buf b = {0};

    CHECK(entity_decode_all(&b, str_c(in)) == want_n);
    CHECK(str_eq(buf_view(&b), str_c(want)));
    buf_free(&b);
}

static void
references_decode_as_the_rules_say(void)
{
    check_decoded("", "", 0);
    check_decoded("&notit; &notin;", "\xc2\xacit; \xe2\x88\x89", 2);
    check_decoded("&eacute;&eacuteX&Eacute", "\xc3\xa9\xc3\xa9X\xc3\x89", 3);
    check_decoded("&#228;&#xE4;&#xe4 &#228x",
                  "\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4x", 4);
    check_decoded("&#150;&#128;", "\xe2\x80\x93\xe2\x82\xac", 2);
    check_decoded("&#0;&#xD800;&#x110000;&#99999999999999999999;",
                  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 4);
    check_decoded("&#x1F600;", "\xf0\x9f\x98\x80", 1);
    check_decoded("&;&&#;&#x;&#xg &nosuch; &", "&;&&#;&#x;&#xg &nosuch; &", 0);
    check_decoded("&amp;auml;", "&auml;", 1); /* one pass decodes one layer */
    check_decoded("&fjlig;&nGt;", "fj\xe2\x89\xab\xe2\x83\x92", 2);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(text_tags_and_attributes_come_out),
        TEST(new_lines_and_NUL_are_normalised),
        TEST(content_models_follow_start_tags),
        TEST(CDATA_counts_inside_svg_and_math_only),
        TEST(raw_text_elements_are_ordinary_inside_svg),
        TEST(comments_end_where_the_rules_say),
        TEST(attributes_are_bounded_and_duplicates_dropped),
        TEST(elements_of_xml_close_themselves),
        TEST(hostile_repetition_takes_linear_time),
        TEST(every_tag_name_is_found_and_no_other),
        TEST(references_decode_as_the_rules_say),
        {0},
    };

    return test_main(table, argc, argv);
}
