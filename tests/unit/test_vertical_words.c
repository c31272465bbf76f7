/* Tokens by example, and nothing lost: with the glue taken out, tokens joined
 * by blanks are the text again, whatever the text. */
#include "base/buf.h"
#include "base/random.h"
#include "clean/chain/codepoint.h"
#include "clean/text/segment.h"
#include "clean/write/vertical_words.h"
#include "test.h"

/* Tokens joined by "|", glued ones by "+". */
static struct buf
tokens_with(const struct segmenter *g, struct str text)
{
    struct arena *a = arena_new();
    struct vertical_words w = {.text = text};
    struct buf out = {0};
    struct str token;

    if (g != NULL)
        w.cuts = segment_cuts(g, a, text);
    while (vertical_words_next(&w, &token)) {
        if (out.n > 0)
            buf_char(&out, w.glued ? '+' : '|');
        buf_str(&out, token);
    }
    arena_free(a);
    return out;
}

static struct buf
tokens(struct str text)
{
    return tokens_with(NULL, text);
}

static void
texts_split_where_a_linguist_would(void)
{
    static const char *const pairs[][2] = {
        {"", ""},
        {"  \t ", ""},
        {"Suddenly, however.", "Suddenly+,|however+."},
        {"don't stop", "don't|stop"},
        {"l\xe2\x80\x99"
         "eau",
         "l\xe2\x80\x99"
         "eau"},
        {"mede-eigenaar - nee", "mede-eigenaar|-|nee"},
        {"2,5 kg; 31.05.2024 9:30.", "2,5|kg+;|31.05.2024|9:30+."},
        {"wait... what--now?!", "wait+...|what+--+now+?+!"},
        {"(see www.a.example/b?c=d).", "(+see|www.a.example/b?c=d+)+."},
        {"https://a.example/x, yes", "https://a.example/x+,|yes"},
        {"http://a.example/\u4e2d\uff08x\uff09\u3002\u201cwww.a.b\u201d",
         "http://a.example/"
         "\u4e2d+\uff08+x+\uff09+\u3002+\u201c+www.a.b+\u201d"},
        {"an@b.example.be!", "an@b.example.be+!"},
        {"\xe5\xb0\x8f\xe9\xba\xa6", "\xe5\xb0\x8f+\xe9\xba\xa6"},
        {"<doc> &", "<+doc+>|&"},
        {"e\xcc\x81t\xc3\xa9", "e\xcc\x81t\xc3\xa9"},
        {"'quoted'", "'+quoted+'"},
        {"-", "-"},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct buf got = tokens(str_c(pairs[i][0]));

        CHECK(str_eq(buf_view(&got), str_c(pairs[i][1])));
        if (!str_eq(buf_view(&got), str_c(pairs[i][1])))
            fprintf(stderr, "%s: %.*s\n", pairs[i][0], STRF(buf_view(&got)));
        buf_free(&got);
    }
}

static void
tokens_and_glue_give_the_text_back(void)
{
    static const uint32_t sample[] = {
        ' ',  'a',   'Z',    '7',   '.',     ',',    '-',    '\'', '<',    '@',
        0xe9, 0x301, 0x5c0f, 0xe44, 0x1f600, 0x200d, 0x2019, 0xad, 0x3000, '/'};
    struct random r = random_seed(3);

    for (int round = 0; round < 20000; round++) {
        char bytes[128];
        struct str text = {bytes, 0}, token;
        struct buf joined = {0}, expected = {0};
        struct vertical_words w = {0};
        bool blank = false;

        for (uint64_t n = random_below(&r, 24); n > 0; n--) {
            uint32_t cp = sample[random_below(&r, 20)];

            text.n += codepoint_put(bytes + text.n, cp);
        }
        for (size_t at = 0, from = 0; at < text.n; from = at) {
            uint32_t cp = codepoint_next(text, &at);

            if (cp == ' ' || cp == 0x3000) {
                blank = true;
                continue;
            }
            if (blank && expected.n > 0)
                buf_char(&expected, ' ');
            blank = false;
            buf_add(&expected, text.p + from, at - from);
        }
        w.text = text;
        while (vertical_words_next(&w, &token)) {
            CHECK(token.n > 0);
            if (joined.n > 0 && !w.glued)
                buf_char(&joined, ' ');
            buf_str(&joined, token);
        }
        CHECK(str_eq(buf_view(&joined), buf_view(&expected)));
        buf_free(&joined);
        buf_free(&expected);
    }
}

static void
dictionaries_join_letters_of_scripts_without_blanks(void)
{
    struct segmenter *g = NULL;
    struct buf got;

    CHECK(segmenter_open(&g) == ST_OK);
    got = tokens_with(g, S("abc \u6211\u559c\u6b22\u8bfb\u4e66, 12 "
                           "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22x"));

    CHECK(str_eq(buf_view(&got),
                 S("abc|\u6211+\u559c\u6b22+\u8bfb\u4e66+,|12|"
                   "\u0e20\u0e32\u0e29\u0e32+\u0e44\u0e17\u0e22+x")));
    buf_free(&got);
    got = tokens_with(g, S("\u0e44\u0e17\u0e22\u200b\u0e14\u0e35 \u200bx"));
    CHECK(str_eq(buf_view(&got), S("\u0e44\u0e17\u0e22+\u0e14\u0e35|x")));
    buf_free(&got);
    segmenter_free(g);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(texts_split_where_a_linguist_would),
        TEST(dictionaries_join_letters_of_scripts_without_blanks),
        TEST(tokens_and_glue_give_the_text_back),
        {0},
    };

    return test_main(table, argc, argv);
}
