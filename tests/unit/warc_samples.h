/* warc_samples.h -- archives made by the tests, in every compression. */
#ifndef WARC_SAMPLES_H
#define WARC_SAMPLES_H

#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "clean/archive/warc.h"

/* A file in memory, read in pieces of at most `piece` bytes. */
struct memory {
    struct str left;
    size_t piece;
};

static inline ptrdiff_t
memory_read(void *self, void *p, size_t n)
{
    struct memory *m = self;

    n = n < m->piece ? n : m->piece;
    n = n < m->left.n ? n : m->left.n;
    memcpy(p, m->left.p, n);
    m->left = str_sub(m->left, n, m->left.n);
    return (ptrdiff_t)n;
}

static inline void
sample_gzip(struct buf *out, struct str s)
{
    z_stream z = {0};

    if (deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    buf_reserve(out, deflateBound(&z, s.n));
    z.next_in = (Bytef *)(uintptr_t)s.p;
    z.avail_in = (uInt)s.n;
    z.next_out = (Bytef *)out->p + out->n;
    z.avail_out = (uInt)deflateBound(&z, s.n);
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    out->n += z.total_out;
    deflateEnd(&z);
}

static inline void
sample_zstd(struct buf *out, struct str s, struct str dictionary)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t bound = ZSTD_compressBound(s.n), n;

    buf_reserve(out, bound);
    n = ZSTD_compress_usingDict(c, out->p + out->n, bound, s.p, s.n,
                                dictionary.p, dictionary.n, 3);
    if (ZSTD_isError(n))
        abort();
    out->n += n;
    ZSTD_freeCCtx(c);
}

/* The skippable frame of the WARC zstd proposal, or any other by `last`. */
static inline void
sample_skippable(struct buf *out, unsigned char last, struct str payload)
{
    unsigned char head[8] = {last, 0x2a, 0x4d, 0x18};

    for (size_t i = 0; i < 4; i++)
        head[4 + i] = (unsigned char)(payload.n >> (8 * i));
    buf_add(out, head, 8);
    buf_str(out, payload);
}

/* A record as it stands in a file, with the two empty lines after it. */
static inline void
sample_record(struct buf *out, const char *type, const char *url,
              struct str block)
{
    buf_printf(out,
               "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n"
               "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: %zu\r\n"
               "Content-Type: application/http; msgtype=%s\r\n\r\n",
               type, url, block.n, type);
    buf_str(out, block);
    buf_c(out, "\r\n\r\n");
}

struct warc_reading {
    struct memory memory;
    struct inflate_stream *in;
    struct warc *warc;
};

static inline void
reading_open(struct warc_reading *r, struct str file, size_t piece,
             enum warc_format format, size_t block_max)
{
    r->memory = (struct memory){file, piece};
    if (inflate_stream_open(
            &r->in, (struct inflate_source){&r->memory, memory_read}) != ST_OK)
        abort();
    r->warc = warc_new(r->in, format, "sample", block_max);
}

static inline void
reading_close(struct warc_reading *r)
{
    warc_free(r->warc);
    inflate_stream_close(r->in);
}

#endif
