/* crawl_state.c -- what the threads of a crawl tell each other; see
 * crawl_state.h. */
#include "crawl_state.h"
#include "ended.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

#define OVERDUE_MS 5000        /* a service may take, past limits.seconds */
#define NO_FILES_PAUSE_MS 1000 /* until some transfers have ended */
#define NO_FILES_CALM_MS 10000 /* until a few more are tried */

void
crawl_wake_loop(struct crawl *c)
{
    uint64_t one = 1;

    if (write(c->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        log_error("crawl", "eventfd: %s", strerror(errno));
}

/* Two counts that lag behind each other: our own, and the frontier's, which
 * knows of other crawlers. */
static uint64_t
further(uint64_t own, uint64_t all)
{
    return own > all ? own : all;
}

uint64_t
crawl_pages(const struct crawl *c)
{
    return further(c->pages, c->totals.pages);
}

uint64_t
crawl_documents(const struct crawl *c)
{
    return further(c->kept, c->totals.kept);
}

uint64_t
crawl_bytes(const struct crawl *c)
{
    return further(c->bytes, c->totals.fetched_bytes);
}

size_t
crawl_unread(const struct crawl *c)
{
    return c->alive - c->slow - c->unreported;
}

bool
crawl_workers_are_busy(const struct crawl *c)
{
    return crawl_unread(c) >= c->fetching + 2 * c->threads_n + c->lease_group;
}

size_t
crawl_room(const struct crawl *c)
{
    size_t n = crawl_unread(c), room;

    if (c->fetching >= c->parallel || n >= c->visits_max ||
        c->unreported > c->unreported_max ||
        c->unreported_bytes >= REPORT_BYTES_MAX)
        return 0;
    room = c->parallel - c->fetching;
    if (room > c->visits_max - n)
        room = c->visits_max - n;
    return room < c->lease_group && crawl_workers_are_busy(c) ? 0 : room;
}

void
crawl_visits_went_on(struct crawl *c)
{
    if ((c->lease_awaits == CRAWL_ROOM && crawl_room(c) > 0) ||
        (c->lease_awaits == CRAWL_IDLE_WORKERS && !crawl_workers_are_busy(c)) ||
        (c->lease_awaits == CRAWL_REPORTS && c->ended_n > 0))
        pthread_cond_broadcast(&c->changed);
}

void
crawl_to_workers(struct crawl *c, struct visit *v)
{
    pthread_mutex_lock(&c->lock);
    if (v->slow)
        c->slow--;
    else
        c->fetching--;
    ended_add(c, v);
    crawl_visits_went_on(c);
    pthread_mutex_unlock(&c->lock);
    workq_push(c->to_workers, v); /* has room: see crawl_state.h */
}

void
crawl_gives_up_slot(struct crawl *c, struct visit *v)
{
    v->slow = true;
    pthread_mutex_lock(&c->lock);
    c->fetching--;
    c->slow++;
    crawl_visits_went_on(c);
    pthread_mutex_unlock(&c->lock);
}

void
crawl_ran_out_of_files(struct crawl *c)
{
    uint64_t now = clock_steady_ms();
    size_t parallel = 0;

    pthread_mutex_lock(&c->lock);
    if (now >= c->no_files_ms) {
        c->parallel -= (c->parallel + 3) / 4;
        if (c->parallel == 0)
            c->parallel = 1;
        parallel = c->parallel;
        c->no_files_ms = now + NO_FILES_PAUSE_MS;
    }
    pthread_mutex_unlock(&c->lock);
    if (parallel > 0)
        log_warn("crawl",
                 "too many open files (ulimit -n): idle connections are given "
                 "up, %zu transfers at once for a while",
                 parallel);
}

void
crawl_tries_more_files(struct crawl *c)
{
    uint64_t now = clock_steady_ms();

    pthread_mutex_lock(&c->lock);
    if (c->parallel < c->parallel_max &&
        now >= c->no_files_ms + NO_FILES_CALM_MS) {
        c->parallel += 1 + c->parallel / 8;
        if (c->parallel > c->parallel_max)
            c->parallel = c->parallel_max;
        c->no_files_ms = now;
    }
    pthread_mutex_unlock(&c->lock);
}

void
crawl_waits(struct crawl *c, size_t i, const char *what)
{
    uint64_t now = clock_steady_ms();

    pthread_mutex_lock(&c->lock);
    if (what == NULL && c->wait[i].what != NULL &&
        now > c->wait[i].since_ms + 2000)
        c->stats.waits++;
    if (what == NULL || c->wait[i].what == NULL)
        c->wait[i] = (struct crawl_wait){what, now};
    pthread_mutex_unlock(&c->lock);
}

/* One more thread waits for space, or one less: how many do. */
static size_t
count_without_space(struct crawl *c, bool one_more)
{
    size_t n;

    pthread_mutex_lock(&c->lock);
    n = one_more ? ++c->without_space : --c->without_space;
    pthread_mutex_unlock(&c->lock);
    return n;
}

void
crawl_wait_for_space(struct crawl *c, size_t i, bool *waiting, const char *what)
{
    if (!*waiting && count_without_space(c, true) == 1)
        log_warn("crawl",
                 "paused: no space in %s for %s; going on when space returns",
                 c->dir, what);
    *waiting = true;
    crawl_waits(c, i, "space on the disk");
    clock_sleep_ms(500);
}

void
crawl_space_is_back(struct crawl *c, size_t i, bool *waiting, const char *what)
{
    if (!*waiting)
        return;
    *waiting = false;
    crawl_waits(c, i, NULL);
    if (count_without_space(c, false) == 0)
        log_info("crawl", "going on: there is space for %s again", what);
}

bool
crawl_time_is_over(const struct crawl *c, uint64_t *ms)
{
    uint64_t last = c->start_ms + c->opts->limits_seconds * 1000,
             now = clock_steady_ms();

    *ms = now > last ? now - last : 0;
    return c->opts->limits_seconds > 0 && now >= last;
}

const char *
crawl_overdue(struct crawl *c)
{
    const char *what = NULL;
    uint64_t over;

    if (!crawl_time_is_over(c, &over) || over < OVERDUE_MS)
        return NULL;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->threads_n + CRAWL_WAITERS && what == NULL; i++)
        if (c->wait[i].what != NULL &&
            clock_steady_ms() - c->wait[i].since_ms >= OVERDUE_MS)
            what = c->wait[i].what;
    pthread_mutex_unlock(&c->lock);
    return what;
}

bool
crawl_is_own(struct str url)
{
    return str_starts(url, S("inproc://"));
}
