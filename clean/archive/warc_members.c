/* warc_members.c -- see warc_members.h.
 *
 * Bounds: a record whose text is asked for is in memory (crawls bound pages by
 * fetch.body_max); a dictionary. */
#include "warc_members.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "gzip_member.h"
#include "warc_folder.h"
#include "zstd_frame.h"

#define COPY_BYTES ((size_t)1 << 20)
#define END S("\r\n\r\n")

struct warc_members {
    const char *path;
    int fd;
    uint64_t size, begin, at; /* of the file; of its first and next record */
    struct inflate_stream *in;
    struct warc *reader;
    struct gzip_member *gzip; /* of either what is needed, when it is */
    struct zstd_frame *zstd;
    struct zstd_dictionary *dictionary;
    struct buf bytes;
};

static ptrdiff_t
read_file(void *self, void *p, size_t n)
{
    struct warc_members *m = self;
    ptrdiff_t got = fd_read(m->fd, p, n);

    if (got < 0)
        warc_io_fault(m->path, "read");
    return got;
}

enum status
warc_members_open(struct warc_members **out, const char *path)
{
    struct warc_members *m = memory_need(calloc(1, sizeof *m));
    struct stat is = {0};
    enum status st;

    *out = NULL;
    m->path = path;
    m->fd = open(path, O_RDONLY | O_CLOEXEC);
    st = m->fd < 0 || fstat(m->fd, &is) != 0 ? warc_io_fault(m->path, "open")
                                             : ST_OK;
    m->size = (uint64_t)is.st_size;
    if (st == ST_OK)
        st = inflate_stream_open(&m->in, (struct inflate_source){m, read_file});
    if (st != ST_OK) {
        warc_members_close(m);
        return st;
    }
    (void)inflate_stream_peek(m->in, 1);
    if (!inflate_stream_boundary(m->in, &m->begin))
        m->begin = 0;
    m->at = m->begin;
    m->reader = warc_new(m->in, WARC_FORMAT_WARC, path, 0);
    *out = m;
    return ST_OK;
}

void
warc_members_close(struct warc_members *m)
{
    if (m == NULL)
        return;
    warc_free(m->reader);
    inflate_stream_close(m->in);
    gzip_member_free(m->gzip);
    zstd_frame_free(m->zstd);
    zstd_dictionary_free(m->dictionary);
    buf_free(&m->bytes);
    if (m->fd >= 0)
        close(m->fd);
    free(m);
}

uint64_t
warc_members_begin(const struct warc_members *m)
{
    return m->begin;
}

static enum status
no_record(const struct warc_members *m, uint64_t at)
{
    log_error("warc",
              "file=%s offset=%llu: what stands there is no record in a "
              "member of its own: it cannot be told whose it is",
              m->path, (unsigned long long)at);
    return ST_INVALID;
}

enum status
warc_members_next(struct warc_members *m, struct warc_record *r)
{
    enum status st = warc_next(m->reader, r);

    if (st == ST_NONE)
        return m->at == m->size ? ST_NONE : no_record(m, m->at);
    if (st != ST_OK)
        return st;
    if (r->unfinished || r->decompressed || r->offset != m->at)
        return no_record(m, m->at);
    m->at += r->length;
    return ST_OK;
}

enum status
warc_members_copy(struct warc_members *m, uint64_t from, uint64_t n, int fd,
                  const char *to)
{
    buf_clear(&m->bytes);
    buf_reserve(&m->bytes, COPY_BYTES);
    while (n > 0) {
        size_t some = n < COPY_BYTES ? (size_t)n : COPY_BYTES;

        if (!fd_read_at(m->fd, m->bytes.p, some, from, NULL))
            return warc_io_fault(m->path, "read");
        if (!fd_write(fd, m->bytes.p, some))
            return warc_io_fault(to, "write");
        from += some;
        n -= some;
    }
    return ST_OK;
}

/* ---- one record ---- */

/* A dictionary and a record behind it, as bytes of the file. */
struct two_ranges {
    struct warc_members *m;
    uint64_t at, end, then, then_end;
};

static ptrdiff_t
read_two(void *self, void *p, size_t n)
{
    struct two_ranges *r = self;

    if (r->at == r->end) {
        r->at = r->then;
        r->end = r->then_end;
        r->then = r->then_end;
    }
    if (n > r->end - r->at)
        n = (size_t)(r->end - r->at);
    if (n > 0 && !fd_read_at(r->m->fd, p, n, r->at, NULL)) {
        warc_io_fault(r->m->path, "read");
        return -1;
    }
    r->at += n;
    return (ptrdiff_t)n;
}

enum status
warc_members_text(struct warc_members *m, uint64_t offset, uint64_t n,
                  struct buf *out)
{
    struct two_ranges r = {m, 0, m->begin, offset, offset + n};
    struct inflate_stream *in;
    struct str s;
    enum status st =
        inflate_stream_open(&in, (struct inflate_source){&r, read_two});

    if (st != ST_OK)
        return st;
    buf_clear(out);
    while ((s = inflate_stream_peek(in, 1)).n > 0) {
        buf_str(out, s);
        inflate_stream_skip(in, s.n);
    }
    if (inflate_stream_state(in) == INFLATE_FAILED)
        st = ST_IO;
    else if (inflate_stream_state(in) != INFLATE_END ||
             !str_ends(buf_view(out), END))
        st = no_record(m, offset);
    else
        out->n -= END.n;
    inflate_stream_close(in);
    return st;
}

/* ---- what is written ---- */

static enum status
find_dictionary(struct warc_members *m)
{
    struct buf begin = {0};
    enum status st = ST_OK;

    if (m->begin == 0 || m->dictionary != NULL)
        return ST_OK;
    buf_reserve(&begin, (size_t)m->begin);
    if (!fd_read_at(m->fd, begin.p, (size_t)m->begin, 0, NULL))
        st = warc_io_fault(m->path, "read");
    begin.n = (size_t)m->begin;
    if (st == ST_OK)
        st = zstd_dictionary_read(&m->dictionary, buf_view(&begin));
    buf_free(&begin);
    return st;
}

enum status
warc_members_pack(struct warc_members *m, struct buf *text, struct buf *out)
{
    enum status st = ST_OK;

    buf_str(text, END);
    if (inflate_stream_form(m->in) != INFLATE_ZSTD) {
        if (m->gzip == NULL)
            m->gzip = memory_need(gzip_member_new());
        return gzip_member_write(m->gzip, buf_view(text), out) ? ST_OK
                                                               : ST_NOMEM;
    }
    if (m->zstd == NULL)
        m->zstd = memory_need(zstd_frame_new());
    if ((st = find_dictionary(m)) != ST_OK)
        return st;
    return zstd_frame_write(m->zstd, m->dictionary, buf_view(text), out)
               ? ST_OK
               : ST_NOMEM;
}
