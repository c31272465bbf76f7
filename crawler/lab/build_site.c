/* build_site.c -- see build.h: in batches, breadth first.  The pages that a
 * batch links to are asked in the next ones. */
#include "base/buf.h"
#include "base/log.h"
#include "base/progress.h"
#include "build.h"
#include "crawler/admit/robots.h"
#include "recorder_pool.h"
#include "web_about.h"

struct site_builder {
    const struct site *site;
    const struct opts *opts;
    struct web *web; /* not changed during a batch */
    uint32_t from;   /* the batch's first page */
    struct intern files;
    struct progress *progress;
};

static enum status
ask(void *builder, uint32_t i, struct arena *a, struct answer *out)
{
    const struct site_builder *b = builder;
    struct site_answer got;
    struct url url;
    enum status st;

    progress_add(b->progress, 1);
    *out =
        (struct answer){.url = b->web->urls.name[b->from + i], .status = 404};
    if (url_parse_plain(&url, a, out->url, NULL) != ST_OK)
        return ST_OK; /* links are canonical: cannot be */
    st = site_get(b->site, a, &url, b->opts->fetch_body_max, &got);
    out->status = got.status;
    out->content_type = got.content_type;
    out->location = got.location;
    out->body = got.body;
    out->content = got.file;
    return st;
}

/* What is on a host that is not there stays unknown. */
static void
store(struct site_builder *b, uint32_t page, struct recorded *j)
{
    uint32_t content;

    if (!site_has_host(b->site, b->web->host[b->web->page[page].host].name))
        return;
    content =
        j->content.n > 0 ? intern_add(&b->files, j->content, NULL) : WEB_NONE;
    recorded_store(b->web, page, content, j);
}

static enum status
ask_all(struct site_builder *b, struct recorder_pool *pool)
{
    struct web *w = b->web;
    struct recorded *result;
    struct progress *p = progress_begin("lab record", "URLs", w->urls.n);
    enum status st = ST_OK;

    b->progress = p;
    while (st == ST_OK && b->from < w->urls.n) {
        uint32_t n = w->urls.n - b->from;

        n = n < RECORDER_POOL_BATCH_MAX ? n : RECORDER_POOL_BATCH_MAX;
        if ((st = recorder_pool_run(pool, n, ask, b, &result)) != ST_OK)
            break;
        for (uint32_t i = 0; i < n; i++)
            store(b, b->from + i, &result[i]);
        b->from += n;
        progress_total(p, w->urls.n); /* those that are linked to so far */
        if (w->urls.n > BUILD_PAGES_MAX) {
            log_error("lab", "more than %u URLs: a trap?", BUILD_PAGES_MAX);
            st = ST_LIMIT;
        }
    }
    progress_end(p);
    w->contents_n = b->files.n;
    return st;
}

static enum status
read_robots(struct site_builder *b, uint32_t host, struct arena *a)
{
    struct web *w = b->web;
    struct url url;
    struct site_answer got;
    struct str text;
    enum status st;

    arena_reset(a);
    text = arena_printf(a, "http://%.*s/robots.txt", STRF(w->hosts.name[host]));
    if (url_parse_plain(&url, a, text, NULL) != ST_OK)
        return ST_OK;
    if ((st = site_get(b->site, a, &url, ROBOTS_BODY_MAX, &got)) != ST_OK)
        return st;
    w->host[host].robots_status = (uint16_t)got.status;
    if (got.status == 200)
        w->host[host].robots = intern_add(&w->texts, got.body, NULL);
    return ST_OK;
}

/* The seeds, and every host's root. */
static void
begin(struct site_builder *b, const struct build *how)
{
    const struct str *host;
    size_t n;
    struct buf root = {0};

    for (size_t i = 0; i < how->seeds_n; i++)
        web_add_seed(b->web, web_page_of(b->web, how->seeds[i]));
    host = site_hosts(b->site, &n);
    for (size_t i = 0; i < n; i++) {
        buf_clear(&root);
        buf_printf(&root, "http://%.*s/", STRF(host[i]));
        web_page_of(b->web, buf_view(&root));
    }
    buf_free(&root);
}

enum status
build_from_site(struct web **out, const struct site *site,
                const struct build *how)
{
    struct site_builder b = {.site = site, .opts = how->opts, .web = web_new()};
    struct recorder_pool *pool = recorder_pool_open(
        how->opts, how->cleaner, how->link_words, how->threads_n);
    struct arena *a = arena_new();
    enum status st;

    intern_init(&b.files);
    begin(&b, how);
    st = ask_all(&b, pool);
    for (uint32_t i = 0; i < b.web->hosts.n && st == ST_OK; i++)
        if (site_has_host(site, b.web->host[i].name))
            st = read_robots(&b, i, a);
    web_set_about(b.web, how->opts);
    arena_free(a);
    recorder_pool_close(pool);
    intern_free(&b.files);
    if (st == ST_OK)
        *out = b.web;
    else
        web_free(b.web);
    return st;
}
