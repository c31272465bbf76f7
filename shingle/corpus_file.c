/* corpus_file.c -- see corpus_file.h.
 *
 * Files are opened and closed by name for every use: a batch touches a few of
 * them, and no state has to be undone when a write fails.  EFBIG (a limit of
 * the process) counts as a full disk. */
#include "corpus_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "winnow/file.h"
#include "winnow/log.h"

static enum status
from_errno(int error, const char *path, const char *doing)
{
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        return ST_FULL;
    log_error("corpus", "%s: cannot %s: %s", path, doing, strerror(error));
    return ST_IO;
}

/* A path that does not fit is cut: using it then fails with a message. */
struct path
path_printf(const char *format, ...)
{
    struct path p;
    va_list args;

    va_start(args, format);
    vsnprintf(p.z, sizeof p.z, format, args);
    va_end(args);
    return p;
}

enum status
corpus_file_folder(const char *path)
{
    if (mkdir(path, 0755) == 0 ? file_sync_name(path) != ST_OK
                               : errno != EEXIST)
        return from_errno(errno, path, "make");
    return ST_OK;
}

enum status
corpus_file_fit(const char *path, uint64_t size)
{
    struct stat st;

    if (size == 0) {
        if (unlink(path) != 0 && errno != ENOENT)
            return from_errno(errno, path, "remove");
        return ST_OK;
    }
    if (stat(path, &st) != 0 || (uint64_t)st.st_size < size) {
        log_error("corpus",
                  "%s: missing or shorter than the %llu bytes the index "
                  "knows: put it back, or start with an empty folder",
                  path, (unsigned long long)size);
        return ST_USAGE;
    }
    if ((uint64_t)st.st_size > size && truncate(path, (off_t)size) != 0)
        return from_errno(errno, path, "truncate");
    return ST_OK;
}

static enum status
write_all(int fd, const char *path, uint64_t from, struct str bytes)
{
    size_t written = 0;

    if (ftruncate(fd, (off_t)from) != 0)
        return from_errno(errno, path, "truncate");
    while (written < bytes.n) {
        ssize_t n = pwrite(fd, bytes.p + written, bytes.n - written,
                           (off_t)(from + written));

        if (n > 0)
            written += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return from_errno(n == 0 ? ENOSPC : errno, path, "write");
    }
    return ST_OK;
}

enum status
corpus_file_append(const char *path, uint64_t from, struct str bytes, bool sync)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    enum status st;

    if (fd < 0)
        return from_errno(errno, path, "open");
    st = write_all(fd, path, from, bytes);
    if (st == ST_OK && sync && fdatasync(fd) != 0)
        st = from_errno(errno, path, "sync");
    if (close(fd) != 0 && st == ST_OK)
        st = from_errno(errno, path, "close");
    if (st == ST_OK && sync && from == 0 && file_sync_name(path) != ST_OK)
        st = from_errno(errno, path, "sync");
    return st;
}

enum status
corpus_file_read(const char *path, uint64_t from, size_t n, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum status st = ST_OK;

    buf_clear(out);
    if (fd < 0)
        return from_errno(errno, path, "open");
    buf_reserve(out, n);
    while (st == ST_OK && out->n < n) {
        ssize_t got =
            pread(fd, out->p + out->n, n - out->n, (off_t)(from + out->n));

        if (got > 0)
            out->n += (size_t)got;
        else if (got == 0 || errno != EINTR)
            st = from_errno(got == 0 ? EIO : errno, path, "read");
    }
    close(fd);
    return st;
}

enum status
corpus_file_walk(const char *folder, corpus_file_each *each, void *self)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    enum status st = ST_OK;

    if (d == NULL)
        return from_errno(errno, folder, "open");
    while (st == ST_OK && (entry = readdir(d)) != NULL)
        st = each(self, str_c(entry->d_name));
    closedir(d);
    return st;
}
