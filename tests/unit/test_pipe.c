/* The external filter: this program is its own child in several moods. */
#include <ctype.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "clean/cleaner/stages.h"
#include "clean/repair/pipe_filter.h"
#include "test.h"
#include "wanted_stage.h"

static char program[4096];

/* The child: framed by lengths, texts in capitals; some words make it
 * misbehave. */
static int
child(void)
{
    size_t n;

    while (scanf("%zu", &n) == 1 && getchar() == '\n') {
        char *text = calloc(n + 1, 1);

        if (text == NULL || fread(text, 1, n, stdin) != n)
            return 1;
        if (strstr(text, "die") != NULL) {
            free(text);
            return 3;
        }
        if (strstr(text, "sleep") != NULL)
            clock_sleep_ms(60000);
        if (strstr(text, "garble") != NULL)
            printf("no number\n");
        else if (strstr(text, "boast") != NULL)
            printf("99999999999\n");
        else if (strstr(text, "more") != NULL)
            printf("%zu\n%sand more", n, text);
        else if (strstr(text, "half") != NULL)
            printf("%zu\nhal", n);
        else if (strstr(text, "fewer") != NULL)
            printf("0\n");
        else {
            for (size_t i = 0; i < n; i++)
                text[i] = (char)toupper((unsigned char)text[i]);
            printf("%zu\n%s", n, text);
        }
        fflush(stdout);
        free(text);
    }
    return 0;
}

static struct pipe_filter *
own_child(uint64_t timeout_ms)
{
    struct buf b = {0};
    struct pipe_filter *f;

    buf_printf(&b, "exec %s --child", program);
    f = pipe_filter_new(buf_view(&b), PIPE_LENGTH, timeout_ms);
    buf_free(&b);
    return f;
}

static bool
answers(struct pipe_filter *f, const char *text, const char *wanted)
{
    struct buf out = {0};
    enum status st = pipe_filter_run(f, str_c(text), &out);
    bool same = st == ST_OK && str_eq(buf_view(&out), str_c(wanted));

    if (!same)
        fprintf(stderr, "<%s> became %s <%.*s>\n", text, status_name(st),
                STRF(buf_view(&out)));
    buf_free(&out);
    return same;
}

static enum status
outcome(struct pipe_filter *f, const char *text)
{
    struct buf out = {0};
    enum status st = pipe_filter_run(f, str_c(text), &out);

    buf_free(&out);
    return st;
}

static void
one_child_answers_many_texts(void)
{
    struct pipe_filter *f = own_child(20000);

    for (int i = 0; i < 100; i++)
        CHECK(answers(f, "some\ntext\n", "SOME\nTEXT\n"));
    CHECK(answers(f, "", ""));
    CHECK(pipe_filter_starts(f) == 1);
    pipe_filter_free(f);
}

static void
texts_larger_than_the_pipes_do_not_block(void)
{
    struct pipe_filter *f = own_child(60000);
    struct buf text = {0}, out = {0};

    for (int i = 0; i < 200000; i++)
        buf_c(&text, "0123456789\n");
    CHECK(pipe_filter_run(f, buf_view(&text), &out) == ST_OK);
    CHECK(str_eq(buf_view(&out), buf_view(&text)));
    pipe_filter_free(f);
    f = pipe_filter_new(S("cat"), PIPE_LINES, 60000);
    CHECK(pipe_filter_run(f, buf_view(&text), &out) == ST_OK);
    CHECK(str_eq(buf_view(&out), buf_view(&text)));
    pipe_filter_free(f);
    buf_free(&text);
    buf_free(&out);
}

static void
a_child_that_ended_is_started_again(void)
{
    struct pipe_filter *f = own_child(20000);

    CHECK(answers(f, "a", "A"));
    CHECK(outcome(f, "die") == ST_IO);
    CHECK(answers(f, "b", "B"));
    CHECK(pipe_filter_starts(f) == 2);
    pipe_filter_free(f);
}

static void
a_child_that_hangs_is_killed_in_time(void)
{
    struct pipe_filter *f = own_child(150);
    uint64_t before = clock_steady_ms(), took;

    CHECK(outcome(f, "sleep") == ST_TIMEOUT);
    took = clock_steady_ms() - before;
    CHECK(took >= 150 && took < 20000);
    pipe_filter_free(f);
    f = pipe_filter_new(S("sleep 60 | cat"), PIPE_LINES, 100);
    before = clock_steady_ms();
    CHECK(outcome(f, "x\n") == ST_TIMEOUT);
    pipe_filter_free(f); /* its whole process group is gone */
    CHECK(clock_steady_ms() - before < 20000);
}

static void
answers_that_are_not_framed_are_refused(void)
{
    static const char *const texts[] = {"garble", "boast", "more"};
    struct pipe_filter *f = own_child(20000);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(outcome(f, texts[i]) == ST_INVALID);
        CHECK(answers(f, "again", "AGAIN"));
    }
    pipe_filter_free(f);
    f = own_child(200);
    CHECK(outcome(f, "half an answer") == ST_TIMEOUT);
    pipe_filter_free(f);
}

static void
line_filters_of_the_system_work(void)
{
    struct pipe_filter *f =
        pipe_filter_new(S("sed -u 's/a/bb/g'"), PIPE_LINES, 20000);

    CHECK(answers(f, "a cat\n\nlast\n", "bb cbbt\n\nlbbst\n"));
    CHECK(answers(f, "a\n", "bb\n"));
    CHECK(pipe_filter_starts(f) == 1);
    pipe_filter_free(f);
}

static void
an_answer_that_was_too_long_is_not_given_to_the_next_text(void)
{
    struct pipe_filter *f = pipe_filter_new(
        S("while read l; do echo $l; sleep 0.05; echo extra; done"), PIPE_LINES,
        20000);

    CHECK(answers(f, "first\n", "first\n"));
    clock_sleep_ms(300);
    CHECK(answers(f, "second\n", "second\n"));
    CHECK(pipe_filter_starts(f) == 2);
    pipe_filter_free(f);
}

static void
a_command_that_is_not_there_is_a_fault_each_time(void)
{
    struct pipe_filter *f =
        pipe_filter_new(S("exec /nonexistent 2>/dev/null"), PIPE_LINES, 20000);

    CHECK(outcome(f, "a\n") == ST_IO);
    CHECK(outcome(f, "a\n") == ST_IO);
    pipe_filter_free(f);
}

static void *
open_stage(const char *framing, const char *command, const char *failure)
{
    struct opts o;
    struct buf b = {0};
    void *self = NULL;

    opts_init(&o);
    buf_printf(&b, "clean.pipe=%s", command);
    CHECK(opts_set(&o, "test", buf_view(&b)) == ST_OK);
    buf_clear(&b);
    buf_printf(&b, "clean.pipe_framing=%s", framing);
    CHECK(opts_set(&o, "test", buf_view(&b)) == ST_OK);
    buf_clear(&b);
    buf_printf(&b, "clean.pipe_failure=%s", failure);
    CHECK(opts_set(&o, "test", buf_view(&b)) == ST_OK);
    CHECK(stage_pipe.open(&self, &o) == ST_OK);
    buf_free(&b);
    opts_free(&o);
    return self;
}

static void
kept_blocks_come_back_changed(void)
{
    void *self = open_stage("lines", "sed -u 's/x//g;s/e/\xff/'", "keep");
    struct arena *a = arena_new();
    struct document d = {.arena = a, .blocks_n = 4, .kept_blocks_n = 3};
    static const char *const texts[] = {"one", "xaxb", "xboiler", "xx"};

    d.blocks = ARENA_ARRAY(a, struct block, 4);
    for (uint32_t i = 0; i < 4; i++) {
        d.blocks[i].text = str_c(texts[i]);
        d.blocks[i].chars = codepoint_count(d.blocks[i].text);
        d.blocks[i].kept = i != 2;
        d.all_chars += d.blocks[i].chars;
        d.kept_chars += d.blocks[i].kept ? d.blocks[i].chars : 0;
    }
    CHECK(stage_pipe.run(self, &d) == ST_OK);
    CHECK(str_eq(d.blocks[0].text, S("on\xef\xbf\xbd")));
    CHECK(str_eq(d.blocks[1].text, S("ab")));
    CHECK(str_eq(d.blocks[2].text, S("xboiler")));
    CHECK(d.blocks[3].text.n == 0 && !d.blocks[3].kept);
    CHECK(d.kept_blocks_n == 2 && d.kept_chars == 5 && d.all_chars == 12);
    stage_pipe.close(self);
    arena_free(a);
}

static void
code_keeps_its_lines(void)
{
    static const char *const commands[] = {"cat", "sed -u s/x/y/"};
    static const char *const wanted[] = {"  if x\n\n    then\n", "  if y\n\n"
                                                                 "    then\n"};

    for (int i = 0; i < 2; i++) {
        void *self = open_stage("lines", commands[i], "reject");
        struct arena *a = arena_new();
        struct document d = {.arena = a, .blocks_n = 3, .kept_blocks_n = 3};

        d.blocks = ARENA_ARRAY(a, struct block, 3);
        for (uint32_t k = 0; k < 3; k++) {
            d.blocks[k].text = k == 1 ? str_c(wanted[0]) : S("one");
            d.blocks[k].kept = true;
        }
        d.blocks[1].text.n--; /* its last line end */
        d.blocks[1].form.form = FORM_CODE;
        CHECK(stage_pipe.run(self, &d) == ST_OK && d.reject == VERDICT_NONE);
        CHECK(str_eq(d.blocks[0].text, S("one")));
        CHECK(str_starts(str_c(wanted[i]), d.blocks[1].text) &&
              d.blocks[1].text.n + 1 == strlen(wanted[i]));
        CHECK(str_eq(d.blocks[2].text, S("one")));
        stage_pipe.close(self);
        arena_free(a);
    }
}

static void
a_document_the_filter_fails_on_is_kept_or_rejected(void)
{
    static const char *const failure[] = {"keep", "reject"};
    char command[4200];

    snprintf(command, sizeof command, "exec %s --child", program);
    for (int i = 0; i < 2; i++) {
        static const char *const texts[] = {"die", "fewer lines"};
        void *self = open_stage("length", command, failure[i]);

        for (int k = 0; k < 2; k++) {
            struct arena *a = arena_new();
            struct document d = wanted_document(a, texts[k]);

            CHECK(stage_pipe.run(self, &d) == ST_OK);
            CHECK(d.reject == (i == 1 ? VERDICT_PIPE : VERDICT_NONE));
            CHECK(str_eq(d.blocks[0].text, str_c(texts[k])));
            arena_free(a);
        }
        stage_pipe.close(self);
    }
}

static void
without_a_command_nothing_happens(void)
{
    CHECK(wanted_becomes(&stage_pipe, "clean.pipe=", "text", "text"));
}

static void *
many_documents(void *self)
{
    size_t *wrong = calloc(1, sizeof *wrong);

    for (int i = 0; wrong != NULL && i < 200; i++) {
        struct arena *a = arena_new();
        struct document d = wanted_document(a, "a text");

        *wrong += stage_pipe.run(self, &d) != ST_OK ||
                  !str_eq(d.blocks[0].text, S("A text"));
        arena_free(a);
    }
    return wrong;
}

static void
threads_have_children_of_their_own(void)
{
    void *self = open_stage("lines", "sed -u s/a/A/", "keep");
    pthread_t t[4];

    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, many_documents, self) == 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;

        CHECK(pthread_join(t[i], &wrong) == 0);
        CHECK(wrong != NULL && *(size_t *)wrong == 0);
        free(wrong);
    }
    stage_pipe.close(self);
}

static const struct test tests[] = {
    TEST(one_child_answers_many_texts),
    TEST(texts_larger_than_the_pipes_do_not_block),
    TEST(a_child_that_ended_is_started_again),
    TEST(a_child_that_hangs_is_killed_in_time),
    TEST(answers_that_are_not_framed_are_refused),
    TEST(line_filters_of_the_system_work),
    TEST(an_answer_that_was_too_long_is_not_given_to_the_next_text),
    TEST(a_command_that_is_not_there_is_a_fault_each_time),
    TEST(kept_blocks_come_back_changed),
    TEST(code_keeps_its_lines),
    TEST(a_document_the_filter_fails_on_is_kept_or_rejected),
    TEST(without_a_command_nothing_happens),
    TEST(threads_have_children_of_their_own),
    {0},
};

int
main(int argc, char **argv)
{
    ssize_t n;

    if (argc > 1 && strcmp(argv[1], "--child") == 0)
        return child();
    n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0)
        return 2;
    program[n] = '\0';
    return test_main(tests, argc, argv);
}
