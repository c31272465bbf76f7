/* Run-on sentences: the rules one by one, with whole outputs. */
#include "clean/tools/rofl.h"
#include "test.h"

static const char *const words[] = {"end",  "now", "it",  "is",    "over",
                                    "www",  "com", "the", "smile", "ÉTÉ",
                                    "fini", "a",   "so",  "done",  NULL};
static const char *const prefixes[] = {"WWW", NULL};
static const char *const suffixes[] = {"Com", NULL};

static struct unigrams *
set_of(const struct letters *l, const char *const *item)
{
    struct unigrams *u = unigrams_new();
    struct buf b = {0};

    for (; *item != NULL; item++) {
        word_fold(l, str_c(*item), &b);
        unigrams_add(u, buf_view(&b), 1);
    }
    buf_free(&b);
    return u;
}

/* Whether `text` becomes `wanted`, with as many changes. */
static bool
becomes(unsigned limit, bool emoticons, const char *text, const char *wanted,
        size_t changes)
{
    struct letters *l = letters_new();
    struct unigrams *w = set_of(l, words), *p = set_of(l, prefixes);
    struct unigrams *s = set_of(l, suffixes);
    const struct rofl r = {l, w, p, s, limit, emoticons, NULL, NULL};
    struct buf out = {0};
    size_t n = rofl_line(&r, str_c(text), &out);
    bool same = str_eq(buf_view(&out), str_c(wanted)) && n == changes;

    if (!same)
        fprintf(stderr, "<%s> became <%.*s> (%zu)\n", text,
                STRF(buf_view(&out)), n);
    buf_free(&out);
    unigrams_free(w);
    unigrams_free(p);
    unigrams_free(s);
    letters_free(l);
    return same;
}

static void
a_blank_goes_between_known_words(void)
{
    CHECK(becomes(1, false, "the end.Now it is", "the end. Now it is", 1));
    CHECK(becomes(1, false, "over?!So", "over?! So", 1));
    CHECK(becomes(1, false, "done:now...it", "done: now... it", 2));
    CHECK(becomes(1, false, "end.Unknown", "end.Unknown", 0));
    CHECK(becomes(1, false, "unknown.End", "unknown.End", 0));
    CHECK(becomes(1, false, "end. Now", "end. Now", 0));
    CHECK(becomes(1, false, "end,now", "end,now", 0));
}

static void
prefixes_and_suffixes_keep_addresses_whole(void)
{
    CHECK(becomes(1, false, "www.now", "www.now", 0));
    CHECK(becomes(1, false, "now.com", "now.com", 0));
    CHECK(becomes(9, false, "www.now.com", "www.now.com", 0));
}

static void
one_place_of_a_token_is_done_in_each_pass(void)
{
    CHECK(becomes(1, false, "end.now.it", "end. now. it", 2));
    CHECK(becomes(0, false, "end.now.it", "end. now.it", 1));
    CHECK(becomes(1, false, "end.now.it.is", "end. now. it.is", 2));
    CHECK(becomes(2, false, "end.now.it.is", "end. now. it. is", 3));
}

static void
without_a_word_at_its_beginning_the_last_place_of_a_token_counts(void)
{
    CHECK(becomes(0, false, "(end.now.it", "(end.now. it", 1));
    CHECK(becomes(1, false, "(end.now.it", "(end. now. it", 2));
    CHECK(becomes(1, false, "\"end.now\")", "\"end. now\")", 1));
}

static void
single_letters_are_no_words(void)
{
    CHECK(becomes(1, false, "a.now", "a.now", 0));
    CHECK(becomes(1, false, "end.a", "end.a", 0));
    CHECK(becomes(1, false, "a.end.now", "a.end. now", 1));
}

static void
case_and_script_do_not_matter(void)
{
    CHECK(becomes(1, false, "END.NOW", "END. NOW", 1));
    CHECK(becomes(1, false, "L'été.Fini", "L'été. Fini", 1));
}

static void
emoticons_are_set_apart_only_when_asked_for(void)
{
    CHECK(becomes(0, false, "end:smile:now", "end: smile:now", 1));
    CHECK(becomes(1, true, "end:smile:now", "end :smile: now", 2));
    CHECK(becomes(1, true, ":smile:", ":smile:", 0));
    CHECK(becomes(1, true, "a :smile: b :x::y: 10:30:5",
                  "a :smile: b :x: :y: 10:30:5", 1));
    CHECK(becomes(1, true, "::", "::", 0));
}

static void
other_blanks_stay(void)
{
    CHECK(becomes(1, false, "  end.now   it ", "  end. now   it ", 1));
    CHECK(becomes(1, false, "", "", 0));
}

static const struct test tests[] = {
    TEST(a_blank_goes_between_known_words),
    TEST(prefixes_and_suffixes_keep_addresses_whole),
    TEST(one_place_of_a_token_is_done_in_each_pass),
    TEST(without_a_word_at_its_beginning_the_last_place_of_a_token_counts),
    TEST(single_letters_are_no_words),
    TEST(case_and_script_do_not_matter),
    TEST(emoticons_are_set_apart_only_when_asked_for),
    TEST(other_blanks_stay),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
