/* decoder.h -- one compressed stream, decompressed piece by piece.
 *
 * One library behind each constructor; a decoder belongs to one thread. */
#ifndef CLEAN_DECODER_H
#define CLEAN_DECODER_H

#include "base/str.h"

struct decoder_io {
    const char *in;
    size_t in_n;
    char *out;
    size_t out_n;
};

enum decoder_state {
    DECODER_MORE, /* more input or more room is needed */
    DECODER_END,  /* the stream is complete; what follows is left in `in` */
    DECODER_BAD   /* not such a stream, or damaged */
};

struct decoder;

struct decoder_ops {
    enum decoder_state (*step)(struct decoder *d, struct decoder_io *io);
    bool (*restart)(struct decoder *d);
    void (*free)(struct decoder *d);
};

struct decoder {
    const struct decoder_ops *ops; /* the rest is each decoder's own */
};

/* NULL: out of memory.  Owned by the caller. */
struct decoder *decoder_gzip(void);    /* one member, RFC 1952 */
struct decoder *decoder_zlib(void);    /* RFC 1950 */
struct decoder *decoder_deflate(void); /* RFC 1951 */
struct decoder *decoder_brotli(void);  /* RFC 7932 */

/* One frame, RFC 8878, with a window of up to 128 MiB.  The dictionary is
 * copied, may be empty and may be a frame itself; NULL also when it is
 * unusable. */
struct decoder *decoder_zstd(struct str dictionary);

/* Move both sides of `io` on.  Neither moved and DECODER_MORE: the input came
 * to an end too early. */
static inline enum decoder_state
decoder_step(struct decoder *d, struct decoder_io *io)
{
    return d->ops->step(d, io);
}

/* Ready for another stream.  False: out of memory. */
static inline bool
decoder_restart(struct decoder *d)
{
    return d->ops->restart(d);
}

static inline void
decoder_free(struct decoder *d) /* NULL is allowed */
{
    if (d != NULL)
        d->ops->free(d);
}

#endif
