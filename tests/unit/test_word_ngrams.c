/* test_word_ngrams.c -- the n-grams of a word, one letter or eight at a time,
 * and the sums of their weights with and without AVX2. */
#include "corpus/language/ngram_scores.h"
#include "corpus/language/word_ngrams.h"
#include "test.h"

enum { ROOM = WORD_MAX + RUN_MAX + 2 };

static uint64_t
letters(const char *text)
{
    uint64_t n = 0;

    for (unsigned i = 0; text[i] != '\0' && i < 4; i++)
        n |= (uint64_t)(unsigned char)text[i] << 16 * i;
    return n;
}

static unsigned
by_letters(uint64_t *ngrams, const char *word)
{
    struct open_word w = word_begin();

    for (; *word != '\0'; word++)
        word_letter(&w, ngrams, (uint16_t)(*word & 0xdf));
    return word_end(&w, ngrams);
}

/* The first `alone` letters one by one, the others as they come. */
static unsigned
by_runs(uint64_t *ngrams, const char *word, size_t alone)
{
    struct open_word w = word_begin();
    size_t n = strlen(word);

    for (size_t at = 0; at < n;) {
        char bytes[8] = {0};
        uint64_t eight;
        unsigned run = 1;

        memcpy(bytes, word + at, n - at < 8 ? n - at : 8);
        memcpy(&eight, bytes, 8);
        if (at < alone)
            word_letter(&w, ngrams, (uint16_t)(word[at] & 0xdf));
        else
            word_letters(&w, ngrams, le64toh(eight),
                         run = word_run(le64toh(eight)));
        at += run;
    }
    return word_end(&w, ngrams);
}

static void
a_word_has_n_grams_with_the_blanks_around_it(void)
{
    uint64_t ngrams[ROOM] = {0}, of_one[ROOM] = {0};

    CHECK(by_letters(ngrams, "word") == 6);
    CHECK(ngrams[0] == letters("ORD "));
    CHECK(ngrams[1] == letters(" WO"));
    CHECK(ngrams[2] == letters(" WOR"));
    CHECK(ngrams[3] == letters("WORD"));
    CHECK(ngrams[4] == letters("RD "));
    CHECK(ngrams[5] >> 63 == 1);
    CHECK(by_letters(ngrams, "a") == 2);
    CHECK(ngrams[1] == letters(" A "));
    CHECK(by_letters(of_one, "b") == 2);
    CHECK(ngrams[0] >> 63 == 1 && ngrams[0] != of_one[0]);
}

static void
letters_taken_eight_at_a_time_give_the_same(void)
{
    const char *all = "abcdefghijklmnopqrstuvwxyzZYXWVUTSRQPONMLKJIHGFEDCBAab";

    for (size_t n = 1; n <= strlen(all); n++)
        for (size_t alone = 0; alone <= n; alone++) {
            char word[64] = {0};
            uint64_t a[ROOM] = {0}, b[ROOM] = {0};
            unsigned of_a;

            memcpy(word, all, n);
            of_a = by_letters(a, word);
            CHECK(by_runs(b, word, alone) == of_a);
            CHECK(memcmp(a, b, of_a * sizeof *a) == 0);
        }
}

static void
a_run_ends_where_a_byte_is_no_ascii_letter(void)
{
    for (unsigned c = 0; c < 256; c++)
        for (unsigned at = 0; at < 8; at++) {
            char bytes[8] = {'a', 'Z', 'z', 'A', 'm', 'n', 'b', 'Y'};
            bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            uint64_t eight;

            bytes[at] = (char)c;
            memcpy(&eight, bytes, 8);
            CHECK(word_run(le64toh(eight)) == (letter ? 8 : at));
        }
}

static const struct language_group *
latin(struct language_model **m)
{
    CHECK(language_model_open(m, WINNOW_DATA_DIR) == ST_OK);
    for (unsigned i = 0; i < (*m)->groups_n; i++)
        if (str_eq((*m)->groups[i].script, S("Latn")))
            return &(*m)->groups[i];
    return NULL;
}

static void
sums_are_those_of_the_rows_for_each_instruction_set(void)
{
    static const char *const words[] = {"the",   "of",    "zijn",   "nicht",
                                        "perch", "dans",  "quqzxj", "a",
                                        "ihned", "korzy", "het",    "bir"};
    struct language_model *m;
    const struct language_group *g = latin(&m);
    int32_t plain[ROW] = {0}, added[ROW] = {0}, sums[ROW] = {0};
    uint64_t ngrams[NGRAMS_MAX + ROOM];
    unsigned n = 0, known = 0;

    for (unsigned i = 0; n < NGRAMS_MAX - ROOM; i++)
        n += by_letters(ngrams + n, words[i % 12]);
    for (unsigned i = 0; i < n; i++) {
        bool found;
        size_t at = tag_table_find(&g->ngrams, ngram_mix(ngrams[i]), &found);

        known += found;
        for (unsigned k = 0; k < ROW && found; k++)
            sums[k] +=
                (g->rows[at].pairs[k / 2] >> k % 2 * 8 & 0xff) - WEIGHT_ZERO;
    }
    CHECK(known > 0 && known < n);
    CHECK(ngram_scores_plain(plain, g, ngrams, n) == known);
    CHECK(memcmp(plain, sums, sizeof sums) == 0);
    CHECK(ngram_scores_add(added, g, ngrams, n) == known);
    CHECK(memcmp(added, sums, sizeof sums) == 0);
    language_model_free(m);
}

static const struct test tests[] = {
    TEST(a_word_has_n_grams_with_the_blanks_around_it),
    TEST(letters_taken_eight_at_a_time_give_the_same),
    TEST(a_run_ends_where_a_byte_is_no_ascii_letter),
    TEST(sums_are_those_of_the_rows_for_each_instruction_set),
    {0}};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
