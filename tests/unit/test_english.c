/* Spelling, titles that are required, content types: pure functions, then their
 * stages. */
#include "base/file.h"
#include "clean/cleaner/stages.h"
#include "clean/repair/spelling.h"
#include "test.h"
#include "wanted_stage.h"

/* The table that is shipped. */
static struct spelling *
shipped(void)
{
    struct spelling *s = NULL;
    struct buf text = {0};
    uint32_t bad = 1;

    CHECK(file_read(&text, "data/british-american.tsv", SIZE_MAX) == ST_OK);
    CHECK(spelling_parse(&s, buf_view(&text), &bad) == ST_OK);
    CHECK(bad == 0);
    buf_free(&text);
    return s;
}

static bool
turned(enum spelling_side to, const char *text, const char *wanted)
{
    struct spelling *s = shipped();
    struct arena *a = arena_new();
    bool good = wanted_same(spelling_turn(s, a, str_c(text), to), wanted);

    spelling_free(s);
    arena_free(a);
    return good;
}

static void
words_are_turned_in_their_case(void)
{
    CHECK(turned(SPELLING_AMERICAN,
                 "The Colour of the THEATRE's grey centre, analysed.",
                 "The Color of the THEATER's gray center, analyzed."));
    CHECK(turned(SPELLING_BRITISH, "Organized labor traveled; color-blind",
                 "Organised labour travelled; colour-blind"));
    CHECK(turned(SPELLING_AMERICAN, "cOlour ColOur", "cOlour ColOur"));
    CHECK(turned(SPELLING_AMERICAN, "color", "color"));
    CHECK(turned(SPELLING_AMERICAN, "", ""));
}

static void
american_words_with_other_meanings_stay(void)
{
    CHECK(turned(SPELLING_AMERICAN, "tyre cheque programme storey metre",
                 "tire check program story meter"));
    CHECK(turned(SPELLING_BRITISH, "tire check program story meter",
                 "tire check program story meter"));
}

static void
addresses_and_file_names_stay(void)
{
    static const char *const text =
        "www.colour.org a@colour.org /colour/grey.html my_colour colour.c";

    CHECK(turned(SPELLING_AMERICAN, text, text));
    CHECK(turned(SPELLING_AMERICAN, "Colour. Grey.", "Color. Gray."));
}

static void
the_table_goes_there_and_back(void)
{
    struct spelling *s = shipped();
    struct arena *a = arena_new();
    FILE *f = fopen("data/british-american.tsv", "rb");
    char line[256];
    size_t pairs = 0, wrong = 0;

    CHECK(f != NULL);
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        struct str rest = str_trim(str_c(line)), british = rest,
                   american = rest, flag;

        if (rest.p[0] == '#')
            continue;
        CHECK(str_cut(&rest, '\t', &british) &&
              str_cut(&rest, '\t', &american));
        flag = rest;
        pairs++;
        wrong +=
            !str_eq(spelling_turn(s, a, british, SPELLING_AMERICAN), american);
        if (!str_eq(flag, S(">")))
            wrong += !str_eq(spelling_turn(s, a, american, SPELLING_BRITISH),
                             british);
        wrong +=
            !str_eq(spelling_turn(s, a, british, SPELLING_BRITISH), british);
    }
    if (f != NULL)
        fclose(f);
    CHECK(wrong == 0);
    CHECK(pairs == spelling_pairs_n(s) && pairs > 1000);
    spelling_free(s);
    arena_free(a);
}

static enum spelling_side
judged(const char *text)
{
    struct spelling *s = shipped();
    uint32_t n[3] = {0};

    spelling_count(s, str_c(text), n);
    spelling_free(s);
    return spelling_decide(n);
}

static void
the_sides_are_told_apart(void)
{
    CHECK(judged("colour") == SPELLING_BRITISH);
    CHECK(judged("The color gray") == SPELLING_AMERICAN);
    CHECK(judged("organise") == SPELLING_BRITISH);
    CHECK(judged("organize") == SPELLING_UNKNOWN); /* Oxford does, too */
    CHECK(judged("colour color") == SPELLING_UNKNOWN);
    CHECK(judged("check the tire") == SPELLING_UNKNOWN);
    CHECK(judged("nothing of the kind") == SPELLING_UNKNOWN);
    CHECK(judged("grey grey grey gray") == SPELLING_BRITISH);
}

static void
broken_lines_of_the_table_are_counted(void)
{
    struct spelling *s;
    uint32_t bad;

    CHECK(spelling_parse(&s,
                         S("# x\ncolour\tcolor\r\none\nA\tb\na\ta\nx y\tz\n"
                           "\t\nhonour\thonor\t>\n"),
                         &bad) == ST_OK);
    CHECK(bad == 4 && spelling_pairs_n(s) == 2);
    spelling_free(s);
}

static enum verdict
of_type(const char *wanted, const char *type)
{
    struct document d = {.content_type = str_c(type)};
    char set[128];
    void *self;

    snprintf(set, sizeof set, "clean.content_types=%s", wanted);
    CHECK(wanted_open(&stage_type, set, &self) == ST_OK);
    CHECK(stage_type.run(self, &d) == ST_OK);
    stage_type.close(self);
    return d.reject;
}

static void
types_that_are_not_wanted_are_rejected(void)
{
    CHECK(of_type("", "image/png") == VERDICT_NONE);
    CHECK(of_type("text/html", "text/html; charset=utf-8") == VERDICT_NONE);
    CHECK(of_type("text/html", "TEXT/HTML") == VERDICT_NONE);
    CHECK(of_type("text/html", "") == VERDICT_NONE);
    CHECK(of_type("text/html", "text/plain") == VERDICT_CONTENT_TYPE);
    CHECK(of_type("application/xhtml+xml text/*", "text/plain") ==
          VERDICT_NONE);
    CHECK(of_type("application/xhtml+xml text/*", "image/png") ==
          VERDICT_CONTENT_TYPE);
}

static void
stages_change_documents_only_when_asked_for(void)
{
    CHECK(wanted_becomes(&stage_spelling, "clean.english=off", "colour",
                         "colour"));
    CHECK(wanted_becomes(&stage_spelling, "clean.english=tell", "colour",
                         "colour"));
    CHECK(wanted_becomes(&stage_spelling, "clean.english=american",
                         "grey colour", "gray color"));
    CHECK(wanted_becomes(&stage_spelling, "clean.english=british", "gray",
                         "grey"));
}

static void
english_is_told_and_other_languages_are_left_alone(void)
{
    struct arena *a = arena_new();
    struct document d = wanted_document(a, "the colour grey");
    void *self;

    CHECK(wanted_open(&stage_spelling, "clean.english=american", &self) ==
          ST_OK);
    d.meta.language = S("de");
    CHECK(stage_spelling.run(self, &d) == ST_OK);
    CHECK(wanted_same(d.blocks[0].text, "the colour grey") &&
          d.meta.english.n == 0);
    d.meta.language = S("en-GB");
    CHECK(stage_spelling.run(self, &d) == ST_OK);
    CHECK(wanted_same(d.blocks[0].text, "the color gray"));
    CHECK(wanted_same(d.meta.english, "British"));
    CHECK(wanted_same(d.meta.title, "the color gray"));
    stage_spelling.close(self);
    arena_free(a);
}

static void
documents_without_a_title_are_rejected_only_when_it_is_required(void)
{
    static const char *const mode[] = {"clean.find_title=off",
                                       "clean.find_title=find",
                                       "clean.find_title=require"};

    for (int i = 0; i < 3; i++) {
        struct arena *a = arena_new();
        struct document d = wanted_document(a, "Storm");
        void *self;

        CHECK(wanted_open(&stage_title, mode[i], &self) == ST_OK);
        d.meta.title = S("Storm");
        CHECK(stage_title.run(self, &d) == ST_OK);
        CHECK(d.reject == VERDICT_NONE);
        d.meta.title = S("");
        CHECK(stage_title.run(self, &d) == ST_OK);
        CHECK(d.reject == (i == 2 ? VERDICT_NO_TITLE : VERDICT_NONE));
        arena_free(a);
    }
}

static const struct test tests[] = {
    TEST(words_are_turned_in_their_case),
    TEST(american_words_with_other_meanings_stay),
    TEST(addresses_and_file_names_stay),
    TEST(the_table_goes_there_and_back),
    TEST(the_sides_are_told_apart),
    TEST(broken_lines_of_the_table_are_counted),
    TEST(types_that_are_not_wanted_are_rejected),
    TEST(stages_change_documents_only_when_asked_for),
    TEST(english_is_told_and_other_languages_are_left_alone),
    TEST(documents_without_a_title_are_rejected_only_when_it_is_required),
    {0},
};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
