/* zstd_frame.c -- hides libzstd's compressor and its trainer; decoder_zstd.c
 * has the other direction. */
#include "zstd_frame.h"

#include <stdlib.h>

#include <zdict.h>
#include <zstd.h>

#define LEVEL 3
#define DICTIONARY ((size_t)256 << 10)
#define DICTIONARY_LEVEL 19 /* of the frame that holds it, once a file */
#define WINDOW_LOG_MAX 23   /* what every reader of WARC has to allow */
#define FRAME_HEAD 8        /* magic number and size of a skippable frame */

struct zstd_dictionary {
    ZSTD_CDict *packer;
    struct buf frame;
};

struct zstd_frame {
    ZSTD_CCtx *context;
};

/* ---- frames ---- */

static bool
set(ZSTD_CCtx *c, ZSTD_cParameter what, int value)
{
    return !ZSTD_isError(ZSTD_CCtx_setParameter(c, what, value));
}

struct zstd_frame *
zstd_frame_new(void)
{
    struct zstd_frame *z = calloc(1, sizeof *z);

    if (z == NULL)
        return NULL;
    z->context = ZSTD_createCCtx();
    if (z->context == NULL ||
        !set(z->context, ZSTD_c_compressionLevel, LEVEL) ||
        !set(z->context, ZSTD_c_contentSizeFlag, 1) ||
        !set(z->context, ZSTD_c_checksumFlag, 1) ||
        !set(z->context, ZSTD_c_dictIDFlag, 1)) {
        zstd_frame_free(z);
        return NULL;
    }
    return z;
}

void
zstd_frame_free(struct zstd_frame *z)
{
    if (z == NULL)
        return;
    ZSTD_freeCCtx(z->context);
    free(z);
}

bool
zstd_frame_write(struct zstd_frame *z, const struct zstd_dictionary *d,
                 struct str in, struct buf *out)
{
    size_t bound = ZSTD_compressBound(in.n), n;

    if (ZSTD_isError(
            ZSTD_CCtx_refCDict(z->context, d != NULL ? d->packer : NULL)))
        return false;
    buf_reserve(out, bound);
    n = ZSTD_compress2(z->context, out->p + out->n, bound, in.p, in.n);
    if (ZSTD_isError(n))
        return false;
    out->n += n;
    return true;
}

/* ---- dictionaries ---- */

void
zstd_dictionary_free(struct zstd_dictionary *d)
{
    if (d == NULL)
        return;
    ZSTD_freeCDict(d->packer);
    buf_free(&d->frame);
    free(d);
}

struct str
zstd_dictionary_frame(const struct zstd_dictionary *d)
{
    return buf_view(&d->frame);
}

static void
add_le32(struct buf *out, size_t x)
{
    for (unsigned i = 0; i < 4; i++)
        buf_char(out, (char)(x >> (8 * i) & 0xff));
}

/* The frame that a file begins with: `bytes`, packed without a dictionary. */
static bool
make_frame(struct buf *out, struct str bytes)
{
    struct zstd_frame *z = zstd_frame_new();
    struct buf packed = {0};
    bool good = z != NULL &&
                set(z->context, ZSTD_c_compressionLevel, DICTIONARY_LEVEL) &&
                set(z->context, ZSTD_c_windowLog, WINDOW_LOG_MAX) &&
                zstd_frame_write(z, NULL, bytes, &packed);

    if (good) {
        buf_c(out, ZSTD_DICTIONARY_MAGIC);
        add_le32(out, packed.n);
        buf_str(out, buf_view(&packed));
    }
    buf_free(&packed);
    zstd_frame_free(z);
    return good;
}

/* Of a dictionary in zstd's format. */
static enum status
make(struct zstd_dictionary **out, struct str bytes, struct str frame)
{
    struct zstd_dictionary *d;

    if (ZSTD_getDictID_fromDict(bytes.p, bytes.n) == 0)
        return ST_INVALID;
    if ((d = calloc(1, sizeof *d)) == NULL)
        return ST_NOMEM;
    buf_str(&d->frame, frame);
    d->packer = ZSTD_createCDict(bytes.p, bytes.n, LEVEL);
    if (d->packer == NULL || (frame.n == 0 && !make_frame(&d->frame, bytes))) {
        zstd_dictionary_free(d);
        return ST_INVALID; /* or too little memory for it */
    }
    *out = d;
    return ST_OK;
}

enum status
zstd_dictionary_train(struct zstd_dictionary **out, struct str samples,
                      const size_t *sample, unsigned n)
{
    char *room = malloc(DICTIONARY);
    size_t made;
    enum status st;

    if (room == NULL)
        return ST_NOMEM;
    made = ZDICT_trainFromBuffer(room, DICTIONARY, samples.p, sample, n);
    st = ZDICT_isError(made) ? ST_INVALID : make(out, str_n(room, made), S(""));
    free(room);
    return st;
}

static size_t
le32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return (size_t)u[0] | (size_t)u[1] << 8 | (size_t)u[2] << 16 |
           (size_t)u[3] << 24;
}

/* The dictionary of a frame whose content is itself a frame. */
static enum status
unpack(struct zstd_dictionary **out, struct str packed, struct str frame)
{
    unsigned long long n = ZSTD_getFrameContentSize(packed.p, packed.n);
    enum status st = ST_INVALID;
    char *room;

    if (n == ZSTD_CONTENTSIZE_UNKNOWN || n == ZSTD_CONTENTSIZE_ERROR ||
        n > ZSTD_DICTIONARY_MAX)
        return ST_INVALID;
    if ((room = malloc((size_t)n + 1)) == NULL)
        return ST_NOMEM;
    if (ZSTD_decompress(room, (size_t)n, packed.p, packed.n) == n)
        st = make(out, str_n(room, (size_t)n), frame);
    free(room);
    return st;
}

enum status
zstd_dictionary_read(struct zstd_dictionary **out, struct str begin)
{
    struct str frame, content;

    if (begin.n < FRAME_HEAD || !str_starts(begin, S(ZSTD_DICTIONARY_MAGIC)))
        return ST_NONE;
    if (le32(begin.p + 4) > ZSTD_DICTIONARY_MAX)
        return ST_INVALID;
    if (le32(begin.p + 4) > begin.n - FRAME_HEAD)
        return ST_NONE;
    frame = str_sub(begin, 0, FRAME_HEAD + le32(begin.p + 4));
    content = str_sub(frame, FRAME_HEAD, frame.n);
    return str_starts(content, S("\x28\xb5\x2f\xfd"))
               ? unpack(out, content, frame)
               : make(out, content, frame);
}
