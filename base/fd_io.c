/* fd_io.c -- see fd_io.h. */
#include "fd_io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void
fd_keep_standard(void)
{
    static const int other_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) /* open() takes the lowest that is free */
            (void)!open("/dev/null", other_way[fd]);
}

ptrdiff_t
fd_read(int fd, void *p, size_t n)
{
    ssize_t got;

    do
        got = read(fd, p, n);
    while (got < 0 && errno == EINTR);
    return got;
}

bool
fd_write(int fd, const void *p, size_t n)
{
    for (const char *from = p; n > 0;) {
        ssize_t wrote = write(fd, from, n);

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            errno = wrote == 0 ? ENOSPC : errno;
            return false;
        }
        from += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

bool
fd_read_at(int fd, void *p, size_t n, uint64_t at, size_t *done)
{
    size_t all = 0;

    while (all < n) {
        ssize_t got = pread(fd, (char *)p + all, n - all, (off_t)(at + all));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? 0 : errno;
            break;
        }
        all += (size_t)got;
    }
    if (done != NULL)
        *done = all;
    return all == n;
}

bool
fd_write_at(int fd, const void *p, size_t n, uint64_t at, size_t *done)
{
    size_t all = 0;

    while (all < n) {
        ssize_t wrote =
            pwrite(fd, (const char *)p + all, n - all, (off_t)(at + all));

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            errno = wrote == 0 ? ENOSPC : errno;
            break;
        }
        all += (size_t)wrote;
    }
    if (done != NULL)
        *done = all;
    return all == n;
}
