/* fail.c -- LD_PRELOAD: the n-th call that writes, cuts, syncs or names a file
 * under a folder fails (power.py --fail).
 *
 *   FAIL_ROOT=DIR    the folder
 *   FAIL_AT=N        which call, from 1 on; 0: none
 *   FAIL_ERRNO=E     with what: EIO once; ENOSPC once
 *   FAIL_LOG=FILE    gets a line a call, in the order in which they returned:
 *                    write, cut, sync or name, and the path; "failed" before
 *                    the one that did
 *
 * Nothing of a call that fails has happened, but for a sync: what it was to
 * make durable may be or not, as on a real disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static long calls, fail_at;
static int fail_errno, log_fd = -1;

__attribute__((constructor)) static void
start(void)
{
    const char *at = getenv("FAIL_AT"), *with = getenv("FAIL_ERRNO"),
               *path = getenv("FAIL_LOG");

    root = getenv("FAIL_ROOT");
    fail_at = at != NULL ? atol(at) : 0;
    fail_errno = with != NULL ? atoi(with) : EIO;
    if (path != NULL)
        log_fd = (int)syscall(SYS_openat, AT_FDCWD, path,
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void
say(const char *what, const char *path, int failed)
{
    char line[4400];
    int n = snprintf(line, sizeof line, "%s%s %s\n", failed ? "failed " : "",
                     what, path);

    if (log_fd >= 0)
        syscall(SYS_write, log_fd, line, (size_t)n);
}

/* One more call.  True: it is the one. */
static int
fails(const char *what, const char *path)
{
    int failed;

    if (root == NULL || strncmp(path, root, strlen(root)) != 0)
        return 0;
    pthread_mutex_lock(&lock);
    failed = ++calls == fail_at;
    say(what, path, failed);
    pthread_mutex_unlock(&lock);
    if (failed)
        errno = fail_errno;
    return failed;
}

static int
fails_fd(const char *what, int fd)
{
    char name[40], path[4200];
    ssize_t n;

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    n = readlink(name, path, sizeof path - 1);
    if (n <= 0)
        return 0;
    path[n] = '\0';
    return fails(what, path);
}

ssize_t
write(int fd, const void *p, size_t n)
{
    return fails_fd("write", fd) ? -1 : NEXT(write)(fd, p, n);
}

ssize_t
writev(int fd, const struct iovec *v, int n)
{
    return fails_fd("write", fd) ? -1 : NEXT(writev)(fd, v, n);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t at)
{
    return fails_fd("write", fd) ? -1 : NEXT(pwrite)(fd, p, n, at);
}

ssize_t
pwrite64(int fd, const void *p, size_t n, off64_t at)
{
    return fails_fd("write", fd) ? -1 : NEXT(pwrite64)(fd, p, n, at);
}

ssize_t
pwritev(int fd, const struct iovec *v, int n, off_t at)
{
    return fails_fd("write", fd) ? -1 : NEXT(pwritev)(fd, v, n, at);
}

int
ftruncate(int fd, off_t size)
{
    return fails_fd("cut", fd) ? -1 : NEXT(ftruncate)(fd, size);
}

int
ftruncate64(int fd, off64_t size)
{
    return fails_fd("cut", fd) ? -1 : NEXT(ftruncate64)(fd, size);
}

int
fsync(int fd)
{
    return fails_fd("sync", fd) ? -1 : NEXT(fsync)(fd);
}

int
fdatasync(int fd)
{
    return fails_fd("sync", fd) ? -1 : NEXT(fdatasync)(fd);
}

int
rename(const char *from, const char *to)
{
    return fails("name", to) ? -1 : NEXT(rename)(from, to);
}

int
unlink(const char *path)
{
    return fails("name", path) ? -1 : NEXT(unlink)(path);
}
