/* record_log_mend.c -- a log of records that nobody has open: what of it is
 * damaged, and forgetting. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/file.h"
#include "base/log.h"
#include "record_bytes.h"

/* ---- damage ---- */

static void
examine(char *bytes, uint64_t end, bool mend, struct record_log_damage *out)
{
    for (uint64_t at = RECORD_UNIT, next; at < end; at = next) {
        struct record_head h;

        if (record_bytes_is(bytes + at, end - at, &h)) {
            next = at + (uint64_t)h.units * RECORD_UNIT;
            out->records += h.verdict != RECORD_BYTES_SKIPPED;
            continue;
        }
        for (next = at + RECORD_UNIT;
             next < end && !record_bytes_is(bytes + next, end - next, &h);)
            next += RECORD_UNIT;
        next = next < end ? next : end;
        out->faults++;
        out->lost_bytes += next - at;
        if (mend)
            record_bytes_skip(bytes + at, next - at);
    }
}

/* The first `end` bytes of a file, or all there are, mapped; NULL: reported. */
static char *
map_bytes(const char *path, bool write, uint64_t *end, int *fd)
{
    struct stat sb;
    char *bytes;

    *fd = open(path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (*fd < 0 || fstat(*fd, &sb) != 0) {
        log_error("dedup", "%s: %s", path, strerror(errno));
        if (*fd >= 0)
            close(*fd);
        return NULL;
    }
    if (*end > (uint64_t)sb.st_size)
        *end = (uint64_t)sb.st_size / RECORD_UNIT * RECORD_UNIT;
    bytes = *end > 0 ? mmap(NULL, *end, PROT_READ | (write ? PROT_WRITE : 0),
                            MAP_SHARED, *fd, 0)
                     : MAP_FAILED;
    if (bytes != MAP_FAILED)
        return bytes;
    log_error("dedup", "%s: it cannot be read", path);
    close(*fd);
    return NULL;
}

static enum status
unmap_bytes(char *bytes, uint64_t end, int fd, bool sync)
{
    enum status st = ST_OK;

    if (sync && (msync(bytes, end, MS_SYNC) != 0 || fsync(fd) != 0))
        st = ST_IO;
    munmap(bytes, end);
    close(fd);
    return st;
}

enum status
record_log_examine(const char *path, uint64_t end, bool mend,
                   struct record_log_damage *out)
{
    uint64_t wanted = end;
    int fd;
    char *bytes = map_bytes(path, mend, &end, &fd);

    *out = (struct record_log_damage){.end = end};
    if (bytes == NULL)
        return ST_USAGE;
    out->faults += end < wanted && wanted != UINT64_MAX; /* it is lost */
    if (memcmp(bytes, RECORD_LOG_NAME, RECORD_UNIT) != 0) {
        out->faults++;
        if (mend)
            memcpy(bytes, RECORD_LOG_NAME, RECORD_UNIT);
    }
    examine(bytes, end, mend, out);
    return unmap_bytes(bytes, end, fd, mend);
}

/* ---- forgetting ---- */

/* What is left of a record, at its place: who else names that finds a record
 * there. */
static void
write_forgotten(const struct record_head *old, struct buf *out)
{
    struct record_head h = {.verdict = VERDICT_REJECTED,
                            .flags = RECORD_FLAG_FORGOTTEN};
    size_t size = (size_t)old->units * RECORD_UNIT, n;
    char *p;

    memcpy(h.visit, old->visit, sizeof h.visit);
    memcpy(h.id, old->id, sizeof h.id);
    h.units = (uint16_t)record_bytes_units(&h);
    n = (size_t)h.units * RECORD_UNIT;
    buf_reserve(out, size);
    p = out->p + out->n;
    memset(p, 0, n);
    memcpy(p, &h, sizeof h);
    h.check = record_bytes_check(p, n);
    memcpy(p, &h.check, sizeof h.check);
    record_bytes_skip(p + n, size - n);
    out->n += size;
}

/* The log without what is forgotten, to `fd`. */
static enum status
write_rest(const char *bytes, uint64_t end, int fd, record_log_is *is,
           void *self, uint64_t *n)
{
    struct buf out = {0};
    struct record_head h;
    enum status st = ST_OK;

    buf_str(&out, str_n(bytes, RECORD_UNIT));
    for (uint64_t at = RECORD_UNIT; at < end && st == ST_OK;
         at += (uint64_t)h.units * RECORD_UNIT) {
        bool found;

        if (!record_bytes_is(bytes + at, end - at, &h)) {
            log_error("dedup", "the log of records is garbled at byte %llu",
                      (unsigned long long)at);
            st = ST_STORE;
            break;
        }
        found = h.verdict != RECORD_BYTES_SKIPPED && is(self, h.id);
        *n += found;
        if (found)
            write_forgotten(&h, &out);
        else
            buf_str(&out, str_n(bytes + at, (size_t)h.units * RECORD_UNIT));
        if (out.n < 1 << 20)
            continue;
        st = fd_write(fd, out.p, out.n) ? ST_OK : ST_IO;
        buf_clear(&out);
    }
    if (st == ST_OK && !fd_write(fd, out.p, out.n))
        st = ST_IO;
    buf_free(&out);
    return st;
}

enum status
record_log_forget(const char *path, uint64_t end, record_log_is *is, void *self,
                  uint64_t *n)
{
    struct buf fresh = {0};
    int fd, out;
    char *bytes = map_bytes(path, false, &end, &fd);
    enum status st = ST_IO;

    *n = 0;
    if (bytes == NULL)
        return ST_USAGE;
    buf_printf(&fresh, "%s.new", path);
    buf_char(&fresh, '\0');
    out = open(fresh.p, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out >= 0 && (st = write_rest(bytes, end, out, is, self, n)) == ST_OK &&
        (fsync(out) != 0 || rename(fresh.p, path) != 0 ||
         file_sync_name(path) != ST_OK))
        st = ST_IO;
    if (st == ST_IO)
        log_error("dedup", "%s: %s", fresh.p, strerror(errno));
    if (out >= 0)
        close(out);
    buf_free(&fresh);
    return unmap_bytes(bytes, end, fd, false) == ST_OK ? st : ST_IO;
}
