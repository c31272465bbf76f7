/* test_crawl_log.c -- the crawl log: what is written is read back, after
 * crashes and on full disks too.  A full disk is a file size limit
 * (RLIMIT_FSIZE), which also writes a part of a line first. */
#include "folder.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "crawler/report/crawl_log.h"

#define TAKEN_MAX 8

static char file[128];

static struct {
    size_t n;
    struct crawl_log_entry e; /* the last one; strings below */
    char url[TAKEN_MAX][64];
    char verdict[64], language[16], id[64], host[64];
} taken;

static void
take(void *self, const struct crawl_log_entry *e)
{
    (void)self;
    taken.e = *e;
    snprintf(taken.url[taken.n % TAKEN_MAX], 64, "%.*s", STRF(e->url));
    snprintf(taken.verdict, 64, "%s", verdict_name(e->verdict));
    snprintf(taken.language, 16, "%.*s", STRF(e->language));
    snprintf(taken.id, 64, "%.*s", STRF(e->id));
    snprintf(taken.host, 64, "%.*s", STRF(e->host));
    taken.n++;
}

static struct crawl_log_counts
read_all(void)
{
    struct crawl_log_counts counts;

    memset(&taken, 0, sizeof taken);
    CHECK(crawl_log_read(file, take, NULL, &counts) == ST_OK);
    CHECK(counts.lines == taken.n);
    return counts;
}

static void
new_folder(void)
{
    folder_open();
    snprintf(file, sizeof file, "%s/%s", folder, CRAWL_LOG_FILE);
}

static void
append_bytes(const char *bytes, size_t n)
{
    FILE *f = fopen(file, "ab");

    if (f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
        abort();
}

static struct crawl_log_entry
page(const char *url)
{
    return (struct crawl_log_entry){
        .time_ms = 1795169730123, /* 2026-11-20T10:15:30.123Z */
        .url = str_c(url),
        .host = S("a.nl"),
        .kind = CRAWL_LOG_PAGE,
        .status = 200,
        .outcome = OUTCOME_FETCHED,
        .verdict = VERDICT_KEPT,
        .bytes = 12345678901,
        .received = 2345678901,
        .kept_bytes = 4321,
        .ms = 87,
        .depth = 3,
        .score = 0.75,
        .parent_badness = NAN,
        .block = 0.125,
        .badness = 3.5,
        .boilerplate_mean = 0.25,
        .language = S("nl"),
        .chars = 4000,
        .tokens = 640,
        .links = 17,
        .id = S("00112233445566778899aabbccddeeff"),
    };
}

static void
an_entry_is_one_line_with_known_names(void)
{
    struct crawl_log_entry e = page("http://a.nl/\"x\"\n");
    struct buf out = {0};

    crawl_log_line(&e, &out);
    CHECK(str_eq(
        buf_view(&out),
        S("{\"time\":\"2026-11-20T10:15:30.123Z\","
          "\"url\":\"http://a.nl/\\\"x\\\"\\n\",\"host\":\"a.nl\","
          "\"kind\":\"page\",\"status\":200,\"outcome\":\"FETCHED\","
          "\"verdict\":\"kept\",\"bytes\":12345678901,"
          "\"received\":2345678901,\"kept_bytes\":4321,"
          "\"ms\":87,\"depth\":3,\"score\":0.75,\"block\":0.125,"
          "\"badness\":3.5,\"boilerplate_mean\":0.25,\"language\":\"nl\","
          "\"chars\":4000,\"tokens\":640,\"links\":17,"
          "\"id\":\"00112233445566778899aabbccddeeff\"}\n")));
    buf_free(&out);
}

static size_t
lines_in(const char *name)
{
    struct crawl_log_counts counts;

    memset(&taken, 0, sizeof taken);
    CHECK(crawl_log_read(in_folder(name), take, NULL, &counts) == ST_OK);
    return taken.n;
}

static void
a_log_that_was_moved_away_is_begun_anew(void)
{
    struct crawl_log_entry e = page("http://a.nl/1");
    struct crawl_log *log;

    new_folder();
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    CHECK(rename(file, in_folder("log/crawl.jsonl.1")) == 0);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    CHECK(lines_in("log/crawl.jsonl.1") == 1 && lines_in(CRAWL_LOG_FILE) == 2);
    CHECK(rename(in_folder("log"), in_folder("old")) == 0);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    CHECK(lines_in("old/crawl.jsonl") == 2 && lines_in(CRAWL_LOG_FILE) == 1);
    crawl_log_close(log);
    folder_close();
}

static void
what_is_written_is_read_back(void)
{
    struct crawl_log_entry e = page("http://a.nl/1"), f = {0}, both[2];
    struct crawl_log *log;

    new_folder();
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    f.url = S("http://b.nl/robots.txt");
    f.kind = CRAWL_LOG_ROBOTS;
    f.outcome = OUTCOME_ROBOTS_DONE;
    f.score = NAN;
    both[0] = f;
    both[1] = e;
    CHECK(crawl_log_append(log, both, 2) == ST_OK);
    crawl_log_close(log);
    CHECK(read_all().lines == 2);
    CHECK(strcmp(taken.url[0], "http://b.nl/robots.txt") == 0);
    CHECK(strcmp(taken.url[1], "http://a.nl/1") == 0);
    CHECK(strcmp(taken.host, "a.nl") == 0);
    CHECK(strcmp(taken.verdict, "kept") == 0);
    CHECK(strcmp(taken.language, "nl") == 0);
    CHECK(strcmp(taken.id, "00112233445566778899aabbccddeeff") == 0);
    CHECK(taken.e.time_ms == e.time_ms && taken.e.status == 200);
    CHECK(taken.e.kind == CRAWL_LOG_PAGE);
    CHECK(taken.e.outcome == OUTCOME_FETCHED);
    CHECK(taken.e.bytes == e.bytes && taken.e.kept_bytes == 4321);
    CHECK(taken.e.received == e.received);
    CHECK(taken.e.ms == 87 && taken.e.depth == 3 && taken.e.links == 17);
    CHECK(taken.e.chars == 4000 && taken.e.tokens == 640);
    CHECK(fabs(taken.e.score - 0.75) < 1e-9 && isnan(taken.e.parent_badness));
    CHECK(fabs(taken.e.block - 0.125) < 1e-9);
    CHECK(fabs(taken.e.badness - 3.5) < 1e-9);
    CHECK(fabs(taken.e.boilerplate_mean - 0.25) < 1e-9);
    folder_close();
}

static void
every_outcome_and_kind_is_read_back(void)
{
    for (int kind = 0; kind < CRAWL_LOG_KINDS_N; kind++)
        for (int o = OUTCOME_FETCHED; o <= OUTCOME_RETURNED; o++) {
            struct crawl_log_entry e = page("http://a.nl/");
            struct buf out = {0};

            e.kind = (enum crawl_log_kind)kind;
            e.outcome = (enum frontier_outcome)o;
            crawl_log_line(&e, &out);
            CHECK(crawl_log_parse(str_trim(buf_view(&out)), take, NULL));
            CHECK(taken.e.kind == e.kind && taken.e.outcome == e.outcome);
            buf_free(&out);
        }
}

static void
a_torn_last_line_is_ended_on_open(void)
{
    struct crawl_log_entry e = page("http://a.nl/2");
    struct crawl_log *log;

    new_folder();
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    crawl_log_close(log);
    append_bytes("{\"time\":\"2026-", 14);
    CHECK(read_all().lines == 1); /* what is unfinished is not counted */
    CHECK(read_all().skipped == 0);
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    crawl_log_close(log);
    CHECK(read_all().lines == 2);
    CHECK(read_all().skipped == 1);
    folder_close();
}

static void
foreign_lines_are_skipped_and_counted(void)
{
    static const char good[] =
        "{\"url\":\"http://a.nl/"
        "\",\"kind\":\"page\",\"outcome\":\"FETCHED\"}\n";
    static const char *const bad[] = {
        "garbage\n",
        "[1,2]\n",
        "{}\n",
        "{\"url\":\"x\",\"kind\":\"page\"}\n",
        "{\"url\":\"\",\"kind\":\"page\",\"outcome\":\"FETCHED\"}\n",
        "{\"url\":7,\"kind\":\"page\",\"outcome\":\"FETCHED\"}\n",
        "{\"url\":\"x\",\"kind\":\"page\",\"outcome\":\"EATEN\"}\n",
        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}\n",
        "\xff\xfe\n",
    };
    struct crawl_log *log;
    char *big = malloc(3 << 20);

    new_folder();
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    crawl_log_close(log);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        append_bytes(bad[i], strlen(bad[i]));
        append_bytes(good, strlen(good));
    }
    append_bytes("a\0b\0\n\0\0\0\n", 9); /* NUL bytes: two lines */
    append_bytes("\n\n", 2);             /* blank lines are nothing */
    append_bytes(good, strlen(good));
    memset(big, 'x', 3 << 20);
    big[(3 << 20) - 1] = '\n';
    append_bytes(big, 3 << 20);
    append_bytes(good, strlen(good));
    CHECK(read_all().lines == sizeof bad / sizeof *bad + 2);
    CHECK(read_all().skipped == sizeof bad / sizeof *bad + 3);
    CHECK(taken.e.bytes == 0 && isnan(taken.e.badness)); /* missing fields */
    free(big);
    folder_close();
}

static void
a_missing_log_is_none(void)
{
    struct crawl_log_counts counts;

    CHECK(crawl_log_read("/nowhere/log.jsonl", take, NULL, &counts) == ST_NONE);
}

static void
a_full_disk_writes_nothing_and_goes_on_later(void)
{
    struct rlimit before, small;
    struct crawl_log_entry e = page("http://a.nl/full");
    struct crawl_log *log;
    struct stat sb;
    off_t size;

    new_folder();
    signal(SIGXFSZ, SIG_IGN);
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    CHECK(stat(file, &sb) == 0);
    size = sb.st_size;
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t room = 0; room < (rlim_t)size; room += 100) {
        small = before;
        small.rlim_cur = (rlim_t)size + room; /* a part would fit */
        CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
        CHECK(crawl_log_append(log, &e, 1) == ST_FULL);
        CHECK(stat(file, &sb) == 0 && sb.st_size == size);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(crawl_log_append(log, &e, 1) == ST_OK);
    crawl_log_close(log);
    CHECK(read_all().lines == 2 && read_all().skipped == 0);
    signal(SIGXFSZ, SIG_DFL);
    folder_close();
}

static void
a_folder_that_cannot_be_made_is_an_error(void)
{
    struct crawl_log *log;
    int saved = dup(2), nowhere = open("/dev/null", O_WRONLY);

    dup2(nowhere, 2); /* the log line about it */
    CHECK(crawl_log_open(&log, "/dev/null/x") == ST_IO);
    dup2(saved, 2);
    close(saved);
    close(nowhere);
    CHECK(log == NULL);
    crawl_log_close(NULL);
}

#define THREADS 4
#define LINES 500

static void *
writer(void *arg)
{
    struct crawl_log_entry e = page("http://a.nl/thread");

    for (int i = 0; i < LINES; i++)
        CHECK(crawl_log_append(arg, &e, 1) == ST_OK);
    return NULL;
}

static void
threads_write_whole_lines(void)
{
    pthread_t thread[THREADS];
    struct crawl_log *log;

    new_folder();
    CHECK(crawl_log_open(&log, folder) == ST_OK);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, writer, log);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    crawl_log_close(log);
    CHECK(read_all().lines == THREADS * LINES && read_all().skipped == 0);
    folder_close();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(an_entry_is_one_line_with_known_names),
        TEST(a_log_that_was_moved_away_is_begun_anew),
        TEST(what_is_written_is_read_back),
        TEST(every_outcome_and_kind_is_read_back),
        TEST(a_torn_last_line_is_ended_on_open),
        TEST(foreign_lines_are_skipped_and_counted),
        TEST(a_missing_log_is_none),
        TEST(a_full_disk_writes_nothing_and_goes_on_later),
        TEST(a_folder_that_cannot_be_made_is_an_error),
        TEST(threads_write_whole_lines),
        {0},
    };

    return test_main(table, argc, argv);
}
