/* Replacements, doubly encoded text, drawn lines: pure functions first, then
 * the stages that are off unless asked for. */
#include "clean/charset/utf8.h"
#include "clean/cleaner/stages.h"
#include "clean/repair/ascii_art.h"
#include "clean/repair/mojibake.h"
#include "clean/repair/replacer.h"
#include "test.h"
#include "wanted_stage.h"

static bool
replaced(const char *rules, const char *text, const char *wanted)
{
    struct replacer *r;
    struct arena *a = arena_new();
    uint32_t bad;
    bool good;

    CHECK(replacer_parse(&r, str_c(rules), &bad) == ST_OK);
    good = wanted_same(replacer_apply(r, a, str_c(text)), wanted);
    replacer_free(r);
    arena_free(a);
    return good;
}

static void
rules_are_applied_one_after_the_other(void)
{
    CHECK(replaced("a\tb\nb\tc\n", "abc", "ccc"));
    CHECK(replaced("b\tc\na\tb\n", "abc", "bcc"));
    CHECK(replaced("\xe2\x80\xa6\t...\r\n\xe2\x80\x93\t-",
                   "x\xe2\x80\xa6 \xe2\x80\x93", "x... -"));
    CHECK(replaced("aa\ta", "aaaa", "aa"));
    CHECK(replaced("x\ty", "", ""));
}

static void
comments_repeats_and_lines_that_are_no_rules_are_ignored(void)
{
    struct replacer *r;
    uint32_t bad;

    CHECK(replacer_parse(
              &r,
              S("\xef\xbb\xbf# a\tb\n\na\tb\na\tc\nno rule\n\tx\na\tb\tc\n"),
              &bad) == ST_OK);
    CHECK(bad == 3);
    CHECK(replacer_rules_n(r) == 1);
    replacer_free(r);
    CHECK(replaced("# a\tb\na\tb\na\tc", "a#", "b#"));
}

static void
an_empty_replacement_deletes(void)
{
    CHECK(replaced("(c)\t\n", "a (c)b(c)", "a b"));
    CHECK(replaced("a\t", "aaa", ""));
}

static void
rules_that_feed_each_other_do_not_explode(void)
{
    struct buf rules = {0};
    struct arena *a = arena_new();
    struct replacer *r;
    uint32_t bad;

    for (int i = 0; i < 60; i++)
        buf_printf(&rules, "<%d>\t<%d><%d>\n", i, i + 1, i + 1);
    CHECK(replacer_parse(&r, buf_view(&rules), &bad) == ST_OK);
    CHECK(replacer_apply(r, a, S("<0>")).n <= 4096 + 24);
    replacer_free(r);
    arena_free(a);
    buf_free(&rules);
}

static bool
repaired(const char *text, const char *wanted)
{
    struct arena *a = arena_new();
    bool good = wanted_same(mojibake_repair(a, str_c(text)), wanted);

    arena_free(a);
    return good;
}

/* UTF-8 read as windows-1252 and written as UTF-8, `times` over. */
static struct str
damaged(struct arena *a, struct str s, int times)
{
    static const uint16_t high[32] = {
        0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
        0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,   0x017d, 0x8f,
        0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};
    struct buf b = {0};

    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        buf_utf8(&b, c >= 0x80 && c < 0xa0 ? high[c - 0x80] : c);
    }
    s = arena_str(a, buf_view(&b));
    buf_free(&b);
    return times > 1 ? damaged(a, s, times - 1) : s;
}

static void
what_was_encoded_twice_is_undone_in_many_languages(void)
{
    static const char *const texts[] = {
        "caf\u00e9 \u00e0 la carte, na\u00efve fa\u00e7ade \u2014 "
        "d\u00e9j\u00e0 vu",
        "\u00dcber gr\u00f6\u00dfere \u00c4pfel \u201eund\u201c B\u00e4ume "
        "\u2026",
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!",
        "P\u0159\u00edli\u0161 \u017elu\u0165ou\u010dk\u00fd k\u016f\u0148",
        "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059",
        "\u0391\u03b8\u03ae\u03bd\u03b1 \u20ac 5 \U0001f600",
        "<p>M\u00fcller &amp; S\u00f6hne</p>\n<b>\u00a9 2020</b>",
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int times = 1; times <= 3; times++)
            CHECK(wanted_same(
                mojibake_repair(a, damaged(a, str_c(texts[i]), times)),
                texts[i]));
    arena_free(a);
}

static void
sound_text_stays_as_it_is(void)
{
    static const char *const texts[] = {
        "plain ASCII",
        "caf\u00e9 na\u00efve \u00dcber gr\u00f6\u00dfere",
        "\u201eDas gro\u00dfe \u00c4\u201c sagte er",
        "\u00ab QUALIT\u00c9\u00bb et LIBERT\u00c9\u00bb",
        "N\u00c3O, IRM\u00c3S, MA\u00c7\u00c3\u201d \u00e9 bom",
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440",
        "\u00c4\u201c",
        "\u00e2\u20ac",
        "5 \u00d7 3 = 15 \u2026",
        "",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(repaired(texts[i], texts[i]));
}

static void
a_damaged_stretch_of_a_sound_page_is_repaired_alone(void)
{
    CHECK(repaired(
        "<p>sch\u00f6ne gr\u00fcne B\u00e4ume, "
        "\u00f6fter</p><p>sch\u00c3\u00b6n</p>"
        "<p>na\u00efve \u00c4\u201c \u00e4</p>",
        "<p>sch\u00f6ne gr\u00fcne B\u00e4ume, \u00f6fter</p><p>sch\u00f6n</p>"
        "<p>na\u00efve \u00c4\u201c \u00e4</p>"));
}

static bool
undrawn(const char *text, const char *wanted)
{
    struct arena *a = arena_new();
    struct str once = ascii_art_remove(a, str_c(text));
    bool good = wanted_same(once, wanted) &&
                wanted_same(ascii_art_remove(a, once), wanted);

    arena_free(a);
    return good;
}

static void
drawn_lines_are_removed(void)
{
    CHECK(undrawn("-----------", ""));
    CHECK(undrawn("=== Title ===", "Title"));
    CHECK(undrawn("Title ============ text", "Title text"));
    CHECK(undrawn("Chapter 1..........12", "Chapter 1 12"));
    CHECK(undrawn("+----+----+ | a | b | +----+", "a b"));
    CHECK(undrawn("*** Note *** ~*~*~ >> more <<", "Note more"));
    CHECK(undrawn("Name:________ Date:______", "Name: Date:"));
    CHECK(undrawn("a/////b", "a b"));
    CHECK(undrawn("-+-+----+-=", ""));
}

static void
running_text_keeps_its_signs(void)
{
    static const char *const texts[] = {
        "Wait... what?",
        "a -- b - c",
        "C++ and C#, 3 + 4 > 5",
        "^_^ and -_-",
        "well-known",
        "see http://x.org/a//b",
        "x -> y <-- z",
        "# 1 * 2 ~ 3",
        "....",
        "",
        "rock & roll",
        "snake_case __init__ a++",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(undrawn(texts[i], texts[i]));
}

static void
stages_do_nothing_unless_asked_for(void)
{
    CHECK(wanted_becomes(&stage_replace, "clean.threads=1", "a ---- b",
                         "a ---- b"));
    CHECK(wanted_becomes(&stage_ascii_art, "clean.threads=1", "a ---- b",
                         "a ---- b"));
    CHECK(wanted_becomes(&stage_ascii_art, "clean.ascii_art=on", "a ---- b",
                         "a b"));
    CHECK(wanted_becomes(&stage_ascii_art, "clean.ascii_art=on", "-----", ""));
}

static void
rules_come_from_a_file(void)
{
    char path[] = "/tmp/winnow-rules-XXXXXX", set[64];
    int fd = mkstemp(path);
    static const char rules[] = "\u00e4\tae\n# comment\nx\t\n";

    CHECK(fd >= 0 && write(fd, rules, sizeof rules - 1) == sizeof rules - 1);
    close(fd);
    snprintf(set, sizeof set, "clean.replacements=%s", path);
    CHECK(wanted_becomes(&stage_replace, set, "B\u00e4rx", "Baer"));
    CHECK(truncate(path, 0) == 0);
    CHECK(wanted_becomes(&stage_replace, set, "B\u00e4rx", "B\u00e4rx"));
    fd = open(path, O_WRONLY);
    CHECK(fd >= 0 && write(fd, "\xff\tx", 3) == 3);
    close(fd);
    CHECK(wanted_opens(&stage_replace, set) == ST_USAGE);
    unlink(path);
    CHECK(wanted_opens(&stage_replace, set) == ST_IO);
}

static void
the_page_is_repaired_before_it_is_cut_up(void)
{
    struct arena *a = arena_new();
    struct document d = {.arena = a, .utf8 = S("<p>Ã\u00ad t Ã© Ã¨</p>")};
    struct opts o;
    void *self;

    opts_init(&o);
    CHECK(stage_mojibake.open(&self, &o) == ST_OK);
    CHECK(stage_mojibake.run(self, &d) == ST_OK);
    CHECK(wanted_same(d.utf8, "<p>Ã\u00ad t Ã© Ã¨</p>"));
    CHECK(opts_set(&o, "test", S("clean.mojibake=on")) == ST_OK);
    CHECK(stage_mojibake.open(&self, &o) == ST_OK);
    CHECK(stage_mojibake.run(self, &d) == ST_OK);
    CHECK(wanted_same(d.utf8, "<p>í t é è</p>"));
    opts_free(&o);
    arena_free(a);
}

static void
signs_of_code_stay(void)
{
    CHECK(wanted_code_stays(&stage_double_encoding, "",
                            "write &lt;b&gt; for <b>, &#x41;"));
    CHECK(wanted_code_stays(&stage_ascii_art, "clean.ascii_art=on",
                            "if (a || b) {\n    /* ---- */\n}"));
    CHECK(wanted_code_stays(&stage_cleanse, "clean.cleanse=tags hashtags",
                            "#include <stdio.h>\n<b>"));
    CHECK(wanted_code_stays(&stage_spelling, "clean.english=british",
                            "color: red; text-align: center"));
}

static const struct test tests[] = {
    TEST(rules_are_applied_one_after_the_other),
    TEST(comments_repeats_and_lines_that_are_no_rules_are_ignored),
    TEST(an_empty_replacement_deletes),
    TEST(rules_that_feed_each_other_do_not_explode),
    TEST(what_was_encoded_twice_is_undone_in_many_languages),
    TEST(sound_text_stays_as_it_is),
    TEST(a_damaged_stretch_of_a_sound_page_is_repaired_alone),
    TEST(drawn_lines_are_removed),
    TEST(running_text_keeps_its_signs),
    TEST(stages_do_nothing_unless_asked_for),
    TEST(rules_come_from_a_file),
    TEST(the_page_is_repaired_before_it_is_cut_up),
    TEST(signs_of_code_stay),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
