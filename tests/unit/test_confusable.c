/* Stems tell a language from its confusable language, also where the lists that
 * they are made of are mixed. */
#include <math.h>

#include "base/buf.h"
#include "base/random.h"
#include "clean/language/confusable_learn.h"
#include "clean/language/profile.h"
#include "test.h"

#define COMMON 1000 /* words of both languages */
#define OWN 100     /* words of one of them */
#define MIX 0.25    /* of the confusable language's list is of the language */
#define TEXTS 20
#define TEXT_WORDS 400

static bool
near(double x, double y)
{
    return fabs(x - y) < 1e-9;
}

static enum status
parse(struct profile *p, struct arena *a, const char *lines)
{
    size_t line;
    struct str text = arena_printf(a, "DE|-1|0.2|5\n%s", lines);

    return profile_parse(p, a, text, S("xx"), &line);
}

static void
a_printed_table_reads_back(void)
{
    struct arena *a = arena_new();
    struct buf text = {0};
    struct profile p, q;
    size_t line;

    CHECK(parse(&p, a,
                "!sibling|bs|3|-0.125|0.050|0.500\n"
                "!stems|-16|TKO POVIJE\n!stems|2|\xc5\xa0TA\n"
                "!sibling|sr|1|-0.250|0.050|0.500\n"
                "!stems|8|GDE\n") == ST_OK);
    profile_print(&p, &text);
    CHECK(profile_parse(&q, a, buf_view(&text), S(""), &line) == ST_OK);
    CHECK(q.confusable != NULL && q.confusable->stems_n == 3 &&
          str_eq(q.confusable->language, S("bs")));
    CHECK(near(q.confusable->mean, -0.125) && near(q.confusable->kinds, 0.05) &&
          near(q.confusable->spread, 0.5));
    CHECK(near(confusable_weight(q.confusable, S("TKO")), -4));
    CHECK(near(confusable_weight(q.confusable, S("POVIJESTI")), -4));
    CHECK(near(confusable_weight(q.confusable, S("POVIJ")), 0));
    CHECK(near(confusable_weight(q.confusable, S("\xc5\xa0TA")), 0.5));
    CHECK(near(confusable_weight(q.confusable, S("GDE")), 0));
    CHECK(q.confusable->next != NULL && q.confusable->next->next == NULL &&
          str_eq(q.confusable->next->language, S("sr")) &&
          near(confusable_weight(q.confusable->next, S("GDE")), 2));
    buf_free(&text);
    arena_free(a);
}

static void
faulty_tables_are_refused(void)
{
    static const char *const bad[] = {
        "!stems|3|A\n",
        "!sibling|bs|0|-1|1|1\n",
        "!sibling|bs|1|-1|1|1\n", /* no stem */
        "!sibling||1|-1|1|1\n!stems|1|A\n",
        "!sibling|bs|1|-1|0|1\n!stems|1|A\n",
        "!sibling|bs|1|nan|1|1\n!stems|1|A\n",
        "!sibling|bs|1|-1|1\n!stems|1|A\n",
        "!sibling|bs|20001|-1|1|1\n!stems|1|A\n",
        "!sibling|bs|1|-1|1|1\n!stems|0|A\n",
        "!sibling|bs|1|-1|1|1\n!stems|17|A\n",
        "!sibling|bs|1|-1|1|1\n!stems|1|A B\n",
        "!sibling|bs|1|-1|1|1\n!stems|1|ABCDEFG\n",
        "!sibling|bs|1|-1|1|1\n!sibling|bs|1|-1|1|1\n!stems|1|A\n",
        "!sibling|bs|1|-1|1|1\n!sibling|sr|1|-1|1|1\n!stems|1|A\n",
        ("!sibling|bs|1|-1|1|1\n!stems|1|A\n"
         "!sibling|bs|1|-1|1|1\n!stems|1|A\n"),
        "!sibling|bs|1|-1|1|1\n!stems|1|A\n!sibling|sr|1|-1|1|1\n",
    };
    struct arena *a = arena_new();
    struct profile p;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(parse(&p, a, bad[i]) == ST_INVALID);
    arena_free(a);
}

static void
a_stem_is_the_first_letters_whatever_bytes_they_take(void)
{
    CHECK(str_eq(confusable_stem(S("")), S("")));
    CHECK(str_eq(confusable_stem(S("ABCDEF")), S("ABCDEF")));
    CHECK(str_eq(confusable_stem(S("ABCDEFG")), S("ABCDEF")));
    CHECK(str_eq(confusable_stem(S("\xc5\xa0\xc5\xa0\xc5\xa0\xc5\xa0\xc5\xa0"
                                   "\xc5\xa0\xc5\xa0")),
                 S("\xc5\xa0\xc5\xa0\xc5\xa0\xc5\xa0\xc5\xa0\xc5\xa0")));
}

/* Word i of both languages, or of one of them ('L', 'S'). */
static struct str
word(struct arena *a, char of, uint64_t i)
{
    return arena_printf(a, "%c%c%c%c", of, (int)('A' + i / 100 % 26),
                        (int)('A' + i / 10 % 10), (int)('A' + i % 10));
}

/* A fifth of the words are of one language alone. */
static struct str
any_word(struct arena *a, char of, struct random *r)
{
    if (random_below(r, 5) == 0)
        return word(a, of, random_below(r, OWN));
    return word(a, 'C', random_below(r, COMMON));
}

static void
add_text(struct words *w, struct arena *a, char of, struct random *r)
{
    for (int i = 0; i < TEXT_WORDS; i++) {
        words_add(w, any_word(a, of, r));
        words_add(w, S(" "));
    }
}

static struct confusable *
learn(struct arena *a, const struct words *w, const uint32_t *start)
{
    const struct confusable_sample running = {w, start, TEXTS};
    struct confusable_learner *l = confusable_learner_new();
    struct confusable *s;

    for (uint64_t i = 0; i < COMMON; i++) {
        confusable_learner_add(l, word(a, 'C', i), 800, CONFUSABLE_LANGUAGE);
        confusable_learner_add(l, word(a, 'C', i), 800, CONFUSABLE_OTHER);
    }
    for (uint64_t i = 0; i < OWN; i++) {
        confusable_learner_add(l, word(a, 'L', i), 2000, CONFUSABLE_LANGUAGE);
        confusable_learner_add(l, word(a, 'L', i), (uint64_t)(2000 * MIX),
                               CONFUSABLE_OTHER);
        confusable_learner_add(l, word(a, 'S', i), (uint64_t)(2000 * (1 - MIX)),
                               CONFUSABLE_OTHER);
    }
    /* in films of the confusable language only, but in texts of the language */
    confusable_learner_add(l, S("NOVEL"), 2000, CONFUSABLE_OTHER);
    s = confusable_learn(l, S("si"), &running, a);
    confusable_learner_free(l);
    return s;
}

static double
leaning(const struct confusable *s, const struct letters *l, struct arena *a,
        char of, struct random *r)
{
    struct words w;

    words_init(&w, l, a);
    add_text(&w, a, of, r);
    return confusable_leaning(s, w.types, w.types_n, w.hashes_n);
}

static void
a_learned_table_tells_a_language_from_its_confusable(void)
{
    struct random r = random_seed(7);
    struct arena *a = arena_new();
    struct letters *l = letters_new();
    uint32_t start[TEXTS + 1] = {0};
    struct confusable *s;
    struct words w;

    words_init(&w, l, a);
    for (int t = 0; t < TEXTS; t++) {
        add_text(&w, a, 'L', &r);
        words_add(&w, S("novel"));
        start[t + 1] = w.hashes_n;
    }
    s = learn(a, &w, start);
    /* as if the lists were not mixed */
    CHECK(near(confusable_weight(s, word(a, 'L', 5)), -4));
    CHECK(near(confusable_weight(s, word(a, 'S', 5)), 4));
    CHECK(near(confusable_weight(s, word(a, 'C', 5)), 0));
    CHECK(confusable_weight(s, S("NOVEL")) < 1);
    CHECK(s->mean < -0.7 && s->mean > -0.9 && s->kinds < 0.5);
    for (int i = 0; i < 10; i++) {
        double deviation = sqrt(s->kinds * s->kinds + s->spread / TEXT_WORDS);

        CHECK(leaning(s, l, a, 'L', &r) - s->mean < 1.8 * deviation);
        CHECK(leaning(s, l, a, 'S', &r) - s->mean > 3 * deviation);
    }
    letters_free(l);
    arena_free(a);
}

static void
short_lists_make_no_table(void)
{
    struct arena *a = arena_new();
    struct letters *letters = letters_new();
    struct confusable_learner *l = confusable_learner_new();
    const uint32_t start[] = {0};
    struct words w;

    words_init(&w, letters, a);
    confusable_learner_add(l, S("TKO"), 5, CONFUSABLE_LANGUAGE);
    confusable_learner_add(l, S("KO"), 5, CONFUSABLE_OTHER);
    CHECK(confusable_learn(l, S("bs"),
                           &(struct confusable_sample){&w, start, 0},
                           a) == NULL);
    confusable_learner_free(l);
    letters_free(letters);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_printed_table_reads_back),
        TEST(faulty_tables_are_refused),
        TEST(a_stem_is_the_first_letters_whatever_bytes_they_take),
        TEST(a_learned_table_tells_a_language_from_its_confusable),
        TEST(short_lists_make_no_table),
        {0},
    };

    return test_main(table, argc, argv);
}
