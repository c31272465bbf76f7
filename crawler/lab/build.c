/* build.c -- see build.h.
 *
 * In waves of WAVE pages: threads take the next page each and judge it into
 * memory of their own; then one thread adds the results to the web in the order
 * of the pages, and the pages they link to are the next to be asked.  So the
 * web does not depend on the threads, and little is in memory twice. */
#include "build.h"

#include "../robots.h"
#include "judged.h"
#include "winnow/buf.h"
#include "winnow/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { WAVE = 2048, THREADS_MAX = 256 };

struct wave {
    const struct site *site;
    const struct judge *judge;
    const struct web *web; /* not changed during a wave */
    uint32_t from, n;      /* pages */
    struct judged *result; /* n of them */
    struct str *file;      /* what answered */
    atomic_uint next;
    atomic_bool failed;
};

struct hand { /* a thread */
    struct wave *wave;
    struct arena *arena, *page, *keep; /* keep: until the wave is stored */
};

/* ---- a page ---- */

static enum status
ask(struct hand *h, uint32_t i)
{
    struct wave *w = h->wave;
    struct answer a = {.url = w->web->urls.name[w->from + i]};
    struct site_answer got;
    struct url url;
    enum status st;

    arena_reset(h->arena);
    if (url_parse(&url, h->arena, a.url, NULL) != ST_OK)
        return ST_OK; /* links are canonical: cannot be */
    st =
        site_get(w->site, h->arena, &url, w->judge->opts->fetch_body_max, &got);
    if (st != ST_OK)
        return st;
    a.status = got.status;
    a.content_type = got.content_type;
    a.location = got.location;
    a.body = got.body;
    judge_answer(w->judge, &a, h->page, h->keep, &w->result[i]);
    w->file[i] = arena_str(h->keep, got.file);
    return ST_OK;
}

static void *
work(void *hand)
{
    struct hand *h = hand;
    struct wave *w = h->wave;
    unsigned i;

    while ((i = atomic_fetch_add(&w->next, 1)) < w->n && !w->failed)
        if (ask(h, i) != ST_OK)
            w->failed = true;
    return NULL;
}

/* ---- a wave ---- */

static void
run_wave(struct wave *w, struct hand *hands, size_t n)
{
    pthread_t thread[THREADS_MAX];

    w->next = 0;
    for (size_t i = 0; i < n; i++)
        arena_reset(hands[i].keep);
    for (size_t i = 1; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, &hands[i]) != 0)
            abort();
    work(&hands[0]);
    for (size_t i = 1; i < n; i++)
        pthread_join(thread[i], NULL);
}

/* Links to hosts of the folder stay. */
static void
leave_out(struct judged *j, const struct site *s)
{
    size_t n = 0;

    for (size_t i = 0; i < j->links_n; i++)
        if (site_has_host(s, outlink_host(j->links[i].url)))
            j->links[n++] = j->links[i];
    j->links_n = n;
}

static void
store_wave(struct wave *w, struct web *web, struct intern *files)
{
    for (uint32_t i = 0; i < w->n; i++) {
        struct judged *j = &w->result[i];
        uint32_t content =
            w->file[i].n > 0 ? intern_add(files, w->file[i], NULL) : WEB_NONE;

        if (j->target.n > 0 && site_has_host(w->site, outlink_host(j->target)))
            web_page_of(web, j->target);
        leave_out(j, w->site);
        judged_store(web, w->from + i, content, j);
    }
}

/* ---- robots.txt ---- */

static enum status
read_robots(struct web *web, const struct site *s, uint32_t host,
            struct arena *a)
{
    struct url url;
    struct site_answer got;
    struct str text;
    enum status st;

    arena_reset(a);
    text =
        arena_printf(a, "http://%.*s/robots.txt", STRF(web->hosts.name[host]));
    if (url_parse(&url, a, text, NULL) != ST_OK)
        return ST_OK;
    if ((st = site_get(s, a, &url, ROBOTS_BODY_MAX, &got)) != ST_OK)
        return st;
    web->host[host].robots_status = (uint16_t)got.status;
    if (got.status == 200)
        web->host[host].robots = intern_add(&web->texts, got.body, NULL);
    return ST_OK;
}

/* ---- all of it ---- */

static void
add_seeds(struct web *web, const struct site *s, const struct build *b)
{
    const struct str *host;
    size_t n;
    struct buf root = {0};

    for (size_t i = 0; i < b->seeds_n; i++)
        web_add_seed(web, web_page_of(web, b->seeds[i]));
    host = site_hosts(s, &n);
    for (size_t i = 0; i < n; i++) {
        buf_clear(&root);
        buf_printf(&root, "http://%.*s/", STRF(host[i]));
        web_page_of(web, buf_view(&root));
    }
    buf_free(&root);
}

static enum status
run_waves(struct wave *w, struct web *web, struct hand *hands, size_t n)
{
    struct intern files;
    enum status st = ST_OK;

    intern_init(&files);
    for (w->from = 0; w->from < web->urls.n && st == ST_OK; w->from += w->n) {
        w->n = web->urls.n - w->from < WAVE ? web->urls.n - w->from : WAVE;
        run_wave(w, hands, n);
        if (w->failed)
            st = ST_IO;
        else
            store_wave(w, web, &files);
        if (web->urls.n > BUILD_PAGES_MAX) {
            log_error("lab", "more than %u URLs: a trap?", BUILD_PAGES_MAX);
            st = ST_LIMIT;
        }
    }
    web->contents_n = files.n;
    intern_free(&files);
    return st;
}

enum status
build_from_site(struct web **out, const struct site *site,
                const struct build *b)
{
    size_t n = b->threads_n < THREADS_MAX ? b->threads_n : THREADS_MAX;
    struct judge judge = {.opts = b->opts,
                          .cleaner = b->cleaner,
                          .agent = robots_token(b->opts->fetch_user_agent)};
    struct web *web = web_new();
    struct wave wave = {.site = site, .judge = &judge, .web = web};
    struct hand hands[THREADS_MAX];
    struct opts open; /* no scope: the folder decides */
    struct scope *scope = NULL;
    struct buf about = {0};
    enum status st;

    n = n > 0 ? n : 1;
    opts_init(&open);
    if ((st = scope_open(&scope, &open)) != ST_OK)
        abort(); /* presets are checked */
    judge.scope = scope;
    wave.result = calloc(WAVE, sizeof *wave.result);
    wave.file = calloc(WAVE, sizeof *wave.file);
    if (wave.result == NULL || wave.file == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        hands[i] = (struct hand){&wave, arena_new(), arena_new(), arena_new()};
    add_seeds(web, site, b);
    st = run_waves(&wave, web, hands, n);
    for (uint32_t i = 0; i < web->hosts.n && st == ST_OK; i++)
        st = read_robots(web, site, i, hands[0].arena);
    build_about(b->opts, &about);
    web->about = arena_str(web->texts.arena, buf_view(&about));
    buf_free(&about);
    for (size_t i = 0; i < n; i++) {
        arena_free(hands[i].arena);
        arena_free(hands[i].page);
        arena_free(hands[i].keep);
    }
    free(wave.result);
    free(wave.file);
    scope_close(scope);
    opts_free(&open);
    if (st != ST_OK)
        web_free(web);
    else
        *out = web;
    return st;
}

void
build_about(const struct opts *o, struct buf *out)
{
    static const char *const others[] = {"threads", "data", NULL};

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        bool counts = strcmp(row->section, "clean") == 0;

        for (const char *const *k = others; *k != NULL; k++)
            counts = counts && strcmp(row->key, *k) != 0;
        counts = counts ||
                 (strcmp(row->section, "fetch") == 0 &&
                  (strcmp(row->key, "body_max") == 0 ||
                   strcmp(row->key, "user_agent") == 0)) ||
                 (strcmp(row->section, "dedup") == 0 &&
                  strcmp(row->key, "shingle_size") == 0);
        if (!counts)
            continue;
        buf_printf(out, "%s.%s=", row->section, row->key);
        opts_show(o, row, out);
        buf_char(out, '\n');
    }
}
