/* Profiles out of token files are those out of the text they were made from. */
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "clean/train/confusable_input.h"
#include "clean/train/profile_input.h"
#include "test.h"

static const char *const texts[] = {
    "de man en de vrouw en het kind in de tuin van de buren\n",
    "het huis van de man is in de straat en de tuin is groot\n",
    "in de stad is het druk en de man van de winkel is moe\n"};

static char path[] = "/tmp/winnow-tokens-XXXXXX";

/* The text of the profile of the file, with 3 types. */
static void
profile_of(struct str file, uint64_t words_n, struct buf *out)
{
    struct profiler *p = profiler_new();
    struct arena *a = arena_new();
    struct profile made;

    CHECK(file_write(path, file) == ST_OK);
    CHECK(profile_input(p, path, words_n) == ST_OK);
    CHECK(profiler_documents_n(p) == 3);
    CHECK(profiler_finish(p, &made, a,
                          &(struct profiler_plan){.language = S("nl"),
                                                  .types_n = 3,
                                                  .types_min = 3,
                                                  .sd_min = 0.01}) == ST_OK);
    profile_print(&made, out);
    arena_free(a);
    profiler_free(p);
}

static void
token_files_give_the_profile_of_their_text(void)
{
    struct buf text = {0}, tokens = {0}, one = {0}, two = {0};
    struct letters *l = letters_new();
    struct arena *a = arena_new();

    for (size_t i = 0; i < 3; i++) {
        struct words w;

        buf_c(&text, texts[i]);
        words_init(&w, l, a);
        words_add(&w, str_c(texts[i]));
        buf_printf(&tokens, "# id%zu\t%u\t%u\n", i, w.types_n, w.hashes_n);
        for (uint32_t k = 0; k < w.types_n; k++) {
            uint32_t n = w.types[k].count;

            if (n > 1) /* texrex lists its first type twice */
                buf_printf(&tokens, "%.*s\t1\t0.1\n", STRF(w.types[k].text));
            buf_printf(&tokens, "%.*s\t%u\t0.1\n", STRF(w.types[k].text),
                       n > 1 ? n - 1 : n);
        }
    }
    profile_of(buf_view(&text), 10, &one);
    profile_of(buf_view(&tokens), 10, &two);
    CHECK(one.n > 0 && str_eq(buf_view(&one), buf_view(&two)));
    arena_free(a);
    letters_free(l);
    buf_free(&text);
    buf_free(&tokens);
    buf_free(&one);
    buf_free(&two);
}

static void
what_is_no_token_file_is_refused_or_is_text(void)
{
    static const struct {
        const char *file;
        enum status st;
        uint64_t tokens_n;
    } cases[] = {
        {"# a\t1\t2\nDE\t2\t1\n", ST_OK, 2},
        {"# a\t1\t2\nDE 2\n", ST_INVALID, 0},
        {"# a\t1\t2\nDE\tx\n", ST_INVALID, 0},
        {"# a\t1\tx\nDE\t2\n", ST_OK, 3}, /* words A, X, DE */
        {"# a\t1\t2\n", ST_OK, 0},
        {"", ST_OK, 0},
        {"\xff\n", ST_INVALID, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profiler *p = profiler_new();

        CHECK(file_write(path, str_c(cases[i].file)) == ST_OK);
        CHECK(profile_input(p, path, 0) == cases[i].st);
        CHECK(profiler_tokens_n(p) == cases[i].tokens_n);
        profiler_free(p);
    }
    CHECK(unlink(path) == 0);
    CHECK(profile_input(NULL, path, 0) == ST_IO);
}

/* 2,000 words, of which every second line is none. */
static void
lists_of_words_are_read_and_other_lines_passed_over(void)
{
    struct buf list = {0};
    struct confusable_learner *l;
    struct profiler *p = profiler_new();
    struct arena *a = arena_new();
    struct profile made;

    buf_c(&list, "9000\ttko\n9000\tdr.\n9000\nx\tko\n9000\t\n\xff\tko\n");
    for (int i = 0; i < 2000; i++)
        buf_printf(&list, "10\tb%c%c%c\n7\tb%d\n", 'a' + i / 100,
                   'a' + i / 10 % 10, 'a' + i % 10, i);
    CHECK(file_write(path, buf_view(&list)) == ST_OK);
    CHECK(confusable_input(&l, path, path) == ST_OK);
    confusable_learner_add(l, S("TKO"), 9000, CONFUSABLE_LANGUAGE);
    confusable_learner_add(l, S("KO"), 9000, CONFUSABLE_OTHER);
    for (size_t i = 0; i < 3; i++)
        profiler_add(p, str_c(texts[i]));
    CHECK(
        profiler_finish(p, &made, a,
                        &(struct profiler_plan){
                            .language = S("hr"),
                            .types_n = 3,
                            .types_min = 3,
                            .sd_min = 0.01,
                            .confusable = &(struct confusable_plan){S("bs"), l},
                            .confusable_n = 1}) == ST_OK);
    CHECK(made.confusable != NULL && made.confusable->stems_n == 2);
    CHECK(confusable_weight(made.confusable, S("TKO")) < 0 &&
          confusable_weight(made.confusable, S("KO")) > 0);
    confusable_learner_free(l);
    CHECK(confusable_input(&l, path, "/nowhere/list") == ST_IO && l == NULL);
    unlink(path);
    buf_free(&list);
    arena_free(a);
    profiler_free(p);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(token_files_give_the_profile_of_their_text),
        TEST(what_is_no_token_file_is_refused_or_is_text),
        TEST(lists_of_words_are_read_and_other_lines_passed_over),
        {0},
    };

    CHECK(mkstemp(path) >= 0);
    return test_main(table, argc, argv);
}
