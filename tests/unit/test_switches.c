/* Options that switch stages, limits and choices of the chain: what each does
 * to a page, and that combinations that cannot work are refused. */
#include "clean/cleaner/cleaner_chain.h"
#include "clean/text/segment.h"
#include "clean/text/words.h"
#include "folder.h"

static const char page[] =
    "<!doctype html><html lang=nl><title>De molen</title>"
    "<meta name=robots content='noindex, noai'><article><h1>De molen</h1>"
    "<p>De molen aan de rand van het dorp is gebouwd in het begin van de "
    "achttiende eeuw en werd tot kort na de oorlog gebruikt om graan te malen "
    "voor de boeren in de omgeving. <a href=/geschiedenis>Meer</a> "
    "<a href=//beelden.a.example/>Beelden</a> "
    "<a href=http://b.example/een/heel/lang/adres>Elders</a>"
    "<p>Een groep bewoners heeft daarna geld verzameld om de molen op te "
    "knappen. Het heeft lang geduurd voor de vergunning er was, maar nu draait "
    "hij weer op zaterdag en kunnen bezoekers zien hoe het meel wordt gemaakt. "
    "Schrijf aan molen@a.example.</article>";

struct cleaned {
    struct arena *arena;
    struct document d;
    struct cleaner *cleaner;
};

/* Options are "section.key=value" each, ended by NULL. */
static enum status
clean(struct cleaned *c, const char *html, const char *const *options)
{
    struct opts o;
    enum status st;

    opts_init(&o);
    for (; *options != NULL; options++)
        CHECK(opts_set(&o, "test", str_c(*options)) == ST_OK);
    *c = (struct cleaned){.arena = arena_new()};
    c->d = (struct document){.arena = c->arena,
                             .url_text = S("http://www.a.example/molen"),
                             .bytes = str_c(html),
                             .content_type = S("text/html"),
                             .robots_agent = S("winnow")};
    st = cleaner_open(&c->cleaner, &o);
    if (st == ST_OK)
        CHECK(cleaner_run(c->cleaner, &c->d, true) == ST_OK);
    opts_free(&o);
    return st;
}

static void
finish(struct cleaned *c)
{
    cleaner_close(c->cleaner);
    arena_free(c->arena);
}

/* The reason to reject the page under these options. */
static enum verdict
verdict(const char *html, const char *const *options)
{
    struct cleaned c;
    enum verdict r = VERDICT_N;

    CHECK(clean(&c, html, options) == ST_OK);
    if (c.cleaner != NULL)
        r = c.d.reject;
    finish(&c);
    return r;
}

#define VERDICT(...)                                                           \
    verdict(page,                                                              \
            (const char *const[]){"clean.noindex=off", "clean.language=nl",    \
                                  __VA_ARGS__, NULL})
#define CLEAN(c, ...)                                                          \
    CHECK(clean(c, page,                                                       \
                (const char *const[]){"clean.noindex=off", __VA_ARGS__,        \
                                      NULL}) == ST_OK)

static void
the_chains_preset_is_every_stage_in_order(void)
{
    static const char *const names[] = {
#define STAGE(name, help) #name,
        CLEAN_STAGES(STAGE, STAGE)
#undef STAGE
    };
    struct opts o;

    opts_init(&o);
    CHECK(o.clean_chain.n == sizeof names / sizeof *names);
    for (size_t i = 0; i < o.clean_chain.n; i++)
        CHECK(str_eq(o.clean_chain.item[i], str_c(names[i])));
    opts_free(&o);
}

static void
stages_that_are_left_out_do_nothing(void)
{
    struct cleaned c;

    CLEAN(&c, "clean.chain=charset strip boilerplate normalise tokens badness");
    CHECK(c.d.tokens_n > 50 && c.d.language_best.n > 0);
    CHECK(c.d.meta.title.n == 0 && c.d.fingerprint.shingles_n == 0);
    CHECK(!cleaner_has(c.cleaner, "shingles"));
    CHECK(cleaner_has(c.cleaner, "tokens"));
    finish(&c);
}

static void
chains_that_cannot_work_are_refused(void)
{
    static const char *const wrong[] = {
        "clean.chain=charset strip tokens",
        "clean.chain=strip charset",
        "clean.chain=charset strip boilerplate normalise tokens filter badness",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct cleaned c;

        CHECK(clean(&c, page, (const char *const[]){wrong[i], NULL}) ==
              ST_USAGE);
        finish(&c);
    }
}

static void
every_limit_rejects_by_its_name(void)
{
    CHECK(VERDICT("clean.chars_min=100") == VERDICT_NONE);
    CHECK(VERDICT("clean.noindex=on") == VERDICT_NOINDEX);
    CHECK(VERDICT("clean.chars_min=100", "clean.rights=training") ==
          VERDICT_RIGHTS);
    CHECK(VERDICT("clean.chars_min=100", "clean.rights=research") ==
          VERDICT_NONE);
    CHECK(VERDICT("clean.chars_min=100", "clean.language=de",
                  "clean.language_margin=1000") == VERDICT_BADNESS);
    CHECK(VERDICT("clean.bytes_min=10k") == VERDICT_SIZE);
    CHECK(VERDICT("clean.bytes_max=500") == VERDICT_SIZE);
    CHECK(VERDICT("clean.chars_min=100000") == VERDICT_SHORT);
    CHECK(VERDICT("clean.chars_all_min=100000") == VERDICT_SHORT);
    CHECK(VERDICT("clean.chars_min=1", "clean.blocks_min=50") ==
          VERDICT_BLOCKS);
    CHECK(VERDICT("clean.chars_min=1", "clean.blocks_all_min=50") ==
          VERDICT_BLOCKS);
    CHECK(VERDICT("clean.chars_min=1", "clean.boilerplate_regex=^Een groep",
                  "clean.chars_share_min=0.9") == VERDICT_BOILERPLATE);
    CHECK(VERDICT("clean.chars_min=1", "clean.boilerplate_regex=^Een groep",
                  "clean.blocks_share_min=0.9") == VERDICT_BOILERPLATE);
}

static void
blocks_of_the_regex_are_boilerplate(void)
{
    struct cleaned with, without;
    uint32_t marked = 0;

    CLEAN(&without, "clean.chars_min=1");
    CLEAN(&with, "clean.chars_min=1", "clean.boilerplate_regex=^Een groep");
    for (uint32_t i = 0; i < with.d.blocks_n; i++)
        if (str_starts(with.d.blocks[i].text, S("Een groep"))) {
            CHECK(with.d.blocks[i].boilerplate >= 1);
            CHECK(!with.d.blocks[i].kept && without.d.blocks[i].kept);
            CHECK(with.d.kept_chars + with.d.blocks[i].chars ==
                  without.d.kept_chars);
            marked++;
        }
    CHECK(marked == 1);
    CHECK(with.d.kept_blocks_n + 1 == without.d.kept_blocks_n);
    CHECK(with.d.boilerplate_mean > without.d.boilerplate_mean);
    finish(&with);
    finish(&without);
}

static void
without_a_network_all_is_text(void)
{
    struct cleaned c;

    CLEAN(&c, "clean.network=none");
    CHECK(c.d.blocks_n > 2 && c.d.kept_blocks_n == c.d.blocks_n);
    for (uint32_t i = 0; i < c.d.blocks_n; i++)
        CHECK(c.d.blocks[i].boilerplate < 0);
    finish(&c);
}

static uint32_t
links_with(const char *option)
{
    struct cleaned c;
    uint32_t n;

    CLEAN(&c, option);
    n = c.d.links_n;
    CHECK(c.d.links_n + c.d.links_dropped == 3);
    finish(&c);
    return n;
}

static void
links_are_kept_by_where_they_lead_and_by_length(void)
{
    CHECK(links_with("clean.links=same_host same_domain external") == 3);
    CHECK(links_with("clean.links=same_host") == 1);
    CHECK(links_with("clean.links=same_domain external") == 2);
    CHECK(links_with("clean.links=") == 0);
    CHECK(links_with("clean.link_bytes_min=30") == 2);
    CHECK(links_with("clean.link_bytes_max=30") == 1);
}

static uint32_t
tokens_with(const char *option)
{
    struct cleaned c;
    uint32_t n;

    CLEAN(&c, option);
    n = c.d.tokens_n;
    finish(&c);
    return n;
}

static void
words_come_from_the_blocks_that_count(void)
{
    uint32_t all = tokens_with("clean.tokens_chars_min=0");

    CHECK(tokens_with("clean.tokens_chars_min=100") < all);
    CHECK(tokens_with("clean.tokens_chars_min=100000") == 0);
    CHECK(tokens_with("clean.tokens_boilerplate_max=1") == all);
}

static void
words_are_made_of_the_letters_that_are_named(void)
{
    static const char *const wrong[] = {
        "clean.letters=41-", "clean.letters=-5A", "clean.letters=5A-41",
        "clean.letters=zz", "clean.letters=41-110000"};
    static const char greek[] = "<p>abc \xce\xb1\xce\xb2\xce\xb3 x\xce\xb1y 12";
    struct cleaned c;

    CHECK(clean(&c, greek,
                (const char *const[]){"clean.network=none",
                                      "clean.letters=0041-005A U+61-U+7a",
                                      NULL}) == ST_OK);
    CHECK(c.d.tokens_n == 3); /* ABC X Y */
    finish(&c);
    CHECK(clean(&c, greek,
                (const char *const[]){"clean.network=none",
                                      "clean.letters=30-39,370-3ff", NULL}) ==
          ST_OK);
    CHECK(c.d.tokens_n == 3); /* of Greek letters two, and 12 */
    finish(&c);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(clean(&c, greek, (const char *const[]){wrong[i], NULL}) ==
              ST_USAGE);
        finish(&c);
    }
}

static bool
has_word(const struct document *d, const char *word)
{
    for (uint32_t i = 0; i < d->types_n; i++)
        if (str_eq(d->types[i].text, str_c(word)))
            return true;
    return false;
}

static void
dictionaries_find_words_between_no_blanks(void)
{
    static const char thai[] = /* "ภาษาไทย abc ประเทศไทย" */
        "<p>"
        "\xe0\xb8\xa0\xe0\xb8\xb2\xe0\xb8\xa9\xe0\xb8\xb2\xe0\xb9\x84\xe0\xb8"
        "\x97\xe0\xb8\xa2 abc \xe0\xb8\x9b\xe0\xb8\xa3\xe0\xb8\xb0\xe0\xb9\x80"
        "\xe0\xb8\x97\xe0\xb8\xa8\xe0\xb9\x84\xe0\xb8\x97\xe0\xb8\xa2";
    struct cleaned c;

    CHECK(clean(&c, thai,
                (const char *const[]){"clean.network=none",
                                      "clean.word_break=dictionary", NULL}) ==
          ST_OK);
    CHECK(has_word(&c.d, "ABC"));
    CHECK(has_word(&c.d, "\xe0\xb9\x84\xe0\xb8\x97\xe0\xb8\xa2")); /* ไทย */
    CHECK(c.d.tokens_n == 4); /* "language" "Thai" ABC "Thailand" */
    CHECK(c.d.blocks[0].tokens == 4);
    finish(&c);
    CHECK(clean(&c, thai, (const char *const[]){"clean.network=none", NULL}) ==
          ST_OK);
    CHECK(!has_word(&c.d, "\xe0\xb9\x84\xe0\xb8\x97\xe0\xb8\xa2"));
    finish(&c);
}

/* Text without such scripts has the same words either way. */
static void
segments_end_where_the_text_ends(void)
{
    struct segmenter *g = NULL;
    struct arena *a = arena_new();
    const size_t *cuts;

    CHECK(segmenter_open(&g) == ST_OK);
    cuts = segment_cuts(g, a, S("two words"));
    CHECK(cuts != NULL && cuts[0] == 0 && cuts[1] == 3 && cuts[2] == 4 &&
          cuts[3] == 9);
    cuts = segment_cuts(g, a, S(""));
    CHECK(cuts != NULL && cuts[0] == 0);
    arena_free(a);
    segmenter_free(g);
    segmenter_free(NULL);
}

static void
profiles_of_ones_own_judge_in_their_order(void)
{
    char option[160];
    struct cleaned c;

    folder_put("aa.prof",
               S("DE|-1.0|0.2|5\nZZZ|-1.0|0.2|5\n")); /* half of it missing */
    folder_put("other", S("DE|-1.0|0.2|5\nHET|-1.6|0.3|5\n"));
    snprintf(option, sizeof option, "clean.profiles=%s bb=%s",
             in_folder("aa.prof"), in_folder("other"));
    CLEAN(&c, option);
    CHECK(str_eq(c.d.language, S("bb")) && str_eq(c.d.language_best, S("bb")));
    finish(&c);
    CLEAN(&c, option, "clean.badness_break=40");
    CHECK(str_eq(c.d.language, S("aa")) && str_eq(c.d.language_best, S("bb")));
    finish(&c);
    CLEAN(&c, option, "clean.badness_break=1", "clean.language=aa bb");
    CHECK(str_eq(c.d.language, S("bb")));
    finish(&c);
    CHECK(verdict(page, (const char *const[]){
                            "clean.noindex=off", option, "clean.language=aa",
                            "clean.chars_min=1", "clean.badness_max=1000",
                            NULL}) == VERDICT_LANGUAGE);
    CHECK(
        verdict(page, (const char *const[]){
                          "clean.noindex=off", option, "clean.language=aa",
                          "clean.chars_min=1", "clean.badness_max=1000",
                          "clean.language_margin=1000", NULL}) == VERDICT_NONE);
}

static void
a_word_without_end_is_no_text(void)
{
    enum { LETTERS = 65599 };
    static char html[2 * LETTERS];
    struct cleaned c;
    size_t n = 0;

    n += (size_t)sprintf(html, "<p>");
    for (unsigned i = 0; i < LETTERS; i++)
        html[n++] = "etaoinshrdlu"[i * 7 % 11 + i % 2];
    strcpy(html + n, "</p>");
    CHECK(verdict(html, (const char *const[]){NULL}) == VERDICT_SHORT);
    CHECK(verdict(html, (const char *const[]){"clean.chars_min=100", NULL}) ==
          VERDICT_SHORT);
    strcpy(html + n, "</p><p>It is a house with a garden and it is on the hill "
                     "of the town, where you can see the sea and the ships.");
    CHECK(clean(&c, html,
                (const char *const[]){"clean.chars_min=50", "clean.language=en",
                                      "clean.boilerplate_max=1", NULL}) ==
          ST_OK);
    CHECK(c.d.reject == VERDICT_NONE && c.d.kept_chars < 200);
    CHECK(!c.d.blocks[0].kept && c.d.blocks[c.d.blocks_n - 1].kept);
    CHECK(c.d.tokens_n > 20 && c.d.tokens_n < 30);
    finish(&c);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_chains_preset_is_every_stage_in_order),
        TEST(stages_that_are_left_out_do_nothing),
        TEST(chains_that_cannot_work_are_refused),
        TEST(every_limit_rejects_by_its_name),
        TEST(blocks_of_the_regex_are_boilerplate),
        TEST(without_a_network_all_is_text),
        TEST(links_are_kept_by_where_they_lead_and_by_length),
        TEST(words_come_from_the_blocks_that_count),
        TEST(words_are_made_of_the_letters_that_are_named),
        TEST(dictionaries_find_words_between_no_blanks),
        TEST(a_word_without_end_is_no_text),
        TEST(segments_end_where_the_text_ends),
        TEST(profiles_of_ones_own_judge_in_their_order),
        {0},
    };

    return folder_main(table, argc, argv);
}
