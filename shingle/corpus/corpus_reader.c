/* corpus_reader.c -- see corpus_reader.h.
 *
 * The text of a part is what its gzip members hold and, of the newest part,
 * its tail behind them.  The service moves the tail into the part now and then
 * and removes it: then the next look at the index says where its text is now.
 * An open part is read on from where the last reading ended, so that who
 * follows a stream inflates each byte once at most.
 *
 * Bounds: IN_SIZE of input; the output is what is asked for. */
#include "corpus_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/append_log.h"
#include "base/fd_io.h"
#include "base/log.h"

enum { IN_SIZE = 32 * 1024, SKIP_SIZE = 64 * 1024, GZIP_WINDOW = 15 + 16 };

struct corpus_reader {
    const char *dir;
    struct stream stream; /* `now`: what is committed */
    /* The part that is open: */
    uint64_t part; /* 0: none */
    int fd;
    z_stream z;
    uint64_t in_at, text_at; /* of file and text, read so far */
    unsigned char in[IN_SIZE];
    struct buf skipped;
};

struct corpus_reader *
corpus_reader_new(const char *dir, enum corpus_group group, struct str suffix)
{
    struct corpus_reader *r = calloc(1, sizeof *r);

    if (r == NULL || suffix.n > CORPUS_SUFFIX_MAX) {
        free(r);
        return NULL;
    }
    r->dir = dir;
    r->stream.group = group;
    memcpy(r->stream.suffix, suffix.p, suffix.n);
    return r;
}

static void
close_part(struct corpus_reader *r)
{
    if (r->part == 0)
        return;
    inflateEnd(&r->z);
    close(r->fd);
    r->part = 0;
}

void
corpus_reader_free(struct corpus_reader *r)
{
    if (r == NULL)
        return;
    close_part(r);
    buf_free(&r->skipped);
    free(r);
}

void
corpus_reader_committed(struct corpus_reader *r,
                        const struct stream_state *state)
{
    r->stream.now = *state;
}

/* ---- a part's members ---- */

static enum status
fault(const char *path)
{
    log_error("corpus", "%s: %s", path, strerror(errno));
    return ST_IO;
}

static enum status
open_part(struct corpus_reader *r, uint64_t part)
{
    struct path path = stream_part(r->dir, &r->stream, part);

    close_part(r);
    if ((r->fd = open(path.z, O_RDONLY | O_CLOEXEC)) < 0)
        return errno == ENOENT ? ST_NONE : fault(path.z);
    memset(&r->z, 0, sizeof r->z);
    if (inflateInit2(&r->z, GZIP_WINDOW) != Z_OK) {
        close(r->fd);
        return ST_NOMEM;
    }
    r->part = part;
    r->in_at = r->text_at = 0;
    return ST_OK;
}

/* More input, of the first in_end bytes of the file.  ST_NONE: that is all. */
static enum status
fill(struct corpus_reader *r, uint64_t in_end)
{
    size_t most = in_end - r->in_at < IN_SIZE ? (size_t)(in_end - r->in_at)
                                              : (size_t)IN_SIZE;
    size_t n;

    if (most == 0)
        return ST_NONE;
    if (!fd_read_at(r->fd, r->in, most, r->in_at, &n) && n == 0)
        return errno == 0 ? ST_NONE
                          : fault(stream_part(r->dir, &r->stream, r->part).z);
    r->in_at += n;
    r->z.next_in = r->in;
    r->z.avail_in = (unsigned)n;
    return ST_OK;
}

/* Append up to n bytes of the text from where it stands.  ST_NONE: there are
 * no more. */
static enum status
inflate_on(struct corpus_reader *r, uint64_t in_end, size_t n, struct buf *out)
{
    enum status st = ST_OK;
    size_t before = out->n;

    buf_reserve(out, n);
    r->z.next_out = (unsigned char *)out->p + out->n;
    r->z.avail_out = (unsigned)n;
    while (r->z.avail_out > 0 && st == ST_OK) {
        int rc = inflate(&r->z, Z_NO_FLUSH);

        if (rc == Z_STREAM_END) /* the next member */
            rc = inflateReset(&r->z);
        else if (rc == Z_BUF_ERROR ||
                 (rc == Z_OK && r->z.avail_in == 0 && r->z.avail_out > 0))
            rc = (st = fill(r, in_end)) == ST_OK ? Z_OK : Z_BUF_ERROR;
        if (rc == Z_OK || rc == Z_BUF_ERROR)
            continue;
        log_error("corpus", "%s: the gzip data are damaged",
                  stream_part(r->dir, &r->stream, r->part).z);
        st = ST_INVALID;
    }
    out->n += n - r->z.avail_out;
    r->text_at += out->n - before;
    if (st == ST_INVALID || st == ST_IO)
        close_part(r);
    return st;
}

static uint64_t
file_end(const struct corpus_reader *r, uint64_t part)
{
    return part == r->stream.now.part ? r->stream.now.part_bytes : UINT64_MAX;
}

static enum status
get_packed(struct corpus_reader *r, uint64_t part, uint64_t at, size_t n,
           struct buf *out)
{
    enum status st = ST_OK;

    if (r->part != part || at < r->text_at)
        st = open_part(r, part);
    while (st == ST_OK && r->text_at < at) {
        uint64_t left = at - r->text_at;

        buf_clear(&r->skipped);
        st = inflate_on(r, file_end(r, part),
                        left < SKIP_SIZE ? (size_t)left : SKIP_SIZE,
                        &r->skipped);
    }
    if (st == ST_NONE && r->part == part)
        return ST_OK; /* it is shorter */
    while (st == ST_OK && out->n < n)
        st = inflate_on(r, file_end(r, part), n - out->n, out);
    return st == ST_NONE && r->part == part ? ST_OK : st;
}

/* ---- the tail behind them ---- */

static enum status
get_tail(struct corpus_reader *r, uint64_t at, size_t n, struct buf *out)
{
    const struct stream_state *now = &r->stream.now;
    struct append_log *tail;
    enum status st;

    if (at >= now->tail_bytes || n == 0)
        return ST_OK;
    if (n > now->tail_bytes - at)
        n = (size_t)(now->tail_bytes - at);
    st =
        append_log_open(&tail, "corpus", stream_tail(r->dir, &r->stream, now).z,
                        APPEND_LOG_READ);
    if (st != ST_OK)
        return st == ST_NONE ? ST_BUSY : st;
    st = append_log_read(tail, at, n, out);
    append_log_close(tail);
    return st == ST_LIMIT ? ST_BUSY : st;
}

enum status
corpus_reader_get(struct corpus_reader *r, uint64_t part, uint64_t at, size_t n,
                  struct buf *out)
{
    const struct stream_state *now = &r->stream.now;
    enum status st = ST_OK;

    buf_clear(out);
    if (part == 0 || part > now->part)
        return ST_NONE;
    if (part < now->part)
        return get_packed(r, part, at, n, out);
    if (at < now->part_text) {
        uint64_t left = now->part_text - at;

        st = get_packed(r, part, at, n < left ? n : (size_t)left, out);
        if (st != ST_OK || out->n < left)
            return st;
    }
    return get_tail(r, at + out->n - now->part_text, n - out->n, out);
}

enum status
corpus_reader_length(struct corpus_reader *r, uint64_t part,
                     uint64_t file_bytes, uint64_t *text)
{
    enum status st = open_part(r, part);

    while (st == ST_OK) {
        buf_clear(&r->skipped);
        st = inflate_on(r, file_bytes, SKIP_SIZE, &r->skipped);
    }
    *text = r->text_at;
    close_part(r);
    return st == ST_NONE ? ST_OK : st;
}
