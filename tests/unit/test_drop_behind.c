/* What is behind leaves the page cache and is on the disk; the last windows
 * stay.  Where the folder is no file system with a disk below it (tmpfs), the
 * bytes alone are looked at. */
#include "base/drop_behind.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include "base/fd_io.h"
#include "folder.h"
#include "test.h"

enum { WINDOW = 8 << 20, WINDOWS = 8, FILE_BYTES = WINDOWS * WINDOW };

static char piece[1 << 20];

static void
fill_piece(uint64_t at)
{
    for (size_t i = 0; i < sizeof piece; i++)
        piece[i] = (char)((at + i) / 4096 + i % 251);
}

/* How many of the pages of these windows are in memory, of 100. */
static unsigned
cached(int fd, unsigned first, unsigned n)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (size_t)n * WINDOW, pages = bytes / page, in = 0;
    unsigned char *there = malloc(pages);
    void *map =
        mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)first * WINDOW);

    CHECK(there != NULL && map != MAP_FAILED);
    CHECK(mincore(map, bytes, there) == 0);
    for (size_t i = 0; i < pages; i++)
        in += there[i] & 1;
    munmap(map, bytes);
    free(there);
    return (unsigned)(100 * in / pages);
}

static bool
has_a_disk(int fd)
{
    struct statfs about;

    if (fstatfs(fd, &about) == 0 && about.f_type == EXT4_SUPER_MAGIC)
        return true;
    printf("skipped: the page cache is not looked at (no ext4 in %s)\n",
           folder);
    return false;
}

static int
written(bool behind)
{
    int fd = open(in_folder("file"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct drop_behind d = {0};

    CHECK(fd >= 0);
    for (uint64_t at = 0; at < FILE_BYTES; at += sizeof piece) {
        fill_piece(at);
        CHECK(fd_write_at(fd, piece, sizeof piece, at, NULL));
        if (behind)
            drop_behind_written(&d, fd, at + sizeof piece);
    }
    return fd;
}

static void
is_whole(int fd)
{
    static char read_back[sizeof piece];

    for (uint64_t at = 0; at < FILE_BYTES; at += sizeof piece) {
        fill_piece(at);
        CHECK(fd_read_at(fd, read_back, sizeof piece, at, NULL));
        CHECK(memcmp(read_back, piece, sizeof piece) == 0);
    }
}

static void
what_is_written_goes_a_few_windows_behind(void)
{
    int fd = written(true);

    if (has_a_disk(fd)) {
        CHECK(cached(fd, 0, WINDOWS - 4) < 10);
        CHECK(cached(fd, WINDOWS - 4, 4) > 90);
    }
    is_whole(fd);
    close(fd);
}

static void
what_is_read_goes(void)
{
    int fd = written(false);
    struct drop_behind d = {0};

    CHECK(fsync(fd) == 0); /* what is not on the disk could not go */
    is_whole(fd);
    drop_behind_read(&d, fd, WINDOW - 1); /* the first is not all behind */
    if (has_a_disk(fd)) {
        CHECK(cached(fd, 0, WINDOWS) > 90);
        drop_behind_read(&d, fd, 3 * WINDOW + 1);
        CHECK(cached(fd, 0, 3) < 10);
        CHECK(cached(fd, 3, WINDOWS - 3) > 90);
        drop_behind_range(fd, 5 * WINDOW, WINDOW);
        CHECK(cached(fd, 5, 1) < 10);
        CHECK(cached(fd, 6, 2) > 90);
    }
    is_whole(fd);
    close(fd);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(what_is_written_goes_a_few_windows_behind),
        TEST(what_is_read_goes),
        {0},
    };

    return folder_main(tests, argc, argv);
}
