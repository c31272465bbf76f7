/* append_log.c -- see append_log.h.
 *
 * Writing is pwrite() at the length that counts, so what stands behind it is
 * written over even if it could not be cut off.  Only a shared file is opened
 * with O_APPEND: there the end is looked up before each write. */
#include "append_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/file.h"
#include "base/log.h"
#include "fd_io.h"

#define BUFFER_SIZE ((size_t)1 << 20) /* it is written when so full */
#define PAGE ((uint64_t)4 << 10) /* one that is not full is written again */

struct append_log {
    const char *owner;
    char *path, *map;
    struct buf buf;           /* what stands behind `written` */
    uint64_t written, synced; /* ends in the file */
    uint64_t begun;           /* so far the system was told to write */
    size_t map_size;
    enum status failed; /* of a write in append_log_add() */
    int fd;
    bool shared, named; /* named: the name is on the disk, as far as we know */
};

static enum status
fault(const struct append_log *l, int error, const char *doing)
{
    if (disk_full(error)) {
        disk_full_hint(l->owner, l->path, error);
        return ST_FULL;
    }
    log_error(l->owner, "cannot %s %s: %s", doing, l->path, strerror(error));
    errno = error;
    return ST_IO;
}

static enum status
open_file(struct append_log *l, enum append_log_how how)
{
    static const int flags[] = {
        [APPEND_LOG_READ] = O_RDONLY,
        [APPEND_LOG_GO_ON] = O_RDWR,
        [APPEND_LOG_MAKE] = O_RDWR | O_CREAT,
        [APPEND_LOG_ANEW] = O_RDWR | O_CREAT | O_TRUNC,
        [APPEND_LOG_SHARED] = O_RDWR | O_CREAT | O_APPEND,
    };
    struct stat st;

    l->fd = open(l->path, flags[how] | O_CLOEXEC, 0666);
    if (l->fd < 0 && errno == ENOENT && how <= APPEND_LOG_GO_ON)
        return ST_NONE;
    if (l->fd < 0)
        return fault(l, errno, "open");
    if (fstat(l->fd, &st) != 0)
        return fault(l, errno, "read");
    l->written = (uint64_t)st.st_size;
    l->begun = l->written;
    l->named = l->written > 0 && !l->shared;
    return ST_OK;
}

enum status
append_log_open(struct append_log **out, const char *owner, const char *path,
                enum append_log_how how)
{
    struct append_log *l = calloc(1, sizeof *l);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (l == NULL)
        return ST_NOMEM;
    l->fd = -1;
    l->owner = owner;
    l->shared = how == APPEND_LOG_SHARED;
    if ((l->path = strdup(path)) == NULL || (st = open_file(l, how)) != ST_OK) {
        append_log_close(l);
        return st;
    }
    *out = l;
    return ST_OK;
}

void
append_log_close(struct append_log *l)
{
    if (l == NULL)
        return;
    if (l->map != NULL)
        munmap(l->map, l->map_size);
    if (l->fd >= 0)
        close(l->fd);
    buf_free(&l->buf);
    free(l->path);
    free(l);
}

const char *
append_log_path(const struct append_log *l)
{
    return l->path;
}

int
append_log_fd(const struct append_log *l)
{
    return l->fd;
}

uint64_t
append_log_written(const struct append_log *l)
{
    return l->written;
}

uint64_t
append_log_end(const struct append_log *l)
{
    return l->written + l->buf.n;
}

void
append_log_back(struct append_log *l, uint64_t end)
{
    l->failed = ST_OK;
    if (end >= l->written) {
        if (end < append_log_end(l))
            l->buf.n = (size_t)(end - l->written);
        return;
    }
    buf_clear(&l->buf);
    l->written = end;
    l->named = l->named && end > 0; /* nobody knows of it yet */
    if (l->synced > end)
        l->synced = end;
    if (l->begun > end)
        l->begun = end;
}

enum status
append_log_cut(struct append_log *l, uint64_t end)
{
    uint64_t before = l->written;

    append_log_back(l, end);
    if (end >= before)
        return ST_OK;
    return ftruncate(l->fd, (off_t)end) == 0 ? ST_OK : fault(l, errno, "cut");
}

/* ---- writing ---- */

/* All of `bytes` or nothing of them, as far as the file can be cut. */
static enum status
write_whole(struct append_log *l, struct str bytes)
{
    size_t done = 0;
    int error;
    off_t end;

    if (l->shared && (end = lseek(l->fd, 0, SEEK_END)) >= 0)
        l->written = (uint64_t)end;
    if (fd_write_at(l->fd, bytes.p, bytes.n, l->written, &done)) {
        l->written += done;
        return ST_OK;
    }
    error = errno;
    if (done > 0 && ftruncate(l->fd, (off_t)l->written) != 0 && l->shared)
        l->written += done; /* else it is written over */
    return fault(l, error, "write");
}

void
append_log_write_behind(struct append_log *l, uint64_t least)
{
    uint64_t end = l->written / PAGE * PAGE;

    if (end <= l->begun || end - l->begun < least)
        return;
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(l->fd, (off_t)l->begun, (off_t)(end - l->begun),
                          SYNC_FILE_RANGE_WRITE);
#endif
    l->begun = end;
}

static enum status
write_buffer(struct append_log *l)
{
    enum status st = write_whole(l, buf_view(&l->buf));

    if (st != ST_OK)
        return st;
    if (l->buf.n >= BUFFER_SIZE)
        append_log_write_behind(l, BUFFER_SIZE);
    buf_clear(&l->buf);
    return ST_OK;
}

void
append_log_add(struct append_log *l, struct str head, struct str body)
{
    buf_str(&l->buf, head);
    buf_str(&l->buf, body);
    if (l->buf.n >= BUFFER_SIZE && l->failed == ST_OK)
        l->failed = write_buffer(l);
}

enum status
append_log_flush(struct append_log *l)
{
    if (l->failed == ST_OK && l->buf.n > 0)
        l->failed = write_buffer(l);
    return l->failed;
}

enum status
append_log_write(struct append_log *l, struct str bytes)
{
    enum status st = append_log_flush(l);

    return st == ST_OK ? write_whole(l, bytes) : st;
}

enum status
append_log_sync(struct append_log *l)
{
    if (l->failed != ST_OK || (l->named && l->synced == l->written))
        return l->failed;
    if (fdatasync(l->fd) != 0 ||
        (!l->named && file_sync_name(l->path) != ST_OK))
        return l->failed = fault(l, errno, "sync"); /* it may be gone */
    l->named = true;
    l->synced = l->written;
    return ST_OK;
}

bool
append_log_fill(struct append_log *l, uint64_t size)
{
    static const char zeros[64 << 10];
    off_t end = lseek(l->fd, 0, SEEK_END);
    uint64_t at = end < 0 ? size : (uint64_t)end;
    bool whole = end >= 0;

    while (whole && at < size) {
        size_t n =
            size - at < sizeof zeros ? (size_t)(size - at) : sizeof zeros;

        whole = fd_write_at(l->fd, zeros, n, at, NULL);
        at += n;
    }
    if (whole && fdatasync(l->fd) == 0)
        return true;
    if (end >= 0 && ftruncate(l->fd, end) != 0)
        (void)fault(l, errno, "cut");
    return false;
}

/* ---- reading ---- */

enum status
append_log_read(const struct append_log *l, uint64_t from, size_t n,
                struct buf *out)
{
    size_t got;
    bool all;

    buf_reserve(out, n);
    all = fd_read_at(l->fd, out->p + out->n, n, from, &got);
    out->n += got;
    if (all)
        return ST_OK;
    return errno == 0 ? ST_LIMIT : fault(l, errno, "read");
}

enum status
append_log_map(struct append_log *l, uint64_t size_max, const char **out)
{
    void *p = mmap(NULL, (size_t)size_max, PROT_READ,
                   MAP_SHARED | MAP_NORESERVE, l->fd, 0);

    if (p == MAP_FAILED)
        return fault(l, errno, "map");
    l->map = p;
    l->map_size = (size_t)size_max;
    *out = p;
    return ST_OK;
}

void
append_log_map_order(struct append_log *l, enum append_log_order order)
{
    (void)madvise(l->map, l->map_size,
                  order == APPEND_LOG_SCATTERED ? MADV_RANDOM : MADV_NORMAL);
}
