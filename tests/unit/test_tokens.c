/* Text becomes words in capitals: scripts, marks, apostrophes, counts.
 *
 * words_add() is compared with written-out expectations, and with a naive
 * count by linear search on random text. */
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include "base/buf.h"
#include "base/random.h"
#include "clean/cleaner/stages.h"
#include "clean/text/words.h"
#include "test.h"

static struct letters *letters;

/* The words of `text` in order, joined by blanks. */
static bool
gives(const char *text, const char *expected)
{
    struct arena *a = arena_new();
    struct buf got = {0};
    struct words w;
    bool same;

    words_init(&w, letters, a);
    words_add(&w, str_c(text));
    for (uint32_t i = 0; i < w.hashes_n; i++)
        for (uint32_t k = 0; k < w.types_n; k++)
            if (w.types[k].hash == w.hashes[i]) {
                if (got.n > 0)
                    buf_char(&got, ' ');
                buf_str(&got, w.types[k].text);
            }
    same = str_eq(buf_view(&got), str_c(expected)) &&
           words_count(&w, str_c(text)) == w.hashes_n;
    if (!same)
        fprintf(stderr, "%s: got <%.*s>\n", text, STRF(buf_view(&got)));
    buf_free(&got);
    arena_free(a);
    return same;
}

static void
words_are_runs_of_letters_in_capitals(void)
{
    CHECK(gives("", ""));
    CHECK(gives("12, 34 -- !", ""));
    CHECK(gives("De kat zat.", "DE KAT ZAT"));
    CHECK(gives("don't l'eau foto's", "DON T L EAU FOTO S"));
    CHECK(gives("a1b2 x_y", "A B X Y"));
    CHECK(gives("tot-en-met", "TOT EN MET"));
}

static void
capitals_follow_unicode_in_every_script(void)
{
    CHECK(gives("stra\xc3\x9f"
                "e",
                "STRASSE"));
    CHECK(gives("GRO\xe1\xba\x9e", "GROSS"));
    CHECK(gives("\xc3\xa9t\xc3\xa9 \xc5\x93uvre",
                "\xc3\x89T\xc3\x89 \xc5\x92UVRE"));
    CHECK(gives("\xc3\xbf", "\xc5\xb8")); /* y diaeresis */
    CHECK(gives("\xce\xba\xce\xb1\xce\xb9", "\xce\x9a\xce\x91\xce\x99"));
    CHECK(gives("\xd0\xb8 \xd1\x91", "\xd0\x98 \xd0\x81"));
    CHECK(gives("\xc9\x90", "\xe2\xb1\xaf")); /* grows by a byte */
}

static void
marks_go_on_and_silent_characters_are_left_out(void)
{
    CHECK(gives("e\xcc\x81te\xcc\x81", "E\xcc\x81TE\xcc\x81"));
    CHECK(gives("\xcc\x81 a", "A")); /* a mark alone is no word */
    CHECK(gives("Do\xc2\xadku\xc2\xadment", "DOKUMENT"));
    CHECK(gives("\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6"
                "\xe0\xa5\x80",
                "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6"
                "\xe0\xa5\x80")); /* Hindi: one word */
}

static void
scripts_without_blanks_give_a_word_a_character(void)
{
    CHECK(gives("\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad \xe6\x96\x87"));
    CHECK(gives("a\xe4\xb8\xad"
                "b",
                "A \xe4\xb8\xad B"));
    CHECK(gives("\xe3\x81\x8b\xe3\x82\x99", "\xe3\x81\x8b\xe3\x82\x99"));
    CHECK(gives("\xe0\xb8\x81\xe0\xb8\xb4\xe0\xb8\x99",
                "\xe0\xb8\x81\xe0\xb8\xb4 \xe0\xb8\x99")); /* Thai */
}

static void
a_sequence_cut_off_at_the_end_does_no_harm(void)
{
    CHECK(gives("ab\xc3", "AB"));
    CHECK(gives("ab\xe4\xb8", "AB"));
    CHECK(gives("\xf0", ""));
}

/* What words_add() does, slowly: types by linear search. */
static void
counts_agree_with_a_naive_model(void)
{
    static const char *const syllables[] = {"ka", "to",       "Mi",
                                            "re", "\xc3\xa9", "sSu"};
    struct random r = random_seed(3);
    struct arena *a = arena_new();
    struct buf text = {0};
    struct words w;
    uint64_t total = 0;

    for (int i = 0; i < 20000; i++) {
        for (uint64_t n = 1 + random_below(&r, 5); n > 0; n--)
            buf_c(&text, syllables[random_below(&r, 6)]);
        buf_c(&text, i % 7 ? " " : ", ");
    }
    words_init(&w, letters, a);
    CHECK(words_add(&w, buf_view(&text)) == 20000);
    CHECK(w.hashes_n == 20000);
    CHECK(w.types_n > 3000);
    for (uint32_t i = 0; i < w.types_n; i++) {
        uint32_t n = 0;

        for (uint32_t k = 0; k < w.hashes_n; k++)
            n += w.hashes[k] == w.types[i].hash;
        if (n != w.types[i].count || hash64(w.types[i].text) != w.types[i].hash)
            test_failed++;
        total += n;
    }
    CHECK(total == 20000); /* no word is counted under two types */
    buf_free(&text);
    arena_free(a);
}

static void
words_come_from_kept_blocks_or_from_all_when_none_is(void)
{
    struct block blocks[2] = {
        {.text = STR("menu een twee"), .duplicate_of = -1},
        {.text = STR("de tekst"), .kept = true, .duplicate_of = -1},
    };
    struct document d = {.blocks = blocks, .blocks_n = 2};
    struct opts o;
    void *self;

    opts_init(&o);
    CHECK(stage_tokens.open(&self, &o) == ST_OK);
    opts_free(&o);
    d.arena = arena_new();
    CHECK(stage_tokens.run(self, &d) == ST_OK);
    CHECK(d.tokens_n == 2 && d.types_n == 2);
    CHECK(blocks[0].tokens == 3 && blocks[1].tokens == 2);
    blocks[1].kept = false;
    CHECK(stage_tokens.run(self, &d) == ST_OK);
    CHECK(d.tokens_n == 5);
    d.blocks_n = 0;
    CHECK(stage_tokens.run(self, &d) == ST_OK);
    CHECK(d.tokens_n == 0 && d.types_n == 0);
    stage_tokens.close(self);
    arena_free(d.arena);
}

static void
a_run_of_too_many_letters_is_no_word(void)
{
    char text[1200];
    struct arena *a = arena_new();
    struct words w;

    words_init(&w, letters, a);
    memset(text, 'a', 128);
    strcpy(text + 128, " b");
    CHECK(words_add(&w, str_c(text)) == 2 && words_count(&w, str_c(text)) == 2);
    CHECK(words_overlong(&w, str_c(text)) == 0);
    memset(text, 'a', 129);
    strcpy(text + 129, " b");
    CHECK(words_add(&w, str_c(text)) == 1 && words_count(&w, str_c(text)) == 1);
    CHECK(words_overlong(&w, str_c(text)) == 129);
    for (int i = 0; i < 65; i++) /* sharp s is SS */
        memcpy(text + 2 * i, "\xc3\x9f", 3);
    CHECK(words_add(&w, str_c(text)) == 0 && words_count(&w, str_c(text)) == 0);
    for (int i = 0; i < 300; i++) /* ideographs are words of their own */
        memcpy(text + 3 * i, "\xe4\xb8\xad", 4);
    CHECK(words_count(&w, str_c(text)) == 300);
    CHECK(words_overlong(&w, str_c(text)) == 0);
    memset(text, 'a', 900); /* what is between blanks need not be letters */
    for (int i = 0; i < 900; i += 50)
        text[i] = '-';
    CHECK(words_overlong(&w, str_n(text, 900)) == 0);
    CHECK(words_count(&w, str_n(text, 900)) == 18);
    arena_free(a);
}

/* What ICU says of one code point. */
static uint8_t
asked(uint32_t cp)
{
    uint32_t mask = U_GET_GC_MASK((UChar32)cp);
    unsigned nfc = u_getIntPropertyValue((UChar32)cp, UCHAR_NFC_QUICK_CHECK) !=
                       UNORM_YES ||
                   u_getCombiningClass((UChar32)cp) != 0;
    enum letter_class class = LETTER_NONE;

    if (cp == 0xdf || cp == 0x1e9e)
        class = LETTER_SHARP_S;
    else if (u_hasBinaryProperty((UChar32)cp,
                                 UCHAR_DEFAULT_IGNORABLE_CODE_POINT) &&
             cp != 0x115f && cp != 0x1160)
        class = LETTER_SILENT;
    else if (mask & U_GC_M_MASK)
        class = LETTER_MARK;
    else if (mask & U_GC_L_MASK)
        class = letters_blankless(cp) ? LETTER_SINGLE : LETTER_WORD;
    return (uint8_t)(class | (nfc ? LETTER_CHECK_NFC : 0));
}

static void
the_table_says_what_icu_says_of_every_character(void)
{
    const struct letter_range latin[] = {{0x30, 0x7a}, {0xc0, 0x24f}};
    struct letters *few = letters_new_of(latin, 2);
    unsigned wrong = 0;

    for (uint32_t cp = 0; cp < LETTERS_END; cp++) {
        uint8_t want = asked(cp);
        bool in = (cp >= 0x30 && cp <= 0x7a) || (cp >= 0xc0 && cp <= 0x24f);
        enum letter_class class = (enum letter_class)(want & ~LETTER_CHECK_NFC);

        wrong += letters->class_page[letters->page[cp >> 8]][cp & 0xff] != want;
        wrong += letters_upper(letters, cp) != (uint32_t)u_toupper((UChar32)cp);
        class = !in ? LETTER_NONE : class == LETTER_NONE ? LETTER_WORD : class;
        wrong += letters_class(few, cp) != class;
    }
    CHECK(wrong == 0);
    CHECK(letters_new() == letters); /* one for all */
    letters_free(letters);
    letters_free(few);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(words_are_runs_of_letters_in_capitals),
        TEST(capitals_follow_unicode_in_every_script),
        TEST(marks_go_on_and_silent_characters_are_left_out),
        TEST(scripts_without_blanks_give_a_word_a_character),
        TEST(a_sequence_cut_off_at_the_end_does_no_harm),
        TEST(counts_agree_with_a_naive_model),
        TEST(words_come_from_kept_blocks_or_from_all_when_none_is),
        TEST(a_run_of_too_many_letters_is_no_word),
        TEST(the_table_says_what_icu_says_of_every_character),
        {0},
    };
    int rc;

    letters = letters_new();
    rc = test_main(table, argc, argv);
    letters_free(letters);
    return rc;
}
