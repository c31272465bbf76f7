/* decoder_zstd.c -- hides libzstd: frames, with a dictionary or without.
 *
 * Frames with a window over 2^27 bytes are refused, as the zstd program does
 * unless told otherwise: this bounds the memory. */
#include <stdlib.h>

#include <zstd.h>

#include "decoder.h"

struct zstd_decoder {
    struct decoder base;
    ZSTD_DCtx *context;
};

static enum decoder_state
step(struct decoder *d, struct decoder_io *io)
{
    ZSTD_inBuffer in = {io->in, io->in_n, 0};
    ZSTD_outBuffer out = {io->out, io->out_n, 0};
    size_t rc =
        ZSTD_decompressStream(((struct zstd_decoder *)d)->context, &out, &in);

    io->in += in.pos;
    io->in_n -= in.pos;
    io->out += out.pos;
    io->out_n -= out.pos;
    if (ZSTD_isError(rc))
        return DECODER_BAD;
    return rc == 0 ? DECODER_END : DECODER_MORE;
}

static bool
restart(struct decoder *d) /* keeps the dictionary */
{
    return !ZSTD_isError(ZSTD_DCtx_reset(((struct zstd_decoder *)d)->context,
                                         ZSTD_reset_session_only));
}

static void
free_zstd(struct decoder *d)
{
    ZSTD_freeDCtx(((struct zstd_decoder *)d)->context);
    free(d);
}

static const struct decoder_ops ops = {
    .step = step,
    .restart = restart,
    .free = free_zstd,
};

struct decoder *
decoder_zstd(struct str dictionary)
{
    struct zstd_decoder *d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->base.ops = &ops;
    d->context = ZSTD_createDCtx();
    if (d->context == NULL ||
        (dictionary.n > 0 && ZSTD_isError(ZSTD_DCtx_loadDictionary(
                                 d->context, dictionary.p, dictionary.n)))) {
        free_zstd(&d->base);
        return NULL;
    }
    return &d->base;
}
