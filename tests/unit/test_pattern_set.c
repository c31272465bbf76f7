/* test_pattern_set.c -- aim: a set of patterns says of every host what trying
 * one after the other says.  Method: small names by chance, so that most of
 * what can coincide does. */
#include "test.h"

#include "base/random.h"
#include "frontier/features/pattern_set.h"

#define PATTERNS 40
#define HOSTS 400

static struct random r;

static struct str
word(struct arena *a, const char *letters, size_t most)
{
    size_t n = 1 + random_below(&r, most), of = strlen(letters);
    char *p = arena_raw(a, n);

    for (size_t i = 0; i < n; i++)
        p[i] = letters[random_below(&r, of)];
    return str_n(p, n);
}

static uint32_t
one_by_one(const struct str *patterns, struct str authority)
{
    uint32_t i = 0;

    while (i < PATTERNS && !pattern_host(patterns[i], authority))
        i++;
    return i < PATTERNS ? i : PATTERN_NONE;
}

static void
the_first_of_them_is_found(void)
{
    struct arena *a = arena_new();
    size_t found = 0;

    r = random_seed(7);
    for (int round = 0; round < 300; round++) {
        struct str patterns[PATTERNS];
        struct pattern_set s;

        arena_reset(a);
        for (int i = 0; i < PATTERNS; i++)
            patterns[i] =
                word(a, round % 3 > 0 ? "aB.:8" : "ab..*/", 1 + (size_t)i % 6);
        pattern_set_init(&s, a, patterns, PATTERNS);
        for (int i = 0; i < HOSTS; i++) {
            struct str host = word(a, "aAb..:8", 6);
            uint32_t want = one_by_one(patterns, host);

            CHECK(pattern_set_host(&s, host) == want);
            found += want != PATTERN_NONE;
        }
        for (int i = 0; i < PATTERNS; i++) {
            uint32_t k = pattern_set_same(&s, patterns[i]);

            CHECK(k <= (uint32_t)i && str_eq(pattern_kept(a, patterns[k]),
                                             pattern_kept(a, patterns[i])));
        }
    }
    CHECK(found > 300 * HOSTS / 10 && found < 300 * HOSTS);
    arena_free(a);
}

static void
names_longer_than_any_host_are_looked_at_too(void)
{
    struct arena *a = arena_new();
    const struct str patterns[] = {STR("a.example"), STR(".example"),
                                   STR("*z")};
    struct pattern_set s;
    char name[700];

    memset(name, 'x', sizeof name);
    memcpy(name + sizeof name - 8, ".example", 8);
    pattern_set_init(&s, a, patterns, 3);
    CHECK(pattern_set_host(&s, str_n(name, sizeof name)) == 1);
    CHECK(pattern_set_host(&s, str_n(name, 600)) == PATTERN_NONE);
    CHECK(pattern_set_same(&s, str_n(name, 600)) == PATTERN_NONE);
    CHECK(pattern_set_host(&s, S("A.Example:8080")) == 0);
    CHECK(pattern_set_host(&s, S("")) == PATTERN_NONE);
    arena_free(a);
}

static void
none_matches_nothing(void)
{
    struct arena *a = arena_new();
    struct pattern_set s;

    pattern_set_init(&s, a, NULL, 0);
    CHECK(pattern_set_host(&s, S("a.example")) == PATTERN_NONE);
    CHECK(pattern_set_same(&s, S("a.example")) == PATTERN_NONE);
    arena_free(a);
}

static const struct test tests[] = {
    TEST(the_first_of_them_is_found),
    TEST(names_longer_than_any_host_are_looked_at_too),
    TEST(none_matches_nothing),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
