/* decoder_brotli.c -- hides brotli's decoder: the content coding br.
 *
 * Memory is bounded by brotli's largest window, 16 MiB. */
#include <stdlib.h>

#include <brotli/decode.h>

#include "decoder.h"

struct brotli_decoder {
    struct decoder base;
    BrotliDecoderState *state;
};

static enum decoder_state
step(struct decoder *d, struct decoder_io *io)
{
    BrotliDecoderState *state = ((struct brotli_decoder *)d)->state;
    const uint8_t *in = (const uint8_t *)io->in;
    uint8_t *out = (uint8_t *)io->out;
    BrotliDecoderResult rc = BrotliDecoderDecompressStream(
        state, &io->in_n, &in, &io->out_n, &out, NULL);

    io->in = (const char *)in;
    io->out = (char *)out;
    if (rc == BROTLI_DECODER_RESULT_SUCCESS)
        return DECODER_END;
    return rc == BROTLI_DECODER_RESULT_ERROR ? DECODER_BAD : DECODER_MORE;
}

static bool
restart(struct decoder *d)
{
    struct brotli_decoder *b = (struct brotli_decoder *)d;

    BrotliDecoderDestroyInstance(b->state);
    b->state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return b->state != NULL;
}

static void
free_brotli(struct decoder *d)
{
    BrotliDecoderDestroyInstance(((struct brotli_decoder *)d)->state);
    free(d);
}

static const struct decoder_ops ops = {
    .step = step,
    .restart = restart,
    .free = free_brotli,
};

struct decoder *
decoder_brotli(void)
{
    struct brotli_decoder *d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->base.ops = &ops;
    d->state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (d->state == NULL) {
        free(d);
        return NULL;
    }
    return &d->base;
}
