/* sitemap_report.c -- see sitemap_report.h.  Known URLs are not new: a sitemap
 * that is read again after a crash changes nothing.  Memory: one batch. */
#include "sitemap_report.h"

#include "base/log.h"
#include "crawler/admit/outlinks.h"

#include <stdlib.h>

#define BATCH 1000u

struct link_batch {
    struct crawl *c;
    const struct visit *v;
    size_t worker;
    struct arena *arena;
    struct frontier_link link[BATCH];
    size_t n;
    bool enough;
    enum status status;
};

static bool
flush(struct link_batch *b)
{
    working_off(b->c->working, b->worker);
    if (b->n > 0)
        b->status = frontier_client_put(b->c->frontier, b->v->lease.url,
                                        b->v->lease.owner, b->link, b->n,
                                        &b->c->hard, &b->enough);
    working_on(b->c->working, b->worker, b->v->lease.url);
    b->n = 0;
    arena_reset(b->arena);
    return b->status == ST_OK && !b->enough;
}

static bool
take(void *self, const struct sitemap_entry *e)
{
    struct link_batch *b = self;
    const struct crawl *c = b->c;
    struct frontier_link *link = &b->link[b->n];
    struct url url;

    if (url_parse_plain_max(&url, b->arena, e->url, &b->v->url,
                            c->opts->frontier_url_size_max) != ST_OK ||
        (e->index ? !scope_admits_host(c->scope, url.host)
                  : !scope_admits(c->scope, url.href, url.host)))
        return true;
    *link = (struct frontier_link){.kind = e->index ? FRONTIER_SITEMAP
                                                    : FRONTIER_PAGE,
                                   .lastmod_ms = e->lastmod_ms,
                                   .language = arena_str(b->arena, e->language),
                                   .has_hint = e->priority >= 0,
                                   .hint = e->priority >= 0 ? e->priority : 0};
    outlink_fill(link, url.href);
    if (!e->index)
        link->words = link_words_of(c->link_words, S(""), link->url);
    return ++b->n < BATCH || flush(b);
}

enum status
sitemap_report(struct sitemap_result *out, struct crawl *c, size_t worker,
               const struct visit *v)
{
    const struct sitemap_limits limits = {
        .entries_max = (size_t)c->opts->sitemaps_entries_max,
        .bytes_max = (size_t)c->opts->sitemaps_bytes_max};
    struct link_batch *b = calloc(1, sizeof *b);
    enum status st;

    *out = (struct sitemap_result){SITEMAP_ENOUGH, 0};
    if (b == NULL)
        return ST_NOMEM;
    b->c = c;
    b->v = v;
    b->worker = worker;
    b->arena = arena_new();
    working_on(c->working, worker, v->lease.url);
    sitemap_read(out, buf_view(&v->reply.body), &limits, take, b);
    if (b->status == ST_OK && !b->enough)
        flush(b);
    working_off(c->working, worker);
    st = b->status;
    log_info("crawl", "sitemap=%.*s of=%.*s entries=%zu end=%s",
             STRF(v->lease.url), STRF(v->lease.owner), out->entries,
             sitemap_end_name(out->end));
    arena_free(b->arena);
    free(b);
    return st;
}
