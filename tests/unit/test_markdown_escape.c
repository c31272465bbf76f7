/* Text as Markdown: what is escaped, and bare URLs, which no renderer shows
 * with a backslash. */
#include "clean/write/markdown_escape.h"
#include "test.h"

static bool
escaped(const char *text, bool in_cell, bool in_anchor, const char *want)
{
    struct buf out = {0};
    bool same;

    markdown_escape(&out, str_c(text), in_cell, in_anchor);
    same = str_eq(buf_view(&out), str_c(want));
    if (!same)
        fprintf(stderr, "%s\n  gives %.*s\n  wants %s\n", text,
                STRF(buf_view(&out)), want);
    buf_free(&out);
    return same;
}

static void
characters_that_would_be_markup_are_escaped(void)
{
    CHECK(escaped("a*b _c_ d_e [f] <g>", false, false,
                  "a\\*b \\_c\\_ d_e \\[f\\] \\<g>"));
    CHECK(escaped("a|b &copy; AT&T ~x", false, false, "a|b \\&copy; AT&T ~x"));
    CHECK(escaped("a|b", true, false, "a\\|b"));
}

static void
a_bare_url_has_no_backslash(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"https://x.y/~u/a_b", "https://x.y/~u/a_b"},
        {"see https://x.y/a_(b) z", "see <https://x.y/a_(b)> z"},
        {"(https://x.y/_a_(b)).", "(<https://x.y/_a_(b)>)."},
        {"**https://x.y** z", "\\*\\*<https://x.y>\\*\\* z"},
        {"Http://x.y/*a, b_", "<Http://x.y/*a>, b\\_"},
        {"ftp://x.y/a[1]", "<ftp://x.y/a>\\[1\\]"},
        {"http://x.y?a=1&copy;=2*", "<http://x.y?a=1&amp;copy;=2>\\*"},
        {"https://x.y/_a<https://x.y/_b",
         "<https://x.y/_a>\\<<https://x.y/_b>"},
        {"https://\xc3\xa9.y/_a", "<https://\xc3\xa9.y/_a>"},
        {"xhttps://x.y/_a https://*", "xhttps://x.y/\\_a https://\\*"},
        {"see www.x.y/a_b (www.x.y)", "see www.x.y/a_b (www.x.y)"},
        {"see www.x.y/a_(b), *www.x.y/*",
         "see www\\.x.y/a\\_(b), \\*www\\.x.y/\\*"},
        {"awww.x.y/_a www. *", "awww.x.y/\\_a www. \\*"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(escaped(rows[i].text, false, false, rows[i].want));
    CHECK(escaped("http://x.y/a|b", true, false, "http://x.y/a\\|b"));
    CHECK(escaped("http://x.y/_a|b", true, false, "<http://x.y/_a\\|b>"));
}

static void
formulas_stand_as_they_are(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"so \\(a_0^2 + \\frac{b}{c}\\) holds",
         "so $a_0^2 + \\frac{b}{c}$ holds"},
        {"\\[\\sum_{k=1}^{n} [x]_k\\]", "$$\\sum_{k=1}^{n} [x]_k$$"},
        {"$$ a*b = c $$", "$$a*b = c$$"},
        {"if \\(x\\) and $y_1$, then", "if $x$ and $y_1$, then"},
        {"sed 's/\\(*a*\\)/b/'", "sed 's/\\\\(\\*a\\*\\\\)/b/'"},
        {"from $5 to $6_ and *", "from $5 to $6\\_ and \\*"},
        {"$ a_b $ and $a_", "$ a_b $ and $a\\_"},
        {"\\(a_b", "\\\\(a_b"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(escaped(rows[i].text, false, false, rows[i].want));
    CHECK(escaped("\\(|a|_1\\)", true, false, "\\\\(\\|a\\|\\_1\\\\)"));
    CHECK(escaped("\\(a_1\\)", true, false, "$a_1$"));
}

/* It is no link there. */
static void
in_the_text_of_a_link_a_url_is_text(void)
{
    CHECK(escaped("https://x.y/a_(b)", false, true, "https://x.y/a\\_(b)"));
}

static void
what_goes_on_for_long_is_no_url(void)
{
    struct buf text = {0};

    buf_c(&text, "http://x.y/");
    for (int i = 0; i < 300; i++)
        buf_c(&text, "aaaaaaaaa/");
    buf_c(&text, "_a");
    buf_char(&text, '\0');
    {
        struct buf want = {0};

        buf_add(&want, text.p, text.n - 3);
        buf_c(&want, "\\_a");
        buf_char(&want, '\0');
        CHECK(escaped(text.p, false, false, want.p));
        buf_free(&want);
    }
    buf_free(&text);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(characters_that_would_be_markup_are_escaped),
        TEST(formulas_stand_as_they_are),
        TEST(a_bare_url_has_no_backslash),
        TEST(in_the_text_of_a_link_a_url_is_text),
        TEST(what_goes_on_for_long_is_no_url),
        {0},
    };

    return test_main(table, argc, argv);
}
