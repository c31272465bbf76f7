/* test_nearest.c -- near misses of names, and regular expressions with a bound
 * on steps. */
#include "test.h"

#include "base/nearest.h"
#include "base/regex.h"

static struct str
best(const char *word, const char *const *candidates)
{
    struct nearest near;

    nearest_init(&near, str_c(word));
    for (; *candidates; candidates++)
        nearest_offer(&near, str_c(*candidates));
    return nearest_best(&near);
}

static void
one_slip_finds_the_name(void)
{
    static const char *const names[] = {"parallel", "tld", "delay_ms", "scope",
                                        NULL};

    CHECK(str_eq(best("paralel", names), S("parallel")));
    CHECK(str_eq(best("tdl", names), S("tld"))); /* a swap */
    CHECK(str_eq(best("TLD", names), S("tld")));
    CHECK(str_eq(best("delay-ms", names), S("delay_ms")));
    CHECK(str_eq(best("delay", names), S("delay_ms"))); /* a beginning */
    CHECK(str_eq(best("scopes", names), S("scope")));
}

static void
other_words_find_nothing(void)
{
    static const char *const names[] = {"parallel", "tld", "scope", NULL};

    CHECK(best("timeout", names).n == 0);
    CHECK(best("x", names).n == 0);
    CHECK(best("", names).n == 0);
    CHECK(best("a-word-that-is-longer-than-any-name-could-reasonably-be-in-a-"
               "table",
               names)
              .n == 0);
}

static void
the_nearest_of_several_wins(void)
{
    static const char *const names[] = {"chars_min", "chars_max", "char_min",
                                        NULL};

    CHECK(str_eq(best("chars_mim", names), S("chars_min")));
    CHECK(str_eq(best("char_min", names), S("char_min")));
}

static void
expressions_match_anywhere(void)
{
    struct regex *r = NULL;

    CHECK(regex_open(&r, S("\\.nl/|^x$"), NULL) == ST_OK);
    CHECK(regex_matches(r, S("http://a.nl/b")));
    CHECK(regex_matches(r, S("x")));
    CHECK(!regex_matches(r, S("http://a.nlx/b")));
    CHECK(!regex_matches(r, S("")));
    regex_close(r);
}

static void
broken_expressions_say_where(void)
{
    struct regex *r = NULL;
    struct buf why = {0};

    CHECK(regex_open(&r, S("a(b"), &why) == ST_INVALID);
    CHECK(r == NULL);
    CHECK(strstr((buf_char(&why, '\0'), why.p), "at character 4"));
    buf_free(&why);
    regex_close(NULL);
}

static void
endless_backtracking_ends_without_a_match(void)
{
    struct regex *r = NULL;
    char subject[64];

    memset(subject, 'a', sizeof subject);
    CHECK(regex_open(&r, S("^(a+)+$"), NULL) == ST_OK);
    CHECK(regex_matches(r, str_n(subject, sizeof subject)));
    subject[sizeof subject - 1] = 'b';
    CHECK(!regex_matches(r, str_n(subject, sizeof subject)));
    regex_close(r);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(one_slip_finds_the_name),
        TEST(other_words_find_nothing),
        TEST(the_nearest_of_several_wins),
        TEST(expressions_match_anywhere),
        TEST(broken_expressions_say_where),
        TEST(endless_backtracking_ends_without_a_match),
        {0},
    };

    return test_main(table, argc, argv);
}
