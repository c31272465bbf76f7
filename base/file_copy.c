/* file_copy.c -- see file.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/file.h"
#include "disk_full.h"
#include "fd_io.h"
#include "log.h"
#include "memory.h"

enum { STEP = 1 << 20 };

/* By the kernel, as far as it can: *done of them. */
static bool
copy_range(int from, int to, uint64_t bytes, uint64_t *done)
{
    off_t at = 0;

    while (*done < bytes) {
        size_t want = bytes - *done < SIZE_MAX / 2 ? (size_t)(bytes - *done)
                                                   : SIZE_MAX / 2;
        ssize_t n = copy_file_range(from, &at, to, NULL, want, 0);

        if (n > 0)
            *done += (uint64_t)n;
        else if (n == 0)
            return true; /* the end */
        else if (errno != EINTR)
            return errno == EXDEV || errno == EINVAL || errno == ENOSYS ||
                   errno == EOPNOTSUPP || errno == EPERM;
    }
    return true;
}

static bool
copy_bytes(int from, int to, uint64_t bytes, uint64_t *done)
{
    char *room = memory_need(malloc(STEP));
    bool good = true;

    while (good && *done < bytes) {
        size_t want = bytes - *done < STEP ? (size_t)(bytes - *done) : STEP;
        size_t n;

        if (!fd_read_at(from, room, want, *done, &n) && (errno != 0 || n == 0))
            break; /* a fault, or the end */
        if ((good = fd_write_at(to, room, n, *done, NULL)))
            *done += n;
    }
    free(room);
    return good && (*done == bytes || errno == 0);
}

enum status
file_copy(int fd, uint64_t bytes, const char *path)
{
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), fault;
    uint64_t done = 0;
    bool good;

    if (to < 0)
        return disk_full(errno) ? ST_FULL : ST_IO;
    good = copy_range(fd, to, bytes, &done) &&
           copy_bytes(fd, to, bytes, &done) &&
           (done < bytes || fdatasync(to) == 0);
    fault = errno;
    close(to);
    errno = fault;
    if (good && done == bytes)
        return file_sync_name(path);
    (void)unlink(path);
    errno = fault;
    return good ? ST_LIMIT : disk_full(fault) ? ST_FULL : ST_IO;
}

enum status
file_copy_whole(const char *from, const char *path)
{
    int fd = open(from, O_RDONLY | O_CLOEXEC), fault;
    struct stat sb;
    enum status st = ST_IO;

    if (fd < 0)
        return errno == ENOENT ? ST_NONE : ST_IO;
    if (fstat(fd, &sb) == 0)
        st = file_copy(fd, (uint64_t)sb.st_size, path);
    fault = errno;
    close(fd);
    errno = fault;
    return st;
}

enum status
file_copy_failed(const char *component, const char *path, enum status st)
{
    log_error(component, "%s: %s", path,
              st == ST_LIMIT  ? "it is shorter than its store says"
              : st == ST_FULL ? disk_full_remedy(errno)
                              : strerror(errno));
    return st == ST_LIMIT ? ST_STORE : st;
}
