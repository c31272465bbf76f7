/* st_links.c -- drops outlinks that the operator does not want: by where they
 * lead (same host, same registered domain, elsewhere) and by the length of
 * their absolute URL.  A crawl does not see what is dropped here.  Off unless
 * one of clean.links, link_bytes_min and link_bytes_max is changed. */
#include <stdlib.h>

#include "base/memory.h"
#include "clean/chain/stage.h"

#define URL_BYTES_MAX 65535u /* preset of clean.link_bytes_max: no bound */

struct links_wanted {
    bool relation[LINK_EXTERNAL + 1];
    uint64_t bytes_min, bytes_max;
};

static enum status
open_wanted(void **self, const struct opts *o)
{
    const struct opt_list *list = &o->clean_links;
    struct links_wanted *w = memory_try(sizeof *w);

    if (w == NULL)
        return ST_NOMEM;
    w->relation[LINK_SAME_HOST] = opt_list_has(list, S("same_host"));
    w->relation[LINK_SAME_DOMAIN] = opt_list_has(list, S("same_domain"));
    w->relation[LINK_EXTERNAL] = opt_list_has(list, S("external"));
    w->bytes_min = o->clean_link_bytes_min;
    w->bytes_max = o->clean_link_bytes_max;
    if (list->n == LINK_EXTERNAL + 1 && w->bytes_min == 0 &&
        w->bytes_max >= URL_BYTES_MAX) {
        memory_free(w);
        w = NULL;
    }
    *self = w;
    return ST_OK;
}

static enum status
run(const void *self, struct document *d)
{
    const struct links_wanted *w = self;
    uint32_t n = 0;

    if (w == NULL)
        return ST_OK;
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];

        if (w->relation[l->relation] && l->url.n >= w->bytes_min &&
            l->url.n <= w->bytes_max)
            d->links[n++] = *l;
    }
    d->links_dropped += d->links_n - n;
    d->links_n = n;
    return ST_OK;
}

const struct stage stage_links = {
    .name = "links",
    .needs = DOC_BLOCKS,
    .open = open_wanted,
    .run = run,
    .close = memory_free,
};
