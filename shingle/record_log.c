/* record_log.c -- see record_log.h.
 *
 * The file begins with its name in 32 bytes; then records, each a multiple of
 * 32 bytes: a head, what its verdict adds to it, the signature, and sentences.
 * A kept document of up to 1,024 shingles with 12 bands takes 384 bytes or
 * less (and 8 for each sentence, where those are to be known), a near-duplicate
 * 192, what was rejected or is equal to another 64.  Numbers are those of the
 * machine, as in LMDB.
 *
 * Each record has a check of all its bytes, looked at whenever it is read: what
 * a disk has garbled is met at the start or, in what a checkpoint spares it,
 * when it is needed.  Records are read from a map of the file,
 * or from the buffer of those that are not written yet.  Those of candidates
 * stand anywhere: what of them is not in memory is read a page at a time (57 us
 * here; a page with the 8 MiB that this system reads around it 7 to 20 ms). */
#include "record_log.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/append_log.h"
#include "base/fd_io.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "gaps.h"

enum {
    HEAD_FLAG_VALUES = 1,
    HEAD_FLAG_GAPS = 2,
    SKIPPED = 0xff,
    GAPS_UNIT = 4
};

#define NAME "winnow-dedup-records 1\n\n\n\n\n\n\n\n\n\n"
#define PLACES_MAX ((uint64_t)UINT32_MAX)
#define ESTIMATE_ONE 65535.0

struct record_head {
    uint32_t check;
    uint16_t units;
    uint8_t verdict, flags;
    uint8_t bands_n, rows, replaced_n, unused;
    uint16_t estimate, signature_units;
    uint32_t shingles_n, of /* of kept ones: sentences_n */, text_bytes;
    unsigned char visit[RECORD_VISIT_BYTES], id[DOCUMENT_ID_BYTES];
};

struct record_log {
    struct append_log *log;
    const char *map;
    struct buf pending;
    uint64_t written; /* bytes in the file; `pending` is behind them */
    uint64_t size_max;
    char *repair;
};

_Static_assert(sizeof NAME - 1 == RECORD_UNIT, "the name is one unit");
_Static_assert(sizeof(struct record_head) == 60, "heads have no holes");

static uint32_t
check_of(const char *bytes, size_t n)
{
    return (uint32_t)hash64(str_n(bytes + 4, n - 4));
}

/* Bytes before the signature, which begins at a multiple of RECORD_UNIT; gaps
 * follow at once. */
static size_t
front_bytes(const struct record_head *h)
{
    size_t n = sizeof *h +
               (h->verdict == VERDICT_KEPT ? RECORD_DIGEST_BYTES : 0) +
               (size_t)h->bands_n * RECORD_BAND_BYTES +
               (size_t)h->replaced_n * sizeof(uint32_t);

    return h->flags & HEAD_FLAG_GAPS
               ? n
               : (n + RECORD_UNIT - 1) / RECORD_UNIT * RECORD_UNIT;
}

static size_t
signature_size(const struct record_head *h)
{
    return (size_t)h->signature_units *
           (h->flags & HEAD_FLAG_GAPS ? GAPS_UNIT : RECORD_UNIT);
}

/* Of the sentences, behind the signature. */
static size_t
sentences_size(const struct record_head *h)
{
    return h->verdict == VERDICT_KEPT ? (size_t)h->of * RECORD_SENTENCE_BYTES
                                      : 0;
}

static size_t
units_of(const struct record_head *h)
{
    return (front_bytes(h) + signature_size(h) + sentences_size(h) +
            RECORD_UNIT - 1) /
           RECORD_UNIT;
}

/* ---- one record as bytes ---- */

static struct record_head
record_head_of(const struct record *r)
{
    struct record_head h = {
        .verdict = (uint8_t)r->verdict,
        .flags = (uint8_t)((r->of_values ? HEAD_FLAG_VALUES : 0) |
                           (r->signature.gaps.n > 0 ? HEAD_FLAG_GAPS : 0)),
        .bands_n = (uint8_t)r->bands_n,
        .rows = (uint8_t)r->rows,
        .replaced_n = (uint8_t)r->replaced_n,
        .estimate = (uint16_t)(r->estimate * ESTIMATE_ONE + 0.5),
        .signature_units =
            (uint16_t)(signature_bytes(&r->signature) /
                       (r->signature.gaps.n > 0 ? GAPS_UNIT : RECORD_UNIT)),
        .shingles_n = r->signature.shingles_n,
        .of = r->verdict == VERDICT_KEPT ? r->sentences_n : r->of,
        .text_bytes =
            r->text_bytes < UINT32_MAX ? (uint32_t)r->text_bytes : UINT32_MAX};

    memcpy(h.visit, r->visit, sizeof h.visit);
    memcpy(h.id, r->id, sizeof h.id);
    h.units = (uint16_t)units_of(&h);
    return h;
}

static void
write_record(const struct record *r, struct buf *out)
{
    struct record_head h = record_head_of(r);
    size_t size = (size_t)h.units * RECORD_UNIT;
    char *p;

    buf_reserve(out, size);
    p = out->p + out->n;
    memset(p, 0, size);
    memcpy(p, &h, sizeof h);
    if (h.signature_units > 0)
        memcpy(p + front_bytes(&h),
               r->signature.word != NULL ? (const void *)r->signature.word
                                         : r->signature.gaps.p,
               signature_bytes(&r->signature));
    if (sentences_size(&h) > 0)
        memcpy(p + front_bytes(&h) + signature_size(&h), r->sentence,
               sentences_size(&h));
    p += sizeof h;
    if (r->verdict == VERDICT_KEPT) {
        memcpy(p, r->digest, RECORD_DIGEST_BYTES);
        p += RECORD_DIGEST_BYTES;
    }
    memcpy(p, r->replaced, r->replaced_n * sizeof *r->replaced);
    p += r->replaced_n * sizeof *r->replaced;
    if (r->bands_n > 0)
        memcpy(p, r->band, (size_t)r->bands_n * RECORD_BAND_BYTES);
    p = out->p + out->n;
    h.check = check_of(p, size);
    memcpy(p, &h.check, sizeof h.check);
    out->n += size;
}

/* Sizes that fit each other within the n bytes that are there. */
static bool
is_head(const struct record_head *h, uint64_t n)
{
    size_t signature = signature_size(h);

    if (h->units == 0 || (uint64_t)h->units * RECORD_UNIT > n)
        return false;
    if (h->verdict == SKIPPED)
        return true;
    return h->units == units_of(h) && h->verdict <= VERDICT_REJECTED &&
           h->bands_n <= RECORD_BANDS_MAX &&
           h->replaced_n <= RECORD_REPLACED_MAX &&
           sentences_size(h) <=
               (size_t)RECORD_SENTENCES_MAX * RECORD_SENTENCE_BYTES &&
           ((h->flags & HEAD_FLAG_GAPS) != 0 ||
            ((signature & (signature - 1)) == 0 &&
             (signature == 0 || signature >= SIGNATURE_BITS_MIN / 16)));
}

static struct signature
signature_at(const char *p, const struct record_head *h)
{
    size_t n = signature_size(h);
    struct signature s = {.shingles_n = h->shingles_n};

    if (h->flags & HEAD_FLAG_GAPS) {
        s.gaps = str_n(p, n);
        s.bits_n = gaps_bits(s.gaps);
    } else {
        s.word = (const uint64_t *)(const void *)p;
        s.bits_n = (uint32_t)n * 8;
    }
    return s;
}

static void
read_record(const char *p, struct record *out)
{
    struct record_head h;

    memcpy(&h, p, sizeof h);
    *out = (struct record){
        .verdict = (enum verdict)h.verdict,
        .visit = (const unsigned char *)p + offsetof(struct record_head, visit),
        .id = (const unsigned char *)p + offsetof(struct record_head, id),
        .of = h.verdict == VERDICT_KEPT ? 0 : h.of,
        .estimate = h.estimate / ESTIMATE_ONE,
        .text_bytes = h.text_bytes,
        .of_values = h.flags & HEAD_FLAG_VALUES,
        .bands_n = h.bands_n,
        .rows = h.rows,
        .replaced_n = h.replaced_n,
        .signature = signature_at(p + front_bytes(&h), &h),
        .sentences_n = h.verdict == VERDICT_KEPT ? h.of : 0,
        .sentence =
            (const unsigned char *)p + front_bytes(&h) + signature_size(&h)};
    p += sizeof h;
    if (out->verdict == VERDICT_KEPT) {
        out->digest = (const unsigned char *)p;
        p += RECORD_DIGEST_BYTES;
    }
    memcpy(out->replaced, p, h.replaced_n * sizeof *out->replaced);
    out->band = (const unsigned char *)p + h.replaced_n * sizeof *out->replaced;
}

/* ---- the file ---- */

static enum status
begin_file(struct record_log *r)
{
    enum status st = append_log_cut(r->log, 0);

    if (st == ST_OK)
        st = append_log_write(r->log, S(NAME));
    return st == ST_OK ? append_log_sync(r->log) : st;
}

static enum status
refuse(const char *path, const char *why, const char *repair)
{
    log_error("dedup", "%s: %s: `%s` says more", path, why, repair);
    return ST_USAGE;
}

static enum status
map_file(struct record_log *r, uint64_t size_max)
{
    enum status st = append_log_map(r->log, size_max, &r->map);

    r->size_max = size_max;
    r->written = append_log_end(r->log);
    if (st == ST_OK)
        append_log_map_order(r->log, APPEND_LOG_SCATTERED);
    return st;
}

enum status
record_log_open(struct record_log **out, const char *path, uint64_t end,
                uint64_t size_max, const char *repair)
{
    struct record_log *r = calloc(1, sizeof *r);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (r == NULL || (r->repair = strdup(repair)) == NULL)
        goto failed;
    st = append_log_open(&r->log, "dedup", path,
                         end == 0 ? APPEND_LOG_MAKE : APPEND_LOG_GO_ON);
    if (st == ST_NONE)
        st = refuse(path, "it is missing", repair);
    if (st != ST_OK)
        goto failed;
    if (end > append_log_written(r->log))
        st = refuse(path, "it is shorter than the index knows", repair);
    else if (end == 0 && append_log_written(r->log) > RECORD_UNIT)
        st =
            refuse(path, "it has records that the index does not know", repair);
    else if (end == 0)
        st = begin_file(r);
    else
        st = append_log_cut(r->log, end);
    if (st != ST_OK || (st = map_file(r, size_max)) != ST_OK)
        goto failed;
    if (memcmp(r->map, NAME, RECORD_UNIT) != 0) {
        st = refuse(path, "it is no log of records of this version", repair);
        goto failed;
    }
    *out = r;
    return ST_OK;

failed:
    record_log_close(r);
    return st;
}

void
record_log_close(struct record_log *r)
{
    if (r == NULL)
        return;
    append_log_close(r->log);
    buf_free(&r->pending);
    free(r->repair);
    free(r);
}

uint64_t
record_log_end(const struct record_log *r)
{
    return r->written + r->pending.n;
}

enum status
record_log_add(struct record_log *r, const struct record *record,
               uint32_t *place)
{
    uint64_t end = record_log_end(r);
    struct record_head h = record_head_of(record);

    if (end / RECORD_UNIT + h.units > PLACES_MAX ||
        end + (uint64_t)h.units * RECORD_UNIT > r->size_max)
        return ST_FULL;
    *place = (uint32_t)(end / RECORD_UNIT);
    write_record(record, &r->pending);
    return ST_OK;
}

static const char *
bytes_at(const struct record_log *r, uint64_t at)
{
    return at < r->written ? r->map + at : r->pending.p + (at - r->written);
}

void
record_log_prefetch(const struct record_log *r, uint32_t place)
{
    uint64_t at = (uint64_t)place * RECORD_UNIT;

    if (at < r->written)
        __builtin_prefetch(r->map + at);
}

enum status
record_log_read(const struct record_log *r, uint32_t place, struct record *out)
{
    uint64_t at = (uint64_t)place * RECORD_UNIT, end = record_log_end(r);
    uint64_t left = at < r->written ? r->written - at : end - at;
    struct record_head h;

    if (at < RECORD_UNIT || at + sizeof h > end || left < sizeof h)
        goto bad;
    memcpy(&h, bytes_at(r, at), sizeof h);
    if (!is_head(&h, left) || h.verdict == SKIPPED ||
        h.check != check_of(bytes_at(r, at), (size_t)h.units * RECORD_UNIT))
        goto bad;
    read_record(bytes_at(r, at), out);
    return ST_OK;

bad:
    log_error("dedup", "%s: no record at %llu: `%s`", append_log_path(r->log),
              (unsigned long long)at, r->repair);
    return ST_STORE;
}

enum status
record_log_write(struct record_log *r, bool sync)
{
    enum status st = ST_OK;

    if (r->pending.n > 0)
        st = append_log_write(r->log, buf_view(&r->pending));
    if (st != ST_OK)
        return st;
    r->written += r->pending.n;
    buf_clear(&r->pending);
    return sync ? append_log_sync(r->log) : ST_OK;
}

enum status
record_log_back(struct record_log *r, uint64_t end)
{
    enum status st = ST_OK;

    buf_clear(&r->pending);
    if (end < r->written || append_log_end(r->log) != end)
        st = append_log_cut(r->log, end);
    if (end < r->written)
        r->written = end;
    return st;
}

/* Whole and as it was written? */
static bool
is_record(const char *p, uint64_t left, struct record_head *h)
{
    *h = (struct record_head){0};
    if (left >= RECORD_UNIT)
        memcpy(h, p, left < sizeof *h ? RECORD_UNIT : sizeof *h);
    return is_head(h, left) && (h->verdict == SKIPPED || left >= sizeof *h) &&
           h->check == check_of(p, (size_t)h->units * RECORD_UNIT);
}

uint64_t
record_log_hash(const struct record_log *r, uint64_t end)
{
    assert(end <= r->written && end >= RECORD_UNIT);
    return hash64(str_n(r->map + end - RECORD_UNIT, RECORD_UNIT));
}

struct str
record_log_pending(const struct record_log *r)
{
    return buf_view(&r->pending);
}

enum status
record_log_add_bytes(struct record_log *r, struct str bytes)
{
    uint64_t end = record_log_end(r);
    struct record_head h;

    for (size_t at = 0; at < bytes.n; at += (size_t)h.units * RECORD_UNIT)
        if (!is_record(bytes.p + at, bytes.n - at, &h))
            return ST_STORE;
    if ((end + bytes.n) / RECORD_UNIT > PLACES_MAX ||
        end + bytes.n > r->size_max)
        return ST_FULL;
    buf_str(&r->pending, bytes);
    return ST_OK;
}

static enum status
walk(const struct record_log *r, uint64_t from, record_log_each *each,
     void *self)
{
    enum status st = ST_OK;

    for (uint64_t at = from > 0 ? from : RECORD_UNIT;
         at < r->written && st == ST_OK;) {
        const char *p = r->map + at;
        struct record record;
        struct record_head h;

        if (!is_record(p, r->written - at, &h)) {
            log_error("dedup", "%s: garbled at byte %llu: `%s`",
                      append_log_path(r->log), (unsigned long long)at,
                      r->repair);
            return ST_STORE;
        }
        if (h.verdict != SKIPPED) {
            read_record(p, &record);
            st = each(self, (uint32_t)(at / RECORD_UNIT), &record);
        }
        at += (uint64_t)h.units * RECORD_UNIT;
    }
    return st;
}

enum status
record_log_walk(const struct record_log *r, uint64_t from,
                record_log_each *each, void *self)
{
    enum status st;

    append_log_map_order(r->log, APPEND_LOG_IN_ORDER);
    st = walk(r, from, each, self);
    append_log_map_order(r->log, APPEND_LOG_SCATTERED);
    return st;
}

/* ---- damage ---- */

/* `n` bytes at p become records that are skipped. */
static void
skip(char *p, uint64_t n)
{
    while (n > 0) {
        uint64_t units =
            n / RECORD_UNIT < UINT16_MAX ? n / RECORD_UNIT : UINT16_MAX;
        struct record_head h = {.units = (uint16_t)units, .verdict = SKIPPED};

        memset(p, 0, units * RECORD_UNIT);
        memcpy(p, &h, RECORD_UNIT);
        h.check = check_of(p, units * RECORD_UNIT);
        memcpy(p, &h.check, sizeof h.check);
        p += units * RECORD_UNIT;
        n -= units * RECORD_UNIT;
    }
}

static void
examine(char *bytes, uint64_t end, bool mend, struct record_log_damage *out)
{
    for (uint64_t at = RECORD_UNIT, next; at < end; at = next) {
        struct record_head h;

        if (is_record(bytes + at, end - at, &h)) {
            next = at + (uint64_t)h.units * RECORD_UNIT;
            out->records += h.verdict != SKIPPED;
            continue;
        }
        for (next = at + RECORD_UNIT;
             next < end && !is_record(bytes + next, end - next, &h);)
            next += RECORD_UNIT;
        next = next < end ? next : end;
        out->faults++;
        out->lost_bytes += next - at;
        if (mend)
            skip(bytes + at, next - at);
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
    if (memcmp(bytes, NAME, RECORD_UNIT) != 0) {
        out->faults++;
        if (mend)
            memcpy(bytes, NAME, RECORD_UNIT);
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
    struct record_head h = {.verdict = VERDICT_REJECTED};
    size_t size = (size_t)old->units * RECORD_UNIT, n;
    char *p;

    memcpy(h.visit, old->visit, sizeof h.visit);
    memcpy(h.id, old->id, sizeof h.id);
    h.units = (uint16_t)units_of(&h);
    n = (size_t)h.units * RECORD_UNIT;
    buf_reserve(out, size);
    p = out->p + out->n;
    memset(p, 0, n);
    memcpy(p, &h, sizeof h);
    h.check = check_of(p, n);
    memcpy(p, &h.check, sizeof h.check);
    skip(p + n, size - n);
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

        if (!is_record(bytes + at, end - at, &h)) {
            log_error("dedup", "the log of records is garbled at byte %llu",
                      (unsigned long long)at);
            st = ST_STORE;
            break;
        }
        found = h.verdict != SKIPPED && is(self, h.id);
        *n += found;
        if (found && h.verdict != VERDICT_REJECTED)
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
