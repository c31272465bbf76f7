/* line_run.c -- see line_run.h.
 *
 * A block is its size as it is packed and as it is not, in 4 bytes each (of
 * this machine), and then a zstd frame of lines: how many bytes are those of
 * the line before, how many follow (numbers of 7 bits a byte), and these.  The
 * first line of a block shares nothing.  The fastest level of zstd is taken:
 * what is left to compress is little, and it is read only once. */
#include "line_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/disk_full.h"
#include "base/log.h"
#include "base/memory.h"

#define BLOCK_BYTES ((size_t)64 << 10)
#define BLOCK_MAX UINT32_MAX
#define LEVEL (-1)

struct line_run_writer {
    FILE *to;
    char *path;
    ZSTD_CCtx *zstd;
    struct buf raw, packed, last;
    uint64_t bytes;
    enum status fault;
};

struct line_run {
    FILE *from;
    char *path;
    ZSTD_DCtx *zstd;
    struct buf packed, raw, line;
    size_t at;
};

static enum status
fault_of(const char *path, const char *doing)
{
    bool full = disk_full(errno);

    log_error("sort", "file=%s doing=%s fault=\"%s\"", path, doing,
              disk_full_text(errno));
    return full ? ST_FULL : ST_IO;
}

/* ---- writing ---- */

enum status
line_run_make(struct line_run_writer **out, const char *path)
{
    FILE *to = fopen(path, "wbe");

    *out = NULL;
    if (to == NULL)
        return fault_of(path, "open");
    *out = memory_need(calloc(1, sizeof **out));
    (*out)->to = to;
    (*out)->path = memory_need(strdup(path));
    (*out)->zstd = memory_need(ZSTD_createCCtx());
    return ST_OK;
}

static void
put_number(struct buf *b, size_t n)
{
    for (; n >= 0x80; n >>= 7)
        buf_char(b, (char)(n | 0x80));
    buf_char(b, (char)n);
}

static void
put_block(struct line_run_writer *w)
{
    uint32_t sizes[2];
    size_t n;

    if (w->raw.n == 0 || w->fault != ST_OK)
        return;
    buf_clear(&w->packed);
    buf_reserve(&w->packed, ZSTD_compressBound(w->raw.n));
    n = ZSTD_compressCCtx(w->zstd, w->packed.p, w->packed.cap, w->raw.p,
                          w->raw.n, LEVEL);
    if (ZSTD_isError(n) || n > BLOCK_MAX || w->raw.n > BLOCK_MAX) {
        log_error("sort", "file=%s fault=\"cannot be compressed\"", w->path);
        w->fault = ST_IO;
        return;
    }
    sizes[0] = (uint32_t)n;
    sizes[1] = (uint32_t)w->raw.n;
    if (fwrite(sizes, sizeof sizes, 1, w->to) != 1 ||
        fwrite(w->packed.p, 1, n, w->to) != n)
        w->fault = fault_of(w->path, "write");
    w->bytes += sizeof sizes + n;
    buf_clear(&w->raw);
}

static size_t
shared(struct str a, struct str b)
{
    size_t n = 0, most = a.n < b.n ? a.n : b.n;

    while (n < most && a.p[n] == b.p[n])
        n++;
    return n;
}

enum status
line_run_put(void *writer, struct str line)
{
    struct line_run_writer *w = writer;
    size_t same = w->raw.n > 0 ? shared(line, buf_view(&w->last)) : 0;

    put_number(&w->raw, same);
    put_number(&w->raw, line.n - same);
    buf_str(&w->raw, str_sub(line, same, line.n));
    w->last.n = same;
    buf_str(&w->last, str_sub(line, same, line.n));
    if (w->raw.n >= BLOCK_BYTES)
        put_block(w);
    return w->fault;
}

enum status
line_run_end(struct line_run_writer *w, uint64_t *bytes)
{
    enum status st;

    if (w == NULL)
        return ST_OK;
    put_block(w);
    if (fclose(w->to) != 0 && w->fault == ST_OK)
        w->fault = fault_of(w->path, "write");
    st = w->fault;
    if (bytes != NULL)
        *bytes = w->bytes;
    ZSTD_freeCCtx(w->zstd);
    buf_free(&w->raw);
    buf_free(&w->packed);
    buf_free(&w->last);
    free(w->path);
    free(w);
    return st;
}

/* ---- reading ---- */

enum status
line_run_open(struct line_run **out, const char *path)
{
    FILE *from = fopen(path, "rbe");

    *out = NULL;
    if (from == NULL)
        return fault_of(path, "open");
    *out = memory_need(calloc(1, sizeof **out));
    (*out)->from = from;
    (*out)->path = memory_need(strdup(path));
    (*out)->zstd = memory_need(ZSTD_createDCtx());
    return ST_OK;
}

void
line_run_close(struct line_run *r)
{
    if (r == NULL)
        return;
    fclose(r->from);
    ZSTD_freeDCtx(r->zstd);
    buf_free(&r->packed);
    buf_free(&r->raw);
    buf_free(&r->line);
    free(r->path);
    free(r);
}

static enum status
damaged(const struct line_run *r)
{
    log_error("sort", "file=%s fault=\"damaged\"", r->path);
    return ST_INVALID;
}

static enum status
next_block(struct line_run *r)
{
    uint32_t sizes[2];
    size_t n = fread(sizes, 1, sizeof sizes, r->from);

    if (n == 0 && !ferror(r->from))
        return ST_NONE;
    if (n != sizeof sizes)
        return ferror(r->from) ? fault_of(r->path, "read") : damaged(r);
    if (sizes[0] > ZSTD_compressBound(sizes[1]))
        return damaged(r);
    buf_clear(&r->packed);
    buf_reserve(&r->packed, sizes[0]);
    if (fread(r->packed.p, 1, sizes[0], r->from) != sizes[0])
        return ferror(r->from) ? fault_of(r->path, "read") : damaged(r);
    buf_clear(&r->raw);
    buf_reserve(&r->raw, sizes[1]);
    n = ZSTD_decompressDCtx(r->zstd, r->raw.p, sizes[1], r->packed.p, sizes[0]);
    if (ZSTD_isError(n) || n != sizes[1])
        return damaged(r);
    r->raw.n = n;
    r->at = 0;
    buf_clear(&r->line);
    return ST_OK;
}

static bool
take_number(struct line_run *r, size_t *n)
{
    *n = 0;
    for (unsigned shift = 0; r->at < r->raw.n && shift < 35; shift += 7) {
        unsigned char c = (unsigned char)r->raw.p[r->at++];

        *n |= (size_t)(c & 0x7f) << shift;
        if (c < 0x80)
            return true;
    }
    return false;
}

enum status
line_run_next(void *run, struct str *line)
{
    struct line_run *r = run;
    size_t same, more;
    enum status st = ST_OK;

    if (r->at >= r->raw.n)
        st = next_block(r);
    if (st != ST_OK)
        return st;
    if (!take_number(r, &same) || !take_number(r, &more) || same > r->line.n ||
        more > r->raw.n - r->at)
        return damaged(r);
    r->line.n = same;
    buf_add(&r->line, r->raw.p + r->at, more);
    r->at += more;
    *line = buf_view(&r->line);
    return ST_OK;
}
