/* leaser.c -- the lease thread: takes URLs from the frontier when there is
 * room.
 *
 * Priority decides late: no more is leased than there are free slots, and after
 * every report the frontier is asked anew.  So with few transfers at once the
 * next lease knows the outcome of the last page.
 *
 * It also settles what needs no contact: scope and robots.txt.  What those
 * refuse goes straight to the workers, which report every visit the same way.
 *
 * Bounds: slots (fetch.parallel), visits_max, unreported_max, the limits.  A
 * visit that is alive may still become a page and a document, so all of them
 * count against limits.pages and limits.documents. */
#include "crawl_state.h"
#include "crawler/admit/robots_cache.h"
#include "crawler/visit/cookies.h"
#include "disk.h"
#include "ended.h"
#include "reporter.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/options/scorer_way.h"
#include "base/thread.h"

#define WAKE_MAX_MS 5000 /* another crawler may have changed the frontier */
#define SOON_MS 200 /* files, a condition or bandwidth may be there again */
#define BEAT_MAX_MS 15000
#define SPACE_MS 1000

struct leaser {
    struct crawl *c;
    struct arena *arena;
    uint64_t asked_ms;      /* when the frontier last heard of us */
    uint64_t space_ms;      /* when space is looked at again */
    uint64_t idle_since_ms; /* nothing alive and nothing due; 0: busy */
    bool hungry;            /* the last answer was less than was asked for */
};

/* ---- before the loop gets it ---- */

/* The text of a version that the cache does not know: one that another crawler
 * has read, or of an earlier run. */
static enum status
learn_robots(struct leaser *l, const struct visit *v, uint64_t *version)
{
    struct crawl *c = l->c;
    struct frontier_robots text;
    size_t waiter = c->threads_n + CRAWL_WAITER_LEASE;
    enum status st;

    crawl_wake_loop(c); /* this may take its time */
    crawl_waits(c, waiter, "the frontier service");
    st = frontier_client_robots(c->frontier, v->lease.authority, &c->hard,
                                l->arena, &text, version);
    crawl_waits(c, waiter, NULL);
    if (st == ST_OK && !robots_cache_version(c->robots, v->lease.authority,
                                             *version, text.body))
        robots_cache_put(c->robots, v->lease.authority, *version, text.body,
                         robots_parse(text.body, c->agent,
                                      &c->opts->politeness_robots_also));
    return st;
}

static enum verdict
ask_robots(struct leaser *l, const struct visit *v)
{
    struct robots_cache *robots = l->c->robots;
    uint64_t version = v->lease.robots_version;
    enum robots_answer answer = ROBOTS_UNKNOWN;

    if (version == 0)
        return VERDICT_NONE;
    answer =
        robots_cache_ask(robots, v->lease.authority, version, v->url.target);
    if (answer == ROBOTS_UNKNOWN && learn_robots(l, v, &version) == ST_OK)
        answer = robots_cache_ask(robots, v->lease.authority, version,
                                  v->url.target);
    return answer == ROBOTS_UNKNOWN    ? VERDICT_RETURNED
           : answer == ROBOTS_DISALLOW ? VERDICT_DISALLOWED
                                       : VERDICT_NONE;
}

static enum verdict
admit(struct leaser *l, const struct visit *v)
{
    if (v->fault != VERDICT_NONE)
        return v->fault;
    if (frontier_is_rules(v->lease.kind) &&
        scope_excludes(l->c->scope, v->url.host))
        return VERDICT_OUT_OF_SCOPE; /* it has opted out */
    if (v->lease.kind == FRONTIER_ROBOTS)
        return VERDICT_NONE;
    if (v->lease.kind == FRONTIER_TDMREP)
        return ask_robots(l, v);
    if (!scope_admits(l->c->scope, v->url.href, v->url.host))
        return VERDICT_OUT_OF_SCOPE;
    return ask_robots(l, v);
}

/* To the loop, which is to be woken. */
static void
send_out(struct leaser *l, const struct frontier_lease *lease)
{
    struct crawl *c = l->c;
    struct visit *v = visit_new(lease);

    v->crawl = c;
    cookies_take(c->cookies, v);
    v->fault = admit(l, v);
    pthread_mutex_lock(&c->lock);
    c->alive++;
    c->fetching++;
    pthread_mutex_unlock(&c->lock);
    if (v->fault != VERDICT_NONE) {
        v->finished_ms = clock_wall_ms();
        v->ended_ms = clock_steady_ms();
        crawl_to_workers(c, v);
        return;
    }
    workq_push(c->to_loop, v); /* has room: see crawl_state.h */
}

/* ---- when to lease, how many, when to end ---- */

static void
end(struct crawl *c, enum crawl_end why)
{
    pthread_mutex_lock(&c->lock);
    if (c->end == CRAWL_RUNNING)
        c->end = why;
    pthread_mutex_unlock(&c->lock);
}

/* Sleep until something changes; at most `ms`, and past no deadline. */
static void
wait_ms(struct crawl *c, uint64_t ms)
{
    struct timespec t;
    uint64_t until = clock_steady_ms() + ms;

    if (c->opts->limits_seconds > 0) {
        uint64_t last = c->start_ms + c->opts->limits_seconds * 1000;

        until = until < last ? until : last;
    }
    t.tv_sec = (time_t)(until / 1000);
    t.tv_nsec = (long)(until % 1000) * 1000000;
    pthread_cond_timedwait(&c->changed, &c->lock, &t);
}

static uint64_t
left(uint64_t limit, uint64_t used)
{
    return limit == 0 ? UINT64_MAX : limit > used ? limit - used : 0;
}

/* Which limit is; CRAWL_RUNNING: none. */
static enum crawl_end
limit_reached(const struct crawl *c)
{
    uint64_t over;

    if (left(c->opts->limits_pages, crawl_pages(c)) == 0)
        return CRAWL_PAGES;
    if (left(c->opts->limits_documents, crawl_documents(c)) == 0)
        return CRAWL_DOCUMENTS;
    if (left(c->opts->limits_bytes, crawl_bytes(c)) == 0)
        return CRAWL_BYTES;
    return crawl_time_is_over(c, &over) ? CRAWL_SECONDS : CRAWL_RUNNING;
}

/* Free slots; 0 once a limit is reached. */
static size_t
free_slots(struct crawl *c, enum crawl_end *limit)
{
    const struct opts *o = c->opts;
    uint64_t pages = left(o->limits_pages, crawl_pages(c)),
             documents = left(o->limits_documents, crawl_documents(c));
    size_t n = crawl_room(c);

    pages = documents < pages ? documents : pages;
    if (scorer_chooses(o->frontier_scorer) && n > 0)
        n = c->alive < c->parallel ? c->parallel - c->alive : 0;
    *limit = limit_reached(c);
    if (*limit != CRAWL_RUNNING || clock_steady_ms() < c->no_files_ms ||
        n == 0 || c->alive >= pages)
        return 0;
    n = condition_slots(c,
                        (size_t)(n > pages - c->alive ? pages - c->alive : n));
    return bandwidth_slots(&c->bandwidth, c->alive, n, clock_steady_ms());
}

/* Under lock, before a wait: do slots stay empty until reports have arrived?  A
 * host that is not due before has no use for hurry. */
static void
hurry_reports(struct crawl *c, bool due)
{
    if (c->unreported > 0)
        reporter_hurry(c->reporter, due && c->fetching < c->parallel &&
                                        crawl_unread(c) < c->visits_max);
}

/* Nothing was due.  While other crawlers hold leases the run goes on: their
 * pages may bring links, and they report long before a lease's deadline.  True:
 * end the run. */
static bool
idle(struct leaser *l, uint64_t wake_ms, bool alone)
{
    struct crawl *c = l->c;
    uint64_t now = clock_steady_ms(),
             most = c->opts->limits_wait_seconds * 1000;

    if (!alone || c->totals.hosts_out > 0) {
        l->idle_since_ms = 0;
        return false;
    }
    if (wake_ms == 0) {
        end(c, CRAWL_EMPTY);
        return true;
    }
    if (l->idle_since_ms == 0)
        l->idle_since_ms = now;
    if (now - l->idle_since_ms + wake_ms > most) {
        end(c, CRAWL_WAITING);
        return true;
    }
    return false;
}

/* With no room, too, the frontier is asked now and then: who is silent for half
 * a lease has died of what it has. */
static uint64_t
beat_ms(const struct crawl *c)
{
    uint64_t ms = c->lease_ms / 4;

    return ms < BEAT_MAX_MS ? ms : BEAT_MAX_MS;
}

/* Wait until the frontier may have an answer: its own word, or a report that
 * it has had since it was asked, which has time while the workers are busy. */
static void
await_answer(struct crawl *c, uint64_t wake_ms, uint64_t reported)
{
    uint64_t ms = wake_ms == 0 || wake_ms > WAKE_MAX_MS ? WAKE_MAX_MS : wake_ms,
             until, now, over;

    if (ms > beat_ms(c))
        ms = beat_ms(c);
    until = clock_steady_ms() + ms;
    pthread_mutex_lock(&c->lock);
    while (!c->stop && (now = clock_steady_ms()) < until) {
        bool busy = crawl_workers_are_busy(c);

        if (!busy && (c->reported != reported || c->ended_n > 0))
            break;
        hurry_reports(c, !busy && c->short_delay);
        c->lease_awaits = busy ? CRAWL_IDLE_WORKERS : CRAWL_REPORTS;
        wait_ms(c, until - now);
        if (crawl_time_is_over(c, &over))
            break;
    }
    c->lease_awaits = CRAWL_NOTHING;
    pthread_mutex_unlock(&c->lock);
}

/* Hosts that will be next: the loop asks for their addresses meanwhile. */
static void
pass_on_names(struct crawl *c, const struct str *name, size_t n)
{
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++) {
        buf_str(&c->soon, name[i]);
        buf_char(&c->soon, '\n');
    }
    pthread_mutex_unlock(&c->lock);
}

/* What the frontier is asked for; with it, which hosts may be asked again,
 * though their reports are not there yet. */
static struct frontier_client_ask
question(struct leaser *l, size_t max)
{
    struct frontier_client_ask ask = {.max = max};
    struct crawl *c = l->c;
    struct frontier_done *ended;

    if (!l->hungry)
        return ask;
    pthread_mutex_lock(&c->lock);
    ask.ended_n = ended_take(c, l->arena, &ended);
    pthread_mutex_unlock(&c->lock);
    ask.ended = ended;
    return ask;
}

/* One question to the frontier; false: the thread is to end. */
static bool
lease_some(struct leaser *l, size_t max, bool alone, uint64_t reported)
{
    struct crawl *c = l->c;
    struct frontier_client_ask ask;
    struct frontier_client_leases got;
    uint64_t over;
    size_t waiter = c->threads_n + CRAWL_WAITER_LEASE;
    enum status st;

    arena_reset(l->arena);
    l->asked_ms = clock_steady_ms();
    ask = question(l, max);
    crawl_waits(c, waiter, "the frontier service");
    st = frontier_client_lease(c->frontier, &ask, &c->stop, l->arena, &got);
    crawl_waits(c, waiter, NULL);
    if (st != ST_OK) {
        end(c, st != ST_STOPPED               ? CRAWL_FAILED
               : crawl_time_is_over(c, &over) ? CRAWL_SECONDS
                                              : CRAWL_STOPPED);
        return false;
    }
    pthread_mutex_lock(&c->lock);
    c->totals = got.totals;
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < got.n; i++)
        send_out(l, &got.lease[i]);
    if (got.n > 0) {
        pass_on_names(c, got.soon, got.soon_n);
        crawl_wake_loop(c);
        l->idle_since_ms = 0;
    }
    l->hungry = got.n < max;
    if (!l->hungry) {
        reporter_hurry(c->reporter, false);
        return true;
    }
    if (got.n == 0 && idle(l, got.wake_ms, alone))
        return false;
    await_answer(c, got.wake_ms, reported);
    return true;
}

/* Hold still while a folder of the crawl has too little free space, which is
 * looked at once a second, and the crawl has time. */
static void
await_space(struct leaser *l)
{
    struct crawl *c = l->c;
    struct disk_shortage s;
    bool is_short, said = false;
    uint64_t over;

    if (clock_steady_ms() < l->space_ms)
        return;
    l->space_ms = clock_steady_ms() + SPACE_MS;
    while ((is_short = disk_short(&s, c->dir, c->opts->output_disk_free_mib)) &&
           !c->stop && !crawl_time_is_over(c, &over)) {
        if (!said)
            log_warn("crawl",
                     "paused: %s has %llu MiB free, less than "
                     "output.disk_free_mib=%llu; going on when space returns",
                     s.path, (unsigned long long)s.free_mib,
                     (unsigned long long)c->opts->output_disk_free_mib);
        said = true;
        crawl_waits(c, c->threads_n + CRAWL_WAITER_LEASE, "disk space");
        pthread_mutex_lock(&c->lock);
        wait_ms(c, 1000);
        pthread_mutex_unlock(&c->lock);
    }
    if (said)
        crawl_waits(c, c->threads_n + CRAWL_WAITER_LEASE, NULL);
    if (said && !is_short)
        log_info("crawl", "going on: there is space again");
}

/* Under lock. */
static void
await_slots(struct crawl *c)
{
    uint64_t ms = beat_ms(c) / 3 < SPACE_MS ? beat_ms(c) / 3 : SPACE_MS;

    hurry_reports(c, !crawl_workers_are_busy(c));
    c->lease_awaits = CRAWL_ROOM;
    wait_ms(c, clock_steady_ms() < c->no_files_ms ||
                       c->conditions.missing != CONDITION_NONE ||
                       c->bandwidth.bytes_a_second > 0
                   ? SOON_MS
                   : ms);
    c->lease_awaits = CRAWL_NOTHING;
}

void *
crawl_lease_thread(void *crawl)
{
    struct crawl *c = crawl;
    struct leaser l = {.c = c, .arena = arena_new()};
    bool go_on = true;

    thread_name("lease");
    while (go_on) {
        uint64_t reported;
        enum crawl_end limit;
        bool alone;
        size_t n;

        await_space(&l);
        pthread_mutex_lock(&c->lock);
        n = free_slots(c, &limit);
        if (n == 0 && limit == CRAWL_RUNNING && !c->stop &&
            clock_steady_ms() - l.asked_ms < beat_ms(c)) {
            await_slots(c);
            pthread_mutex_unlock(&c->lock);
            continue;
        }
        alone = c->alive == 0 && c->conditions.missing == CONDITION_NONE;
        reported = c->reported;
        pthread_mutex_unlock(&c->lock);
        if (c->stop || limit != CRAWL_RUNNING) {
            end(c, limit != CRAWL_RUNNING ? limit : CRAWL_STOPPED);
            break;
        }
        if (condition_gave_up(c)) {
            end(c, CRAWL_FAILED);
            break;
        }
        go_on = lease_some(&l, n, alone, reported);
    }
    pthread_mutex_lock(&c->lock);
    c->lease_ended = true;
    pthread_mutex_unlock(&c->lock);
    crawl_wake_loop(c);
    arena_free(l.arena);
    return NULL;
}
