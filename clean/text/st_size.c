/* st_size.c -- rejects documents of too few or too many bytes, before anything
 * is made of them.  Off unless clean.bytes_min or clean.bytes_max says so. */
#include <stdlib.h>

#include "base/memory.h"
#include "clean/chain/stage.h"

struct size_limits {
    uint64_t min, max;
};

static enum status
open_limits(void **self, const struct opts *o)
{
    struct size_limits *l;

    if (o->clean_bytes_min == 0 && o->clean_bytes_max == 0)
        return ST_OK;
    if ((l = memory_try(sizeof *l)) == NULL)
        return ST_NOMEM;
    l->min = o->clean_bytes_min;
    l->max = o->clean_bytes_max > 0 ? o->clean_bytes_max : UINT64_MAX;
    *self = l;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    const struct size_limits *l = self;

    if (l != NULL && (d->bytes.n < l->min || d->bytes.n > l->max))
        document_reject(d, VERDICT_SIZE);
    return ST_OK;
}

const struct stage stage_size = {
    .name = "size",
    .needs = DOC_BYTES,
    .open = open_limits,
    .run = run,
    .close = memory_free,
};
