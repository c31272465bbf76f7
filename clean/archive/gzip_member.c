/* gzip_member.c -- hides libdeflate: a record of a WARC file is one member.
 *
 * libdeflate works on whole buffers only, which makes it three times as fast as
 * zlib (986 against 333 MB/s read on the development machine) and fits WARC,
 * where a record is a member. */
#include "gzip_member.h"

#include <stdlib.h>

#include <libdeflate.h>

#define LEVEL 6

struct gzip_member {
    struct libdeflate_decompressor *reader; /* made when first needed */
    struct libdeflate_compressor *writer;
};

struct gzip_member *
gzip_member_new(void)
{
    return calloc(1, sizeof(struct gzip_member));
}

void
gzip_member_free(struct gzip_member *g)
{
    if (g == NULL)
        return;
    libdeflate_free_decompressor(g->reader);
    libdeflate_free_compressor(g->writer);
    free(g);
}

bool
gzip_member_read(struct gzip_member *g, struct str in, char *out, size_t out_n,
                 size_t *in_used, size_t *made)
{
    if (g->reader == NULL)
        g->reader = libdeflate_alloc_decompressor();
    return g->reader != NULL &&
           libdeflate_gzip_decompress_ex(g->reader, in.p, in.n, out, out_n,
                                         in_used, made) == LIBDEFLATE_SUCCESS;
}

bool
gzip_member_write(struct gzip_member *g, struct str in, struct buf *out)
{
    size_t bound, made;

    if (g->writer == NULL)
        g->writer = libdeflate_alloc_compressor(LEVEL);
    if (g->writer == NULL)
        return false;
    bound = libdeflate_gzip_compress_bound(g->writer, in.n);
    buf_reserve(out, bound);
    made =
        libdeflate_gzip_compress(g->writer, in.p, in.n, out->p + out->n, bound);
    out->n += made;
    return made > 0;
}
