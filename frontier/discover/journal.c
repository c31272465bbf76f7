/* journal.c -- see journal.h: a header of 16 bytes, then records of
 *
 *   le32 size | le32 check | size bytes
 *
 * The check is a hash of the bytes and of their place, so a record that was
 * moved, cut off or overwritten is found out.  Writing goes through a buffer
 * and pwrite(); reading through a map of the most the file may ever hold, of
 * which only what was written is touched (shortening the file by hand while it
 * is in use would be a SIGBUS, as with LMDB's own). */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "winnow/buf.h"
#include "winnow/file.h"
#include "winnow/hash.h"
#include "winnow/log.h"

#define HEADER "winnow links 1\n" /* and a NUL: 16 bytes */
#define FRAME 8u
#define WRITE_SIZE ((size_t)1 << 20) /* the buffer is written when so full */

struct journal {
    char *path;
    char *map;                /* read only */
    struct buf buf;           /* what stands behind `written` */
    uint64_t written, synced; /* ends in the file */
    enum status failed;       /* of a write in journal_add() */
    int fd;
    bool read_only;
};

static enum status
fault(const struct journal *j, const char *doing)
{
    if (errno == ENOSPC || errno == EDQUOT)
        return ST_FULL;
    log_error("frontier", "cannot %s %s: %s", doing, j->path, strerror(errno));
    return ST_IO;
}

static void
put_le32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(unsigned char)(v >> 8 * i);
}

static uint32_t
get_le32(const char *p)
{
    uint32_t v = 0;

    for (int i = 0; i < 4; i++)
        v |= (uint32_t)(unsigned char)p[i] << 8 * i;
    return v;
}

static uint32_t
check(struct str record, uint64_t at)
{
    return (uint32_t)hash64_seed(record, at);
}

/* ---- reading ---- */

enum status
journal_parse(struct str bytes, uint64_t *at, struct str *record)
{
    const char *p;
    uint32_t size;

    if (*at < JOURNAL_START) {
        if (bytes.n < JOURNAL_START ||
            memcmp(bytes.p, HEADER, JOURNAL_START) != 0)
            return ST_INVALID;
        *at = JOURNAL_START;
    }
    if (*at == bytes.n)
        return ST_NONE;
    if (*at > bytes.n || bytes.n - *at < FRAME)
        return ST_INVALID;
    p = bytes.p + *at;
    size = get_le32(p);
    if (size > JOURNAL_RECORD_MAX || size > bytes.n - *at - FRAME)
        return ST_INVALID;
    *record = str_n(p + FRAME, size);
    if (check(*record, *at) != get_le32(p + 4))
        return ST_INVALID;
    *at += FRAME + size;
    return ST_OK;
}

enum status
journal_next(const struct journal *j, uint64_t *at, struct str *record)
{
    enum status st =
        journal_parse(str_n(j->map, (size_t)j->written), at, record);

    if (st != ST_INVALID)
        return st;
    log_error("frontier",
              "%s is damaged at byte %llu: links that wait in it cannot be "
              "read; bring back a copy, or let `winnow frontier DIR --check "
              "--repair` go on with those that can",
              j->path, (unsigned long long)*at);
    return ST_STORE;
}

/* ---- opening ---- */

static enum status
start(struct journal *j, uint64_t end)
{
    struct stat st;

    if (fstat(j->fd, &st) != 0)
        return fault(j, "read");
    if ((uint64_t)st.st_size < end) {
        log_error("frontier",
                  "%s has %llu bytes, the store knows of %llu: links are "
                  "missing; bring back a copy, or let `winnow frontier DIR "
                  "--check --repair` go on with those that are there",
                  j->path, (unsigned long long)st.st_size,
                  (unsigned long long)end);
        return ST_STORE;
    }
    if (j->read_only) {
        j->written = end;
        return ST_OK;
    }
    if (end == 0) {
        if (pwrite(j->fd, HEADER, JOURNAL_START, 0) != JOURNAL_START)
            return fault(j, "write");
        end = JOURNAL_START;
    }
    if (ftruncate(j->fd, (off_t)end) != 0)
        return fault(j, "cut");
    j->written = end;
    return ST_OK;
}

enum status
journal_open(struct journal **out, const char *path, uint64_t end,
             bool read_only)
{
    struct journal *j = calloc(1, sizeof *j);
    int how = read_only ? O_RDONLY
              : end > 0 ? O_RDWR
                        : O_RDWR | O_CREAT | O_TRUNC;
    enum status st = ST_NOMEM;
    void *p;

    *out = NULL;
    if (j == NULL)
        return ST_NOMEM;
    j->fd = -1;
    j->read_only = read_only;
    if ((j->path = strdup(path)) == NULL)
        goto fail;
    if ((j->fd = open(path, how | O_CLOEXEC, 0666)) < 0) {
        st = errno == ENOENT ? ST_NONE : fault(j, "open");
        goto fail;
    }
    if ((st = start(j, end)) != ST_OK)
        goto fail;
    p = mmap(NULL, JOURNAL_SIZE_MAX, PROT_READ, MAP_SHARED | MAP_NORESERVE,
             j->fd, 0);
    if (p == MAP_FAILED) {
        st = fault(j, "map");
        goto fail;
    }
    j->map = p;
    *out = j;
    return ST_OK;

fail:
    journal_close(j);
    return st;
}

void
journal_close(struct journal *j)
{
    if (j == NULL)
        return;
    if (j->map != NULL)
        munmap(j->map, JOURNAL_SIZE_MAX);
    if (j->fd >= 0)
        close(j->fd);
    buf_free(&j->buf);
    free(j->path);
    free(j);
}

/* ---- writing ---- */

uint64_t
journal_end(const struct journal *j)
{
    return j->written + j->buf.n;
}

static enum status
write_buf(struct journal *j)
{
    size_t done = 0;

    while (done < j->buf.n) {
        ssize_t n = pwrite(j->fd, j->buf.p + done, j->buf.n - done,
                           (off_t)(j->written + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fault(j, "write");
        done += (size_t)n;
    }
#ifdef SYNC_FILE_RANGE_WRITE /* on its way to the disk when it is asked for */
    if (done >= WRITE_SIZE)
        (void)sync_file_range(j->fd, (off_t)j->written, (off_t)done,
                              SYNC_FILE_RANGE_WRITE);
#endif
    j->written += done;
    buf_clear(&j->buf);
    return ST_OK;
}

void
journal_add(struct journal *j, struct str record)
{
    char frame[FRAME];

    put_le32(frame, (uint32_t)record.n);
    put_le32(frame + 4, check(record, journal_end(j)));
    buf_add(&j->buf, frame, sizeof frame);
    buf_str(&j->buf, record);
    if (j->buf.n >= WRITE_SIZE && j->failed == ST_OK)
        j->failed = write_buf(j);
}

enum status
journal_write(struct journal *j, bool sync)
{
    if (j->failed == ST_OK && journal_end(j) > JOURNAL_SIZE_MAX)
        j->failed = ST_FULL;
    if (j->failed == ST_OK && j->buf.n > 0)
        j->failed = write_buf(j);
    if (j->failed == ST_OK && sync && j->synced < j->written) {
        if ((j->synced == 0 && file_sync_name(j->path) != ST_OK) ||
            fdatasync(j->fd) != 0)
            j->failed = fault(j, "write");
        else
            j->synced = j->written;
    }
    return j->failed;
}

void
journal_cut(struct journal *j, uint64_t end)
{
    j->failed = ST_OK;
    if (end >= j->written) {
        if (end < journal_end(j))
            j->buf.n = (size_t)(end - j->written);
        return;
    }
    buf_clear(&j->buf);
    j->written = end;
    if (j->synced > end)
        j->synced = end;
    if (ftruncate(j->fd, (off_t)end) != 0) {
        /* it is written over */
    }
}
