/* The filter of seen URLs: never a wrong no, few wrong yeses, and a file that
 * is believed exactly when all its bits can be there. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../frontier/filter.h"
#include "frontier_help.h"
#include "test.h"
#include "winnow/log.h"
#include "winnow/random.h"

enum { STORE = 77 };

static char path[128];

static struct row_seen_key
key(uint64_t i)
{
    struct row_seen_key k;
    uint64_t host = hash_mix(i / 10), url = hash_mix(~i);

    memcpy(k.bytes, &host, 8);
    memcpy(k.bytes + 8, &url, 8);
    return k;
}

static void
add(struct filter *f, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        struct row_seen_key k = key(i);

        filter_add(f, &k);
    }
}

static uint64_t
yeses(const struct filter *f, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    for (uint64_t i = from; i < to; i++) {
        struct row_seen_key k = key(i);

        n += filter_has(f, &k);
    }
    return n;
}

static void
no_is_certain_and_yes_is_mostly_right(void)
{
    enum { N = 6000000 }; /* more than one layer holds */
    struct filter *f;

    CHECK(filter_new(&f, path, STORE) == ST_OK);
    CHECK(yeses(f, 0, 1000) == 0);
    add(f, 0, N / 10); /* as it is while it fills */
    CHECK(yeses(f, 0, N / 10) == N / 10);
    CHECK(yeses(f, N, N + 100000) < 300);
    add(f, N / 10, N);
    CHECK(yeses(f, 0, N) == N);
    CHECK(yeses(f, N, N + 100000) < 1200);
    CHECK(filter_keys(f) == N);
    CHECK(filter_bytes(f) < 4 * N); /* just grown: at its worst */
    filter_close(f, false);
}

static void
a_closed_one_is_read_again_by_its_store_only(void)
{
    struct filter *f;

    CHECK(filter_new(&f, path, STORE) == ST_OK);
    add(f, 0, 1000);
    filter_close(f, false);
    CHECK(filter_open(&f, path, STORE + 1, false) == ST_NONE);
    CHECK(filter_open(&f, path, STORE, true) == ST_OK);
    CHECK(yeses(f, 0, 1000) == 1000);
    filter_close(f, false);
    CHECK(filter_open(&f, path, STORE, false) == ST_OK);
    add(f, 1000, 2000);
    CHECK(yeses(f, 0, 2000) == 2000);
    filter_close(f, true);
    unlink(path);
    CHECK(filter_open(&f, path, STORE, false) == ST_NONE);
}

static void
kill_9_loses_nothing_and_another_boot_is_not_believed(void)
{
    struct filter *f;
    pid_t child = fork();
    FILE *file;
    int how;

    if (child == 0) {
        if (filter_new(&f, path, STORE) != ST_OK)
            _exit(1);
        add(f, 0, 5000);
        raise(SIGKILL);
    }
    CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
    CHECK(filter_open(&f, path, STORE, false) == ST_OK);
    CHECK(yeses(f, 0, 5000) == 5000);
    filter_close(f, true); /* as a power loss leaves it, but for the boot */
    file = fopen(path, "r+");
    CHECK(file != NULL && fseek(file, 16, SEEK_SET) == 0 &&
          fputs("another boot", file) >= 0 && fclose(file) == 0);
    CHECK(filter_open(&f, path, STORE, false) == ST_NONE);
}

static void
garbage_is_not_believed(void)
{
    struct filter *f;
    struct random r = random_seed(3);

    for (int i = 0; i < 60; i++) {
        size_t n = (size_t)random_below(&r, 9000);
        FILE *file;

        CHECK(filter_new(&f, path, STORE) == ST_OK);
        filter_close(f, false);
        file = fopen(path, "r+");
        if (i % 3 == 0)
            CHECK(ftruncate(fileno(file), (off_t)n) == 0);
        else
            for (int k = 0; k < 8; k++) {
                CHECK(fseek(file, (long)random_below(&r, 80), SEEK_SET) == 0);
                fputc((int)random_below(&r, 256), file);
            }
        fclose(file);
        if (filter_open(&f, path, STORE, false) == ST_OK) {
            add(f, 0, 100);
            filter_close(f, false);
        }
    }
}

static const struct test tests[] = {
    TEST(no_is_certain_and_yes_is_mostly_right),
    TEST(a_closed_one_is_read_again_by_its_store_only),
    TEST(kill_9_loses_nothing_and_another_boot_is_not_believed),
    TEST(garbage_is_not_believed),
    {0},
};

int
main(int argc, char **argv)
{
    const char *dir = help_folder();
    int rc;

    log_threshold = LOG_ERROR;
    snprintf(path, sizeof path, "%s/seen.filter", dir);
    rc = test_main(tests, argc, argv);
    help_folder_remove(dir);
    return rc;
}
