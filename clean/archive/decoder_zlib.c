/* decoder_zlib.c -- hides zlib: gzip members, zlib streams, raw deflate.
 *
 * zlib and not libdeflate, because the end of the input need not be in memory;
 * libdeflate is three times as fast where it is (gzip_member.c). */
#include <stdlib.h>

#include <zlib.h>

#include "decoder.h"

struct zlib_decoder {
    struct decoder base;
    z_stream z;
};

static enum decoder_state
step(struct decoder *d, struct decoder_io *io)
{
    z_stream *z = &((struct zlib_decoder *)d)->z;
    uInt in_n = io->in_n < 1u << 30 ? (uInt)io->in_n : 1u << 30;
    uInt out_n = io->out_n < 1u << 30 ? (uInt)io->out_n : 1u << 30;
    int rc;

    /* zlib is not const-correct but does not write its input. */
    z->next_in = (Bytef *)(uintptr_t)io->in;
    z->avail_in = in_n;
    z->next_out = (Bytef *)io->out;
    z->avail_out = out_n;
    rc = inflate(z, Z_NO_FLUSH);
    io->in += in_n - z->avail_in;
    io->in_n -= in_n - z->avail_in;
    io->out += out_n - z->avail_out;
    io->out_n -= out_n - z->avail_out;
    if (rc == Z_STREAM_END)
        return DECODER_END;
    return rc == Z_OK || rc == Z_BUF_ERROR ? DECODER_MORE : DECODER_BAD;
}

static bool
restart(struct decoder *d)
{
    return inflateReset(&((struct zlib_decoder *)d)->z) == Z_OK;
}

static void
free_zlib(struct decoder *d)
{
    inflateEnd(&((struct zlib_decoder *)d)->z);
    free(d);
}

static const struct decoder_ops ops = {
    .step = step,
    .restart = restart,
    .free = free_zlib,
};

static struct decoder *
new_zlib(int window_bits)
{
    struct zlib_decoder *d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->base.ops = &ops;
    if (inflateInit2(&d->z, window_bits) != Z_OK) {
        free(d);
        return NULL;
    }
    return &d->base;
}

struct decoder *
decoder_gzip(void)
{
    return new_zlib(16 + MAX_WBITS);
}

struct decoder *
decoder_zlib(void)
{
    return new_zlib(MAX_WBITS);
}

struct decoder *
decoder_deflate(void)
{
    return new_zlib(-MAX_WBITS);
}
