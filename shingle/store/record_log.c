/* record_log.c -- see record_log.h.
 *
 * The file begins with its name in 32 bytes; then records (record_bytes.h).
 *
 * Each record has a check of all its bytes, looked at whenever it is read: what
 * a disk has garbled is met at the start or, in what a checkpoint spares it,
 * when it is needed.  Records are read from a map of the file, or from the
 * buffer of those that are not written yet.  Those of candidates stand
 * anywhere: what of them is not in memory is read a page at a time (57 us here;
 * a page with the 8 MiB that this system reads around it 7 to 20 ms). */
#include "record_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/append_log.h"
#include "base/hash.h"
#include "base/log.h"
#include "record_bytes.h"

#define PLACES_MAX ((uint64_t)UINT32_MAX)

/* A sync of all that a second brought, 8 MiB at full load, held up those of the
 * log of commits for 20 ms. */
enum { WRITE_BEHIND = 128 << 10 };

struct record_log {
    struct append_log *log;
    const char *map;
    struct buf pending;
    uint64_t written; /* bytes in the file; `pending` is behind them */
    uint64_t size_max;
    char *repair;
};

/* ---- the file ---- */

static enum status
begin_file(struct record_log *r)
{
    enum status st = append_log_cut(r->log, 0);

    if (st == ST_OK)
        st = append_log_write(r->log, S(RECORD_LOG_NAME));
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
    if (memcmp(r->map, RECORD_LOG_NAME, RECORD_UNIT) != 0) {
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
    struct record_head h = record_bytes_head(record);

    if (end / RECORD_UNIT + h.units > PLACES_MAX ||
        end + (uint64_t)h.units * RECORD_UNIT > r->size_max)
        return ST_FULL;
    *place = (uint32_t)(end / RECORD_UNIT);
    record_bytes_write(record, &r->pending);
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
    if (!record_bytes_is_head(&h, left) || h.verdict == RECORD_BYTES_SKIPPED ||
        h.check !=
            record_bytes_check(bytes_at(r, at), (size_t)h.units * RECORD_UNIT))
        goto bad;
    record_bytes_read(bytes_at(r, at), out);
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
    if (sync)
        return append_log_sync(r->log);
    append_log_write_behind(r->log, WRITE_BEHIND);
    return ST_OK;
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
        if (!record_bytes_is(bytes.p + at, bytes.n - at, &h))
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

        if (!record_bytes_is(p, r->written - at, &h)) {
            log_error("dedup", "%s: garbled at byte %llu: `%s`",
                      append_log_path(r->log), (unsigned long long)at,
                      r->repair);
            return ST_STORE;
        }
        if (h.verdict != RECORD_BYTES_SKIPPED) {
            record_bytes_read(p, &record);
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
