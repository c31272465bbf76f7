/* pack.c -- see pack.h.  libdeflate for gzip, since whole pieces are at hand
 * (2 to 3 times zlib's speed); libzstd for zstd.  A context for each call: they
 * cost little beside a piece of a megabyte, and so there is no state. */
#include "pack.h"

#include <libdeflate.h>
#include <zstd.h>

#define GZIP_LEVEL 6
#define ZSTD_LEVEL 6

static const struct {
    const char *name, *suffix;
} kinds[PACK_N] = {
    [PACK_NONE] = {"none", ""},
    [PACK_GZIP] = {"gzip", ".gz"},
    [PACK_ZSTD] = {"zstd", ".zst"},
};

bool
pack_named(struct str name, enum pack *out)
{
    for (int i = 0; i < PACK_N; i++)
        if (str_eq(name, str_c(kinds[i].name))) {
            *out = (enum pack)i;
            return true;
        }
    return false;
}

const char *
pack_suffix(enum pack p)
{
    return kinds[p].suffix;
}

static enum status
add_gzip(struct str in, struct buf *out)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(GZIP_LEVEL);
    size_t bound;

    if (c == NULL)
        return ST_NOMEM;
    bound = libdeflate_gzip_compress_bound(c, in.n);
    buf_reserve(out, bound);
    out->n += libdeflate_gzip_compress(c, in.p, in.n, out->p + out->n, bound);
    libdeflate_free_compressor(c);
    return ST_OK;
}

static enum status
add_zstd(struct str in, struct buf *out)
{
    size_t bound = ZSTD_compressBound(in.n), n;

    buf_reserve(out, bound);
    n = ZSTD_compress(out->p + out->n, bound, in.p, in.n, ZSTD_LEVEL);
    if (ZSTD_isError(n))
        return ST_NOMEM;
    out->n += n;
    return ST_OK;
}

enum status
pack_add(enum pack p, struct str in, struct buf *out)
{
    switch (p) {
    case PACK_GZIP: return add_gzip(in, out);
    case PACK_ZSTD: return add_zstd(in, out);
    default: buf_str(out, in); return ST_OK;
    }
}
