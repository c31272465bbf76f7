/* The append log against a plain string, through faults, cuts and reopening. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/append_log.h"
#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "folder.h"
#include "test.h"

#define path in_folder("file")

static struct append_log *
opened(enum append_log_how how)
{
    struct append_log *l;

    CHECK(append_log_open(&l, "test", path, how) == ST_OK);
    return l;
}

/* A piece of some length, now and then larger than the buffer. */
static struct str
piece(struct random *r)
{
    static char text[1200000];
    size_t n =
        (size_t)random_below(r, random_below(r, 40) == 0 ? sizeof text : 300);

    memset(text, 'a' + (int)random_below(r, 26), n);
    return str_n(text, n);
}

static void
check_file(const struct append_log *l, struct str want)
{
    struct buf got = {0};

    CHECK(append_log_written(l) == want.n);
    CHECK(append_log_read(l, 0, want.n, &got) == ST_OK);
    CHECK(str_eq(buf_view(&got), want));
    buf_free(&got);
}

/* Every so often: cut back, or killed and opened at what was known. */
static void
it_is_what_was_written_and_not_cut(void)
{
    struct random r = random_seed(3);
    struct append_log *l = opened(APPEND_LOG_ANEW);
    struct buf want = {0};
    size_t known = 0;

    for (int i = 0; i < 2000; i++) {
        struct str p = piece(&r);

        append_log_add(l, S("<"), p);
        buf_char(&want, '<');
        buf_str(&want, p);
        CHECK(append_log_end(l) == want.n);
        switch (random_below(&r, 12)) {
        case 0: /* undone */
            CHECK(append_log_cut(l, known) == ST_OK);
            want.n = known;
            break;
        case 1: /* killed */
            append_log_close(l);
            l = opened(APPEND_LOG_GO_ON);
            CHECK(append_log_written(l) >= known);
            CHECK(append_log_cut(l, known) == ST_OK);
            want.n = known;
            break;
        case 2: /* written over */
            CHECK(append_log_flush(l) == ST_OK);
            append_log_back(l, want.n / 2);
            want.n = want.n / 2;
            known = known < want.n ? known : want.n;
            break;
        case 3:
            CHECK(append_log_write(l, p) == ST_OK);
            buf_str(&want, p);
            known = want.n;
            check_file(l, buf_view(&want));
            break;
        default:
            CHECK(append_log_flush(l) == ST_OK);
            append_log_write_behind(l, random_below(&r, 100000));
            CHECK(i % 50 != 0 || append_log_sync(l) == ST_OK);
            known = want.n;
        }
        if (want.n > 20000000)
            CHECK(append_log_cut(l, known = want.n = 0) == ST_OK);
    }
    append_log_close(l);
    buf_free(&want);
}

static void
limit_files(rlim_t size)
{
    struct rlimit most;

    CHECK(getrlimit(RLIMIT_FSIZE, &most) == 0);
    most.rlim_cur = size == 0 ? most.rlim_max : size;
    CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
}

static uint64_t
size_now(void)
{
    struct stat st;

    CHECK(stat(path, &st) == 0);
    return (uint64_t)st.st_size;
}

static void
a_write_without_room_leaves_nothing(void)
{
    static const char large[5000];
    struct append_log *l = opened(APPEND_LOG_ANEW);

    signal(SIGXFSZ, SIG_IGN);
    CHECK(append_log_write(l, S("first")) == ST_OK);
    limit_files(4096);
    CHECK(append_log_write(l, str_n(large, sizeof large)) == ST_FULL);
    CHECK(size_now() == 5 && append_log_end(l) == 5);
    append_log_add(l, str_n(large, sizeof large), S(""));
    CHECK(append_log_flush(l) == ST_FULL);
    CHECK(append_log_flush(l) == ST_FULL); /* until it is cut */
    CHECK(size_now() == 5);
    CHECK(append_log_cut(l, 5) == ST_OK);
    CHECK(append_log_write(l, S("second")) == ST_OK);
    CHECK(size_now() == 11);
    limit_files(0);
    append_log_close(l);
}

static void
a_shared_file_goes_on_where_it_ends_now(void)
{
    struct append_log *a, *b;
    struct buf got = {0};

    unlink(path);
    a = opened(APPEND_LOG_SHARED);
    b = opened(APPEND_LOG_SHARED);
    CHECK(append_log_write(a, S("one\n")) == ST_OK);
    CHECK(append_log_write(b, S("two\n")) == ST_OK);
    CHECK(append_log_write(a, S("three\n")) == ST_OK);
    CHECK(truncate(path, 4) == 0); /* by somebody else */
    CHECK(append_log_write(b, S("four\n")) == ST_OK);
    CHECK(file_read(&got, path, 100) == ST_OK);
    CHECK(str_eq(buf_view(&got), S("one\nfour\n")));
    append_log_close(a);
    append_log_close(b);
    buf_free(&got);
}

static void
a_file_that_is_not_there_is_told_and_a_reader_leaves_it_alone(void)
{
    struct append_log *l;
    struct buf got = {0};
    const char *map;

    unlink(path);
    CHECK(append_log_open(&l, "test", path, APPEND_LOG_READ) == ST_NONE);
    CHECK(append_log_open(&l, "test", path, APPEND_LOG_GO_ON) == ST_NONE);
    CHECK(l == NULL && access(path, F_OK) != 0);
    l = opened(APPEND_LOG_MAKE);
    CHECK(append_log_write(l, S("kept")) == ST_OK);
    append_log_close(l);
    l = opened(APPEND_LOG_READ);
    append_log_back(l, 2);
    CHECK(append_log_end(l) == 2 && size_now() == 4);
    CHECK(append_log_map(l, 1 << 20, &map) == ST_OK);
    CHECK(memcmp(map, "kept", 4) == 0);
    append_log_map_order(l, APPEND_LOG_SCATTERED);
    CHECK(memcmp(map, "kept", 4) == 0);
    append_log_map_order(l, APPEND_LOG_IN_ORDER);
    CHECK(memcmp(map, "kept", 4) == 0);
    CHECK(append_log_read(l, 1, 5, &got) == ST_LIMIT);
    CHECK(str_eq(buf_view(&got), S("ept")));
    buf_free(&got);
    append_log_close(l);
}

static void
a_file_that_is_filled_goes_on_where_it_was(void)
{
    struct append_log *l = opened(APPEND_LOG_ANEW);
    struct buf got = {0};

    CHECK(append_log_write(l, S("abc")) == ST_OK);
    CHECK(append_log_fill(l, 100000) && size_now() == 100000);
    CHECK(append_log_fill(l, 10) && size_now() == 100000); /* long enough */
    check_file(l, S("abc"));
    CHECK(append_log_write(l, S("d")) == ST_OK && size_now() == 100000);
    check_file(l, S("abcd"));
    CHECK(append_log_read(l, 4, 99996, &got) == ST_OK);
    for (size_t i = 0; i < got.n; i++)
        CHECK(got.p[i] == 0);
    signal(SIGXFSZ, SIG_IGN);
    limit_files(150000);
    CHECK(!append_log_fill(l, 200000) && size_now() == 100000);
    limit_files(0);
    check_file(l, S("abcd"));
    buf_free(&got);
    append_log_close(l);
}

static struct {
    unsigned calls;
    off_t from, bytes;
} begun;

/* In the place of the C library's. */
int
sync_file_range(int fd, off_t from, off_t bytes, unsigned flags)
{
    CHECK(fd >= 0 && flags == SYNC_FILE_RANGE_WRITE);
    begun.calls++;
    begun.from = from;
    begun.bytes = bytes;
    return 0;
}

static bool
begins(struct append_log *l, uint64_t least, off_t from, off_t bytes)
{
    unsigned before = begun.calls;

    append_log_write_behind(l, least);
    return begun.calls == before + 1 && begun.from == from &&
           begun.bytes == bytes;
}

static bool
waits(struct append_log *l, uint64_t least)
{
    unsigned before = begun.calls;

    append_log_write_behind(l, least);
    return begun.calls == before;
}

static void
whole_pages_begin_their_way_once_enough_have_come(void)
{
    static char text[1200000];
    struct append_log *l = opened(APPEND_LOG_ANEW);

    CHECK(append_log_write(l, str_n(text, 10000)) == ST_OK);
    CHECK(waits(l, 8193) && begins(l, 8192, 0, 8192));
    CHECK(waits(l, 0));
    CHECK(append_log_write(l, str_n(text, 8192)) == ST_OK);
    CHECK(waits(l, 8193) && begins(l, 8192, 8192, 8192));
    append_log_back(l, 4096); /* they are written over */
    CHECK(waits(l, 0));
    CHECK(append_log_write(l, str_n(text, 16384)) == ST_OK);
    CHECK(begins(l, 1, 4096, 16384));
    append_log_add(l, S(""), str_n(text, sizeof text)); /* a full buffer */
    CHECK(begun.from == 20480 && begun.bytes == sizeof text / 4096 * 4096);
    append_log_close(l);
    l = opened(APPEND_LOG_GO_ON);
    CHECK(waits(l, 0));
    append_log_close(l);
}

static const struct test tests[] = {
    TEST(it_is_what_was_written_and_not_cut),
    TEST(a_write_without_room_leaves_nothing),
    TEST(a_file_that_is_filled_goes_on_where_it_was),
    TEST(whole_pages_begin_their_way_once_enough_have_come),
    TEST(a_shared_file_goes_on_where_it_ends_now),
    TEST(a_file_that_is_not_there_is_told_and_a_reader_leaves_it_alone),
    {0},
};

int
main(int argc, char **argv)
{
    log_threshold = LOG_ERROR;
    return folder_main(tests, argc, argv);
}
