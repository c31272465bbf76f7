/* build_archive.c -- see build.h: records are read in order, a batch of them in
 * memory at a time, bounded by BATCH_BYTES too.
 *
 * What stands there for another record's bytes (revisits.h) is recorded when
 * all is read, for which the files are read again.
 *
 * A robots.txt is told by its path; it becomes the host's, and is no page.  One
 * that has moved to another host's is that one. */
#include "base/buf.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/url/url.h"
#include "build.h"
#include "clean/archive/source.h"
#include "crawler/admit/robots.h"
#include "crawler/report/crawl_log.h"
#include "recorder_pool.h"
#include "revisits.h"
#include "web_about.h"

#include <stdlib.h>
#include <sys/stat.h>

#define BATCH_BYTES ((size_t)64 << 20)

struct archive_builder {
    const struct build *how;
    struct web *web;
    struct recorder_pool *pool;
    struct arena *arena; /* of the batch */
    struct arena *again; /* of the page that is read again */
    struct revisits *revisits;
    struct answer answer[RECORDER_POOL_BATCH_MAX];
    uint32_t n;
    size_t bytes;
    struct progress *progress; /* in bytes of the files */
    uint64_t bytes_before;     /* of files that are read */
    struct intern contents;
};

static enum status
ask(void *builder, uint32_t i, struct arena *a, struct answer *out)
{
    const struct archive_builder *b = builder;
    char hex[33];

    *out = b->answer[i];
    if (out->status == 200) {
        hash128_hex(hash128(out->body), hex);
        out->content = arena_str(a, str_c(hex));
    }
    return ST_OK;
}

static enum status
end_batch(struct archive_builder *b)
{
    struct recorded *result;
    enum status st = recorder_pool_run(b->pool, b->n, ask, b, &result);

    for (uint32_t i = 0; i < b->n && st == ST_OK; i++) {
        struct recorded *j = &result[i];
        uint32_t page = web_page_of(b->web, b->answer[i].url);

        recorded_store(b->web, page,
                       j->content.n > 0
                           ? intern_add(&b->contents, j->content, NULL)
                           : WEB_NONE,
                       j);
    }
    b->n = 0;
    b->bytes = 0;
    arena_reset(b->arena);
    return st;
}

/* A record without an HTTP header has what it names. */
static uint16_t
status_of(const struct source_page *p)
{
    return p->status != 0 ? p->status : 200;
}

static void
take_robots(struct archive_builder *b, const struct url *url,
            const struct source_page *p)
{
    struct web *w = b->web;
    uint32_t host = web_host_of(w, url_authority(url, b->arena));
    struct web_host *h = &w->host[host]; /* which the call may have moved */
    struct str text = str_sub(p->body, 0, ROBOTS_BODY_MAX);

    h->robots_status = status_of(p);
    h->robots = WEB_NONE;
    if (h->robots_status == 200)
        h->robots = intern_add(&w->texts, text, NULL);
    else if (h->robots_status / 100 == 3 && p->location.n > 0)
        h->robots = intern_add(&w->texts, p->location,
                               NULL); /* until follow_robots() */
}

static bool
has_moved(const struct web_host *h)
{
    return h->robots_status / 100 == 3 && h->robots != WEB_NONE;
}

/* Whose robots.txt the host's redirect leads to; INTERN_NONE: nobody's. */
static uint32_t
moved_to(const struct web *w, uint32_t host, struct arena *a)
{
    struct str own =
        arena_printf(a, "http://%.*s/robots.txt", STRF(w->hosts.name[host]));
    struct url base, to;

    if (url_parse_plain(&base, a, own, NULL) != ST_OK ||
        url_parse_plain(&to, a, web_text(w, w->host[host].robots), &base) !=
            ST_OK ||
        !str_eq(to.target, S("/robots.txt")))
        return INTERN_NONE;
    return intern_find(&w->hosts, url_authority(&to, a));
}

/* Once all are read. */
static void
follow_robots(struct archive_builder *b)
{
    struct web *w = b->web;

    for (uint32_t i = 0; i < w->hosts.n; i++) {
        uint32_t at = i;

        for (int n = 0; n < ROBOTS_REDIRECTS_MAX && at != INTERN_NONE &&
                        has_moved(&w->host[at]);
             n++)
            at = moved_to(w, at, b->arena);
        if (at == INTERN_NONE || has_moved(&w->host[at]))
            continue;
        w->host[i].robots = w->host[at].robots;
        w->host[i].robots_status = w->host[at].robots_status;
    }
    for (uint32_t i = 0; i < w->hosts.n; i++)
        if (has_moved(&w->host[i]))
            w->host[i].robots = WEB_NONE;
}

static enum status
take(void *builder, const struct source_page *p)
{
    struct archive_builder *b = builder;
    struct answer *a = &b->answer[b->n];
    struct url url;

    if (url_parse_plain(&url, b->arena, p->url, NULL) != ST_OK)
        return ST_OK;
    if (str_eq(url.target, S("/robots.txt"))) {
        take_robots(b, &url, p);
        return ST_OK;
    }
    *a = (struct answer){.url = url.href,
                         .status = status_of(p),
                         .content_type = p->content_type,
                         .x_robots_tag = p->x_robots_tag,
                         .location = p->location,
                         .body = p->body};
    b->n++;
    b->bytes += p->body.n;
    return b->n == RECORDER_POOL_BATCH_MAX || b->bytes >= BATCH_BYTES
               ? end_batch(b)
               : ST_OK;
}

static uint64_t
file_bytes(const char *path)
{
    struct stat sb;

    return stat(path, &sb) == 0 ? (uint64_t)sb.st_size : 0;
}

/* A page of the file, strings in the arena that it was read into. */
typedef enum status page_of(struct archive_builder *b,
                            const struct source_page *p);

/* The first time. */
static enum status
take_first(struct archive_builder *b, const struct source_page *p)
{
    revisits_see(b->revisits, p);
    return p->revisit ? ST_OK : take(b, p);
}

/* The second time: for those that have its bytes, too. */
static enum status
take_again(struct archive_builder *b, const struct source_page *p)
{
    enum status st = revisits_give(b->revisits, p, b->arena, take, b);

    arena_reset(b->again);
    return st;
}

static enum status
read_file(struct archive_builder *b, const char *path, struct arena *a,
          page_of *page)
{
    struct source *s;
    struct source_page p;
    enum status st = source_open(&s, path, b->how->opts->fetch_body_max);

    if (st != ST_OK)
        return st == ST_INVALID ? ST_USAGE : st;
    if (source_format(s) == WARC_FORMAT_NONE) {
        log_error("lab", "%s: neither a recorded web nor a WARC or ARC file",
                  path);
        st = ST_USAGE;
    }
    source_give_revisits(s);
    while (st == ST_OK && (st = source_next(s, a, &p)) == ST_OK) {
        st = page(b, &p);
        if (!p.decompressed)
            progress_to(b->progress, b->bytes_before + p.offset + p.length);
    }
    source_close(s);
    b->bytes_before += file_bytes(path);
    if (st != ST_NONE)
        return st;
    return end_batch(b);
}

static enum status
read_files(struct archive_builder *b, const char *const *files, size_t files_n,
           struct arena *a, page_of *page)
{
    uint64_t bytes = 0;
    enum status st = ST_OK;

    for (size_t i = 0; i < files_n; i++)
        bytes += file_bytes(files[i]);
    b->bytes_before = 0;
    b->progress = progress_begin("lab record", PROGRESS_BYTES, bytes);
    for (size_t i = 0; i < files_n && st == ST_OK; i++)
        st = read_file(b, files[i], a, page);
    progress_end(b->progress);
    return st;
}

static enum status
read_revisits(struct archive_builder *b, const char *const *files,
              size_t files_n)
{
    size_t n = revisits_waiting(b->revisits), lost_n = 0;
    enum status st;

    if (n == 0)
        return ST_OK;
    st = read_files(b, files, files_n, b->again, take_again);
    if (st == ST_OK)
        st = revisits_end(b->revisits, &lost_n, take, b);
    if (st == ST_OK)
        st = end_batch(b);
    if (st == ST_OK && lost_n > 0)
        log_warn("lab",
                 "%zu of %zu revisits name a page that is not in these files; "
                 "they count as not recorded",
                 lost_n, n);
    return st;
}

/* ---- the log ---- */

static void
take_line(void *builder, const struct crawl_log_entry *e)
{
    struct archive_builder *b = builder;
    struct web *w = b->web;
    uint32_t page;

    if (e->kind != CRAWL_LOG_PAGE && e->kind != CRAWL_LOG_REDIRECT)
        return;
    if (!str_starts(e->url, S("http://")) && !str_starts(e->url, S("https://")))
        return;
    page = web_page_of(w, e->url);
    if (e->depth == 0)
        web_add_seed(w, page);
    if (w->page[page].known || e->status != 0)
        return;
    if (e->verdict < VERDICT_N &&
        (verdict_kind(e->verdict) == VERDICT_KIND_FAILED ||
         verdict_kind(e->verdict) == VERDICT_KIND_RETRY)) {
        w->page[page].known = true;
        w->page[page].fault = (uint8_t)e->verdict;
    }
}

/* Without a log, the roots of the hosts. */
static void
begin_at_roots(struct web *w)
{
    struct buf root = {0};

    for (uint32_t i = 0; i < w->hosts.n; i++) {
        for (int https = 0; https <= 1; https++) {
            uint32_t page;

            buf_clear(&root);
            buf_printf(&root, "http%s://%.*s/", https ? "s" : "",
                       STRF(w->hosts.name[i]));
            page = intern_find(&w->urls, buf_view(&root));
            if (page != INTERN_NONE && w->page[page].known)
                web_add_seed(w, page);
        }
    }
    buf_free(&root);
}

static void
choose_seeds(struct archive_builder *b)
{
    struct web *w = b->web;

    if (b->how->seeds_n > 0)
        w->seeds_n = 0;
    for (size_t i = 0; i < b->how->seeds_n; i++) {
        uint32_t page = intern_find(&w->urls, b->how->seeds[i]);

        if (page != INTERN_NONE)
            web_add_seed(w, page);
    }
    if (w->seeds_n == 0)
        begin_at_roots(w);
}

static enum status
read_all(struct archive_builder *b, const char *const *files, size_t files_n,
         const char *crawl)
{
    struct crawl_log_counts counts;
    enum status st = read_files(b, files, files_n, b->arena, take_first);

    if (st == ST_OK)
        st = read_revisits(b, files, files_n);
    follow_robots(b);
    b->web->contents_n = b->contents.n;
    if (st == ST_OK && b->web->urls.n == 0) {
        log_error("lab", "%s: no answers in it", files_n ? files[0] : "");
        return ST_USAGE;
    }
    if (st == ST_OK && crawl != NULL)
        st = crawl_log_read_all(crawl, take_line, b, &counts);
    if (st == ST_OK)
        choose_seeds(b);
    return st;
}

enum status
build_from_archives(struct web **out, const char *const *files, size_t files_n,
                    const char *crawl, const struct build *how)
{
    struct archive_builder *b = calloc(1, sizeof *b);
    enum status st;

    if (b == NULL)
        return ST_NOMEM;
    b->how = how;
    b->web = web_new();
    b->pool = recorder_pool_open(how->opts, how->cleaner, how->link_words,
                                 how->threads_n);
    b->arena = arena_new();
    b->again = arena_new();
    b->revisits = revisits_new();
    intern_init(&b->contents);
    st = read_all(b, files, files_n, crawl);
    web_set_about(b->web, how->opts);
    if (st == ST_OK)
        *out = b->web;
    else
        web_free(b->web);
    intern_free(&b->contents);
    revisits_free(b->revisits);
    arena_free(b->again);
    arena_free(b->arena);
    recorder_pool_close(b->pool);
    free(b);
    return st;
}
