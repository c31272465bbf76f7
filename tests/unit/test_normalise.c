/* The stages that touch text: second pass, normalise, duplicates, filter.
 *
 * Each is run alone over a document made by hand. */
#include "base/buf.h"
#include "clean/chain/codepoint.h"
#include "clean/cleaner/stages.h"
#include "clean/text/letters.h"
#include "test.h"
#include "wanted_stage.h"

#define BLOCKS_MAX 8

/* A document of kept blocks with these texts, as the boilerplate stage leaves
 * it. */
static struct document
document(struct arena *a, const char *const *texts)
{
    struct document d = {.arena = a};

    d.blocks = ARENA_ARRAY(a, struct block, BLOCKS_MAX);
    for (; texts[d.blocks_n] != NULL; d.blocks_n++) {
        struct block *b = &d.blocks[d.blocks_n];

        b->text = str_c(texts[d.blocks_n]);
        b->chars = codepoint_count(b->text);
        b->kept = true;
        b->duplicate_of = -1;
        d.all_chars += b->chars;
    }
    d.kept_blocks_n = d.blocks_n;
    d.kept_chars = d.all_chars;
    return d;
}

/* What a stage makes of one text. */
static bool
becomes(const struct stage *s, const char *text, const char *expected)
{
    const char *const texts[] = {text, NULL};
    struct arena *a = arena_new();
    struct document d = document(a, texts);
    void *self = NULL;
    bool same;

    if (s->open != NULL)
        CHECK(wanted_open(s, "clean.normalise=nfc sweep", &self) == ST_OK);
    CHECK(s->run(self, &d) == ST_OK);
    same = str_eq(d.blocks[0].text, str_c(expected)) &&
           d.blocks[0].chars == codepoint_count(d.blocks[0].text);
    if (!same)
        fprintf(stderr, "<%s> became <%.*s>\n", text, STRF(d.blocks[0].text));
    if (s->close != NULL)
        s->close(self);
    arena_free(a);
    return same;
}

static void
references_encoded_twice_are_decoded(void)
{
    const struct stage *s = &stage_double_encoding;

    CHECK(becomes(s, "caf&eacute; &amp; &#8364; &#x41;",
                  "caf\xc3\xa9 & \xe2\x82\xac A"));
    CHECK(becomes(s, "AT&T &amp &nosuchname; &; &#; a&b;c",
                  "AT&T &amp &nosuchname; &; &#; a&b;c"));
    CHECK(becomes(s, "?a=1&lt=2 x&", "?a=1&lt=2 x&"));
    CHECK(becomes(s, "&amp;lt;", "&lt;")); /* once, not until nothing is left */
}

static void
metadata_encoded_twice_is_decoded(void)
{
    struct str author = S("Jos&eacute;");
    struct meta_candidate candidates[2] = {
        {.field = META_SITE, .value = author},
        {.field = META_IMAGE, .value = author}};
    struct arena *a = arena_new();
    struct document d = {.arena = a,
                         .meta = {.site = author,
                                  .section = author,
                                  .authors = &author,
                                  .authors_n = 1,
                                  .candidates = candidates,
                                  .candidates_n = 2}};
    const struct str wanted = S("Jos\xc3\xa9");

    CHECK(stage_double_encoding.run(NULL, &d) == ST_OK);
    CHECK(str_eq(d.meta.site, wanted) && str_eq(d.meta.section, wanted));
    CHECK(str_eq(author, wanted) && str_eq(candidates[0].value, wanted));
    CHECK(str_eq(candidates[1].value, S("Jos&eacute;"))); /* a URL */
    arena_free(a);
}

static void
windows_1252_traces_become_what_was_meant(void)
{
    CHECK(becomes(&stage_double_encoding,
                  "it\xc2\x92s \xc2\x93so\xc2\x94 \xc2\x80 5",
                  "it\xe2\x80\x99s \xe2\x80\x9cso\xe2\x80\x9d \xe2\x82\xac 5"));
    CHECK(becomes(&stage_double_encoding,
                  "a\xc2\x81"
                  "b",
                  "a b"));
    CHECK(becomes(&stage_double_encoding, "\xc2\xa9 \xc3\x84",
                  "\xc2\xa9 \xc3\x84"));
}

static void
text_is_composed(void)
{
    CHECK(becomes(&stage_normalise, "e\xcc\x81t\xc3\xa9", "\xc3\xa9t\xc3\xa9"));
    CHECK(becomes(&stage_normalise, "\xe2\x84\xab", "\xc3\x85")); /* Angstrom */
    CHECK(becomes(&stage_normalise, "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab",
                  "\xed\x95\x9c")); /* Hangul */
    CHECK(becomes(&stage_normalise, "\xf0\x9d\x85\x9e",
                  "\xf0\x9d\x85\x97\xf0\x9d\x85\xa5")); /* grows */
    CHECK(
        becomes(&stage_normalise, "\xef\xac\x81", "\xef\xac\x81")); /* not K */
}

static void
marks_in_heaps_are_cut(void)
{
    struct buf heap = {0}, want = {0};

    buf_c(&heap, "x");
    buf_c(&want, "x");
    for (int i = 0; i < 1000; i++)
        buf_c(&heap, "\xcc\xa7");
    for (int i = 0; i < 30; i++)
        buf_c(&want, "\xcc\xa7");
    buf_c(&heap, "e\xcc\x81");
    buf_c(&want, "\xc3\xa9");
    for (int i = 0; i < 40; i++) {
        buf_c(&heap, "\xef\xa4\x80"); /* U+F900, no mark though it changes */
        buf_c(&want, "\xe8\xb1\x88");
    }
    buf_char(&heap, '\0');
    buf_char(&want, '\0');
    CHECK(becomes(&stage_normalise, heap.p, want.p));
    buf_free(&heap);
    buf_free(&want);
}

static void
invisible_characters_go_and_blanks_are_single(void)
{
    const struct stage *s = &stage_normalise;

    CHECK(becomes(s, "Do\xc2\xadku\xe2\x80\x8bment\xef\xbb\xbf", "Dokument"));
    CHECK(becomes(s,
                  "\xe2\x81\xa6"
                  "dok\xe2\x81\xa9u\xe2\x80\xae",
                  "doku"));
    CHECK(becomes(s, "a\xc2\xa0\xe2\x80\x83 b\xe3\x80\x80", "a b"));
    CHECK(becomes(s, "  a  b ", "a b"));
    CHECK(becomes(s,
                  "a\x01"
                  "b\x7f\xee\x80\x80 c\xef\xbf\xbe\xef\xb7\x90",
                  "a b c"));
    CHECK(becomes(s, "\xef\xbf\xbd", "\xef\xbf\xbd")); /* marks a bad byte */
    CHECK(becomes(s, "\xd9\x85\xe2\x80\x8c\xd8\xa7",
                  "\xd9\x85\xe2\x80\x8c\xd8\xa7")); /* Persian joiner stays */
    CHECK(becomes(s, "", ""));
}

/* Which is what Khmer, Thai and the like have between words. */
static void
zero_width_spaces_stay_where_they_part_words(void)
{
#define ZWSP "\xe2\x80\x8b"
    const struct stage *s = &stage_normalise;

    CHECK(becomes(s, "ខ្ញុំ" ZWSP "ស្រឡាញ់", "ខ្ញុំ" ZWSP "ស្រឡាញ់"));
    CHECK(becomes(s,
                  ZWSP "ไทย" ZWSP ZWSP "\xef\xbb\xbf"
                       "ดี" ZWSP,
                  "ไทย" ZWSP "ดี"));
    CHECK(
        becomes(s, "ไทย" ZWSP " " ZWSP "ดี" ZWSP "12" ZWSP "ไทย", "ไทย ดี12ไทย"));
    CHECK(becomes(s, "long" ZWSP "name 東京" ZWSP "都", "longname 東京都"));
#undef ZWSP
}

static void
a_block_that_becomes_empty_is_not_kept(void)
{
    const char *const texts[] = {"\xe2\x80\x8b\x01", "text", NULL};
    struct arena *a = arena_new();
    struct document d = document(a, texts);
    void *self;

    CHECK(wanted_open(&stage_normalise, "clean.normalise=nfc sweep", &self) ==
          ST_OK);
    CHECK(stage_normalise.run(self, &d) == ST_OK);
    CHECK(!d.blocks[0].kept && d.blocks[1].kept);
    CHECK(d.kept_blocks_n == 1 && d.kept_chars == 4 && d.all_chars == 4);
    stage_normalise.close(self);
    arena_free(a);
}

#define LONG_A "Twee keer dezelfde alinea op een bladzijde, dat komt voor."
#define LONG_B "Een andere alinea van ongeveer dezelfde lengte als de eerste."

static void
find_duplicates(struct document *d)
{
    struct opts o;
    void *self;

    opts_init(&o);
    CHECK(stage_duplicates.open(&self, &o) == ST_OK);
    opts_free(&o);
    CHECK(stage_duplicates.run(self, d) == ST_OK);
    stage_duplicates.close(self);
}

static void
a_repeated_block_is_dropped_unless_it_is_short(void)
{
    const char *const texts[] = {LONG_A, "Ja.",  LONG_B, LONG_A,
                                 "Ja.",  LONG_A, NULL};
    struct arena *a = arena_new();
    struct document d = document(a, texts);

    find_duplicates(&d);
    CHECK(d.kept_blocks_n == 4);
    CHECK(d.blocks[0].kept && d.blocks[1].kept && d.blocks[2].kept &&
          d.blocks[4].kept);
    CHECK(!d.blocks[3].kept && d.blocks[3].duplicate_of == 0);
    CHECK(!d.blocks[5].kept && d.blocks[5].duplicate_of == 0);
    CHECK(d.kept_chars == d.all_chars - 2 * d.blocks[0].chars);
    arena_free(a);
}

static void
a_copy_of_a_boilerplate_block_stays(void)
{
    const char *const texts[] = {LONG_A, LONG_A, LONG_B, NULL};
    struct arena *a = arena_new();
    struct document d = document(a, texts);

    d.blocks[0].kept = false;
    d.kept_blocks_n--;
    find_duplicates(&d);
    CHECK(d.blocks[1].kept && d.blocks[1].duplicate_of == -1);
    arena_free(a);
}

static void
boilerplate_that_repeats_a_block_is_marked_too(void)
{
    const char *const texts[] = {LONG_A, LONG_B, LONG_A, LONG_B, NULL};
    struct arena *a = arena_new();
    struct document d = document(a, texts);

    d.blocks[0].kept = d.blocks[2].kept = d.blocks[3].kept = false;
    d.kept_blocks_n = 1;
    d.kept_chars = d.blocks[1].chars;
    find_duplicates(&d);
    CHECK(d.blocks[0].duplicate_of == -1 && d.blocks[1].kept);
    CHECK(d.blocks[2].duplicate_of == 0 && d.blocks[3].duplicate_of == 1);
    CHECK(d.kept_blocks_n == 1 && d.kept_chars == d.blocks[1].chars);
    arena_free(a);
}

static enum verdict
filtered(struct document d)
{
    const struct opts o = {.clean_chars_min = 100,
                           .clean_blocks_min = 2,
                           .clean_chars_share_min = 0.5,
                           .clean_language_margin = 4,
                           .clean_noindex = true,
                           .clean_badness_max = 20};
    void *self;

    d.arena = arena_new();
    CHECK(stage_filter.open(&self, &o) == ST_OK);
    CHECK(stage_filter.run(self, &d) == ST_OK);
    stage_filter.close(self);
    arena_free(d.arena);
    return d.reject;
}

static void
every_filter_has_its_reason(void)
{
    const struct document good = {.blocks_n = 3,
                                  .kept_blocks_n = 2,
                                  .kept_chars = 100,
                                  .all_chars = 200,
                                  .badness = 20,
                                  .badness_best = 17};
    struct document d = good;

    CHECK(filtered(d) == VERDICT_NONE); /* at every limit */
    d.badness = 20.01;
    CHECK(filtered(d) == VERDICT_BADNESS);
    d.badness_best = 10;
    CHECK(filtered(d) == VERDICT_LANGUAGE);
    d.badness = 45; /* a table: no language fits */
    d.badness_best = 36;
    CHECK(filtered(d) == VERDICT_BADNESS);
    d.all_chars = 201;
    CHECK(filtered(d) == VERDICT_BOILERPLATE);
    d.kept_blocks_n = 1;
    CHECK(filtered(d) == VERDICT_BLOCKS);
    d.kept_chars = 99;
    CHECK(filtered(d) == VERDICT_SHORT);
    d.all_chars = 0;
    CHECK(filtered(d) == VERDICT_EMPTY);
    d.reject = VERDICT_CHARSET; /* the first reason stays */
    CHECK(filtered(d) == VERDICT_CHARSET);
}

static enum verdict
of_kinds(const char *kinds, const char *most, float listing, float collection)
{
    struct document d = {.blocks_n = 3,
                         .kept_blocks_n = 2,
                         .kept_chars = 1000,
                         .all_chars = 2000};
    struct opts o;
    void *self;

    d.arena = arena_new();
    d.page_kind[PAGE_KIND_LISTING] = listing;
    d.page_kind[PAGE_KIND_COLLECTION] = collection;
    opts_init(&o);
    CHECK(opts_set(&o, "test", str_c(kinds)) == ST_OK);
    CHECK(opts_set(&o, "test", str_c(most)) == ST_OK);
    CHECK(stage_filter.open(&self, &o) == ST_OK);
    CHECK(stage_filter.run(self, &d) == ST_OK);
    stage_filter.close(self);
    opts_free(&o);
    arena_free(d.arena);
    return d.reject;
}

static void
kinds_of_pages_are_rejected_by_what_they_have_together(void)
{
    const char *one = "clean.kinds_rejected=listing",
               *two = "clean.kinds_rejected=listing, collection",
               *half = "clean.kinds_rejected_max=0.5";

    CHECK(of_kinds("clean.kinds_rejected=", half, 1, 0) == VERDICT_NONE);
    CHECK(of_kinds(one, half, 0.5f, 0.5f) == VERDICT_NONE);
    CHECK(of_kinds(one, half, 0.51f, 0) == VERDICT_PAGE_KIND);
    CHECK(of_kinds(two, half, 0.3f, 0.3f) == VERDICT_PAGE_KIND);
    CHECK(of_kinds(two, half, 0, 0) == VERDICT_NONE); /* not estimated */
    CHECK(of_kinds(one, "clean.kinds_rejected_max=0.9", 0.8f, 0) ==
          VERDICT_NONE);
}

/* clean.normalise: each part alone. */
static void
what_is_left_out_is_not_done(void)
{
    const char *text = "e\xcc\x81 \xee\x80\x80\xc2\x85x\xc2\xad";

    CHECK(wanted_becomes(&stage_normalise, "clean.normalise=nfc sweep", text,
                         "\xc3\xa9 x"));
    CHECK(wanted_becomes(&stage_normalise, "clean.normalise=nfc", text,
                         "\xc3\xa9 \xee\x80\x80\xc2\x85x"));
    CHECK(wanted_becomes(&stage_normalise, "clean.normalise=sweep", text,
                         "e\xcc\x81 x"));
    CHECK(wanted_becomes(&stage_normalise, "clean.normalise=", " a\t\tb ",
                         "a b"));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(references_encoded_twice_are_decoded),
        TEST(metadata_encoded_twice_is_decoded),
        TEST(windows_1252_traces_become_what_was_meant),
        TEST(text_is_composed),
        TEST(marks_in_heaps_are_cut),
        TEST(invisible_characters_go_and_blanks_are_single),
        TEST(zero_width_spaces_stay_where_they_part_words),
        TEST(a_block_that_becomes_empty_is_not_kept),
        TEST(a_repeated_block_is_dropped_unless_it_is_short),
        TEST(a_copy_of_a_boilerplate_block_stays),
        TEST(boilerplate_that_repeats_a_block_is_marked_too),
        TEST(what_is_left_out_is_not_done),
        TEST(every_filter_has_its_reason),
        TEST(kinds_of_pages_are_rejected_by_what_they_have_together),
        {0},
    };

    return test_main(table, argc, argv);
}
