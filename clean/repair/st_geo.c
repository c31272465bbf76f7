/* st_geo.c -- country, region and city of the server (geo.h).  Off unless
 * clean.geo names a database.  The address is that of the fetch or of the
 * archive's record; a URL may have it for a host. */
#include <stdlib.h>

#include "clean/chain/stage.h"
#include "geo.h"
#include "winnow/memory.h"

static enum status
open_database(void **self, const struct opts *o)
{
    struct geo *g = NULL;
    char *path;
    enum status st;

    if (o->clean_geo.n == 0)
        return ST_OK;
    if ((path = memory_zero(1, o->clean_geo.n + 1)) == NULL)
        return ST_NOMEM;
    memcpy(path, o->clean_geo.p, o->clean_geo.n);
    st = geo_open(&g, path);
    memory_free(path);
    *self = g;
    return st;
}

static enum status
run(const void *self, struct document *d)
{
    struct str ip = d->origin.ip.n > 0 ? d->origin.ip : d->url.host;
    struct geo_place place;

    if (self == NULL || ip.n == 0)
        return ST_OK;
    geo_find(self, d->arena, ip, &place);
    d->meta.country = place.country;
    d->meta.region = place.region;
    d->meta.city = place.city;
    return ST_OK;
}

static void
close_database(void *self)
{
    geo_close(self);
}

const struct stage stage_geo = {
    .name = "geo",
    .needs = DOC_BLOCKS, /* the URL is parsed by then */
    .open = open_database,
    .run = run,
    .close = close_database,
};
