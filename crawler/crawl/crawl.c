/* crawl.c -- opens the parts in order, runs the threads, closes in reverse.
 *
 * Services whose URL is inproc:// are started here on DIR; otherwise only their
 * clients are opened: the code of the crawl is the same.  The calling thread
 * becomes the loop thread. */
#include "crawl.h"

#include "base/pool.h"
#include "crawler/admit/outlinks.h"
#include "crawler/admit/robots.h"
#include "crawler/fetch/proxy.h"
#include "crawler/loop/converting.h"
#include "crawler/loop/crawl_state.h"
#include "crawler/loop/files.h"
#include "crawler/loop/folder.h"
#include "crawler/loop/reporter.h"
#include "crawler/visit/archive.h"
#include "farewell.h"
#include "rules.h"
#include "share.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/options/command.h"
#include "base/options/scorer_way.h"
#include "base/thread.h"
#include "clean/corpus/registry.h"
#include "clean/sandbox/sandbox.h"
#include "frontier/service/frontier_service.h"
#include "shingle/service/dedup_service.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define UNREPORTED_MAX 4096
#define SHORT_DELAY 4 /* times the wait of a report */

struct crawl_parts { /* what is open, for closing in reverse */
    struct crawl c;
    struct folder folder;
    struct seeds seeds;
    struct arena *arena, *seeds_arena; /* the latter goes when they are told */
    struct frontier_service *frontier_service;
    struct dedup_service *dedup_service;
    struct loop *loop;
    pthread_t lease_thread;
    struct pool workers, converting;
    struct worker worker[POOL_THREADS_MAX];
};

/* ---- open ---- */

/* Vertical formats are described in DIR, since all of corpus/ is the dedup
 * service's. */
static enum status
write_registries(struct crawl_parts *p)
{
    const char *corpus =
        arena_cstr(p->arena, arena_printf(p->arena, "%s/corpus", p->c.dir));
    enum status st = ST_OK;

    for (size_t i = 0; i < p->c.formats_n && st == ST_OK; i++) {
        const struct registry_files files = {.writer = p->c.format[i],
                                             .base = corpus,
                                             .beside = corpus,
                                             .kind = REGISTRY_FOLDER,
                                             .pack = PACK_GZIP};

        if (files.writer->registry != NULL)
            st = registry_write(p->c.opts, &files);
    }
    return st;
}

/* The frontier last: it may take a new form, which an earlier version refuses,
 * and nothing shall have refused this one by then. */
static enum status
open_services(struct crawl_parts *p)
{
    struct crawl *c = &p->c;
    const struct opts *o = c->opts;
    enum status st;

    if (crawl_is_own(o->dedup_url)) {
        st = dedup_service_start(&p->dedup_service, c->dir, o);
        if (st != ST_OK)
            return st;
    }
    if (crawl_is_own(o->frontier_url)) {
        struct str dir = arena_printf(p->arena, "%s/frontier", c->dir);

        st = frontier_service_start(&p->frontier_service, dir.p, o);
        if (st != ST_OK)
            return st;
    }
    if ((st = frontier_client_open(&c->frontier, o, p->folder.id)) != ST_OK)
        return st;
    return dedup_client_open(&c->dedup, o);
}

static void
size_up(struct crawl_parts *p)
{
    struct crawl *c = &p->c;
    const struct opts *o = c->opts;

    c->threads_n =
        o->clean_threads > 0 ? (size_t)o->clean_threads : machine_processors();
    if (c->threads_n > POOL_THREADS_MAX)
        c->threads_n = POOL_THREADS_MAX;
    /* A page that is being cleaned shall not idle a slot, but with few slots
     * the next lease is to know its outcome. */
    c->visits_max = c->parallel + c->parallel / 4;
    c->lease_group = c->parallel / 8;
    c->to_loop = workq_new(c->visits_max + c->slow_max + 1);
    c->to_workers = workq_new(c->visits_max + c->slow_max + 1);
    c->to_convert = workq_new(c->visits_max + c->slow_max + 1);
    /* What is not durable yet does, too, but that takes its time: so the more
     * slots, the more. */
    c->unreported_max = c->parallel * c->parallel / 16 < UNREPORTED_MAX
                            ? c->parallel * c->parallel / 16
                            : UNREPORTED_MAX;
    c->short_delay =
        opt_delay_range(o).least_ms < SHORT_DELAY * o->services_gather_ms;
    c->tells_ended = c->short_delay && o->frontier_host_unreported_max > 0 &&
                     c->unreported_max >= c->parallel &&
                     !scorer_chooses(o->frontier_scorer);
    c->wait =
        ARENA_ARRAY(p->arena, struct crawl_wait, c->threads_n + CRAWL_WAITERS);
    c->stats.page_limit = o->limits_pages;
    c->bandwidth.bytes_a_second = o->fetch_bytes_per_second;
}

static void
open_lock(struct crawl *c)
{
    pthread_mutex_init(&c->lock, NULL);
    thread_condition(&c->changed);
}

/* What asks for the end is blocked in every thread (services make some) and
 * read by the loop; before it runs they end hello, after it the process. */
static atomic_bool early_stop, early_over;

static void
mask_signals(int how)
{
    sigset_t set;

    thread_end_signals(&set);
    pthread_sigmask(how, &set, NULL);
}

/* limits.seconds count from when the crawl is ready.  Until then they bound the
 * wait for each answer, but a busy machine has this time for one. */
#define ANSWER_SECONDS_MIN 10

static unsigned answer_seconds; /* 0: without a bound */

static void
await_next_answer(void)
{
    alarm(answer_seconds);
}

static void
on_early_signal(int sig)
{
    early_stop = true;
    early_over = early_over || sig == SIGALRM;
}

/* A page that has killed this crawler for the last time. */
static void
log_poison(struct crawl *c, struct str url)
{
    struct crawl_log_entry e = {.time_ms = clock_wall_ms(),
                                .url = url,
                                .host = outlink_host(url),
                                .kind = CRAWL_LOG_PAGE,
                                .outcome = OUTCOME_FAILED,
                                .verdict = VERDICT_POISON,
                                .badness = (double)NAN,
                                .boilerplate_mean = (double)NAN,
                                .language = S(""),
                                .id = S("")};

    log_warn("crawl",
             "url=%.*s the crawler has died of it three times: failed, poison",
             STRF(url));
    if (crawl_log_append(c->log, &e, 1) != ST_OK)
        log_warn("crawl", "... which the crawl log does not say");
}

static enum status
hello(struct crawl_parts *p, const struct crawl_setup *setup,
      struct frontier_client_welcome *out)
{
    struct crawl *c = &p->c;
    uint64_t suspects[WORKING_MAX];
    const struct frontier_client_hello greeting = {
        .seeds = p->seeds.link,
        .seeds_n = p->seeds.n,
        .again = setup->again != NULL,
        .suspects = suspects,
        .suspects_n = working_left(c->working, suspects),
        .answered = await_next_answer};
    enum status st;

    await_next_answer();
    st = crawl_share_job(c, setup, &early_stop);
    await_next_answer();
    return st == ST_OK ? frontier_client_hello(c->frontier, &greeting,
                                               &early_stop, p->arena, out)
                       : st;
}

/* Until the services have answered nobody else looks at the clock, or hears who
 * asks for the end. */
static enum status
hello_in_time(struct crawl_parts *p, const struct crawl_setup *setup,
              struct frontier_client_welcome *out)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    enum { ENDS = sizeof ends / sizeof *ends };
    struct sigaction act = {.sa_handler = on_early_signal}, old[ENDS];
    const uint64_t seconds = p->c.opts->limits_seconds;
    enum status st;
    sigset_t set;

    thread_end_signals(&set);
    sigaddset(&set, SIGALRM);
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], sigismember(&set, ends[i]) ? &act : NULL, &old[i]);
    mask_signals(SIG_UNBLOCK);
    answer_seconds = seconds == 0                   ? 0
                     : seconds < ANSWER_SECONDS_MIN ? ANSWER_SECONDS_MIN
                                                    : (unsigned)seconds;
    st = hello(p, setup, out);
    alarm(0);
    mask_signals(SIG_BLOCK);
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &old[i], NULL);
    if (early_over) {
        log_error("crawl",
                  "limits.seconds=%llu are over, and the services have not "
                  "answered for %u s",
                  (unsigned long long)seconds, answer_seconds);
        return ST_LIMIT;
    }
    return st == ST_OK && early_stop ? ST_STOPPED : st;
}

/* Millions of them take more memory than all the rest. */
static void
forget_seeds(struct crawl_parts *p)
{
    arena_free(p->seeds_arena);
    p->seeds_arena = NULL;
    p->seeds.link = NULL;
}

static void
say_proxy(const struct opts *o)
{
    if (proxy_kind_of(o) == PROXY_NONE)
        return;
    log_info("crawl", "proxy=%.*s%s", STRF(o->fetch_proxy),
             proxy_names_here(o)
                 ? ""
                 : ": it looks names up, so politeness.address_delay_ms has no "
                   "effect and private addresses are its to refuse "
                   "(fetch.proxy_names)");
}

/* Who comes from a tool that stays on the hosts of its seeds does not expect
 * that. */
static void
say_scope(const struct opts *o)
{
    if (o->scope_tld.n + o->scope_domains.n + o->scope_hosts.n == 0 &&
        o->scope_visit.n == 0)
        log_info("crawl",
                 "scope: every host that links lead to, since [scope] names "
                 "no tld, domains, hosts or visit");
}

static enum status
say_hello(struct crawl_parts *p, const struct crawl_setup *setup)
{
    struct crawl *c = &p->c;
    struct frontier_client_welcome welcome;
    enum status st = hello_in_time(p, setup, &welcome);

    if (st != ST_OK)
        return st;
    forget_seeds(p);
    working_told(c->working);
    for (size_t i = 0; i < welcome.poisoned_n; i++)
        log_poison(c, welcome.poisoned[i]);
    c->totals = welcome.totals;
    c->pages = c->totals.pages;
    c->kept = c->totals.kept;
    c->bytes = c->totals.fetched_bytes;
    if (c->totals.seen == 0)
        return crawl_no_seeds(NULL);
    log_info("crawl",
             "dir=%s seeds=%zu pages=%llu kept=%llu queued=%llu scorer=%.*s",
             c->dir, p->seeds.n, (unsigned long long)c->totals.pages,
             (unsigned long long)c->totals.kept,
             (unsigned long long)c->totals.queued,
             STRF(c->opts->frontier_scorer));
    if (setup->again != NULL)
        log_info("crawl", "again: %llu of %zu pages are queued once more",
                 (unsigned long long)welcome.again, p->seeds.n);
    if (c->totals.pages == 0)
        say_scope(c->opts);
    say_proxy(c->opts);
    return ST_OK;
}

/* ---- run ---- */

/* True: all that are wanted have started. */
static bool
start_converting(struct crawl_parts *p)
{
    size_t n = p->c.converter != NULL ? (size_t)p->c.opts->convert_parallel : 0;

    return n == 0 ||
           pool_start(&p->converting, n, crawl_convert_thread, &p->c, 0) == n;
}

/* Likewise. */
static bool
start_workers(struct crawl_parts *p)
{
    struct crawl *c = &p->c;

    for (size_t i = 0; i < c->threads_n; i++) {
        struct worker *w = &p->worker[i];

        *w = (struct worker){.crawl = c, .i = i};
        if (c->sandboxed && sandbox_open(&w->sandbox) != ST_OK)
            return false;
    }
    return pool_start(&p->workers, c->threads_n, crawl_worker_thread, p->worker,
                      sizeof *p->worker) == c->threads_n;
}

static void
run_threads(struct crawl_parts *p)
{
    struct crawl *c = &p->c;

    if (reporter_open(&c->reporter, c) == ST_OK && start_converting(p) &&
        start_workers(p) &&
        pthread_create(&p->lease_thread, NULL, crawl_lease_thread, c) == 0) {
        loop_run(p->loop);
        pthread_join(p->lease_thread, NULL);
    } else {
        log_error("crawl", "the system allows no more threads (ulimit -u, "
                           "ulimit -v, a container's limit)");
        c->end = CRAWL_FAILED;
    }
    workq_close(c->to_convert);
    pool_join(&p->converting);
    workq_close(c->to_workers);
    pool_join(&p->workers);
    for (size_t i = 0; i < c->threads_n; i++)
        sandbox_close(p->worker[i].sandbox);
    reporter_close(c->reporter);
}

/* False: something is not stored as it should be (reported). */
static bool
close_all(struct crawl_parts *p)
{
    struct crawl *c = &p->c;
    bool good;

    loop_close(p->loop);
    if (c->wake_fd >= 0)
        close(c->wake_fd);
    good = archive_close(c->archive) == ST_OK;
    crawl_log_close(c->log);
    working_close(c->working);
    frontier_client_close(c->frontier);
    dedup_client_close(c->dedup);
    frontier_service_stop(p->frontier_service);
    good &= dedup_service_stop(p->dedup_service) == ST_OK;
    workq_free(c->to_loop);
    workq_free(c->to_workers);
    buf_free(&c->soon);
    workq_free(c->to_convert);
    converter_close(c->converter);
    crawl_rules_close(c);
    folder_close(&p->folder);
    forget_seeds(p);
    arena_free(p->arena);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(p);
    return good;
}

/* A machine that keeps no time while it is off begins in 1970. */
static void
say_early_clock(void)
{
    const uint64_t early_ms = 1704067200000; /* 2024: before this program */
    uint64_t now_ms = clock_wall_ms();
    char now[21];

    if ((int64_t)now_ms >= (int64_t)early_ms)
        return;
    clock_iso(now_ms, now);
    log_warn("crawl",
             "this machine's clock says %s: documents get that time, dates "
             "that pages give are taken for wrong ones, certificates are not "
             "valid yet",
             now);
}

static enum status
open_all(struct crawl_parts *p, const struct crawl_setup *setup)
{
    struct crawl *c = &p->c;
    enum status st;

    if ((st = crawl_rules_open(c, &p->seeds, p->seeds_arena, setup)) != ST_OK ||
        (st = folder_open(&p->folder, c->dir)) != ST_OK ||
        (st = write_registries(p)) != ST_OK)
        return st;
    c->documents = convert_wanted(c->opts);
    if ((st = converter_open(
             &c->converter, c->opts,
             arena_printf(p->arena, "%s/convert-poison", c->dir).p)) != ST_OK)
        return st;
    files_raise();
    if ((c->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
        return ST_IO;
    if ((st = open_services(p)) != ST_OK ||
        (st = crawl_log_open(&c->log, c->dir)) != ST_OK ||
        (st = working_open(&c->working, c->dir)) != ST_OK ||
        (st = archive_open(&c->archive, c->dir, p->folder.id, c->opts)) !=
            ST_OK ||
        (st = files_share(c)) != ST_OK || (st = say_hello(p, setup)) != ST_OK ||
        (st = job_write(setup->job, c->dir)) != ST_OK)
        return st;
    size_up(p);
    return ST_OK;
}

int
crawl_run(const struct crawl_setup *setup)
{
    struct crawl_parts *p = calloc(1, sizeof *p);
    struct crawl *c;
    enum status st;
    int code;

    if (p == NULL)
        return EXIT_FAILED;
    c = &p->c;
    c->opts = setup->opts;
    c->dir = setup->dir;
    c->folder = &p->folder;
    c->quiet = setup->quiet || !c->opts->log_progress;
    c->agent = robots_agent(c->opts);
    c->lease_ms = c->opts->frontier_lease_seconds * 1000;
    c->wake_fd = p->folder.lock_fd = -1;
    arena_keep(ARENA_KEEP_MESSAGES);
    p->arena = arena_new();
    p->seeds_arena = arena_new();
    open_lock(c);
    signal(SIGPIPE, SIG_IGN); /* a peer that left is an error code */
    mask_signals(SIG_BLOCK);
    say_early_clock();
    st = open_all(p, setup);
    if (st == ST_OK) {
        c->start_ms = clock_steady_ms();
        st = loop_open(&p->loop, c);
    }
    if (st == ST_OK) {
        run_threads(p);
        code = crawl_farewell(c);
    } else {
        code = st == ST_USAGE     ? EXIT_USAGE
               : st == ST_STOPPED ? EXIT_INTERRUPTED
                                  : EXIT_FAILED;
    }
    mask_signals(SIG_UNBLOCK);
    if (!close_all(p) && code == EXIT_DONE) {
        log_error("crawl", "not all of it is stored, as told above: the same "
                           "command does the rest");
        code = EXIT_FAILED;
    }
    arena_keep(0);
    return code;
}
