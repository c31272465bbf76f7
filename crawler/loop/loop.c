/* loop.c -- the loop thread: epoll over libcurl's sockets, c-ares' sockets, an
 * eventfd and a signalfd; it owns every transfer (visit_steps.c).
 *
 * The first SIGINT, SIGTERM or SIGHUP ends leasing and looking up names;
 * transfers get GRACE_MS to end, then their URLs go back; after HARD_MS nobody
 * waits for a service any longer, and no further document is converted.  The
 * second signal ends the process at once: all state is durable. */
#include "base/live.h"
#include "files.h"
#include "folder.h"
#include "loop_impl.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/notify.h"
#include "base/options/command.h"
#include "base/thread.h"
#include "crawler/fetch/proxy.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define GRACE_MS 4000
#define HARD_MS 6000
#define STATUS_MS 250
#define EVENTS_MAX 256
#define STOOD_STILL_MS 5000 /* a round takes STATUS_MS and little more */
#define FOLDER_MS 1000
#define WAIT_SHOWN_MS 2000 /* shorter waits are not worth a word */

enum event_source { FROM_WAKE, FROM_SIGNAL, FROM_DNS, FROM_FETCH };

/* ---- descriptors ---- */

static void
watch(struct loop *l, int fd, enum event_source from, bool readable,
      bool writable)
{
    struct epoll_event e = {.events = (readable ? EPOLLIN : 0u) |
                                      (writable ? EPOLLOUT : 0u),
                            .data.u64 = (uint64_t)from << 32 | (uint32_t)fd};

    if (!readable && !writable) {
        epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        return;
    }
    if (epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &e) != 0 && /* most are new */
        (errno != EEXIST || epoll_ctl(l->epoll_fd, EPOLL_CTL_MOD, fd, &e) != 0))
        log_error("loop", "epoll: %s", strerror(errno));
}

static void
watch_dns(void *self, int fd, bool readable, bool writable)
{
    watch(self, fd, FROM_DNS, readable, writable);
}

static void
watch_fetch(void *self, int fd, bool readable, bool writable)
{
    watch(self, fd, FROM_FETCH, readable, writable);
}

/* ---- events ---- */

/* Names of hosts that will be leased: their addresses are in the cache then. */
static void
look_up_soon(struct loop *l)
{
    struct str names, name;

    pthread_mutex_lock(&l->c->lock);
    buf_clear(&l->soon);
    if (l->c->conditions.missing == CONDITION_NONE)
        buf_str(&l->soon, buf_view(&l->c->soon));
    buf_clear(&l->c->soon);
    pthread_mutex_unlock(&l->c->lock);
    names = buf_view(&l->soon);
    while (str_cut(&names, '\n', &name))
        visit_expect(l, name);
}

static void
on_wake(struct loop *l)
{
    uint64_t n;
    void *v;

    if (read(l->c->wake_fd, &n, sizeof n) < 0 && errno != EAGAIN)
        log_error("loop", "eventfd: %s", strerror(errno));
    while (workq_pop(l->c->to_loop, &v, 0) == ST_OK)
        visit_start(l, v);
    look_up_soon(l);
}

static void
on_signal(struct loop *l)
{
    struct signalfd_siginfo info;

    if (read(l->signal_fd, &info, sizeof info) != (ssize_t)sizeof info)
        return;
    if (l->stopped_ms != 0) {
        log_warn("crawl", "second signal: ending at once");
        _exit(EXIT_INTERRUPTED);
    }
    log_info("crawl",
             "signal=%u finishing what is in flight; again to end at "
             "once",
             info.ssi_signo);
    l->stopped_ms = l->now_ms;
    pthread_mutex_lock(&l->c->lock);
    l->c->stop = true;
    pthread_cond_broadcast(&l->c->changed);
    pthread_mutex_unlock(&l->c->lock);
}

static void
dispatch(struct loop *l, const struct epoll_event *e)
{
    int fd = (int)(uint32_t)e->data.u64;
    bool readable = e->events & (EPOLLIN | EPOLLERR | EPOLLHUP);
    bool writable = e->events & (EPOLLOUT | EPOLLERR | EPOLLHUP);

    switch ((enum event_source)(e->data.u64 >> 32)) {
    case FROM_WAKE: on_wake(l); break;
    case FROM_SIGNAL: on_signal(l); break;
    case FROM_DNS: dns_ready(l->dns, fd, readable, writable, l->now_ms); break;
    case FROM_FETCH:
        fetch_ready(l->fetch, fd, readable, writable, l->now_ms);
        break;
    }
}

/* limits.seconds hold whether services answer or not. */
static void
end_in_time(struct loop *l)
{
    const char *what;

    if (l->stopped_ms != 0 || l->c->hard ||
        (what = crawl_overdue(l->c)) == NULL)
        return;
    log_warn("crawl",
             "limits.seconds are over, still waiting for %s: ending without "
             "it; pages under way are fetched again by the next run",
             what);
    pthread_mutex_lock(&l->c->lock);
    l->c->stop = l->c->hard = true;
    pthread_cond_broadcast(&l->c->changed);
    pthread_mutex_unlock(&l->c->lock);
}

/* After a signal: patience runs out in two steps; for names there is none, as
 * nothing that they lead to is asked any more. */
static void
press_on(struct loop *l)
{
    end_in_time(l);
    if (l->stopped_ms == 0)
        return;
    dns_cancel(l->dns);
    if (!l->cancelled && l->now_ms >= l->stopped_ms + GRACE_MS) {
        l->cancelled = true;
        fetch_cancel(l->fetch);
    }
    if (!l->c->hard && l->now_ms >= l->stopped_ms + HARD_MS)
        l->c->hard = true;
}

static int
timeout_ms(struct loop *l)
{
    uint64_t ms = STATUS_MS, w;

    if ((w = slots_reclaim(l->slots, l->now_ms)) < ms)
        ms = w;
    if ((w = fetch_wait_ms(l->fetch, l->now_ms)) < ms)
        ms = w;
    if ((w = dns_wait_ms(l->dns)) < ms)
        ms = w;
    return (int)ms;
}

/* The longest wait of a thread, if it is worth a word. */
static const char *
pause_of(const struct crawl *c, uint64_t now_ms)
{
    const struct crawl_wait *longest = NULL;

    for (size_t i = 0; i < c->threads_n + CRAWL_WAITERS; i++) {
        const struct crawl_wait *w = &c->wait[i];

        if (w->what != NULL && now_ms > w->since_ms + WAIT_SHOWN_MS &&
            (longest == NULL || w->since_ms < longest->since_ms))
            longest = w;
    }
    return longest ? longest->what : NULL;
}

/* Files run out wherever one is opened: leave some to the others. */
static void
watch_files(struct loop *l)
{
    if (l->now_ms < l->files_ms)
        return;
    l->files_ms = l->now_ms + STATUS_MS;
    if (files_have_run_out()) {
        fetch_give_up_idle(l->fetch);
        crawl_ran_out_of_files(l->c);
    } else {
        crawl_tries_more_files(l->c);
    }
}

/* Another crawl may begin where the folder was, and what we write by path would
 * be among its files. */
static void
watch_folder(struct loop *l)
{
    struct crawl *c = l->c;

    if (l->now_ms < l->folder_ms || l->stopped_ms != 0)
        return;
    l->folder_ms = l->now_ms + FOLDER_MS;
    if (!folder_lost(c->folder, c->dir))
        return;
    log_error("crawl",
              "%s was removed or moved away while this crawl had it: ending, "
              "as nothing can be stored there",
              c->dir);
    l->stopped_ms = l->now_ms;
    pthread_mutex_lock(&c->lock);
    if (c->end == CRAWL_RUNNING)
        c->end = CRAWL_FAILED;
    c->stop = c->hard = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

/* What systemd shows of the crawl, and that it goes round. */
static void
tell_systemd(struct loop *l, const struct crawl_stats *s,
             const struct frontier_totals *t)
{
    if (l->watchdog_every_ms > 0 && l->now_ms >= l->watchdog_ms) {
        l->watchdog_ms = l->now_ms + l->watchdog_every_ms;
        notify_watchdog();
    }
    if (l->now_ms < l->told_ms)
        return;
    l->told_ms = l->now_ms + l->c->opts->log_status_seconds * 1000;
    notify_status("%" PRIu64 " pages fetched, %" PRIu64
                  " kept in this run, %" PRIu64 " URLs queued%s%s",
                  s->fetched, s->kept, t->queued,
                  s->pause != NULL ? "; paused: " : "",
                  s->pause != NULL ? s->pause : "");
}

/* False: nothing is left to do. */
static bool
look_around(struct loop *l)
{
    struct crawl *c = l->c;
    struct crawl_stats stats;
    struct frontier_totals totals;
    bool go_on;

    pthread_mutex_lock(&c->lock);
    stats = c->stats;
    stats.in_flight = (uint32_t)(c->fetching + c->slow);
    stats.cleaning = (uint32_t)(c->alive - c->fetching - c->slow);
    stats.window_pages = c->window.pages;
    stats.window_kept = c->window.kept;
    stats.pause = condition_text(c->conditions.missing);
    if (stats.pause == NULL)
        stats.pause = pause_of(c, l->now_ms);
    totals = c->totals;
    go_on = !(c->lease_ended && c->alive == 0);
    pthread_mutex_unlock(&c->lock);
    status_line_update(l->status, &stats, &totals, l->now_ms);
    tell_systemd(l, &stats, &totals);
    return go_on;
}

/* SIGSTOP, a debugger or a laptop's sleep: timeouts have passed, and answers
 * may wait in the kernel, or their connections be gone. */
static void
look_at_clocks(struct loop *l)
{
    uint64_t before_ms = l->now_ms, before_boot_ms = l->boot_ms, still;

    l->now_ms = clock_steady_ms();
    l->boot_ms = clock_boot_ms();
    still = l->boot_ms - before_boot_ms;
    if (still < STOOD_STILL_MS)
        return;
    log_warn("crawl",
             "this process stood still for %llu s; no host is blamed for that",
             (unsigned long long)still / 1000);
    fetch_stood_still(l->fetch, l->now_ms - before_ms, l->now_ms);
}

bool
loop_run(struct loop *l)
{
    struct epoll_event e[EVENTS_MAX];

    l->boot_ms = clock_boot_ms();
    l->watchdog_every_ms = notify_watchdog_every_ms();
    notify_ready();
    while (look_around(l)) {
        int n = epoll_wait(l->epoll_fd, e, EVENTS_MAX, timeout_ms(l));

        look_at_clocks(l);
        for (int i = 0; i < n; i++)
            dispatch(l, &e[i]);
        fetch_tick(l->fetch, l->now_ms);
        visit_race(l);
        dns_tick(l->dns, l->now_ms);
        watch_files(l);
        watch_folder(l);
        press_on(l);
    }
    notify_stopping();
    return l->stopped_ms != 0;
}

static enum status
open_descriptors(struct loop *l)
{
    sigset_t set;

    thread_end_signals(&set);
    l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    l->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (l->epoll_fd < 0 || l->signal_fd < 0) {
        log_error("loop", "descriptors: %s", strerror(errno));
        return ST_IO;
    }
    watch(l, l->c->wake_fd, FROM_WAKE, true, false);
    watch(l, l->signal_fd, FROM_SIGNAL, true, false);
    return ST_OK;
}

enum status
loop_open(struct loop **out, struct crawl *c)
{
    struct loop *l = calloc(1, sizeof *l);
    struct dns_io dns_io = {l, watch_dns};
    struct fetch_io fetch_io = {l, watch_fetch};
    struct status_line_setup setup = {.fd = STDERR_FILENO,
                                      .live = live_can(STDERR_FILENO),
                                      .every_ms =
                                          c->opts->log_status_seconds * 1000};
    enum status st;

    if (l == NULL)
        return ST_NOMEM;
    l->c = c;
    l->epoll_fd = l->signal_fd = -1;
    l->now_ms = clock_steady_ms();
    l->proxied = proxy_kind_of(c->opts) != PROXY_NONE;
    l->looks_names_up = proxy_names_here(c->opts);
    if ((st = open_descriptors(l)) != ST_OK ||
        (st = dns_open(&l->dns, c->opts, &dns_io)) != ST_OK ||
        (st = own_address_read(&l->own, c->opts)) != ST_OK ||
        (st = fetch_open(&l->fetch, c->opts, &fetch_io)) != ST_OK ||
        (st = (l->slots = slots_new(c)) ? ST_OK : ST_NOMEM) != ST_OK) {
        loop_close(l);
        return st;
    }
    fetch_limit(l->fetch, c->parallel + c->slow_max + c->connections_idle_max,
                c->connections_idle_max);
    if (!c->quiet)
        l->status = status_line_open(&setup, l->now_ms);
    *out = l;
    return ST_OK;
}

void
loop_close(struct loop *l)
{
    if (l == NULL)
        return;
    status_line_close(l->status);
    fetch_close(l->fetch);
    dns_close(l->dns);
    slots_free(l->slots);
    buf_free(&l->soon);
    if (l->signal_fd >= 0)
        close(l->signal_fd);
    if (l->epoll_fd >= 0)
        close(l->epoll_fd);
    free(l);
}
