/* Known sentences: which documents go, and what is left of the others.  The
 * stage runs over documents of made blocks, one after the other. */
#include "clean/chain/stage.h"
#include "clean/text/known_sentences.h"
#include "test.h"

extern const struct stage stage_sentences;

#define A "The first of them is long enough."
#define B "Here is another, which is long, too!"
#define C "A third sentence stands at the end?"
#define D "Nobody else has ever written this one."

static void *
opened(const char *what, const char *share)
{
    struct opts o;
    struct buf text = {0};
    void *self = NULL;

    opts_init(&o);
    buf_printf(&text, "clean.known_sentences=%s", what);
    CHECK(opts_set(&o, "test", buf_view(&text)) == ST_OK);
    buf_clear(&text);
    buf_printf(&text, "clean.known_sentences_max=%s", share);
    CHECK(opts_set(&o, "test", buf_view(&text)) == ST_OK);
    CHECK(stage_sentences.open(&self, &o) == ST_OK);
    opts_free(&o);
    buf_free(&text);
    return self;
}

/* What is left of a document of two blocks: "a|b"; "-": it is rejected. */
static const char *
left(void *self, const char *one, const char *two)
{
    static char out[600];
    struct arena *a = arena_new();
    struct block blocks[2] = {{.text = str_c(one), .kept = true},
                              {.text = str_c(two), .kept = two[0] != '\0'}};
    struct document d = {.arena = a, .blocks = blocks, .blocks_n = 2};

    d.kept_blocks_n = two[0] != '\0' ? 2 : 1;
    CHECK(stage_sentences.run(self, &d) == ST_OK);
    snprintf(out, sizeof out, "%.*s%s%.*s", STRF(blocks[0].text),
             blocks[1].kept ? "|" : "", STRF(blocks[1].text));
    if (d.reject != VERDICT_NONE) {
        CHECK(d.reject == VERDICT_NEAR_DUPLICATE);
        strcpy(out, "-");
    }
    arena_free(a);
    return out;
}

#define LEFT(self, one, two, expected)                                         \
    CHECK(strcmp(left(self, one, two), expected) == 0)

static void
documents_with_too_many_known_sentences_go(void)
{
    void *self = opened("reject", "0.5");

    LEFT(self, A " " B, "", A " " B);
    LEFT(self, A " " B, "", "-");
    LEFT(self, A " " C, D, A " " C "|" D); /* one of three */
    LEFT(self, C, D " " A, "-");
    LEFT(self, "Yes. No. Go on.", "", "Yes. No. Go on."); /* short ones */
    LEFT(self, "Yes. No. Go on.", "", "Yes. No. Go on.");
    stage_sentences.close(self);
}

static void
what_a_rejected_document_had_is_not_known(void)
{
    void *self = opened("reject", "0.5");

    LEFT(self, A " " B, "", A " " B);
    LEFT(self, A " " B " " C, "", "-");
    LEFT(self, C, "", C);
    LEFT(self, C, "", "-");
    stage_sentences.close(self);
}

static void
known_sentences_are_cut_and_unknown_ones_stay(void)
{
    void *self = opened("cut", "1");

    LEFT(self, A " " B, C " " A, A " " B "|" C " " A); /* twice in one */
    LEFT(self, D " " A, B, D);
    LEFT(self, "Oh. " A " Oh.", "", "Oh. Oh.");
    LEFT(self, A, B, "-"); /* nothing is left */
    stage_sentences.close(self);
}

static void
sentences_end_in_other_scripts_and_not_in_numbers(void)
{
    void *self = opened("cut", "1");

#define JA "これはとても長い文であり、誰でも読める。"
#define JB "次の文もまた同じように長いのです。"
    LEFT(self, JA JB, "", JA JB);
    LEFT(self, "新しい。" JB, "", "新しい。");
#define URDU_A "یہ ایک لمبا جملہ ہے جو سب پڑھ سکتے ہیں۔"
#define URDU_B "دوسرا جملہ بھی اتنا ہی لمبا ہے۔"
    LEFT(self, URDU_A " " URDU_B, "", URDU_A " " URDU_B);
    LEFT(self, "نیا۔ " URDU_B, "", "نیا۔");
#define AM_A "ይህ ሁሉም ሰው የሚያነበው ረጅም ዓረፍተ ነገር ነው።"
#define AM_B "ሁለተኛውም እንደዚሁ ረጅም ነው።"
    LEFT(self, AM_A AM_B, "", AM_A AM_B);
    LEFT(self, "አዲስ።" AM_B, "", "አዲስ።");
    LEFT(self, "It costs 3.14 at www.example.org today.", "",
         "It costs 3.14 at www.example.org today.");
    LEFT(self, "He said \"It costs 3.14 at home.\" " D, "",
         "He said \"It costs 3.14 at home.\" " D);
    LEFT(self, "He said \"It costs 3.14 at home.\" Oh.", "", "Oh.");
    stage_sentences.close(self);
}

static enum status
open_with(const char *here, const char *there, void **self)
{
    struct opts o;
    struct buf text = {0};
    enum status st;

    opts_init(&o);
    buf_printf(&text, "clean.known_sentences=%s", here);
    CHECK(opts_set(&o, "test", buf_view(&text)) == ST_OK);
    buf_clear(&text);
    buf_printf(&text, "dedup.known_sentences=%s", there);
    CHECK(opts_set(&o, "test", buf_view(&text)) == ST_OK);
    st = stage_sentences.open(self, &o);
    opts_free(&o);
    buf_free(&text);
    return st;
}

/* With a dedup service they are listed, and cut when it has said which. */
static void
what_a_service_knows_is_cut_afterwards(void)
{
    static const bool known[] = {false, true, false, true};
    struct arena *a = arena_new();
    struct block blocks[] = {{.text = STR(A " " B), .kept = true},
                             {.text = STR("navigation. " C), .kept = false},
                             {.text = STR("Oh. " D), .kept = true}};
    struct document d = {
        .arena = a, .blocks = blocks, .blocks_n = 3, .kept_blocks_n = 2};
    void *self = NULL;

    CHECK(open_with("off", "cut", &self) == ST_OK && self != NULL);
    CHECK(stage_sentences.run(self, &d) == ST_OK);
    CHECK(d.reject == VERDICT_NONE && d.sentences_n == 4);
    CHECK(str_eq(blocks[0].text, S(A " " B)));
    for (size_t i = 0; i < 4; i++) {
        CHECK(d.sentences[i].counts == (i != 2) && !d.sentences[i].known);
        d.sentences[i].known = known[i];
    }
    CHECK(d.sentences[0].key.low == hash128(S(A)).low);
    sentences_cut(&d);
    CHECK(str_eq(blocks[0].text, S(A)) && str_eq(blocks[2].text, S("Oh.")));
    CHECK(d.reject == VERDICT_NONE);
    d.sentences[0].known = d.sentences[2].known = true;
    sentences_cut(&d);
    CHECK(d.kept_blocks_n == 0 && d.reject == VERDICT_NEAR_DUPLICATE);
    stage_sentences.close(self);
    arena_free(a);
}

static void
not_both_stage_and_service_know_sentences(void)
{
    void *self = NULL;

    CHECK(open_with("cut", "cut", &self) == ST_USAGE && self == NULL);
    CHECK(open_with("reject", "cut", &self) == ST_USAGE);
}

static void
off_it_does_nothing(void)
{
    void *self = opened("off", "0.5");

    CHECK(self == NULL);
    LEFT(self, A, "", A);
    LEFT(self, A, "", A);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(documents_with_too_many_known_sentences_go),
        TEST(what_a_rejected_document_had_is_not_known),
        TEST(known_sentences_are_cut_and_unknown_ones_stay),
        TEST(sentences_end_in_other_scripts_and_not_in_numbers),
        TEST(what_a_service_knows_is_cut_afterwards),
        TEST(not_both_stage_and_service_know_sentences),
        TEST(off_it_does_nothing),
        {0}};

    return test_main(table, argc, argv);
}
