/* test_status_line.c -- the live status: texts compared whole, the terminal's
 * bytes through a pipe, time as a parameter. */
#include "test.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/live.h"
#include "base/log.h"
#include "crawler/report/status_line.h"

static const struct crawl_stats stats = {
    .fetched = 12345,
    .kept = 4938,
    .errors = 17,
    .retries = 3,
    .redirects = 40,
    .robots = 12,
    .disallowed = 5,
    .refused = 6,
    .fetched_bytes = 500000000,
    .page_limit = 1000000,
    .in_flight = 32,
    .cleaning = 4,
    .window_pages = 1000,
    .window_kept = 512,
    .waits = 2,
};

static const struct frontier_totals totals = {
    .queued = 54321,
    .hosts_ready = 12,
    .hosts_waiting = 3456,
    .hosts_full = 78,
    .queued_by_priority = {21, 0, 4300, 0, 0, 0, 0, 0, 0, 50000},
    .idle_slots = 7,
    .idle_ms = 12345,
};

static const struct status_rates rates = {12.34, 1234567, 3723000};

static void
the_live_lines_say_it_all(void)
{
    struct buf out = {0};

    status_line_live(&stats, &totals, &rates, 200, &out);
    CHECK(str_eq(
        buf_view(&out),
        S("1:02:03  fetched 12,345 of 1,000,000 (12.3/s, 1.2 MB/s)  kept 4,938"
          "  yield 40.0 % (last 1000: 51.2 %)\n"
          "hosts 12 ready, 3,456 waiting, 78 full  queue 54,321  .9: 21  .7: "
          "4,300  .0: 50,000\n"
          "in flight 32 (7 idle: patience)  cleaning 4  errors 17  retries 3  "
          "waits 2")));
    buf_free(&out);
}

static void
a_pause_says_why(void)
{
    struct crawl_stats s = stats;
    struct buf out = {0};

    s.pause = "disk full";
    status_line_live(&s, NULL, &rates, 200, &out);
    CHECK(str_ends(buf_view(&out), S("waits 2  PAUSED: disk full")));
    buf_clear(&out);
    status_line_plain(&s, NULL, &rates, &out);
    CHECK(str_ends(buf_view(&out), S(" paused=\"disk full\"")));
    buf_free(&out);
}

static void
lines_fit_the_terminal(void)
{
    for (uint32_t columns = 1; columns < 120; columns++) {
        struct buf out = {0};
        struct str rest, line;
        int lines = 0;

        status_line_live(&stats, &totals, &rates, columns, &out);
        rest = buf_view(&out);
        while (str_cut(&rest, '\n', &line)) {
            CHECK(line.n <= columns);
            lines++;
        }
        CHECK(lines == 3);
        buf_free(&out);
    }
}

static void
the_plain_line_is_key_and_value(void)
{
    struct buf out = {0};

    status_line_plain(&stats, &totals, &rates, &out);
    CHECK(str_eq(
        buf_view(&out),
        S("seconds=3723 fetched=12345 kept=4938 pages_per_s=12.3 "
          "bytes_per_s=1234567 yield=0.4000 yield_last=0.5120 in_flight=32 "
          "cleaning=4 errors=17 retries=3 redirects=40 robots=12 disallowed=5 "
          "refused=6 "
          "waits=2 queued=54321 hosts_ready=12 hosts_waiting=3456 "
          "hosts_full=78 queued_by_priority=21,0,4300,0,0,0,0,0,0,50000 "
          "idle_slots=7 "
          "idle_slot_seconds=12.3")));
    buf_free(&out);
}

static void
nothing_yet_is_no_division_by_zero(void)
{
    static const struct crawl_stats none;
    static const struct status_rates at_start;
    struct buf out = {0};

    status_line_live(&none, NULL, &at_start, 200, &out);
    CHECK(str_starts(buf_view(&out),
                     S("0:00:00  fetched 0 (0.0/s, 0 B/s)  kept 0  yield 0.0 "
                       "% (last 0: 0.0 %)\n")));
    buf_free(&out);
}

static void
the_window_counts_the_last_pages_only(void)
{
    static struct crawl_window w;
    static bool all[3 * CRAWL_WINDOW];

    for (uint32_t i = 0; i < 3 * CRAWL_WINDOW; i++) {
        uint32_t kept = 0;

        all[i] = i % 7 == 0 || (i > 1500 && i % 2);
        crawl_window_add(&w, all[i]);
        if (i % 97 != 0)
            continue;
        for (uint32_t k = i + 1 > CRAWL_WINDOW ? i + 1 - CRAWL_WINDOW : 0;
             k <= i; k++)
            kept += all[k];
        CHECK(w.kept == kept);
        CHECK(w.pages == (i + 1 < CRAWL_WINDOW ? i + 1 : CRAWL_WINDOW));
    }
}

/* What was written to the pipe since the last call. */
static const char *
drained(int fd)
{
    static char bytes[65536];
    ssize_t n = read(fd, bytes, sizeof bytes - 1);

    bytes[n > 0 ? n : 0] = '\0';
    return bytes;
}

static void
open_pipe(int fd[2])
{
    if (pipe(fd) != 0 || fcntl(fd[0], F_SETFL, O_NONBLOCK) != 0)
        abort();
}

static void
the_terminal_is_redrawn_in_place(void)
{
    struct status_line_setup setup = {.live = true, .columns = 20};
    struct crawl_stats s = stats;
    struct status_line *line;
    int fd[2];

    open_pipe(fd);
    setup.fd = fd[1];
    line = status_line_open(&setup, 1000);
    s.page_limit = 0;
    status_line_update(line, &s, NULL, 1000);
    CHECK(strcmp(drained(fd[0]),
                 "0:00:00  fetched 12,\nin flight 32  cleani") == 0);
    status_line_update(line, &s, NULL, 1200); /* too soon */
    CHECK(strcmp(drained(fd[0]), "") == 0);
    status_line_update(line, &s, NULL, 2250); /* up a line, erase, draw */
    CHECK(strcmp(drained(fd[0]),
                 "\r\033[A\033[J"
                 "0:00:01  fetched 12,\nin flight 32  cleani") == 0);
    status_line_close(line);
    CHECK(strcmp(drained(fd[0]), "\r\033[A\033[J") == 0);
    close(fd[0]);
    close(fd[1]);
}

static void
log_lines_scroll_by_above(void)
{
    struct status_line_setup setup = {.live = true, .columns = 9};
    struct status_line *line;
    const char *bytes;
    int fd[2], saved = dup(2);

    open_pipe(fd);
    setup.fd = fd[1];
    dup2(fd[1], 2); /* log lines and status share the terminal */
    line = status_line_open(&setup, 0);
    log_warn("test", "before the first drawing");
    CHECK(strstr(drained(fd[0]), "\033") == NULL);
    status_line_update(line, &stats, NULL, 0);
    drained(fd[0]);
    log_warn("test", "one");
    bytes = drained(fd[0]);
    CHECK(strncmp(bytes, "\r\033[A\033[J20", 9) == 0);
    CHECK(strstr(bytes, " warn test: one\n0:00:00  \nin flight"));
    log_warn("test", "two"); /* the redrawn lines are taken away again */
    CHECK(strncmp(drained(fd[0]), "\r\033[A\033[J20", 9) == 0);
    status_line_close(line);
    drained(fd[0]);
    log_warn("test", "after");
    CHECK(strstr(drained(fd[0]), "\033") == NULL);
    dup2(saved, 2);
    close(saved);
    close(fd[0]);
    close(fd[1]);
}

static void
without_a_terminal_lines_come_at_their_time(void)
{
    struct status_line_setup setup = {.fd = 2, .every_ms = 10000};
    struct crawl_stats s = stats;
    struct status_line *line;
    const char *bytes;
    int fd[2], saved = dup(2);

    open_pipe(fd);
    dup2(fd[1], 2);
    line = status_line_open(&setup, 5000);
    for (uint64_t now = 5000; now < 15000; now += 500) {
        s.fetched = now / 100; /* ten pages a second */
        status_line_update(line, &s, &totals, now);
        CHECK(strcmp(drained(fd[0]), "") == 0);
    }
    s.fetched = 150;
    status_line_update(line, &s, &totals, 15000);
    bytes = drained(fd[0]);
    CHECK(strstr(bytes, " info status: seconds=10 fetched=150 "));
    CHECK(strstr(bytes, " pages_per_s=10.0 "));
    CHECK(strchr(bytes, '\n') == bytes + strlen(bytes) - 1);
    status_line_close(line);
    dup2(saved, 2);
    close(saved);
    close(fd[0]);
    close(fd[1]);
    status_line_update(NULL, &s, &totals, 15000);
    status_line_close(NULL);
}

static void
rates_are_those_of_the_last_seconds(void)
{
    struct status_line_setup setup = {.live = true, .columns = 60};
    struct crawl_stats s = {0};
    struct status_line *line;
    const char *bytes = "";
    int fd[2];

    open_pipe(fd);
    setup.fd = fd[1];
    line = status_line_open(&setup, 0);
    for (uint64_t now = 0; now <= 100000; now += 1000) {
        s.fetched += now < 50000 ? 100 : 5; /* it became slow long ago */
        status_line_update(line, &s, NULL, now);
        bytes = drained(fd[0]);
    }
    CHECK(strstr(bytes, "(5.0/s, "));
    status_line_close(line);
    close(fd[0]);
    close(fd[1]);
}

static void
a_pipe_is_no_live_terminal(void)
{
    int fd[2];

    open_pipe(fd);
    CHECK(!live_can(fd[1]));
    close(fd[0]);
    close(fd[1]);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(the_live_lines_say_it_all),
        TEST(a_pause_says_why),
        TEST(lines_fit_the_terminal),
        TEST(the_plain_line_is_key_and_value),
        TEST(nothing_yet_is_no_division_by_zero),
        TEST(the_window_counts_the_last_pages_only),
        TEST(the_terminal_is_redrawn_in_place),
        TEST(log_lines_scroll_by_above),
        TEST(without_a_terminal_lines_come_at_their_time),
        TEST(rates_are_those_of_the_last_seconds),
        TEST(a_pipe_is_no_live_terminal),
        {0},
    };

    return test_main(table, argc, argv);
}
