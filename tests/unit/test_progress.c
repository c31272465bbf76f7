/* test_progress.c -- how far long work is.  Method: the texts of known states;
 * then work that adds, with log lines due at once. */
#include "test.h"

#include <pthread.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"

static char *
live(const struct progress_state *s, uint32_t columns)
{
    static struct buf out;

    buf_clear(&out);
    progress_live(s, columns, &out);
    buf_char(&out, '\0');
    return out.p;
}

static char *
plain(const struct progress_state *s)
{
    static struct buf out;

    buf_clear(&out);
    progress_plain(s, &out);
    buf_char(&out, '\0');
    return out.p;
}

static bool
same(const char *got, const char *want)
{
    if (strcmp(got, want) != 0)
        fprintf(stderr, "wanted: %s\ngot:    %s\n", want, got);
    return strcmp(got, want) == 0;
}

static void
the_line_says_how_far_how_fast_and_how_long(void)
{
    struct progress_state s = {.what = "load",
                               .unit = "URLs",
                               .done = 250000,
                               .total = 1000000,
                               .rate = 200,
                               .elapsed_ms = 1250000};

    CHECK(
        same(live(&s, 200),
             "load  250,000 of 1,000,000 URLs (25.0 %)  200/s  1:02:30 left"));
    CHECK(same(plain(&s), "seconds=1250 URLs=250000 of=1000000 "
                          "per_second=200.0 seconds_left=3750"));
    s.label = "kept";
    s.figure = 1234;
    s.unit = PROGRESS_BYTES;
    CHECK(same(live(&s, 200), "load  250 kB of 1.0 MB (25.0 %)  1,234 kept  "
                              "200 B/s  1:02:30 left"));
    CHECK(same(plain(&s), "seconds=1250 bytes=250000 of=1000000 kept=1234 "
                          "per_second=200.0 seconds_left=3750"));
    CHECK(strlen(live(&s, 30)) == 30);
}

static void
what_is_not_known_is_not_said(void)
{
    struct progress_state s = {.what = "dump", .unit = "URLs", .done = 7};

    CHECK(same(live(&s, 200), "dump  7 URLs  0.0/s"));
    CHECK(same(plain(&s), "seconds=0 URLs=7 per_second=0.0"));
    s.total = 10; /* no rate yet, so no time left */
    CHECK(same(live(&s, 200), "dump  7 of 10 URLs (70.0 %)  0.0/s"));
    s.done = 12; /* more than was thought */
    s.rate = 3.25;
    CHECK(same(live(&s, 200), "dump  12 of 10 URLs (120.0 %)  3.2/s"));
}

static size_t
lines_in(const struct buf *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        n += b->p[i] == '\n';
    return n;
}

static void
lines_come_when_they_are_due_and_no_sooner(void)
{
    struct buf said = {0};
    struct progress *p;

    log_capture(&said);
    progress_every_ms = 3600000;
    p = progress_begin("work", "pieces", 1000);
    for (int i = 0; i < 1000; i++)
        progress_add(p, 1);
    progress_end(p);
    CHECK(said.n == 0);
    progress_every_ms = 0;
    p = progress_begin("work", "pieces", 3);
    progress_figure(p, "good", 2);
    for (int i = 0; i < 3; i++)
        progress_add(p, 1);
    progress_end(p);
    CHECK(lines_in(&said) == 3);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "pieces=1 of=3 good=2 ") != NULL);
    CHECK(strstr(said.p, "pieces=3 of=3 ") != NULL);
    progress_every_ms = PROGRESS_OFF;
    buf_clear(&said);
    p = progress_begin("work", "pieces", 3);
    progress_to(p, 2);
    progress_end(p);
    CHECK(said.n == 0);
    log_capture(NULL);
    buf_free(&said);
    progress_add(NULL, 1);
    progress_to(NULL, 1);
    progress_figure(NULL, "", 1);
    progress_end(NULL);
}

static void *
adds(void *progress)
{
    for (int i = 0; i < 10000; i++)
        progress_add(progress, 1);
    return NULL;
}

static void
threads_add_up(void)
{
    struct buf said = {0};
    pthread_t thread[4];
    struct progress *p;

    progress_every_ms = 50;
    p = progress_begin("work", "pieces", 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, adds, p);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    clock_sleep_ms(60);
    log_capture(&said);
    progress_add(p, 2);
    log_capture(NULL);
    progress_end(p);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, " pieces=40002 ") != NULL);
    buf_free(&said);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_line_says_how_far_how_fast_and_how_long),
        TEST(what_is_not_known_is_not_said),
        TEST(lines_come_when_they_are_due_and_no_sooner),
        TEST(threads_add_up),
        {0},
    };

    return test_main(table, argc, argv);
}
