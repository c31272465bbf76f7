/* reporter.c -- see reporter.h. */
#include "reporter.h"

#include "ended.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/thread.h"

#include <stdlib.h>

#define BATCH_BYTES ((size_t)4 << 20)
#define HURRY_MS 10 /* what slots wait for may wait so long for others */

struct report_queue {
    struct visit_report *first, **end;
    size_t n, bytes;
    bool now;    /* what is in it waits for nothing */
    bool closed; /* nothing more will come */
    pthread_cond_t changed;
};

struct reporter {
    struct crawl *c;
    uint64_t gather_ms;
    pthread_mutex_t lock; /* of the queues */
    struct report_queue ship, tell;
    bool hurry;
    size_t threads_n;
    pthread_t thread[2];
    bool no_space; /* of the telling thread */
};

/* ---- queues ---- */

static void
queue_open(struct report_queue *q)
{
    q->end = &q->first;
    thread_condition(&q->changed);
}

static bool
is_full(const struct report_queue *q)
{
    return q->n >= REPORTER_BATCH || q->bytes >= BATCH_BYTES;
}

/* Under lock.  Its thread is woken when it has to know: the first report, and
 * what ends the wait for more. */
static void
queue_put(struct report_queue *q, struct visit_report *r, bool now)
{
    bool was_full = is_full(q) || q->now, first = q->n == 0;

    r->next = NULL;
    *q->end = r;
    q->end = &r->next;
    q->n++;
    q->bytes += r->bytes;
    q->now = q->now || now;
    if (first || (!was_full && (is_full(q) || q->now)))
        pthread_cond_signal(&q->changed);
}

/* Under lock, given up meanwhile. */
static void
wait_until(struct reporter *p, struct report_queue *q, uint64_t at_ms)
{
    struct timespec t = {(time_t)(at_ms / 1000),
                         (long)(at_ms % 1000) * 1000000};

    if (at_ms == UINT64_MAX)
        pthread_cond_wait(&q->changed, &p->lock);
    else
        pthread_cond_timedwait(&q->changed, &p->lock, &t);
}

/* When what waits is to go at the latest. */
static uint64_t
goes_at(const struct reporter *p, const struct report_queue *q)
{
    uint64_t ms = p->hurry && p->gather_ms > HURRY_MS ? HURRY_MS : p->gather_ms;

    return q->n > 0 ? q->first->since_ms + ms : UINT64_MAX;
}

/* All that waits, when it is to go; NULL: the end. */
static struct visit_report *
queue_take(struct reporter *p, struct report_queue *q, size_t *n)
{
    struct visit_report *all;

    pthread_mutex_lock(&p->lock);
    while (!q->closed) {
        uint64_t at = goes_at(p, q);

        if (q->n > 0 && (q->now || is_full(q) || clock_steady_ms() >= at))
            break;
        wait_until(p, q, at);
    }
    all = q->first;
    *n = q->n;
    q->first = NULL;
    q->end = &q->first;
    q->n = q->bytes = 0;
    q->now = false;
    pthread_mutex_unlock(&p->lock);
    return all;
}

static void
queue_close(struct reporter *p, struct report_queue *q)
{
    pthread_mutex_lock(&p->lock);
    q->closed = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&p->lock);
}

/* ---- count ---- */

/* A page that will be tried again has not ended. */
static void
count_verdict(struct crawl *c, const struct visit_report *r)
{
    const struct frontier_done *d = &r->done;

    if (d->verdict >= VERDICT_END || d->outcome == OUTCOME_RETURNED)
        return;
    if (outcome_is_unchanged(d, &r->v->lease))
        return;
    if (d->kind == FRONTIER_ROBOTS && d->outcome == OUTCOME_ROBOTS_DONE &&
        !d->robots.unreachable)
        return; /* there are none, or they are read: nothing failed */
    if (d->kind == FRONTIER_ROBOTS)
        c->robots_verdicts[d->verdict]++;
    else if (d->kind == FRONTIER_PAGE &&
             (d->outcome != OUTCOME_RETRY ||
              outcome_was_last_try(d, &r->v->lease, c->opts)))
        c->page_verdicts[d->verdict]++;
}

static void
count(struct crawl *c, const struct visit_report *r)
{
    struct crawl_stats *s = &c->stats;
    const struct frontier_done *d = &r->done;

    c->bytes += d->fetched_bytes;
    bandwidth_spend(&c->bandwidth, d->fetched_bytes);
    s->fetched_bytes += d->fetched_bytes;
    s->kept_bytes += d->kept_bytes;
    s->retries += d->outcome == OUTCOME_RETRY &&
                  !outcome_was_last_try(d, &r->v->lease, c->opts);
    s->redirects +=
        d->outcome == OUTCOME_REDIRECT && !frontier_is_rules(d->kind);
    s->robots += d->kind == FRONTIER_ROBOTS &&
                 d->outcome == OUTCOME_ROBOTS_DONE && !d->robots.unreachable;
    s->disallowed +=
        d->outcome == OUTCOME_DISALLOWED && !frontier_is_rules(d->kind);
    s->refused +=
        d->kind == FRONTIER_PAGE && d->outcome == OUTCOME_OUT_OF_SCOPE;
    count_verdict(c, r);
    if (!outcome_is_page(d, &r->v->lease, c->opts))
        return;
    c->pages++;
    c->kept += r->kept;
    s->fetched++;
    s->kept += r->kept;
    s->errors += d->outcome != OUTCOME_FETCHED;
    crawl_window_add(&c->window, r->kept);
}

/* Under the crawl's lock: the visit is over, reported or not. */
static void
end_visit(struct crawl *c, const struct visit_report *r)
{
    if (r->status == ST_OK)
        count(c, r);
    else if (r->status != ST_STOPPED && c->end == CRAWL_RUNNING)
        c->end = CRAWL_FAILED;
    if (r->status != ST_OK && r->status != ST_STOPPED)
        c->stop = true;
    ended_remove(c, r->v);
    c->alive--;
    c->unreported--;
    c->unreported_bytes -= r->bytes;
    c->reported++;
}

static void
let_go(struct crawl *c, struct visit_report *all)
{
    bool last;

    pthread_mutex_lock(&c->lock);
    for (const struct visit_report *r = all; r != NULL; r = r->next)
        end_visit(c, r);
    last = c->alive == 0;
    if (c->lease_awaits != CRAWL_IDLE_WORKERS || last)
        pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    if (last)
        crawl_wake_loop(c);
    while (all != NULL) {
        struct visit *v = all->v;

        all = all->next;
        visit_free(v);
    }
}

/* ---- ship ---- */

static void
ship(struct reporter *p, struct visit_report *all, size_t n)
{
    struct crawl *c = p->c;
    struct dedup_document *docs = memory_need(calloc(n, sizeof *docs));
    struct dedup_answer *answers = memory_need(calloc(n, sizeof *answers));
    struct visit_report *r = all;
    enum status st;
    size_t i;

    for (i = 0; i < n; i++, r = r->next)
        docs[i] = r->document;
    crawl_waits(c, c->threads_n + CRAWL_WAITER_SHIP, "the dedup service");
    st = dedup_client_put_many(c->dedup, docs, n, &c->hard, answers);
    crawl_waits(c, c->threads_n + CRAWL_WAITER_SHIP, NULL);
    for (i = 0, r = all; i < n; i++, r = r->next)
        visit_report_shipped(r, st == ST_STOPPED ? st : answers[i].status,
                             &answers[i]);
    free(docs);
    free(answers);
}

static void *
ship_thread(void *reporter)
{
    struct reporter *p = reporter;
    struct visit_report *all, *next;
    size_t n;

    thread_name("ship");
    while ((all = queue_take(p, &p->ship, &n)) != NULL) {
        ship(p, all, n);
        pthread_mutex_lock(&p->lock);
        for (; all != NULL; all = next) {
            next = all->next;
            queue_put(&p->tell, all, true);
        }
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

/* ---- tell ---- */

/* Nothing happens while a disk is full. */
static void
await_space(struct reporter *p, const char *what)
{
    crawl_wait_for_space(p->c, p->c->threads_n + CRAWL_WAITER_TELL,
                         &p->no_space, what);
}

static void
go_on(struct reporter *p, const char *what)
{
    crawl_space_is_back(p->c, p->c->threads_n + CRAWL_WAITER_TELL, &p->no_space,
                        what);
}

/* What became of the page, in the WARC files. */
static void
write_note(struct reporter *p, struct visit_report *r)
{
    struct crawl *c = p->c;
    enum status st;

    while ((st = archive_note(c->archive, r->v, &r->page, r->done.verdict)) ==
               ST_FULL &&
           !c->hard)
        await_space(p, "WARC files");
    if (st != ST_FULL)
        go_on(p, "WARC files");
    if (st != ST_OK)
        r->status = st == ST_FULL ? ST_STOPPED : st;
}

/* ST_STOPPED: the crawl ends while there is no room for the lines; what they
 * tell of is not to be reported, and will be fetched again. */
static enum status
write_log(struct reporter *p, const struct crawl_log_entry *lines, size_t n)
{
    struct crawl *c = p->c;

    while (n > 0 && crawl_log_append(c->log, lines, n) == ST_FULL) {
        if (c->hard)
            return ST_STOPPED;
        await_space(p, "the crawl log");
    }
    go_on(p, "the crawl log");
    return ST_OK;
}

/* What became of the visits, to the frontier. */
static enum status
report(struct crawl *c, const struct frontier_done *done, size_t n)
{
    enum status st;

    crawl_waits(c, c->threads_n + CRAWL_WAITER_TELL, "the frontier service");
    st = frontier_client_done(c->frontier, done, n, &c->hard);
    crawl_waits(c, c->threads_n + CRAWL_WAITER_TELL, NULL);
    return st;
}

/* Those that could be read are told by sitemap_report(). */
static void
say_lost_sitemap(const struct crawl_log_entry *e)
{
    if (e->kind == CRAWL_LOG_SITEMAP && e->outcome == OUTCOME_FAILED &&
        e->verdict != VERDICT_NO_SITEMAP)
        log_info("crawl", "sitemap=%.*s cannot be had: %s, %s", STRF(e->url),
                 verdict_name(e->verdict), verdict_text(e->verdict));
}

/* Of a visit that is to be reported; one whose document the dedup service will
 * not take goes back into the queue, and the crawl ends. */
static bool
is_told(const struct visit_report *r)
{
    return r->status == ST_OK ||
           (r->status != ST_STOPPED && r->done.outcome == OUTCOME_RETURNED);
}

static void
tell(struct reporter *p, struct visit_report *all, size_t n)
{
    struct crawl *c = p->c;
    struct frontier_done *done = memory_need(calloc(n, sizeof *done));
    struct crawl_log_entry *lines = memory_need(calloc(n, sizeof *lines));
    size_t told = 0, lines_n = 0;
    enum status st;

    for (struct visit_report *r = all; r != NULL; r = r->next) {
        if (r->noted && r->status == ST_OK)
            write_note(p, r);
        if (!is_told(r))
            continue;
        if (r->done.outcome != OUTCOME_RETURNED) {
            lines[lines_n] = visit_report_line(r, c->opts);
            say_lost_sitemap(&lines[lines_n++]);
        }
        done[told++] = r->done;
    }
    if ((st = write_log(p, lines, lines_n)) == ST_OK)
        st = report(c, done, told);
    for (struct visit_report *r = all; r != NULL; r = r->next)
        if (r->status == ST_OK)
            r->status = st;
    free(lines);
    free(done);
}

static void *
tell_thread(void *reporter)
{
    struct reporter *p = reporter;
    struct visit_report *all;
    size_t n;

    thread_name("tell");
    while ((all = queue_take(p, &p->tell, &n)) != NULL) {
        tell(p, all, n);
        let_go(p->c, all);
    }
    return NULL;
}

/* ---- from workers and the lease thread ---- */

void
reporter_put(struct reporter *p, struct visit_report *r)
{
    struct crawl *c = p->c;
    bool ships = r->ships && r->status == ST_OK, alone;

    r->since_ms = clock_steady_ms();
    pthread_mutex_lock(&c->lock);
    c->unreported++;
    c->unreported_bytes += r->bytes;
    alone = c->unreported == c->alive;
    crawl_visits_went_on(c);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_lock(&p->lock);
    queue_put(ships ? &p->ship : &p->tell, r, alone);
    if (alone && !ships && p->ship.n > 0) {
        p->ship.now = true;
        pthread_cond_signal(&p->ship.changed);
    }
    pthread_mutex_unlock(&p->lock);
}

void
reporter_hurry(struct reporter *p, bool hurry)
{
    pthread_mutex_lock(&p->lock);
    if (hurry && !p->hurry) { /* they look at the time again */
        pthread_cond_signal(&p->ship.changed);
        pthread_cond_signal(&p->tell.changed);
    }
    p->hurry = hurry;
    pthread_mutex_unlock(&p->lock);
}

/* ---- opening and closing ---- */

enum status
reporter_open(struct reporter **out, struct crawl *c)
{
    static void *(*const run[])(void *) = {ship_thread, tell_thread};
    struct reporter *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return ST_NOMEM;
    p->c = c;
    p->gather_ms = c->opts->services_gather_ms;
    pthread_mutex_init(&p->lock, NULL);
    queue_open(&p->ship);
    queue_open(&p->tell);
    while (p->threads_n < 2 &&
           thread_start(&p->thread[p->threads_n], run[p->threads_n], p))
        p->threads_n++;
    if (p->threads_n < 2) {
        reporter_close(p);
        return ST_NOMEM;
    }
    *out = p;
    return ST_OK;
}

void
reporter_close(struct reporter *p)
{
    if (p == NULL)
        return;
    queue_close(p, &p->ship);
    if (p->threads_n > 0)
        pthread_join(p->thread[0], NULL);
    queue_close(p, &p->tell);
    if (p->threads_n > 1)
        pthread_join(p->thread[1], NULL);
    pthread_cond_destroy(&p->ship.changed);
    pthread_cond_destroy(&p->tell.changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
