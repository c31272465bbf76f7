/* test_language_id.c -- languages of texts, and models that are none. */
#include "base/buf.h"
#include "base/checksum_line.h"
#include "base/log.h"
#include "corpus/language/language_id.h"
#include "folder.h"

static struct language_model *
model(void)
{
    struct language_model *m = NULL;

    CHECK(language_model_open(&m, WINNOW_DATA_DIR) == ST_OK);
    return m;
}

static struct language_guess
guess(const char *text)
{
    struct language_model *m = model();
    struct language_guess g;
    static char kept[16];

    language_guess(m, str_c(text), &g);
    snprintf(kept, sizeof kept, "%.*s", STRF(g.language));
    g.language = str_c(kept); /* outlives the model */
    language_model_free(m);
    return g;
}

static bool
is(const char *text, const char *language)
{
    struct language_guess g = guess(text);
    bool same = str_eq(g.language, str_c(language));

    if (!same)
        fprintf(stderr, "%s: %.*s\n", text, STRF(g.language));
    return same;
}

static void
sentences_of_one_script_are_told_by_their_letters(void)
{
    CHECK(is("Wir haben gestern lange darüber gesprochen.", "de"));
    CHECK(is("We talked about it for a long time yesterday.", "en"));
    CHECK(is("Nous en avons longtemps parlé hier soir.", "fr"));
    CHECK(is("We hebben er gisteren lang over gesproken.", "nl"));
    CHECK(is("Ayer hablamos de eso durante mucho tiempo.", "es"));
    CHECK(is("Ontem falámos sobre isso durante muito tempo.", "pt"));
    CHECK(is("Wczoraj długo o tym rozmawialiśmy.", "pl"));
    CHECK(is("Dün bu konuda uzun süre konuştuk.", "tr"));
    CHECK(is("Вчера мы долго об этом говорили.", "ru"));
    CHECK(is("Вчора ми довго про це говорили.", "uk"));
    CHECK(is("امروز هوا خیلی خوب است و ما بیرون "
             "می‌رویم.",
             "fa"));
}

static void
a_script_of_one_language_says_it(void)
{
    CHECK(is("Χθες μιλήσαμε γι' αυτό.", "el"));
    CHECK(is("今日は天気がいいです。", "ja"));
    CHECK(is("今天天气很好。", "zh"));
    CHECK(is("오늘은 날씨가 좋습니다.", "ko"));
    CHECK(is("วันนี้อากาศดีมาก", "th"));
    CHECK(is("დღეს კარგი ამინდია", "ka"));
}

static void
what_is_no_text_is_of_no_language(void)
{
    CHECK(is("", "und"));
    CHECK(is("12345 -- 6,7", "und"));
    CHECK(is("A", "und"));
    CHECK(is("x[3] = fn(p, 22); y[4] = fn(q, 9); z[1]", "und"));
    CHECK(is("\xff\xfe\x80 \xf4\x90", "und"));
}

static void
keys_code_and_letters_by_chance_are_no_text(void)
{
    CHECK(is("x754 lft st0q5jftb qrz44b2sl 5kxf8nbb 0wb 1jr3bv", "und"));
    CHECK(is("Die A4 nach Köln ist 2km lang und hat B2B-Hotels.", "de"));
    CHECK(is("wbkvqxznv guqvp jycv owivme rofpilvgw lzpwx uzfhub", "und"));
    CHECK(is("size_t left = (size_t)(end - at), n; s->piece[i].n", "und"));
    CHECK(is("The size of the piece is what is left; see [1] & [2].", "en"));
}

static void
the_next_best_is_named(void)
{
    struct language_guess g =
        guess("Dette er en setning som kan være norsk eller dansk.");

    CHECK(g.second.n > 0 && g.letters > 20);
    CHECK(g.confidence >= 0 && g.confidence <= 1);
}

/* Said again and again, a word fits as well as once, however many n-grams that
 * makes, and whether or not all of them are looked at. */
static void
a_word_said_again_fits_as_before(void)
{
    static const char *const words[] = {
        "i",
        "no",
        "und",
        "Straße",
        "вот",
        "i вот",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten"};
    struct language_model *m = model();
    struct language_guess once, g;

    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct buf text = {0};

        language_guess(m, str_c(words[w]), &once);
        for (int times = 1; times < 300; times++) {
            buf_printf(&text, "%s\n", words[w]);
            language_guess(m, buf_view(&text), &g);
            CHECK(g.fit > once.fit - 1e-9 && g.fit < once.fit + 1e-9);
            CHECK(str_eq(g.best, once.best));
            if (text.n > 5000)
                break; /* longer ones are looked at in parts */
        }
        buf_free(&text);
    }
    language_model_free(m);
}

/* Of a long text parts are looked at: what stands in all of them decides. */
static void
documents(void)
{
    struct buf text = {0};

    for (int i = 0; i < 400; i++)
        buf_printf(&text, "Das ist der Satz Nummer %d von vielen. ", i);
    CHECK(is(buf_view(&text).p, "de"));
    buf_free(&text);
}

static void
bytes_that_are_no_model_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "winnow-languages 2\n",
        "winnow-languages 1\n",
        "winnow-languages 1\nLatn\n",
        "winnow-languages 1\nLatn 60 de\n",
        "winnow-languages 1\nLatn 4 \n",
        "winnow-languages 1\nLatn 4 de nl\ntoo short",
    };
    struct language_model *m;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(language_model_read(&m, str_c(bad[i])) == ST_INVALID &&
              m == NULL);
}

/* 16 slots with 16 tags: looking for another n-gram would never end. */
static void
a_model_without_a_free_slot_is_refused(void)
{
    struct language_model *m = NULL;
    struct buf b = {0};

    buf_printf(&b, "winnow-languages 1\nLatn 4 de\n");
    for (int i = 0; i < 48; i++)
        buf_add(&b, "\1", 1);
    CHECK(language_model_read(&m, buf_view(&b)) == ST_INVALID);
    buf_free(&b);
    log_capture(&b);
    CHECK(language_model_open(&m, "/nonexistent") == ST_IO);
    log_capture(NULL);
    buf_free(&b);
}

static void
refused_as_damaged(struct str bytes)
{
    struct language_model *m;
    struct buf said = {0};

    folder_put("languages.model", bytes);
    log_capture(&said);
    CHECK(language_model_open(&m, folder) == ST_INVALID && m == NULL);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "languages.model: is damaged or cut") != NULL);
    buf_free(&said);
}

/* Where a script begins a model could end. */
static void
a_model_with_a_changed_bit_or_cut_anywhere_is_refused(void)
{
    struct buf model = {0};
    const char *next;

    CHECK(file_read(&model, WINNOW_DATA_DIR "/languages.model", SIZE_MAX) ==
          ST_OK);
    next = memmem(model.p, model.n, "Cyrl ", 5);
    CHECK(next != NULL);
    refused_as_damaged(str_n(model.p, (size_t)(next - model.p)));
    refused_as_damaged(str_n(model.p, model.n / 2));
    for (size_t at = 100; at < model.n; at += model.n / 4) {
        model.p[at] ^= 1;
        refused_as_damaged(buf_view(&model));
        model.p[at] ^= 1;
    }
    buf_free(&model);
}

/* What Python's zlib.crc32() says of it. */
static void
a_checksum_line_is_that_of_zlib(void)
{
    struct buf b = {0};
    struct str s;

    checksum_line_add(&b);
    CHECK(str_eq(buf_view(&b), S("crc32 00000000\n")));
    buf_clear(&b);
    buf_c(&b, "123456789");
    s = buf_view(&b);
    CHECK(checksum_line_take(&s) == CHECKSUM_NONE && s.n == 9);
    checksum_line_add(&b);
    CHECK(str_eq(buf_view(&b), S("123456789crc32 cbf43926\n")));
    s = buf_view(&b);
    CHECK(checksum_line_take(&s) == CHECKSUM_RIGHT && s.n == 9);
    b.p[0] = '2';
    s = buf_view(&b);
    CHECK(checksum_line_take(&s) == CHECKSUM_WRONG);
    buf_free(&b);
}

static const struct test tests[] = {
    TEST(sentences_of_one_script_are_told_by_their_letters),
    TEST(a_script_of_one_language_says_it),
    TEST(what_is_no_text_is_of_no_language),
    TEST(keys_code_and_letters_by_chance_are_no_text),
    TEST(the_next_best_is_named),
    TEST(a_word_said_again_fits_as_before),
    TEST(documents),
    TEST(bytes_that_are_no_model_are_refused),
    TEST(a_model_without_a_free_slot_is_refused),
    TEST(a_model_with_a_changed_bit_or_cut_anywhere_is_refused),
    TEST(a_checksum_line_is_that_of_zlib),
    {0}};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
