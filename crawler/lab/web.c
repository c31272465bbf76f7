/* web.c -- see web.h: arrays that grow.  Bounds: 2^32 - 2 of everything; out
 * of memory ends the program. */
#include "web.h"

#include "base/memory.h"
#include "base/url/host.h"
#include "crawler/admit/outlinks.h"

#include <stdlib.h>

/* Room for n more behind `used`. */
static void *
room(void *p, uint32_t *cap, uint32_t used, size_t n, size_t size)
{
    size_t want = *cap;

    if (used + n <= want)
        return p;
    while (want < used + n)
        want = want ? 2 * want : 64;
    *cap = (uint32_t)want;
    return memory_need(want < UINT32_MAX ? realloc(p, want * size) : NULL);
}

struct web *
web_new(void)
{
    struct web *w = memory_need(calloc(1, sizeof *w));

    intern_init(&w->urls);
    intern_init(&w->hosts);
    intern_init(&w->texts);
    return w;
}

void
web_free(struct web *w)
{
    if (w == NULL)
        return;
    intern_free(&w->urls);
    intern_free(&w->hosts);
    intern_free(&w->texts);
    free(w->page);
    free(w->host);
    free(w->link);
    free(w->fingerprint);
    free(w->seed);
    free(w);
}

uint32_t
web_host_of(struct web *w, struct str authority)
{
    bool fresh;
    uint32_t i = intern_add(&w->hosts, authority, &fresh);

    if (!fresh)
        return i;
    w->host = room(w->host, &w->hosts_cap, i, 1, sizeof *w->host);
    w->host[i] = (struct web_host){.robots = WEB_NONE, .robots_status = 404};
    w->host[i].name = host_without_port(w->hosts.name[i]);
    w->host[i].domain = host_registered_domain(w->host[i].name);
    return i;
}

uint32_t
web_page_of(struct web *w, struct str url)
{
    bool fresh;
    uint32_t i = intern_add(&w->urls, url, &fresh);

    if (!fresh)
        return i;
    w->page = room(w->page, &w->pages_cap, i, 1, sizeof *w->page);
    w->page[i] =
        (struct web_page){.host = web_host_of(w, outlink_authority(url)),
                          .content = WEB_NONE,
                          .fingerprint = WEB_NONE,
                          .location = WEB_NONE,
                          .target = WEB_NONE,
                          .language = WEB_NONE,
                          .language_stated = WEB_NONE};
    return i;
}

struct web_link *
web_add_links(struct web *w, uint32_t page, size_t n)
{
    struct web_link *l;

    w->link = room(w->link, &w->links_cap, w->links_n, n, sizeof *w->link);
    l = n == 0 ? NULL : &w->link[w->links_n];
    w->page[page].links = w->links_n;
    w->page[page].links_n = (uint32_t)n;
    w->links_n += (uint32_t)n;
    return l;
}

uint32_t
web_add_fingerprint(struct web *w, const struct fingerprint *f)
{
    w->fingerprint = room(w->fingerprint, &w->fingerprints_cap,
                          w->fingerprints_n, 1, sizeof *w->fingerprint);
    w->fingerprint[w->fingerprints_n] = *f;
    return w->fingerprints_n++;
}

void
web_add_seed(struct web *w, uint32_t page)
{
    w->seed = room(w->seed, &w->seeds_cap, w->seeds_n, 1, sizeof *w->seed);
    w->seed[w->seeds_n++] = page;
}
