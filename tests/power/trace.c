/* trace.c -- LD_PRELOAD: every call that changes a file or a folder, or syncs
 * one, under $POWER_ROOT is written to $POWER_TRACE, in order (power.py).
 *
 * A record is a line and, for W, that many bytes behind it:
 *
 *   C inode path        a file was made        M inode path   a folder was made
 *   O inode path        a file was opened      F inode        a file was synced
 *   W inode offset n d  written; d: O_DSYNC    T inode size   cut or grown
 *   D path              a folder was synced    U path         unlink, rmdir
 *   R from TAB to       rename
 *
 * One lock is held over the call and its record, so the order is the true one.
 * What libc writes from inside (stdio) does not come by here: the stores do not
 * use it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FDS 4096
#define NEXT(name) ((__typeof__(&name))next(#name))

struct file {
    unsigned long long inode;
    char *folder; /* of a folder: its path */
    int dsync, known;
};

static struct file file[FDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace_fd = -1;
static const char *root;

static void *
next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void
start(void)
{
    const char *path = getenv("POWER_TRACE");

    root = getenv("POWER_ROOT");
    if (path != NULL && root != NULL)
        trace_fd =
            (int)syscall(SYS_openat, AT_FDCWD, path,
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void
out(const void *p, size_t n)
{
    const char *at = p;

    while (n > 0) {
        long done = syscall(SYS_write, trace_fd, at, n);

        if (done <= 0)
            abort(); /* a trace with holes proves nothing */
        at += done;
        n -= (size_t)done;
    }
}

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
    char line[9000];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    out(line, (size_t)n);
}

static int
ours(const char *path)
{
    return trace_fd >= 0 && strncmp(path, root, strlen(root)) == 0;
}

static void
opened(int fd, const char *path, int flags, int existed)
{
    struct stat st;

    if (fd < 0 || fd >= FDS || fstat(fd, &st) != 0)
        return;
    file[fd] = (struct file){.inode = st.st_ino, .known = 1};
    if (S_ISDIR(st.st_mode)) {
        file[fd].folder = strdup(path);
        return;
    }
    file[fd].dsync = (flags & O_DSYNC) != 0;
    say("%c %llu %s\n", existed ? 'O' : 'C', file[fd].inode, path);
    if (existed && (flags & O_TRUNC))
        say("T %llu 0\n", file[fd].inode);
}

static int
open_as(const char *name, const char *path, int flags, mode_t mode)
{
    int (*call)(const char *, int, ...) =
        (int (*)(const char *, int, ...))next(name);
    int fd, existed, fault;

    if (!ours(path))
        return call(path, flags, mode);
    pthread_mutex_lock(&lock);
    existed = faccessat(AT_FDCWD, path, F_OK, 0) == 0;
    fd = call(path, flags, mode);
    fault = errno;
    opened(fd, path, flags, existed);
    pthread_mutex_unlock(&lock);
    errno = fault;
    return fd;
}

#define OPEN(name)                                                             \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        va_list args;                                                          \
        mode_t mode = 0;                                                       \
                                                                               \
        if (flags & O_CREAT) {                                                 \
            va_start(args, flags);                                             \
            mode = va_arg(args, mode_t);                                       \
            va_end(args);                                                      \
        }                                                                      \
        return open_as(#name, path, flags, mode);                              \
    }

OPEN(open)
OPEN(open64)

int
creat(const char *path, mode_t mode)
{
    return open_as("open", path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static struct file *
known(int fd)
{
    return trace_fd >= 0 && fd >= 0 && fd < FDS && file[fd].known ? &file[fd]
                                                                  : NULL;
}

int
close(int fd)
{
    struct file *f = known(fd);

    if (f != NULL) {
        pthread_mutex_lock(&lock);
        free(f->folder);
        *f = (struct file){0};
        pthread_mutex_unlock(&lock);
    }
    return NEXT(close)(fd);
}

/* ---- writing ---- */

static ssize_t
written(struct file *f, ssize_t n, long long at, const struct iovec *v, int vn)
{
    ssize_t left = n;

    if (n <= 0)
        return n;
    say("W %llu %lld %zd %d\n", f->inode, at, n, f->dsync);
    for (int i = 0; i < vn && left > 0; i++) {
        size_t part = v[i].iov_len < (size_t)left ? v[i].iov_len : (size_t)left;

        out(v[i].iov_base, part);
        left -= (ssize_t)part;
    }
    return n;
}

/* Where a write() without a place goes. */
static long long
place(int fd)
{
    struct stat st;

    if (fcntl(fd, F_GETFL) & O_APPEND)
        return fstat(fd, &st) == 0 ? (long long)st.st_size : 0;
    return (long long)lseek(fd, 0, SEEK_CUR);
}

#define WRITING(f, at_of, done, v, vn)                                         \
    do {                                                                       \
        ssize_t n_;                                                            \
        long long at_;                                                         \
        int fault_;                                                            \
                                                                               \
        pthread_mutex_lock(&lock);                                             \
        at_ = (at_of);                                                         \
        n_ = (done);                                                           \
        fault_ = errno;                                                        \
        written(f, n_, at_, v, vn);                                            \
        pthread_mutex_unlock(&lock);                                           \
        errno = fault_;                                                        \
        return n_;                                                             \
    } while (0)

ssize_t
write(int fd, const void *p, size_t n)
{
    struct file *f = known(fd);
    struct iovec v = {(void *)(unsigned long)p, n};

    if (f == NULL)
        return NEXT(write)(fd, p, n);
    WRITING(f, place(fd), NEXT(write)(fd, p, n), &v, 1);
}

ssize_t
writev(int fd, const struct iovec *v, int vn)
{
    struct file *f = known(fd);

    if (f == NULL)
        return NEXT(writev)(fd, v, vn);
    WRITING(f, place(fd), NEXT(writev)(fd, v, vn), v, vn);
}

#define PWRITE(name, off_type)                                                 \
    ssize_t name(int fd, const void *p, size_t n, off_type at)                 \
    {                                                                          \
        struct file *f = known(fd);                                            \
        struct iovec v = {(void *)(unsigned long)p, n};                        \
                                                                               \
        if (f == NULL)                                                         \
            return NEXT(name)(fd, p, n, at);                                   \
        WRITING(f, at, NEXT(name)(fd, p, n, at), &v, 1);                       \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, off_type)                                                \
    ssize_t name(int fd, const struct iovec *v, int vn, off_type at)           \
    {                                                                          \
        struct file *f = known(fd);                                            \
                                                                               \
        if (f == NULL)                                                         \
            return NEXT(name)(fd, v, vn, at);                                  \
        WRITING(f, at, NEXT(name)(fd, v, vn, at), v, vn);                      \
    }

PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define FTRUNCATE(name, off_type)                                              \
    int name(int fd, off_type size)                                            \
    {                                                                          \
        struct file *f = known(fd);                                            \
        int rc;                                                                \
                                                                               \
        if (f == NULL)                                                         \
            return NEXT(name)(fd, size);                                       \
        pthread_mutex_lock(&lock);                                             \
        rc = NEXT(name)(fd, size);                                             \
        if (rc == 0)                                                           \
            say("T %llu %lld\n", f->inode, (long long)size);                   \
        pthread_mutex_unlock(&lock);                                           \
        return rc;                                                             \
    }

FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define TRUNCATE(name, off_type)                                               \
    int name(const char *path, off_type size)                                  \
    {                                                                          \
        struct stat st;                                                        \
        int rc;                                                                \
                                                                               \
        if (!ours(path))                                                       \
            return NEXT(name)(path, size);                                     \
        pthread_mutex_lock(&lock);                                             \
        rc = NEXT(name)(path, size);                                           \
        if (rc == 0 && stat(path, &st) == 0)                                   \
            say("T %llu %lld\n", (unsigned long long)st.st_ino,                \
                (long long)size);                                              \
        pthread_mutex_unlock(&lock);                                           \
        return rc;                                                             \
    }

TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

/* ---- syncing ---- */

#define SYNC(name)                                                             \
    int name(int fd)                                                           \
    {                                                                          \
        struct file *f = known(fd);                                            \
        int rc;                                                                \
                                                                               \
        if (f == NULL)                                                         \
            return NEXT(name)(fd);                                             \
        pthread_mutex_lock(&lock);                                             \
        rc = NEXT(name)(fd);                                                   \
        if (rc == 0 && f->folder != NULL)                                      \
            say("D %s\n", f->folder);                                          \
        else if (rc == 0)                                                      \
            say("F %llu\n", f->inode);                                         \
        pthread_mutex_unlock(&lock);                                           \
        return rc;                                                             \
    }

SYNC(fsync)
SYNC(fdatasync)

/* ---- names ---- */

#define NAMING(doing, ...)                                                     \
    do {                                                                       \
        int rc_, fault_;                                                       \
                                                                               \
        pthread_mutex_lock(&lock);                                             \
        rc_ = (doing);                                                         \
        fault_ = errno;                                                        \
        if (rc_ == 0)                                                          \
            say(__VA_ARGS__);                                                  \
        pthread_mutex_unlock(&lock);                                           \
        errno = fault_;                                                        \
        return rc_;                                                            \
    } while (0)

int
unlink(const char *path)
{
    if (!ours(path))
        return NEXT(unlink)(path);
    NAMING(NEXT(unlink)(path), "U %s\n", path);
}

int
rmdir(const char *path)
{
    if (!ours(path))
        return NEXT(rmdir)(path);
    NAMING(NEXT(rmdir)(path), "U %s\n", path);
}

int
rename(const char *from, const char *to)
{
    if (!ours(from))
        return NEXT(rename)(from, to);
    NAMING(NEXT(rename)(from, to), "R %s\t%s\n", from, to);
}

int
link(const char *from, const char *to)
{
    if (!ours(from))
        return NEXT(link)(from, to);
    NAMING(NEXT(link)(from, to), "L %s\t%s\n", from, to);
}

int
mkdir(const char *path, mode_t mode)
{
    if (!ours(path))
        return NEXT(mkdir)(path, mode);
    NAMING(NEXT(mkdir)(path, mode), "M 0 %s\n", path);
}
