/* st_toy.c -- the stage of the recipe in DESIGN.md: titles in capitals, and
 * pages whose title is clean.toy are rejected. */
#include "clean/chain/stage.h"

static enum status
open_toy(void **self, const struct opts *o)
{
    *self = (void *)(uintptr_t)o;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    const struct opts *o = self;
    char *upper = arena_alloc(d->arena, d->meta.title.n);

    for (size_t i = 0; i < d->meta.title.n; i++)
        upper[i] = d->meta.title.p[i] >= 'a' && d->meta.title.p[i] <= 'z'
                       ? (char)(d->meta.title.p[i] - 'a' + 'A')
                       : d->meta.title.p[i];
    d->meta.title = str_n(upper, d->meta.title.n);
    if (o->clean_toy.n > 0 && str_eq(d->meta.title, o->clean_toy))
        document_reject(d, VERDICT_TOY);
    return ST_OK;
}

const struct stage stage_toy = {
    .name = "toy", .needs = DOC_BLOCKS, .open = open_toy, .run = run};
