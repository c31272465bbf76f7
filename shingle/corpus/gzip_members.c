/* gzip_members.c -- see gzip_members.h: small by libdeflate, fast by ISA-L.
 *
 * 59 MB of JSON and XML of a crawl, seconds of CPU and share of its size:
 * libdeflate at levels 1 .256 (.316), 2 .398 (.309) and 6 .820 (.292), ISA-L at
 * levels 0 .117 (.354), 1 .123 (.335), 2 .130 (.330) and 3 .221 (.321).  A slow
 * crawl has time for the smallest files; a fast one would pay a seventh of its
 * CPU for them. */
#include "gzip_members.h"

#include <assert.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdlib.h>

enum { LEVEL_SMALL = 6, LEVEL_FAST = 2, FAST_ROOM = ISAL_DEF_LVL2_DEFAULT };

/* What ISA-L may need beyond a text that does not get smaller: a head of 5
 * bytes for each stored block (of at most 65,535; it makes smaller ones), the
 * member's head and end, and the last codes. */
#define FAST_BOUND(n) ((n) + (n) / 1024 + 1024)

struct gzip_members {
    struct libdeflate_compressor *small;
    bool fast;
    struct isal_zstream stream;
    uint8_t room[FAST_ROOM]; /* of ISA-L */
};

struct gzip_members *
gzip_members_new(void)
{
    struct gzip_members *g = calloc(1, sizeof *g);

    if (g != NULL &&
        (g->small = libdeflate_alloc_compressor(LEVEL_SMALL)) == NULL) {
        free(g);
        return NULL;
    }
    return g;
}

void
gzip_members_free(struct gzip_members *g)
{
    if (g == NULL)
        return;
    libdeflate_free_compressor(g->small);
    free(g);
}

void
gzip_members_choose(struct gzip_members *g, bool fast)
{
    g->fast = fast;
}

static void
add_small(struct gzip_members *g, struct str text, struct buf *out)
{
    size_t bound = libdeflate_gzip_compress_bound(g->small, text.n), n;

    buf_reserve(out, bound);
    n = libdeflate_gzip_compress(g->small, text.p, text.n, out->p + out->n,
                                 bound);
    assert(n > 0);
    out->n += n;
}

/* False: it did not fit. */
static bool
add_fast(struct gzip_members *g, struct str text, struct buf *out)
{
    struct isal_zstream *s = &g->stream;
    size_t bound = FAST_BOUND(text.n);

    if (bound > UINT32_MAX)
        return false;
    buf_reserve(out, bound);
    isal_deflate_init(s);
    s->level = LEVEL_FAST;
    s->level_buf = g->room;
    s->level_buf_size = sizeof g->room;
    s->gzip_flag = IGZIP_GZIP;
    s->end_of_stream = 1;
    s->next_in = (uint8_t *)(uintptr_t)text.p; /* only read */
    s->avail_in = (uint32_t)text.n;
    s->next_out = (uint8_t *)out->p + out->n;
    s->avail_out = (uint32_t)bound;
    if (isal_deflate(s) != COMP_OK || s->internal_state.state != ZSTATE_END)
        return false;
    out->n += bound - s->avail_out;
    return true;
}

void
gzip_members_add(struct gzip_members *g, struct str text, struct buf *out)
{
    if (!g->fast || !add_fast(g, text, out))
        add_small(g, text, out);
}
