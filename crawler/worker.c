/* worker.c -- the worker threads: every visit ends here, on one path.
 *
 *   outcome -> [WARC] -> [clean -> ship, wait for the ack] -> crawl log ->
 *   frontier
 *
 * The frontier is told last, when everything else is durable: a crash before
 * that makes the lease void and the page is fetched again, and the dedup
 * service knows its id.  When a disk is full or a service away, the worker
 * waits; the queue behind it is bounded, so leasing stops too.
 *
 * A worker owns one arena and one buffer, used again for each page. */
#include "archive.h"
#include "clean/sandbox/sandbox.h"
#include "crawl_state.h"
#include "crawler/admit/outlinks.h"
#include "crawler/admit/robots_cache.h"
#include "outcome.h"
#include "ship.h"
#include "sitemap/sitemap_report.h"

#include "winnow/clock.h"
#include "winnow/hash.h"
#include "winnow/log.h"
#include "winnow/memory.h"

#include <math.h>

struct worker_state { /* of one thread */
    struct crawl *c;
    size_t i;
    struct arena *arena;
    struct sandbox *sandbox; /* NULL: none */
    struct buf scratch;
    bool no_space; /* it waits for some */
};

struct visit_report { /* a visit, as it is told to log and frontier */
    struct visit *v;
    struct outcome outcome;
    struct document doc;
    struct outlinks links;
    struct frontier_done done;
    struct document_id of; /* of a duplicate: what is kept */
    bool kept;
};

/* ---- clean and ship ---- */

static void
clean(struct worker_state *s, struct visit_report *r)
{
    struct crawl *c = s->c;
    const struct visit *v = r->v;
    struct document *d = &r->doc;

    *d = (struct document){
        .arena = s->arena,
        .id = v->id,
        .origin = {.ip = r->done.address,
                   .last_modified = buf_view(&v->reply.last_modified),
                   .headers = buf_view(&v->reply.head),
                   .fetched_ms = v->finished_ms},
        .url = v->url,
        .url_text = v->url.href,
        .bytes = buf_view(&v->reply.body),
        .content_type = buf_view(&v->reply.content_type),
        .x_robots_tag = buf_view(&v->reply.x_robots_tag),
        .robots_agent = c->agent,
        .link_bytes_max = c->opts->frontier_url_size_max};
    sandbox_clean(s->sandbox, c->cleaner, d, c->opts->output_keep_rejected);
    outlinks_of(&r->links, d, c->scope, c->link_words, c->opts, v->lease.depth);
    if (d->reject == VERDICT_NONE && !scope_saves(c->scope, v->url.href))
        d->reject = VERDICT_NOT_SAVED;
}

/* The verdict becomes the reason.  ST_STOPPED: report nothing; ST_INVALID: the
 * service refuses what we send.  That is no page's fault. */
static enum status
ship(struct worker_state *s, struct visit_report *r)
{
    struct crawl *c = s->c;
    struct document *d = &r->doc;
    enum verdict verdict = VERDICT_NONE;
    enum status st = ST_OK;

    if (d->reject == VERDICT_NONE || c->opts->output_keep_rejected) {
        crawl_waits(c, s->i, "the dedup service");
        st = ship_document(c, d, r->v->lease.revisit, &s->scratch, &verdict,
                           &r->of);
        crawl_waits(c, s->i, NULL);
    }
    if (st == ST_LIMIT) { /* of a message */
        r->done.verdict = VERDICT_NOT_STORED;
        return ST_OK;
    }
    if (st != ST_OK)
        return st;
    if (d->reject == VERDICT_NONE)
        d->reject = verdict;
    r->kept = d->reject == VERDICT_NONE;
    r->done.verdict = d->reject;
    if (r->kept)
        r->done.kept_bytes = document_text_bytes(d);
    return ST_OK;
}

static enum status
document(struct worker_state *s, struct visit_report *r)
{
    const struct document *d = &r->doc;

    working_on(s->c->working, s->i, r->v->lease.url);
    clean(s, r);
    working_off(s->c->working, s->i);
    if (verdict_kind(d->reject) == VERDICT_KIND_SUBSTITUTED) {
        /* it is no document */
        r->outcome.document = false;
        r->done.outcome = OUTCOME_FAILED;
        r->done.verdict = d->reject;
        r->links = (struct outlinks){0};
        return ST_OK;
    }
    r->done.links = r->links.link;
    r->done.links_n = r->links.n;
    outcome_signals(&r->done, d);
    r->done.digest = d->digest.low;
    r->done.id = str_c(d->id.z); /* d->id is the stored one after ship() */
    return ship(s, r);
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

/* ---- tell ---- */

static struct crawl_log_entry
log_entry(const struct visit_report *r)
{
    const struct visit *v = r->v;
    const struct document *d = &r->doc;
    bool doc = r->outcome.document;
    return (struct crawl_log_entry){
        .time_ms = v->finished_ms,
        .url = v->lease.url,
        .host = outlink_host(v->lease.url),
        .kind = v->lease.kind == FRONTIER_ROBOTS      ? CRAWL_LOG_ROBOTS
                : v->lease.kind == FRONTIER_SITEMAP   ? CRAWL_LOG_SITEMAP
                : r->done.outcome == OUTCOME_REDIRECT ? CRAWL_LOG_REDIRECT
                                                      : CRAWL_LOG_PAGE,
        .status = v->reply.status,
        .outcome = r->done.outcome,
        .verdict = r->done.verdict,
        .bytes = v->reply.body.n > 0 ? v->reply.body.n : v->reply.bytes,
        .received = v->reply.bytes,
        .kept_bytes = r->done.kept_bytes,
        .ms = v->reply.ms,
        .depth = v->lease.depth,
        .score = v->lease.score,
        .parent_badness = v->lease.parent_badness,
        .block = v->lease.boilerplate,
        .badness = r->done.has_badness ? d->badness : (double)NAN,
        .boilerplate_mean = doc ? d->boilerplate_mean : (double)NAN,
        .language = doc ? d->language : S(""),
        .chars = doc ? d->kept_chars : 0,
        .links = r->links.found,
        .id = doc ? str_c(d->id.z) : S(""),
        .of = doc ? str_c(r->of.z) : S(""),
        .detail =
            doc && d->reject == r->done.verdict ? d->reject_detail : S(""),
        .price = buf_view(&v->reply.price),
        .explored = v->lease.explored,
        .truncated = v->reply.truncated};
}

/* ---- keep: what must be written before the frontier is told ---- */

static void
wait_for_space(struct worker_state *s, const char *what)
{
    if (!s->no_space)
        log_warn("crawl",
                 "paused: no space in %s for %s; going on when space returns",
                 s->c->dir, what);
    s->no_space = true;
    crawl_waits(s->c, s->i, "space on the disk");
    clock_sleep_ms(500);
}

static void
space_is_back(struct worker_state *s, const char *what)
{
    if (!s->no_space)
        return;
    s->no_space = false;
    crawl_waits(s->c, s->i, NULL);
    log_info("crawl", "going on: %s has space again", what);
}

/* What was fetched, or (with a document) what became of it.  ST_STOPPED: the
 * crawl is ending; the page will be fetched again. */
static enum status
write_archive(struct worker_state *s, const struct visit_report *r)
{
    struct crawl *c = s->c;
    enum status st;

    while ((st = r->doc.arena == NULL
                     ? archive_put(c->archive, r->v)
                     : archive_note(c->archive, r->v, &r->doc, &r->links,
                                    r->done.verdict)) == ST_FULL &&
           !c->hard)
        wait_for_space(s, "WARC files");
    space_is_back(s, "WARC files");
    return st == ST_FULL ? ST_STOPPED : st;
}

static void
write_log(struct worker_state *s, const struct visit_report *r)
{
    struct crawl *c = s->c;
    struct crawl_log_entry e = log_entry(r);

    if (r->done.outcome == OUTCOME_RETURNED)
        return;
    while (crawl_log_append(c->log, &e) == ST_FULL && !c->hard)
        wait_for_space(s, "the crawl log");
    space_is_back(s, "the crawl log");
}

/* ---- count ---- */

/* A page that will be tried again has not ended. */
static void
count_verdict(struct crawl *c, const struct visit_report *r)
{
    const struct frontier_done *d = &r->done;

    if (d->verdict >= VERDICT_END || d->outcome == OUTCOME_RETURNED)
        return;
    if (d->kind == FRONTIER_ROBOTS)
        c->robots_verdicts[d->verdict]++;
    else if (d->kind == FRONTIER_PAGE &&
             (d->outcome != OUTCOME_RETRY ||
              r->v->lease.attempts >= c->opts->politeness_retries))
        c->page_verdicts[d->verdict]++;
}

static void
count(struct crawl *c, const struct visit_report *r)
{
    struct crawl_stats *s = &c->stats;
    const struct frontier_done *d = &r->done;

    c->bytes += d->fetched_bytes;
    s->fetched_bytes += d->fetched_bytes;
    s->kept_bytes += d->kept_bytes;
    s->retries += d->outcome == OUTCOME_RETRY;
    s->redirects += d->outcome == OUTCOME_REDIRECT;
    s->robots += d->kind == FRONTIER_ROBOTS &&
                 d->outcome == OUTCOME_ROBOTS_DONE && !d->robots.unreachable;
    s->disallowed += d->outcome == OUTCOME_DISALLOWED;
    s->refused +=
        d->kind == FRONTIER_PAGE && d->outcome == OUTCOME_OUT_OF_SCOPE;
    count_verdict(c, r);
    if (!outcome_is_page(d, &r->v->lease, c->opts))
        return;
    c->pages++;
    s->fetched++;
    s->kept += r->kept;
    s->errors += d->outcome != OUTCOME_FETCHED;
    crawl_window_add(&c->window, r->kept);
}

/* The visit is over, reported or not. */
static void
let_go(struct crawl *c, struct visit_report *r, enum status st)
{
    pthread_mutex_lock(&c->lock);
    if (st == ST_OK)
        count(c, r);
    else if (st != ST_STOPPED && c->end == CRAWL_RUNNING)
        c->end = CRAWL_FAILED;
    if (st != ST_OK && st != ST_STOPPED)
        c->stop = true;
    c->alive--;
    c->reported++;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    crawl_wake_loop(c);
    visit_free(r->v);
}

static void
fill_done(struct visit_report *r, char address[64])
{
    const struct visit *v = r->v;
    const struct outcome *o = &r->outcome;

    visit_address(v, address);
    r->done = (struct frontier_done){
        .url = v->lease.url,
        .call = v->lease.call,
        .kind = v->lease.kind,
        .outcome = o->what,
        .verdict = o->verdict,
        .address = str_c(address),
        .finished_ms = v->ended_ms,
        .contacted = v->contacted,
        .fetched_bytes = v->reply.bytes,
        .retry_after_ms = v->reply.retry_after_ms,
        .took_ms = v->reply.ms,
        .etag = buf_view(&v->reply.etag),
        .last_modified = buf_view(&v->reply.last_modified),
        .links = o->sitemaps_n > 0 ? o->sitemaps : &o->target,
        .links_n = o->what == OUTCOME_REDIRECT ? 1 : o->sitemaps_n,
        .robots = o->robots};
}

/* Its document was refused: back into the queue, and the crawl ends. */
static void
give_back(struct worker_state *s, struct visit_report *r)
{
    r->done.outcome = OUTCOME_RETURNED;
    r->done.verdict = VERDICT_RETURNED;
    r->done.links_n = 0;
    crawl_waits(s->c, s->i, "the frontier service");
    (void)frontier_client_done(s->c->frontier, &r->done, 1, &s->c->hard);
    crawl_waits(s->c, s->i, NULL);
}

static void
work(struct worker_state *s, struct visit *v)
{
    struct crawl *c = s->c;
    struct visit_report r = {.v = v};
    char address[64];
    enum status st = ST_OK;

    arena_reset(s->arena);
    v->id = document_id_make(v->url.href, v->finished_ms);
    working_on(c->working, s->i, v->lease.url);
    outcome_of(&r.outcome, v, c->scope, c->opts, c->agent, s->arena);
    if (r.outcome.rules != NULL)
        robots_cache_put(c->robots, v->lease.owner, 0, r.outcome.robots.body,
                         r.outcome.rules);
    working_off(c->working, s->i);
    fill_done(&r, address);
    st = write_archive(s, &r);
    if (st == ST_OK && r.outcome.document && (st = document(s, &r)) == ST_OK)
        st = write_archive(s, &r);
    if (st == ST_OK && r.outcome.sitemap)
        st = sitemap(s, &r);
    if (st == ST_OK) {
        write_log(s, &r);
        crawl_waits(c, s->i, "the frontier service");
        st = frontier_client_done(c->frontier, &r.done, 1, &c->hard);
        crawl_waits(c, s->i, NULL);
    } else if (st == ST_INVALID) {
        give_back(s, &r);
    }
    let_go(c, &r, st);
}

void *
crawl_worker_thread(void *worker)
{
    const struct worker *w = worker;
    struct worker_state s = {.c = w->crawl, .i = w->i, .arena = arena_new()};
    void *v;

    if (s.c->sandboxed && sandbox_open(&s.sandbox) != ST_OK) {
        log_error("crawl", "no thread for a sandbox");
        memory_fail(ST_NOMEM, 0);
    }
    while (workq_pop(s.c->to_workers, &v, UINT64_MAX) == ST_OK)
        work(&s, v);
    sandbox_close(s.sandbox);
    buf_free(&s.scratch);
    arena_free(s.arena);
    return NULL;
}
