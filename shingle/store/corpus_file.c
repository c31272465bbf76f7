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
#include <unistd.h>

#include "base/append_log.h"
#include "base/disk_full.h"
#include "base/file.h"
#include "base/log.h"

static enum status
from_errno(int error, const char *path, const char *doing)
{
    if (disk_full(error)) {
        disk_full_hint("corpus", path, error);
        return ST_FULL;
    }
    log_error("corpus", "%s: cannot %s: %s", path, doing, strerror(error));
    return ST_IO;
}

enum status
corpus_file_folder(const char *path)
{
    return file_make_folder(path) == ST_OK ? ST_OK
                                           : from_errno(errno, path, "make");
}

/* The file as far as `size`.  ST_LIMIT: it is shorter. */
static enum status
open_at(struct append_log **out, const char *path, uint64_t size,
        enum append_log_how how)
{
    enum status st = append_log_open(out, "corpus", path, how);

    if (st == ST_OK && append_log_written(*out) < size)
        st = ST_LIMIT;
    if (st == ST_OK)
        st = append_log_cut(*out, size);
    return st;
}

static enum status
is_short(const char *path, uint64_t size)
{
    log_error("corpus",
              "%s: missing or shorter than the %llu bytes the index "
              "knows: put it back, or start with an empty folder",
              path, (unsigned long long)size);
    return ST_USAGE;
}

enum status
corpus_file_fit(const char *path, uint64_t size)
{
    struct append_log *l = NULL;
    enum status st;

    if (size == 0) {
        if (unlink(path) != 0 && errno != ENOENT)
            return from_errno(errno, path, "remove");
        return ST_OK;
    }
    st = open_at(&l, path, size, APPEND_LOG_GO_ON);
    append_log_close(l);
    return st == ST_LIMIT || st == ST_NONE ? is_short(path, size) : st;
}

enum status
corpus_file_append(const char *path, uint64_t from, struct str bytes)
{
    struct append_log *l = NULL;
    enum status st = open_at(&l, path, from, APPEND_LOG_MAKE);

    if (st == ST_OK)
        st = append_log_write(l, bytes);
    if (st == ST_LIMIT) {
        is_short(path, from);
        st = ST_IO;
    }
    append_log_close(l);
    return st;
}

enum status
corpus_file_sync(const char *path, bool fresh)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fdatasync(fd) == 0 &&
              (!fresh || file_sync_name(path) == ST_OK);
    int error = errno;

    if (fd >= 0)
        close(fd);
    return ok ? ST_OK : from_errno(error, path, "sync");
}

enum status
corpus_file_read(const char *path, uint64_t from, size_t n, struct buf *out)
{
    struct append_log *l = NULL;
    enum status st = append_log_open(&l, "corpus", path, APPEND_LOG_READ);

    buf_clear(out);
    if (st == ST_OK)
        st = append_log_read(l, from, n, out);
    append_log_close(l);
    if (st == ST_NONE || st == ST_LIMIT)
        return from_errno(st == ST_NONE ? ENOENT : EIO, path, "read");
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
