/* test_tagger.c -- taggers: learnt from a small treebank, read back, refused
 * when they are none; and the shipped ones.  Method: sentences of a made
 * language whose plurals end in -s. */
#include "base/checksum_line.h"
#include "base/log.h"
#include "corpus/tagger/conllu.h"
#include "corpus/tagger/tagger_model.h"
#include "corpus/tagger/tagger_train.h"
#include "folder.h"
#include "test.h"

static const char treebank[] = "# text = il banos mira\n"
                               "1\til\til\tDET\tart\n"
                               "2\tbanos\tbano\tNOUN\tplural\n"
                               "3\tmira\tmirar\tVERB\t_\n\n"
                               "1-2\tdalil\t_\t_\t_\n"
                               "1\tda\tda\tADP\t_\n"
                               "2\til\til\tDET\t_\n"
                               "3\tlupos\tlupo\tNOUN\tplural\n"
                               "3.1\tx\tx\tX\t_\n"
                               "4\t.\t.\tPUNCT\t_\n\n"
                               "1\tIl\til\tDET\t_\n"
                               "2\tvero\tvero\tNOUN\tsingular\n"
                               "3\tcanta\tcantar\tVERB\t_\n";

/* The model learnt from that, in *out; the caller frees it. */
static void
learn(struct buf *out)
{
    char *from = in_folder("treebank.conllu"), *to = in_folder("xx.tagger");
    const char *files[1] = {from};
    struct tagger_plan plan = {
        .files = files, .files_n = 1, .out = to, .epochs = 10, .bits = 12};

    folder_put("treebank.conllu", S(treebank));
    CHECK(tagger_train(&plan) == ST_OK);
    CHECK(file_read(out, to, 1 << 24) == ST_OK);
}

static void
words_of_several_and_empty_nodes_are_passed_over(void)
{
    struct arena *a = arena_new();
    struct conllu c = {.n = 0};

    CHECK(conllu_read(&c, a, S(treebank), false) == 0);
    CHECK(c.n == 3 && c.words_n == 10);
    CHECK(str_eq(c.sentences[1].words[0], S("da")));
    CHECK(c.sentences[1].tags[3] == upos_find(S("PUNCT")));
    CHECK(str_eq(c.sentences[0].xpos[1], S("plural")));
    CHECK(c.sentences[0].xpos[2].n == 0);
    CHECK(conllu_read(&c, a, S("1\tx\tx\tNONE\t_\n\n"), false) == 0 &&
          c.n == 3);
    CHECK(conllu_read(&c, a, S("# fine\n1\tx\n"), false) == 2);
    CHECK(conllu_read(&c, a, S(treebank), true) == 0 && c.n == 6);
    CHECK(c.sentences[3].xpos[1].n == 0);
    arena_free(a);
}

static void
what_was_learnt_holds_for_new_words(void)
{
    struct str words[3] = {S("Il"), S("piros"), S("danta")}, own[3];
    struct str one[1] = {S("piro")};
    struct arena *a = arena_new();
    struct buf model = {0};
    struct tagger *t;
    uint8_t tags[3];

    learn(&model);
    CHECK(tagger_read(&t, buf_view(&model)) == ST_OK);
    tagger_tag(t, a, words, 3, tags);
    CHECK(tags[0] == upos_find(S("DET")));
    CHECK(tags[1] == upos_find(S("NOUN")));
    CHECK(tags[2] == upos_find(S("VERB")));
    tagger_xpos(t, a, words, 3, tags, own);
    CHECK(str_eq(own[0], S("art")));
    CHECK(str_eq(own[1], S("plural")));
    CHECK(own[2].n == 0);
    tagger_xpos(t, a, one, 1, &tags[1], own);
    CHECK(str_eq(own[0], S("singular")));
    CHECK(str_eq(tagger_lemma(t, a, words[0], tags[0]), S("il")));
    CHECK(str_eq(tagger_lemma(t, a, words[1], tags[1]), S("piro")));
    CHECK(str_eq(tagger_lemma(t, a, words[2], tags[2]), S("dantar")));
    tagger_free(t);
    buf_free(&model);
    arena_free(a);
}

static void
a_model_that_is_cut_anywhere_is_refused(void)
{
    struct buf model = {0};
    struct tagger *t;

    learn(&model);
    for (size_t n = 0; n < buf_view(&model).n; n += n < 64 ? 1 : 997)
        CHECK(tagger_read(&t, str_sub(buf_view(&model), 0, n)) == ST_INVALID);
    CHECK(tagger_read(&t, S("winnow-tagger 2\nweights 99\n")) == ST_INVALID);
    CHECK(tagger_read(&t, S("winnow-tagger 2\nxpos 1\nNONE a\ncolumns 1\n")) ==
          ST_INVALID);
    CHECK(tagger_read(&t, S("winnow-tagger 2\nxpos 2\nNOUN a\nNOUN b\n"
                            "columns 1\nweights 4\n")) == ST_INVALID);
    buf_free(&model);
}

/* One of a version that had no checksum is a model, too. */
static void
a_model_with_a_changed_bit_is_refused(void)
{
    struct buf model = {0};
    struct tagger *t;

    learn(&model);
    for (size_t at = 0; at < model.n; at += at + 30 < model.n ? 499 : 1) {
        model.p[at] ^= 16;
        CHECK(tagger_read(&t, buf_view(&model)) == ST_INVALID);
        model.p[at] ^= 16;
    }
    CHECK(checksum_line_take(&(struct str){model.p, model.n}) ==
          CHECKSUM_RIGHT);
    model.n -= strlen("crc32 XXXXXXXX\n");
    CHECK(tagger_read(&t, buf_view(&model)) == ST_OK);
    tagger_free(t);
    buf_free(&model);
}

static void
a_damaged_file_is_named_as_such(void)
{
    struct buf said = {0}, model = {0};
    struct tagger *t;

    learn(&model);
    folder_put("taggers/xx.tagger", str_n(model.p, model.n / 2));
    log_capture(&said);
    CHECK(tagger_open(&t, S("xx"), folder) == ST_INVALID);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "taggers/xx.tagger: is damaged or cut") != NULL);
    buf_free(&said);
    buf_free(&model);
}

static void
a_model_of_another_language_is_refused(void)
{
    char *from = in_folder("treebank.conllu"), *to = in_folder("of.tagger");
    const char *files[1] = {from};
    struct tagger_plan plan = {.files = files,
                               .files_n = 1,
                               .out = to,
                               .epochs = 1,
                               .bits = 12,
                               .language = STR("xx")};
    struct buf said = {0}, model = {0};
    struct tagger *t;

    folder_put("treebank.conllu", S(treebank));
    CHECK(tagger_train(&plan) == ST_OK);
    CHECK(file_read(&model, to, 1 << 24) == ST_OK);
    folder_put("taggers/xx.tagger", buf_view(&model));
    folder_put("taggers/yy.tagger", buf_view(&model));
    CHECK(tagger_open(&t, S("xx"), folder) == ST_OK);
    tagger_free(t);
    log_capture(&said);
    CHECK(tagger_open(&t, S("yy"), folder) == ST_INVALID && t == NULL);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "yy.tagger: is a model of the language xx") != NULL);
    buf_free(&said);
    buf_free(&model);
}

static int
ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Ends of up to three bytes, with all tags. */
static void
no_two_ends_share_a_key(void)
{
    enum { LETTERS = 26, KEYS = LETTERS * LETTERS * UPOS_N * 2 };
    static uint64_t key[KEYS];
    size_t n = 0;
    bool alike = false;

    for (int i = 0; i < LETTERS * LETTERS; i++) {
        char end[2] = {(char)('a' + i / LETTERS), (char)('a' + i % LETTERS)};

        for (unsigned tag = 0; tag < UPOS_N; tag++)
            for (unsigned whole = 0; whole < 2; whole++)
                key[n++] = lemma_key(str_n(end, 2), tag, whole ? 0 : 2);
    }
    qsort(key, n, sizeof *key, ascending);
    for (size_t i = 1; i < n; i++)
        alike |= key[i] == key[i - 1];
    CHECK(!alike);
}

static void
an_earlier_version_is_named(void)
{
    struct buf said = {0};
    struct tagger *t;

    folder_put("taggers/xx.tagger", S("winnow-tagger 1\nweights 4\n"));
    log_capture(&said);
    CHECK(tagger_open(&t, S("xx"), folder) == ST_INVALID);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "of another version") != NULL);
    buf_free(&said);
}

/* The mean of several knows the treebank, too, and is another model. */
static void
the_mean_of_several_is_learnt(void)
{
    char *from = in_folder("treebank.conllu"), *to = in_folder("mean.tagger");
    const char *files[1] = {from};
    struct tagger_plan plan = {.files = files,
                               .files_n = 1,
                               .out = to,
                               .epochs = 3,
                               .bits = 12,
                               .seed = 1};
    struct str words[3] = {S("Il"), S("vero"), S("canta")};
    struct arena *a = arena_new();
    struct buf one = {0}, mean = {0};
    struct tagger *t;
    uint8_t tags[3];

    folder_put("treebank.conllu", S(treebank));
    CHECK(tagger_train(&plan) == ST_OK);
    CHECK(file_read(&one, to, 1 << 24) == ST_OK);
    plan.nets = 3;
    CHECK(tagger_train(&plan) == ST_OK);
    CHECK(file_read(&mean, to, 1 << 24) == ST_OK);
    CHECK(!str_eq(buf_view(&one), buf_view(&mean)));
    CHECK(tagger_read(&t, buf_view(&mean)) == ST_OK);
    tagger_tag(t, a, words, 3, tags);
    CHECK(tags[0] == upos_find(S("DET")) && tags[1] == upos_find(S("NOUN")) &&
          tags[2] == upos_find(S("VERB")));
    tagger_free(t);
    buf_free(&one);
    buf_free(&mean);
    arena_free(a);
}

static void
nothing_to_learn_from_is_said(void)
{
    char *from = in_folder("empty.conllu");
    const char *files[1] = {from};
    struct tagger_plan plan = {
        .files = files, .files_n = 1, .epochs = 1, .bits = 8};
    struct buf said = {0};

    folder_put("empty.conllu", S("# nothing\n\n"));
    log_capture(&said);
    CHECK(tagger_train(&plan) == ST_INVALID);
    folder_put("empty.conllu", S("1\tx\n"));
    CHECK(tagger_train(&plan) == ST_INVALID);
    log_capture(NULL);
    CHECK(memmem(buf_view(&said).p, buf_view(&said).n, "line 1 ", 7) != NULL);
    buf_free(&said);
}

static void
without_tags_of_their_own_there_are_none(void)
{
    char from[500];
    const char *files[1] = {from};
    struct tagger_plan plan = {
        .files = files, .files_n = 1, .epochs = 2, .bits = 12};
    struct str word[1] = {S("banos")}, own[1] = {S("x")};
    struct arena *a = arena_new();
    struct buf model = {0};
    struct tagger *t;
    uint8_t tag[1] = {0};

    folder_put("plain.conllu", S(treebank));
    snprintf(from, sizeof from, "upos:%s", in_folder("plain.conllu"));
    plan.out = in_folder("plain.tagger");
    CHECK(tagger_train(&plan) == ST_OK);
    CHECK(file_read(&model, plan.out, 1 << 24) == ST_OK);
    CHECK(tagger_read(&t, buf_view(&model)) == ST_OK);
    tagger_xpos(t, a, word, 1, tag, own);
    CHECK(own[0].n == 0);
    tagger_free(t);
    buf_free(&model);
    arena_free(a);
}

static bool
tags_are(const char *language, const char *sentence, const char *expected)
{
    struct str rest = str_c(sentence), words[32], want = str_c(expected), one;
    struct arena *a = arena_new();
    struct tagger *t = NULL;
    uint8_t tags[32];
    bool same = true;
    size_t n = 0;

    while (n < 32 && str_cut(&rest, ' ', &words[n]))
        n++;
    CHECK(tagger_open(&t, str_c(language), WINNOW_DATA_DIR) == ST_OK);
    if (t == NULL)
        return false;
    tagger_tag(t, a, words, n, tags);
    for (size_t i = 0; i < n; i++)
        same &= str_cut(&want, ' ', &one) && tags[i] == upos_find(one);
    tagger_free(t);
    arena_free(a);
    return same;
}

static void
shipped_models_tag_plain_sentences(void)
{
    struct tagger *t;

    CHECK(tags_are("en", "The old man saw a dog .",
                   "DET ADJ NOUN VERB DET NOUN PUNCT"));
    CHECK(tags_are("de", "Der alte Mann sah einen Hund .",
                   "DET ADJ NOUN VERB DET NOUN PUNCT"));
    CHECK(tags_are("nl", "De oude man zag een hond .",
                   "DET ADJ NOUN VERB DET NOUN PUNCT"));
    CHECK(tags_are("fr", "Le chat noir mange une souris .",
                   "DET NOUN ADJ VERB DET NOUN PUNCT"));
    CHECK(tagger_open(&t, S("xx"), WINNOW_DATA_DIR) == ST_NONE);
    CHECK(tagger_open(&t, S("../x"), WINNOW_DATA_DIR) == ST_NONE);
}

static const struct test tests[] = {
    TEST(words_of_several_and_empty_nodes_are_passed_over),
    TEST(what_was_learnt_holds_for_new_words),
    TEST(without_tags_of_their_own_there_are_none),
    TEST(a_model_that_is_cut_anywhere_is_refused),
    TEST(a_model_with_a_changed_bit_is_refused),
    TEST(a_damaged_file_is_named_as_such),
    TEST(a_model_of_another_language_is_refused),
    TEST(no_two_ends_share_a_key),
    TEST(an_earlier_version_is_named),
    TEST(the_mean_of_several_is_learnt),
    TEST(nothing_to_learn_from_is_said),
    TEST(shipped_models_tag_plain_sentences),
    {0}};

int
main(int argc, char **argv)
{
    int rc;

    folder_open();
    rc = test_main(tests, argc, argv);
    folder_close();
    return rc;
}
