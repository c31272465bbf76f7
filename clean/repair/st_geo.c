/* st_geo.c -- country, region and city of the server (geo.h).  Off unless
 * clean.geo names a database.  The address is that of the fetch or of the
 * archive's record; a URL may have it for a host. */
#include "base/buf.h"
#include "clean/chain/stage.h"
#include "geo.h"

static enum status
open_database(void **self, const struct opts *o)
{
    struct geo *g = NULL;
    struct buf path = {0}, places = {0};
    bool is_csv =
        o->clean_geo_places.n > 0 && !str_ends(o->clean_geo, S(".mmdb"));
    enum status st;

    if (o->clean_geo.n == 0)
        return ST_OK;
    buf_str(&path, o->clean_geo);
    buf_char(&path, '\0');
    buf_str(&places, o->clean_geo_places);
    buf_char(&places, '\0');
    st = geo_open(&g, path.p, is_csv ? places.p : NULL);
    buf_free(&path);
    buf_free(&places);
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
