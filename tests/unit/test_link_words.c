/* The few words of a link tell its page's language where they are common ones,
 * and nothing where they are not. */
#include "clean/language/link_words.h"
#include "test.h"

static enum link_words
of(const struct link_words_model *m, const char *anchor, const char *url)
{
    return link_words_of(m, str_c(anchor), str_c(url));
}

static struct link_words_model *
model(struct opts *o, const char *ini)
{
    struct link_words_model *m = NULL;

    opts_init(o);
    CHECK(opts_read_text(o, "test", str_c(ini)) == ST_OK);
    CHECK(link_words_open(&m, o) == ST_OK);
    return m;
}

static void
common_words_tell_the_language(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "[clean]\nlanguage = fr\n");

    CHECK(of(m, "Un voyage dans les Alpes avec des amis", "http://a.fr/p") ==
          LINK_WORDS_WANTED_SURE);
    CHECK(of(m, "Over the hills and far away in the rain", "http://a.fr/p") ==
          LINK_WORDS_OTHER_SURE);
    CHECK(of(m, "Ein Tag an der See und auf dem Berg", "http://a.fr/p") ==
          LINK_WORDS_OTHER_SURE);
    CHECK(of(m, "Contact", "http://a.fr/contact") == LINK_WORDS_NONE);
    CHECK(of(m, "", "http://a.fr/") == LINK_WORDS_NONE);
    CHECK(of(m, "日本語の本", "http://a.fr/") == LINK_WORDS_NONE);
    link_words_close(m);
    opts_free(&o);
}

static void
paths_count_and_accents_do_not(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "[clean]\nlanguage = fr\n");

    CHECK(of(m, "", "http://a.fr/dans-les-alpes-a-pied-avec-des-amis") ==
          LINK_WORDS_WANTED_SURE);
    CHECK(of(m, "", "http://a.fr/%C3%A0-la-mer-dans-les-%C3%AEles") ==
          LINK_WORDS_WANTED_SURE);
    CHECK(of(m, "", "http://a.fr/the-book-of-the-dead.html") ==
          LINK_WORDS_OTHER_SURE);
    /* Neither the host nor the query. */
    CHECK(of(m, "", "http://dans-les-alpes.fr/?q=dans+les+des+une") ==
          LINK_WORDS_NONE);
    /* A path of another encoding; no path; no URL. */
    CHECK(of(m, "", "http://a.fr/dans-les-%E0-des") == LINK_WORDS_NONE);
    CHECK(of(m, "", "http://a.fr") == LINK_WORDS_NONE);
    CHECK(of(m, "", "x") == LINK_WORDS_NONE);
    CHECK(of(m, "", "http://a.fr/%") == LINK_WORDS_NONE);
    link_words_close(m);
    opts_free(&o);
}

/* Luxembourgish, Corsican and the like share many words with larger languages,
 * which have nearly all links with such words. */
static void
small_languages_take_no_words_from_large_ones(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "[clean]\nlanguage = de\n");

    CHECK(of(m, "hier oder da", "http://a.de/") == LINK_WORDS_WANTED_SURE);
    CHECK(of(m, "zum Ort", "http://a.de/") == LINK_WORDS_WANTED_SURE);
    CHECK(of(m, "war hier", "http://a.de/") == LINK_WORDS_WANTED);
    CHECK(of(m, "Mir hunn et gesinn, mee si sinn net do", "http://a.lu/") >
          LINK_WORDS_EITHER);
    link_words_close(m);
    opts_free(&o);
}

static void
a_repeated_word_counts_once(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "[clean]\nlanguage = fr\n");

    CHECK(of(m, "le", "http://a.fr/") ==
          of(m, "le le le le le le", "http://a.fr/le/le/le"));
    link_words_close(m);
    opts_free(&o);
}

static void
any_wanted_language_counts(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "[clean]\nlanguage = fr de\n");

    CHECK(of(m, "Ein Tag an der See und auf dem Berg", "http://a.fr/p") ==
          LINK_WORDS_WANTED_SURE);
    link_words_close(m);
    opts_free(&o);
}

/* Signs of vowels make the words of Indic scripts, points do not those of
 * Arabic and accents not those of Latin. */
static void
marks_do_not_part_words(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "[clean]\nlanguage = hi\n");

    CHECK(of(m, "दिल्ली में", "http://a.in/") == LINK_WORDS_WANTED_SURE);
    CHECK(of(m, "हिमालयमा", "http://a.in/") == LINK_WORDS_NONE);
    CHECK(of(m, "", "http://a.in/%E0%A4%AE%E0%A5%87%E0%A4%82") ==
          LINK_WORDS_WANTED_SURE);
    link_words_close(m);
    opts_free(&o);
    m = model(&o, "[clean]\nlanguage = fr\n");
    CHECK(of(m, "de\u0301ja\u0300", "http://a.fr/") ==
          of(m, "déjà", "http://a.fr/"));
    CHECK(of(m, "tre\u0300s apre\u0300s", "http://a.fr/") ==
          of(m, "très après", "http://a.fr/"));
    link_words_close(m);
    opts_free(&o);
    m = model(&o, "[clean]\nlanguage = ar\n");
    CHECK(of(m, "\u0645\u0650\u0646", "http://a.eg/") ==
          of(m, "\u0645\u0646", "http://a.eg/"));
    link_words_close(m);
    opts_free(&o);
}

static void
without_languages_there_is_no_model(void)
{
    struct opts o;
    struct link_words_model *m = model(&o, "");

    CHECK(m == NULL);
    CHECK(of(m, "dans les Alpes", "http://a.fr/") == LINK_WORDS_NONE);
    link_words_close(m);
    opts_free(&o);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(common_words_tell_the_language),
        TEST(paths_count_and_accents_do_not),
        TEST(small_languages_take_no_words_from_large_ones),
        TEST(a_repeated_word_counts_once),
        TEST(any_wanted_language_counts),
        TEST(marks_do_not_part_words),
        TEST(without_languages_there_is_no_model),
        {0},
    };

    return test_main(table, argc, argv);
}
