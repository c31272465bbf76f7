/* decoder_zstd.c -- hides libzstd: frames, with a dictionary or without.
 *
 * Frames with a window over 2^27 bytes are refused, as the zstd program does
 * unless told otherwise: this bounds the memory.  A packed dictionary may
 * expand to DICTIONARY_MAX bytes. */
#include <stdlib.h>

#include <zstd.h>

#include "decoder.h"

#define DICTIONARY_MAX ((size_t)16 << 20)

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

/* Load a dictionary that is itself a frame. */
static bool
load_packed(ZSTD_DCtx *context, struct str packed)
{
    char *room = malloc(DICTIONARY_MAX);
    size_t n = room ? ZSTD_decompressDCtx(context, room, DICTIONARY_MAX,
                                          packed.p, packed.n)
                    : 0;
    bool good = room != NULL && !ZSTD_isError(n) &&
                !ZSTD_isError(ZSTD_DCtx_loadDictionary(context, room, n));

    free(room);
    return good;
}

static bool
load(ZSTD_DCtx *context, struct str dictionary)
{
    if (dictionary.n == 0)
        return true;
    if (str_starts(dictionary, S("\x28\xb5\x2f\xfd")))
        return load_packed(context, dictionary);
    return !ZSTD_isError(
        ZSTD_DCtx_loadDictionary(context, dictionary.p, dictionary.n));
}

struct decoder *
decoder_zstd(struct str dictionary)
{
    struct zstd_decoder *d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->base.ops = &ops;
    d->context = ZSTD_createDCtx();
    if (d->context == NULL || !load(d->context, dictionary)) {
        free_zstd(&d->base);
        return NULL;
    }
    return &d->base;
}
