/* Aim: a crawl's folder belongs to one process, and its crawler keeps its id.
 * Method: a descriptor of its own locks the folder as another process would.
 * (tests/folder.h has other functions of these names.) */
#include "crawler/loop/folder.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/folder_id.h"
#include "base/log.h"
#include "test.h"

static char base[] = "/tmp/winnow-test-XXXXXX";

static const char *
inside(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", base, name);
    return path;
}

static void
a_folder_in_use_is_refused_with_the_process_that_has_it(void)
{
    struct folder one, other;
    struct buf said = {0};
    char pid[48];

    snprintf(pid, sizeof pid, "in use by process %ld:", (long)getpid());
    CHECK(folder_open(&one, base) == ST_OK);
    log_capture(&said);
    CHECK(folder_open(&other, base) == ST_USAGE && other.lock_fd < 0);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, pid) != NULL);
    folder_close(&other);
    folder_close(&one);
    CHECK(folder_open(&other, base) == ST_OK); /* it is free again */
    folder_close(&other);
    buf_free(&said);
}

static void
a_path_that_is_too_long_is_refused_with_the_reason(void)
{
    char path[5000];
    struct folder f;
    struct buf said = {0};

    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    errno = 0;
    log_capture(&said);
    CHECK(folder_open(&f, path) == ST_USAGE && f.lock_fd < 0);
    log_capture(NULL);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, strerror(ENAMETOOLONG)) != NULL);
    buf_free(&said);
}

static void
a_crawler_keeps_its_id_in_its_folder(void)
{
    struct folder f;
    uint64_t id;

    CHECK(folder_open(&f, base) == ST_OK && f.id != 0);
    id = f.id;
    folder_close(&f);
    CHECK(folder_open(&f, base) == ST_OK && f.id == id);
    folder_close(&f);
    unlink(inside("crawler.id"));
    CHECK(folder_open(&f, base) == ST_OK && f.id != id);
    folder_close(&f);
}

/* A file without an id gets one; one that cannot be read is no reason for
 * another id: leases are told by it. */
static void
an_id_that_cannot_be_read_is_not_replaced(void)
{
    struct folder f;
    struct buf said = {0};

    CHECK(file_write(inside("crawler.id"), S("no number\n")) == ST_OK);
    CHECK(folder_open(&f, base) == ST_OK && f.id != 0);
    folder_close(&f);
    unlink(inside("crawler.id"));
    CHECK(mkdir(inside("crawler.id"), 0777) == 0);
    log_capture(&said);
    CHECK(folder_open(&f, base) == ST_IO);
    log_capture(NULL);
    folder_close(&f);
    buf_char(&said, '\0');
    CHECK(strstr(said.p, "crawler.id: ") != NULL);
    buf_free(&said);
    CHECK(rmdir(inside("crawler.id")) == 0); /* it was left as it was */
}

static void
a_folder_without_a_number_is_not_compared(void)
{
    CHECK(folder_id_is_other(1, 2));
    CHECK(!folder_id_is_other(2, 2));
    CHECK(!folder_id_is_other(0, 2) && !folder_id_is_other(2, 0));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_folder_in_use_is_refused_with_the_process_that_has_it),
        TEST(a_path_that_is_too_long_is_refused_with_the_reason),
        TEST(a_crawler_keeps_its_id_in_its_folder),
        TEST(an_id_that_cannot_be_read_is_not_replaced),
        TEST(a_folder_without_a_number_is_not_compared),
        {0}};
    int code;

    if (mkdtemp(base) == NULL)
        return 1;
    code = test_main(table, argc, argv);
    unlink(inside("crawler.id"));
    unlink(inside("lock"));
    return rmdir(base) == 0 ? code : 1;
}
