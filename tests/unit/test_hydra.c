/* Undoing hard hyphenation: the rules one by one, with whole outputs. */
#include "clean/tools/hydra.h"
#include "test.h"

static const char *const list[] = {
    "50\tunterwerfen",  "3\tunter",    "2\twerfen",
    "9\tunter-",        "40\tE-Mail",  "5\tMail",
    "30\twell-known",   "1\twell",     "2\tknown",
    "7\tüberwältigend", "1\tMerge-me", "20\tzug",
    "20\tvor",          "10\tvorzug",  NULL,
};

/* What a text becomes; in static memory. */
static const char *
becomes(struct hydra_options o, const char *text)
{
    static char result[1024];
    struct unigrams *u = unigrams_new();
    struct letters *l = letters_new();
    struct hydra *h = hydra_new(u, l, o);
    struct str rest = str_c(text), line;
    struct buf out = {0};

    for (size_t i = 0; list[i] != NULL; i++)
        CHECK(unigrams_take(u, str_c(list[i])));
    while (str_cut(&rest, '\n', &line))
        hydra_line(h, line, &out);
    hydra_finish(h, &out);
    snprintf(result, sizeof result, "%.*s", STRF(buf_view(&out)));
    buf_free(&out);
    hydra_free(h);
    letters_free(l);
    unigrams_free(u);
    return result;
}

static bool
same(const char *got, const char *wanted)
{
    if (strcmp(got, wanted) == 0)
        return true;
    fprintf(stderr, "got    <%s>\nwanted <%s>\n", got, wanted);
    return false;
}

static const struct hydra_options plain = {0};

static void
the_more_frequent_form_wins(void)
{
    CHECK(same(becomes(plain, "Sie unter- werfen sich"),
               "Sie unterwerfen sich\n"));
    CHECK(same(becomes(plain, "eine E- Mail an"), "eine E- Mail an\n"));
    CHECK(same(becomes(plain, "a well- known one"), "a well-known one\n"));
}

static void
a_form_that_is_no_more_frequent_than_a_part_is_left_alone(void)
{
    CHECK(same(becomes(plain, "vor- zug"), "vor- zug\n"));
    CHECK(same(becomes(plain, "foo- bar"), "foo- bar\n"));
}

static void
only_letters_and_a_final_hyphen_make_a_first_part(void)
{
    CHECK(same(becomes(plain, "(unter- werfen"), "(unter- werfen\n"));
    CHECK(same(becomes(plain, "unter werfen"), "unter werfen\n"));
    CHECK(same(becomes(plain, "unter- 3werfen"), "unter- 3werfen\n"));
    CHECK(same(becomes(plain, "unter-"), "unter-\n"));
    CHECK(same(becomes(plain, "- werfen"), "- werfen\n"));
}

static void
punctuation_after_the_word_stays(void)
{
    CHECK(same(becomes(plain, "unter- werfen, und"), "unterwerfen, und\n"));
    CHECK(same(becomes(plain, "(sich unter- werfen).\" Da"),
               "(sich unterwerfen).\" Da\n"));
}

static void
a_form_that_is_not_in_the_list_is_looked_up_in_small_letters(void)
{
    CHECK(same(becomes(plain, "Unter- werfen"), "Unterwerfen\n"));
    CHECK(same(becomes(plain, "UNTER- WERFEN"), "UNTERWERFEN\n"));
    CHECK(same(becomes(plain, "ÜBER- WÄLTIGEND"), "ÜBERWÄLTIGEND\n"));
}

static void
letters_are_those_of_unicode(void)
{
    CHECK(same(becomes(plain, "über- wältigend"), "überwältigend\n"));
}

static void
german_nouns_are_joined_only_when_asked_for(void)
{
    const struct hydra_options german = {.german = true};

    CHECK(same(becomes(plain, "Wort- Schatz"), "Wort- Schatz\n"));
    CHECK(same(becomes(german, "Wort- Schatz"), "Wort-Schatz\n"));
    CHECK(same(becomes(german, "Öl- Ärger!"), "Öl-Ärger!\n"));
    CHECK(same(becomes(german, "Wort- schatz"), "Wort- schatz\n"));
    CHECK(same(becomes(german, "WORT- Schatz"), "WORT- Schatz\n"));
    CHECK(same(becomes(german, "vor- Ort"), "vor- Ort\n"));
}

static void
two_words_are_consumed_by_a_pair(void)
{
    CHECK(same(becomes(plain, "unter- werfen- unter- werfen"),
               "unter- werfen- unterwerfen\n"));
    CHECK(same(becomes(plain, "unter- werfen unter- werfen"),
               "unterwerfen unterwerfen\n"));
}

static void
marked_pairs_show_what_stood_there(void)
{
    const struct hydra_options mark = {.mark = true};

    CHECK(same(becomes(mark, "sich unter- werfen. Gut"),
               "sich\n<normalized from=\"unter- werfen.\">\n"
               "unterwerfen.\n</normalized>\nGut\n"));
    CHECK(same(becomes(mark, "unter- werfen\""),
               "\n<normalized from=\"unter- werfen&quot;\">\n"
               "unterwerfen\"\n</normalized>\n\n"));
}

static void
blanks_between_other_words_stay(void)
{
    CHECK(same(becomes(plain, "  a   b  unter-  werfen  c "),
               "  a   b  unterwerfen  c \n"));
    CHECK(same(becomes(plain, ""), ""));
}

static void
words_are_joined_over_the_end_of_a_line_only_when_asked_for(void)
{
    const struct hydra_options across = {.across = true, .german = true};

    CHECK(same(becomes(plain, "sich unter-\nwerfen wir\n"),
               "sich unter-\nwerfen wir\n"));
    CHECK(same(becomes(across, "sich unter- \nwerfen, wir\nalle"),
               "sich unterwerfen,\nwir\nalle\n"));
    CHECK(same(becomes(across, "unter-\n\nwerfen"), "unter-\n\nwerfen\n"));
    CHECK(same(becomes(across, "Wort-\nSchatz"), "Wort-\nSchatz\n"));
    CHECK(same(becomes(across, "unter-\nwerfen unter-\nwerfen unter-"),
               "unterwerfen\nunterwerfen\nunter-\n"));
}

static void
counts_of_a_word_add_up_and_bad_lines_are_refused(void)
{
    struct unigrams *u = unigrams_new();

    CHECK(unigrams_take(u, S("3\tword")));
    CHECK(unigrams_take(u, S(" 4\tword\r")));
    CHECK(unigrams_count(u, S("word")) == 7);
    CHECK(unigrams_count(u, S("Word")) == 0);
    CHECK(!unigrams_take(u, S("word\t3")));
    CHECK(!unigrams_take(u, S("3")));
    CHECK(!unigrams_take(u, S("3\t")));
    CHECK(!unigrams_take(u, S("-3\tword")));
    CHECK(unigrams_n(u) == 1);
    unigrams_free(u);
}

/* Against the plainest model: an array indexed by the word's number. */
static void
a_large_list_is_found_again(void)
{
    enum { N = 100000 };
    struct unigrams *u = unigrams_new();
    uint64_t wrong = 0;
    char word[32];

    for (uint64_t i = 0; i < N; i++) {
        snprintf(word, sizeof word, "w%llu", (unsigned long long)(i * 7919));
        unigrams_add(u, str_c(word), i + 1);
    }
    for (uint64_t i = 0; i < N; i++) {
        snprintf(word, sizeof word, "w%llu", (unsigned long long)(i * 7919));
        wrong += unigrams_count(u, str_c(word)) != i + 1;
        snprintf(word, sizeof word, "x%llu", (unsigned long long)(i * 7919));
        wrong += unigrams_count(u, str_c(word)) != 0;
    }
    CHECK(wrong == 0);
    CHECK(unigrams_n(u) == N);
    unigrams_free(u);
}

static const struct test tests[] = {
    TEST(the_more_frequent_form_wins),
    TEST(a_form_that_is_no_more_frequent_than_a_part_is_left_alone),
    TEST(only_letters_and_a_final_hyphen_make_a_first_part),
    TEST(punctuation_after_the_word_stays),
    TEST(a_form_that_is_not_in_the_list_is_looked_up_in_small_letters),
    TEST(letters_are_those_of_unicode),
    TEST(german_nouns_are_joined_only_when_asked_for),
    TEST(two_words_are_consumed_by_a_pair),
    TEST(marked_pairs_show_what_stood_there),
    TEST(blanks_between_other_words_stay),
    TEST(words_are_joined_over_the_end_of_a_line_only_when_asked_for),
    TEST(counts_of_a_word_add_up_and_bad_lines_are_refused),
    TEST(a_large_list_is_found_again),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
