/* test_collapse.c -- white space collapsed sixteen bytes at a time against a
 * model that looks at every character. */
#include "test.h"

#include "base/random.h"
#include "clean/blocks/strip.h"
#include "clean/chain/codepoint.h"

static bool
is_blank(uint32_t c)
{
    return (c >= 9 && c <= 13) || c == ' ' || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000;
}

static bool
is_invisible(uint32_t c)
{
    return c < ' ' || c == 0x7f || c == 0xad || c == 0x200b || c == 0x200e ||
           c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

static void
model(struct buf *out, bool *blank, struct str text)
{
    for (size_t at = 0; at < text.n;) {
        size_t from = at;
        uint32_t c = codepoint_next(text, &at);

        if (is_blank(c)) {
            *blank = out->n > 0;
        } else if (!is_invisible(c)) {
            if (*blank)
                buf_char(out, ' ');
            *blank = false;
            buf_add(out, text.p + from, at - from);
        }
    }
}

/* Mostly words with single blanks, with all that is special among them. */
static void
some_text(struct buf *b, struct random *r)
{
    static const uint32_t special[] = {
        ' ',    '\t',   '\n',   '\v',   0x01,   0x7f,   0xa0,   0xab,
        0xad,   0xe4,   0x430,  0x1680, 0x1681, 0x2003, 0x2019, 0x200b,
        0x200d, 0x2028, 0x205f, 0x2060, 0x2066, 0x2069, 0x20ac, 0x3000,
        0x3042, 0x4e2d, 0xfeff, 0xfffd, 0x1f600};
    size_t n = random_below(r, 200);
    uint64_t rare = 1 + random_below(r, 40);

    buf_clear(b);
    for (size_t i = 0; i < n; i++)
        if (random_below(r, rare) == 0)
            buf_utf8(b, special[random_below(r, sizeof special / 4)]);
        else if (random_below(r, 6) == 0)
            buf_char(b, ' ');
        else
            buf_char(b, (char)('a' + random_below(r, 26)));
}

static void
collapsing_equals_the_model(void)
{
    struct random r = random_seed(7);
    struct buf text = {0}, got = {0}, want = {0};

    for (int round = 0; round < 20000; round++) {
        bool got_blank = false, want_blank = false;

        buf_clear(&got);
        buf_clear(&want);
        for (int piece = 0; piece < 3; piece++) {
            some_text(&text, &r);
            model(&want, &want_blank, buf_view(&text));
            CHECK(strip_collapse(&got, &got_blank, buf_view(&text), 10000) ==
                  text.n);
        }
        CHECK(str_eq(buf_view(&got), buf_view(&want)));
        CHECK(got_blank == want_blank);
        if (!str_eq(buf_view(&got), buf_view(&want)))
            break;
    }
    buf_free(&text);
    buf_free(&got);
    buf_free(&want);
}

static void
a_bound_loses_nothing_but_at_pieces(void)
{
    struct random r = random_seed(8);
    struct buf text = {0}, got = {0}, all = {0}, want = {0};

    for (int round = 0; round < 5000; round++) {
        size_t max = 16 + random_below(&r, 40), taken;
        bool blank = false, want_blank = false;
        struct str rest;

        some_text(&text, &r);
        buf_clear(&all);
        buf_clear(&want);
        model(&want, &want_blank, buf_view(&text));
        for (rest = buf_view(&text); rest.n > 0;
             rest = str_sub(rest, taken, rest.n)) {
            buf_clear(&got);
            taken = strip_collapse(&got, &blank, rest, max);
            CHECK(taken > 0 && got.n <= max);
            buf_str(&all, buf_view(&got));
        }
        /* Blanks at the seams are gone; everything else is there. */
        for (size_t i = 0, k = 0; i < want.n; i++) {
            if (k < all.n && all.p[k] == want.p[i])
                k++;
            else
                CHECK(want.p[i] == ' ');
        }
    }
    buf_free(&text);
    buf_free(&got);
    buf_free(&all);
    buf_free(&want);
}

/* U+200B stays behind a letter of Thai, once, and where it fits. */
static void
a_space_of_no_width_is_bounded_too(void)
{
    const struct str text = S("ไ\xe2\x80\x8b\xe2\x80\x8bทa\xe2\x80\x8b");
    struct buf got = {0};

    for (size_t max = 1; max <= 20; max++) {
        bool blank = false;

        buf_clear(&got);
        strip_collapse(&got, &blank, text, max);
        CHECK(got.n <= max && !blank);
    }
    CHECK(str_eq(buf_view(&got), S("ไ\xe2\x80\x8bทa")));
    buf_free(&got);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(collapsing_equals_the_model),
        TEST(a_bound_loses_nothing_but_at_pieces),
        TEST(a_space_of_no_width_is_bounded_too),
        {0},
    };

    return test_main(table, argc, argv);
}
