/* A file that may not grow (RLIMIT_FSIZE, errno EFBIG) is a full disk to
 * whoever writes: ST_FULL, what was there before stays, and with room it goes
 * on.  And reads and writes of a descriptor are whole, or say how much of them
 * is. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "base/append_log.h"
#include "base/disk_full.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "base/pages/db.h"
#include "base/pages/make.h"
#include "corpus/tender/tender_inside.h"
#include "folder.h"
#include "frontier/schedule/timekeeper.h"
#include "test.h"

/* No file grows behind so many bytes. */
static void
limit_files(rlim_t size)
{
    struct rlimit most;

    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &most) == 0);
    most.rlim_cur = size < most.rlim_max ? size : most.rlim_max;
    CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
}

static void
a_file_that_does_not_fit_leaves_the_one_before(void)
{
    static const char large[5000];

    folder_put("file", S("before"));
    limit_files(4096);
    CHECK(file_write(in_folder("file"), str_n(large, sizeof large)) == ST_FULL);
    CHECK(errno == EFBIG);
    limit_files(RLIM_INFINITY);
    CHECK(strcmp(folder_text("file"), "before") == 0);
    CHECK(!folder_has("file.part"));
}

static const char *const names[] = {"meta", "rows"};

static const struct db_config config = {.owner = "test",
                                        .what = "a test",
                                        .magic = "test",
                                        .schema = 7,
                                        .schema_size = 8,
                                        .table = names,
                                        .tables_n = 2,
                                        .map_option = "test.map_gib",
                                        .lock = "/nowhere",
                                        .repair = "test --repair",
                                        .map_size = (size_t)1 << 26,
                                        .sync = STR("none")};

static enum status
put_rows(struct db *d, unsigned n)
{
    static const char value[1000];
    char key[16];
    enum status st = db_begin(d);

    for (unsigned i = 0; i < n && st == ST_OK; i++) {
        snprintf(key, sizeof key, "%05u", i);
        st = db_put(d, 1, str_c(key), str_n(value, sizeof value));
    }
    if (st == ST_OK)
        return db_commit(d);
    db_abort(d);
    return st;
}

static void
a_store_that_does_not_fit_takes_the_rows_later(void)
{
    struct db *d;
    struct str value;
    int fault;

    CHECK(mkdir(in_folder("new"), 0777) == 0);
    limit_files(0);
    CHECK(pages_make(in_folder("new"), NULL, &fault) == ST_FULL &&
          fault == EFBIG);
    CHECK(db_open(&d, in_folder("new"), &config) == ST_FULL);
    limit_files(RLIM_INFINITY);
    CHECK(db_open(&d, in_folder("new"), &config) == ST_OK);
    CHECK(put_rows(d, 10) == ST_OK);
    limit_files(100000);
    CHECK(put_rows(d, 1000) == ST_FULL);
    limit_files(RLIM_INFINITY);
    CHECK(db_begin(d) == ST_OK);
    CHECK(db_get(d, 1, S("00009"), &value) == ST_OK);
    CHECK(db_get(d, 1, S("00999"), &value) == ST_NONE);
    db_abort(d);
    CHECK(put_rows(d, 1000) == ST_OK);
    db_close(d);
}

static void
a_limit_on_files_is_said_with_its_size(void)
{
    CHECK(strcmp(disk_full_text(ENOSPC), strerror(ENOSPC)) == 0);
    CHECK(strcmp(disk_full_text(EFBIG),
                 "the file system takes no larger file") == 0);
    limit_files(1234567);
    CHECK(strcmp(disk_full_text(EFBIG), "no file may be larger than 1,234,567 "
                                        "bytes (ulimit -f): raise it") == 0);
    limit_files(RLIM_INFINITY);
}

/* Its users wait for room, which nobody would look for on the disk. */
static void
a_log_that_may_not_grow_says_so(void)
{
    static char large[5000];
    struct append_log *l;
    int saved = dup(2), said;

    memset(large, 'x', sizeof large);
    CHECK((said = open(in_folder("hint"), O_RDWR | O_CREAT, 0666)) >= 0);
    CHECK(append_log_open(&l, "test", in_folder("log"), APPEND_LOG_MAKE) ==
          ST_OK);
    log_threshold = LOG_WARN;
    dup2(said, 2);
    append_log_add(l, S("head"), str_n(large, sizeof large));
    limit_files(4096);
    CHECK(append_log_flush(l) == ST_FULL);
    limit_files(RLIM_INFINITY);
    dup2(saved, 2);
    log_threshold = LOG_ERROR + 1;
    append_log_close(l);
    close(saved);
    close(said);
    CHECK(strstr(folder_text("hint"), "no file may be larger than 4,096 "
                                      "bytes (ulimit -f): raise it") != NULL);
}

/* Nobody waits while it is being made. */
static void
a_store_that_cannot_be_made_says_what_to_do(void)
{
    struct db *d;
    int saved = dup(2), said;
    const char *text;

    CHECK(mkdir(in_folder("small"), 0777) == 0);
    CHECK((said = open(in_folder("said"), O_RDWR | O_CREAT, 0666)) >= 0);
    limit_files(8192);
    log_threshold = LOG_WARN;
    dup2(said, 2);
    CHECK(db_open(&d, in_folder("small"), &config) == ST_FULL);
    dup2(saved, 2);
    log_threshold = LOG_ERROR + 1;
    limit_files(RLIM_INFINITY);
    close(saved);
    close(said);
    text = folder_text("said");
    CHECK(strstr(text, "error test: dir=") != NULL);
    CHECK(strstr(text, "no file may be larger than 8,192 bytes "
                       "(ulimit -f): raise it and start again") != NULL);
    CHECK(strstr(text, "waiting") == NULL);
}

static void
the_clock_of_a_frontier_waits_for_room(void)
{
    const struct timekeeper_clocks c = {.wall_ms = 1000000, .boot_ms = 5};
    struct timekeeper t;
    bool unsure;

    timekeeper_start(&t, folder, &c, &unsure);
    limit_files(1);
    CHECK(timekeeper_keep(&t, folder, &c) == ST_FULL);
    limit_files(RLIM_INFINITY);
    CHECK(timekeeper_keep(&t, folder, &c) == ST_OK);
}

static void
an_array_of_tender_waits_for_room(void)
{
    static uint32_t number[4096];
    struct tender t = {.folder = folder};

    limit_files(4096);
    CHECK(tender_numbers_write(&t, "order", number, 4096) == ST_FULL);
    limit_files(RLIM_INFINITY);
    CHECK(tender_numbers_write(&t, "order", number, 4096) == ST_OK);
}

/* ---- descriptors ---- */

static void
what_is_read_and_written_in_part_says_how_much(void)
{
    static const char large[5000];
    char got[8];
    size_t done;
    int fd = open(in_folder("at"), O_RDWR | O_CREAT, 0666);

    CHECK(fd >= 0);
    CHECK(fd_write_at(fd, "0123456789", 10, 0, &done) && done == 10);
    CHECK(fd_write_at(fd, "ab", 2, 4, NULL));
    CHECK(fd_read_at(fd, got, 4, 3, &done) && done == 4);
    CHECK(memcmp(got, "3ab6", 4) == 0);
    CHECK(!fd_read_at(fd, got, 8, 7, &done) && done == 3 && errno == 0);
    CHECK(!fd_read_at(fd, got, 8, 11, &done) && done == 0 && errno == 0);
    limit_files(4096);
    CHECK(!fd_write_at(fd, large, sizeof large, 10, &done));
    CHECK(done == 4086 && errno == EFBIG);
    limit_files(RLIM_INFINITY);
    close(fd);
    CHECK(!fd_read_at(fd, got, 1, 0, &done) && errno == EBADF);
    CHECK(!fd_write(fd, got, 1) && errno == EBADF);
    CHECK(fd_read(fd, got, 1) < 0 && errno == EBADF);
}

static void
nothing(int sig)
{
    (void)sig;
}

enum { PIPED = 1 << 20 };

static void *
read_slowly(void *fd)
{
    static char got[4096];
    size_t all = 0;
    ptrdiff_t n;

    while ((n = fd_read(*(int *)fd, got, sizeof got)) > 0)
        for (ptrdiff_t i = 0; i < n; i++)
            CHECK(got[i] == (char)(all++ % 251));
    CHECK(n == 0 && all == PIPED);
    return NULL;
}

/* Both ends are interrupted again and again. */
static void
a_signal_cuts_nothing_off(void)
{
    const struct sigaction each = {.sa_handler = nothing};
    const struct itimerval often = {{0, 500}, {0, 500}},
                           never = {{0, 0}, {0, 0}};
    static char bytes[PIPED];
    pthread_t reader;
    int end[2];

    for (size_t i = 0; i < PIPED; i++)
        bytes[i] = (char)(i % 251);
    CHECK(pipe(end) == 0 && sigaction(SIGALRM, &each, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    CHECK(pthread_create(&reader, NULL, read_slowly, &end[0]) == 0);
    CHECK(fd_write(end[1], bytes, PIPED));
    close(end[1]);
    CHECK(pthread_join(reader, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    close(end[0]);
}

static const struct test tests[] = {
    TEST(a_file_that_does_not_fit_leaves_the_one_before),
    TEST(a_store_that_does_not_fit_takes_the_rows_later),
    TEST(a_limit_on_files_is_said_with_its_size),
    TEST(a_log_that_may_not_grow_says_so),
    TEST(a_store_that_cannot_be_made_says_what_to_do),
    TEST(the_clock_of_a_frontier_waits_for_room),
    TEST(an_array_of_tender_waits_for_room),
    TEST(what_is_read_and_written_in_part_says_how_much),
    TEST(a_signal_cuts_nothing_off),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR + 1;
    return folder_main(tests, argc, argv);
}
