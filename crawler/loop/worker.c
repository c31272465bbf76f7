/* worker.c -- the worker threads: every visit is read here, on one path.
 *
 *   outcome -> [WARC] -> [clean, render] -> the reporter
 *
 * Nothing here waits for a service, so a page is never in the way of the next:
 * corpus, crawl log and frontier are the reporter's (reporter.c).  Exceptions
 * are a sitemap, whose entries go to the frontier as they are read, a full disk
 * under the WARC files, and sentences to be cut (dedup.known_sentences), of
 * which the dedup service has to be asked before a document is rendered.
 *
 * With a sandbox a visit that calls for nothing of that is worked on there from
 * one end to the other, and so is the next: the worker's own thread sleeps
 * until one comes that does, and has only its page cleaned there.
 *
 * A worker owns one arena and one buffer, used again for each page; what is to
 * outlive the page is copied to the visit. */
#include "crawler/visit/archive.h"
#include "clean/sandbox/sandbox.h"
#include "converting.h"
#include "crawl_state.h"
#include "crawler/admit/outlinks.h"
#include "crawler/admit/robots_cache.h"
#include "crawler/visit/cookies.h"
#include "reporter.h"
#include "ship.h"
#include "sitemap_report.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/thread.h"

#include <math.h>

struct worker_state { /* of one thread */
    struct crawl *c;
    size_t i;
    struct arena *arena;
    struct sandbox *sandbox; /* NULL: none */
    struct sandbox *around;  /* of a page: NULL while in it, or without one */
    struct visit *outside;   /* one that the sandbox leaves to its worker */
    struct buf scratch;
    bool no_space; /* it waits for some */
};

/* ---- documents ---- */

static void
clean(struct worker_state *s, const struct visit_report *r, struct document *d,
      struct outlinks *links)
{
    struct crawl *c = s->c;
    const struct visit *v = r->v;
    struct site_rights site = robots_cache_rights(c->robots, v->lease.authority,
                                                  v->url.target, s->arena);
    bool converted = v->kind != CONVERT_NONE;

    *d = (struct document){
        .arena = s->arena,
        .id = v->id,
        .origin = {.ip = r->done.address,
                   .last_modified = buf_view(&v->reply.last_modified),
                   .sitemap_ms = v->lease.lastmod_ms,
                   .headers = buf_view(&v->reply.head),
                   .cut = v->reply.truncated && !converted,
                   .fetched_ms = v->finished_ms},
        .url = v->url,
        .url_text = v->url.href,
        .bytes = converted ? buf_view(&v->html) : buf_view(&v->reply.body),
        .content_type = converted ? S("text/html; charset=utf-8")
                                  : buf_view(&v->reply.content_type),
        .x_robots_tag = buf_view(&v->reply.x_robots_tag),
        .robots_agent = c->agent,
        .site_rights = site.robots,
        .site_tdmrep = site.tdmrep,
        .list_sentences = c->opts->dedup_canonical_mib > 0,
        .link_bytes_max = c->opts->frontier_url_size_max};
    /* Without memory the page is rejected, and that is all there is to do. */
    (void)sandbox_clean(s->around, c->cleaner, d,
                        c->opts->output_keep_rejected);
    if (v->converted.reject != VERDICT_NONE) {
        d->reject = v->converted.reject;
        d->reject_detail = v->converted.why;
    }
    outlinks_of(links, d, c->scope, c->link_words, c->opts, v->lease.depth);
    if (d->reject == VERDICT_NONE && !scope_saves(c->scope, v->url.href))
        d->reject = VERDICT_NOT_SAVED;
}

/* Without the sentences that other documents of the corpus have. */
static enum status
cut_known(struct worker_state *s, const struct visit_report *r,
          struct document *d)
{
    enum status st;

    if (d->reject != VERDICT_NONE ||
        !str_eq(s->c->opts->dedup_known_sentences, S("cut")))
        return ST_OK;
    crawl_waits(s->c, s->i, "the dedup service");
    st = ship_ask(s->c, d, r->v->lease.revisit);
    crawl_waits(s->c, s->i, NULL);
    return st;
}

static enum status
document(struct worker_state *s, struct visit_report *r)
{
    struct document doc, *d = &doc;
    struct outlinks links;
    enum status st;

    arena_reset(s->arena);
    working_on(s->c->working, s->i, r->v->lease.url);
    clean(s, r, d, &links);
    working_off(s->c->working, s->i);
    if (verdict_kind(d->reject) == VERDICT_KIND_SUBSTITUTED) {
        /* it is no document */
        visit_report_substituted(r, d);
        return ST_OK;
    }
    if ((st = cut_known(s, r, d)) != ST_OK) {
        visit_report_returned(r, st);
        return st;
    }
    visit_report_document(r, d, &links, archive_wants_text(s->c->archive));
    r->ships = d->reject == VERDICT_NONE || s->c->opts->output_keep_rejected;
    if (r->ships)
        ship_pack(s->c, d, r->v->lease.revisit, r->v->arena, &s->scratch,
                  &r->document);
    return ST_OK;
}

/* What it lists goes to the frontier before it is reported as read. */
static enum status
sitemap(struct worker_state *s, struct visit_report *r)
{
    struct sitemap_result result;
    enum status st;

    crawl_waits(s->c, s->i, "the frontier service");
    st = sitemap_report(&result, s->c, s->i, r->v);
    crawl_waits(s->c, s->i, NULL);
    r->done.digest = hash64(buf_view(&r->v->reply.body));
    if (result.end == SITEMAP_OTHER) {
        r->done.outcome = OUTCOME_FAILED;
        r->done.verdict = VERDICT_NO_SITEMAP;
    }
    return st;
}

/* ---- WARC files ---- */

/* ST_FULL: the crawl is ending; the page will be fetched again. */
static enum status
write_archive(struct worker_state *s, struct visit *v)
{
    struct crawl *c = s->c;
    enum status st;

    while ((st = archive_put(c->archive, v)) == ST_FULL && !c->hard)
        crawl_wait_for_space(c, s->i, &s->no_space, "WARC files");
    if (st == ST_FULL)
        return ST_STOPPED;
    crawl_space_is_back(c, s->i, &s->no_space, "WARC files");
    return st;
}

/* ---- a visit ---- */

static void
work(struct worker_state *s, struct visit *v)
{
    struct crawl *c = s->c;
    struct visit_report *r;

    if (crawl_converts(c, v))
        return; /* it comes again */
    v->id = document_id_make(v->url.href, v->finished_ms);
    working_on(c->working, s->i, v->lease.url);
    r = visit_report_new(v, c->opts, c->scope, c->agent);
    if (r->outcome.rules != NULL)
        robots_cache_put(c->robots, v->lease.owner,
                         frontier_robots_version(r->outcome.robots.body),
                         r->outcome.robots.body, r->outcome.rules);
    if (r->done.outcome == OUTCOME_REDIRECT && r->outcome.cookies.n > 0)
        cookies_keep(c->cookies, v, r->outcome.target.url, r->outcome.cookies);
    working_off(c->working, s->i);
    r->status = write_archive(s, v);
    if (r->status == ST_OK && r->outcome.document)
        r->status = document(s, r);
    if (r->status == ST_OK && r->outcome.sitemap)
        r->status = sitemap(s, r);
    visit_report_read(r);
    reporter_put(c->reporter, r);
}

/* Files, other programs and services are out of the sandbox's reach. */
static bool
fits_sandbox(const struct crawl *c, const struct visit *v)
{
    return c->archive == NULL && c->converter == NULL &&
           !str_eq(c->opts->dedup_known_sentences, S("cut")) &&
           v->lease.kind != FRONTIER_SITEMAP;
}

/* In the sandbox: all visits up to one that does not fit in, or the last. */
static void
work_inside(void *state)
{
    struct worker_state *s = state;
    void *v;

    s->around = NULL;
    s->outside = NULL;
    while (workq_pop(s->c->to_workers, &v, UINT64_MAX) == ST_OK) {
        if (!fits_sandbox(s->c, v)) {
            s->outside = v;
            break;
        }
        work(s, v);
    }
    s->around = s->sandbox;
}

static void
work_all(struct worker_state *s)
{
    do {
        sandbox_run(s->sandbox, work_inside, s);
        if (s->outside != NULL)
            work(s, s->outside);
    } while (s->outside != NULL);
}

void *
crawl_worker_thread(void *worker)
{
    const struct worker *w = worker;
    struct worker_state s = {.c = w->crawl,
                             .i = w->i,
                             .arena = arena_new(),
                             .sandbox = w->sandbox};

    thread_name("worker");
    work_all(&s);
    buf_free(&s.scratch);
    arena_free(s.arena);
    return NULL;
}
