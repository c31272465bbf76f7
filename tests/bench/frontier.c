/* The frontier at scale: bench_frontier [key=value ...]
 *
 *   urls=2      millions of URLs to load
 *   hosts=0     hosts they are spread over; 0: a hundredth of the URLs
 *   even=0      1: as many URLs of each host, no two of a page of one host
 *   giant=0     millions of further URLs of one host
 *   links=50    links of a page; pages=400 pages are one transaction
 *   rounds=300  leases of `each`=100 URLs
 *   sync=meta   frontier.sync;  merge_mib=, cache_mib= as in a job
 *   from=       frontier.merge_from
 *   dir=        where the store is made (default: below /tmp); keep=1 leaves
 * it, reuse=1 takes the one that is there and only leases from it
 *
 * Prints new and known URLs a second (of the wall clock, and of the time that
 * this process, or its busiest thread, had a processor, since other work may
 * share the machine), how long transactions and leases took, also by tenths of
 * the run, bytes on disk and in memory, and the time to open the store after
 * kill -9.  To limit memory run it in a cgroup: tests/bench/frontier.sh. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../unit/frontier_help.h"
#include "base/clock.h"
#include "base/log.h"
#include "frontier/intake/filter.h"
#include "frontier/intake/known.h"
#include "frontier/intake/pending.h"
#include "spells.h"

static struct settings {
    double urls, giant;
    uint64_t hosts, links, pages, rounds, each, cache_mib, merge_mib, from;
    bool keep, reuse, even;
    const char *sync, *dir;
} set = {.urls = 2,
         .links = 50,
         .pages = 400,
         .rounds = 300,
         .each = 100,
         .cache_mib = 64,
         .merge_mib = 128,
         .from = 200000,
         .sync = "meta"};

static struct opts o;
static struct frontier *f;
static uint64_t now_ms = 1800000000000;

static void
must(enum status st)
{
    if (st == ST_OK)
        return;
    fprintf(stderr, "%s\n", status_name(st));
    exit(1);
}

/* Bytes this process has written so far; 0 where the kernel does not tell. */
static double
written(void)
{
    FILE *in = fopen("/proc/self/io", "r");
    unsigned long long n = 0;
    char line[80];

    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "wchar: %llu", &n) == 1)
            break;
    if (in != NULL)
        fclose(in);
    return (double)n;
}

/* ---- links ---- */

/* Page k of a web in which a page links to its own host and to another one, or
 * to as many hosts as it has links. */
static void
links_of(uint64_t k, bool giant, struct frontier_link *links, struct arena *a)
{
    uint64_t own = hash_mix(k) % set.hosts, other = hash_mix(~k) % set.hosts;

    for (uint64_t i = 0; i < set.links; i++) {
        uint64_t host = set.even     ? (k * set.links + i) % set.hosts
                        : i % 5 == 0 ? other
                                     : own;
        char *p = arena_raw(a, 80);
        int n = giant
                    ? snprintf(p, 80, "http://giant.example/%llu/p%llu",
                               (unsigned long long)k, (unsigned long long)i)
                    : snprintf(p, 80, "http://www.host%llu.example/%llu/p%llu",
                               (unsigned long long)host, (unsigned long long)k,
                               (unsigned long long)i);

        links[i] = (struct frontier_link){.url = str_n(p, (size_t)n),
                                          .boilerplate = (float)(i % 10) / 10};
    }
}

struct bench_load {
    struct times time;
    struct spells spells; /* of transactions */
    struct row_link_counts counts;
    uint64_t bytes; /* of the URLs */
};

static void
put(struct bench_load *l, uint64_t from, uint64_t pages, bool giant)
{
    struct arena *a = arena_new();
    struct frontier_link *links = calloc(set.links * set.pages, sizeof *links);

    for (uint64_t k = from; k < from + pages; k += set.pages) {
        struct row_parent p = {
            .facts = {.depth = 1,
                      .has_badness = true,
                      .badness = (float)(hash_mix(k) % 50),
                      .parent_host = 1,
                      .parent_hash = row_parent_hash(hash_mix(k))}};
        struct times start;

        arena_reset(a);
        for (uint64_t i = 0; i < set.pages; i++)
            links_of(k + i, giant, links + i * set.links, a);
        for (uint64_t i = 0; i < set.links * set.pages; i++)
            l->bytes += links[i].url.n;
        start = times_now();
        must(frontier_begin(f));
        for (uint64_t i = 0; i < set.pages; i++)
            must(intake_put(f->in, links + i * set.links, set.links, &p,
                            &l->counts));
        must(frontier_commit(f));
        spells_add(&l->spells, start.wall, (double)(set.links * set.pages));
        times_since(&l->time, start);
    }
    free(links);
    arena_free(a);
}

/* Until nothing waits in the log. */
static void
drain(struct bench_load *l)
{
    struct times start = times_now();

    while (pending_n(f->in->pending) > 0) {
        must(frontier_begin(f));
        (void)pending_wanted(f->in->pending, true);
        must(pending_merge(f->in->pending, 20000));
        must(frontier_commit(f));
    }
    times_since(&l->time, start);
}

static uint64_t
pages_of(double millions)
{
    uint64_t pages = (uint64_t)(millions * 1e6 / (double)set.links);

    return pages - pages % set.pages;
}

static double
load(const char *what, double millions, bool giant)
{
    struct bench_load l = {0};
    struct frontier_totals before, after;
    double bytes = written(), n;

    frontier_totals(f, &before, now_ms);
    put(&l, giant ? 1u << 30 : 0, pages_of(millions), giant);
    drain(&l);
    frontier_totals(f, &after, now_ms);
    n = (double)(after.seen - before.seen);
    printf("%s: %.0f/s, %.0f per second of CPU, %.0f of the busiest thread's "
           "(%.1f million in %.1f s), %.0f bytes written for each\n",
           what, n / l.time.wall, n / l.time.own, n / l.time.thread, n / 1e6,
           l.time.wall, (written() - bytes) / n);
    spells_tell("  transactions", &l.spells);
    fflush(stdout);
    return (double)l.bytes / n;
}

/* Links to what was found a moment ago, and to what was found long ago. */
static void
known(void)
{
    struct bench_load recent = {0}, old = {0};
    uint64_t pages = pages_of(set.urls),
             n = pages / 10 - pages / 10 % set.pages;

    if (n > 20000)
        n = 20000;
    put(&recent, pages - n, n, false);
    recent = (struct bench_load){0};
    put(&recent, pages - n, n, false);
    put(&old, 0, n, false);
    drain(&old);
    printf("known URLs, in the cache: %.0f/s, %.0f per second of CPU\n",
           (double)recent.counts.known / recent.time.wall,
           (double)recent.counts.known / recent.time.own);
    printf("known URLs, forgotten: %.0f/s, %.0f per second of CPU\n",
           (double)(n * set.links) / old.time.wall,
           (double)(n * set.links) / old.time.own);
}

/* ---- leases ---- */

struct leases {
    struct spells whole, commits, reports;
    struct times own;
    struct faults faults;
    uint64_t leased;
};

static struct frontier_lease *
one_lease(struct leases *s, struct arena *a, size_t *n)
{
    struct frontier_lease *l;
    struct faults faults = faults_now(), then;
    struct times start = times_now();
    double commit;
    uint64_t wake;

    must(frontier_begin(f));
    must(frontier_lease(f, 1, 0, set.each, now_ms, a, &l, n, &wake));
    commit = seconds(CLOCK_MONOTONIC);
    must(frontier_commit(f));
    spells_add(&s->commits, commit, 1);
    spells_add(&s->whole, start.wall, (double)*n);
    times_since(&s->own, start);
    then = faults_now();
    s->faults.minor += then.minor - faults.minor;
    s->faults.major += then.major - faults.major;
    s->leased += *n;
    return l;
}

static void
report(struct leases *s, const struct frontier_lease *l, size_t n)
{
    double start = seconds(CLOCK_MONOTONIC);
    size_t x, y, z;

    must(frontier_begin(f));
    for (size_t k = 0; k < n; k++) {
        struct frontier_done d = help_done(l[k].url, OUTCOME_FETCHED, now_ms);

        must(frontier_done(f, &d, now_ms, &x, &y, &z));
    }
    must(frontier_commit(f));
    spells_add(&s->reports, start, (double)n);
}

static void
lease(void)
{
    struct arena *a = arena_new();
    struct leases s = {0};
    struct frontier_lease *l;
    double rounds = (double)set.rounds;
    size_t n;

    for (uint64_t i = 0; i < set.rounds; i++, now_ms += 2000) {
        arena_reset(a);
        l = one_lease(&s, a, &n);
        report(&s, l, n);
    }
    printf("leases of %.0f URLs, %.2f ms of CPU each, %.2f of it the caller's, "
           "%.0f pages mapped, %.1f read from the disk\n",
           (double)s.leased / rounds, s.own.own / rounds * 1e3,
           s.own.thread / rounds * 1e3, (double)s.faults.minor / rounds,
           (double)s.faults.major / rounds);
    spells_tell("  a lease", &s.whole);
    spells_tell("  of it the commit", &s.commits);
    spells_tell("  reports of their outcomes, without links", &s.reports);
    arena_free(a);
}

/* ---- sizes ---- */

static uint64_t
file_size(const char *dir)
{
    struct stat st;
    char path[4200];

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    return stat(path, &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}

static void
sizes(const char *dir, double url_mean)
{
    struct frontier_totals t;
    struct tables_size seen, queue;

    frontier_totals(f, &t, now_ms);
    must(frontier_begin(f));
    tables_size(f->db->tables, TABLE_SEEN, &seen);
    tables_size(f->db->tables, TABLE_QUEUE, &queue);
    frontier_abort(f);
    printf("disk: %.1f bytes of `seen` a URL, %.1f of `queue` a queued URL of "
           "%.1f bytes; the file %.1f a URL\n",
           (double)seen.bytes / (double)seen.rows,
           (double)queue.bytes / (double)queue.rows, url_mean,
           (double)file_size(dir) / (double)t.seen);
    if (f->in->filter != NULL)
        printf("memory: filter %.2f bytes a URL",
               (double)bloom_stat(f->in->filter).bytes / (double)t.seen);
    printf(", cache %zu MiB; %llu hosts\n",
           known_stat(f->in->known).bytes >> 20, (unsigned long long)t.hosts);
}

/* ---- opening ---- */

/* A process that is killed while links wait in the log. */
static void
killed(const char *dir)
{
    pid_t child = fork();
    struct bench_load l = {0};
    int how;

    if (child == 0) {
        must(frontier_open(&f, dir, &o, now_ms));
        must(frontier_save_later(f, &o));
        put(&l, 1u << 29, 10 * set.pages, false);
        raise(SIGKILL);
    }
    if (waitpid(child, &how, 0) != child || !WIFSIGNALED(how))
        fprintf(stderr, "the process to be killed failed\n");
}

static void
open_again(const char *dir)
{
    struct frontier_totals t;
    struct times start, spent = {0, 0, 0};

    killed(dir);
    start = times_now();
    must(frontier_open(&f, dir, &o, now_ms));
    times_since(&spent, start);
    frontier_totals(f, &t, now_ms);
    printf(
        "open after kill -9: %.0f ms, %.0f ms of CPU (%.1f million URLs, %llu "
        "hosts, %llu links in the log)\n",
        spent.wall * 1e3, spent.own * 1e3, (double)t.seen / 1e6,
        (unsigned long long)t.hosts,
        (unsigned long long)pending_n(f->in->pending));
    frontier_close(f);
}

/* ---- main ---- */

static bool
setting(const char *arg)
{
    const char *value = strchr(arg, '=');
    size_t n = value ? (size_t)(value - arg) : 0;

#define NUMBER(name, type)                                                     \
    if (n == strlen(#name) && strncmp(arg, #name, n) == 0) {                   \
        set.name = (type)atof(value + 1);                                      \
        return true;                                                           \
    }
#define TEXT(name)                                                             \
    if (n == strlen(#name) && strncmp(arg, #name, n) == 0) {                   \
        set.name = value + 1;                                                  \
        return true;                                                           \
    }
    NUMBER(urls, double)
    NUMBER(giant, double)
    NUMBER(hosts, uint64_t)
    NUMBER(links, uint64_t)
    NUMBER(pages, uint64_t)
    NUMBER(rounds, uint64_t)
    NUMBER(each, uint64_t)
    NUMBER(cache_mib, uint64_t)
    NUMBER(merge_mib, uint64_t)
    NUMBER(from, uint64_t)
    NUMBER(keep, bool)
    NUMBER(reuse, bool)
    NUMBER(even, bool)
    TEXT(sync)
    TEXT(dir)
#undef NUMBER
#undef TEXT
    fprintf(stderr, "%s: not a setting; see the head of frontier.c\n", arg);
    return false;
}

/* Until the filter, which a start begins anew, is there; later than any run
 * before, so that its hosts are due. */
static void
settle(void)
{
    now_ms += clock_wall_ms();
    do {
        must(frontier_begin(f));
        must(frontier_commit(f));
    } while (f->in->filling != NULL);
}

static void
fill(void)
{
    double mean = 0;

    if (set.urls > 0)
        mean = load("new URLs", set.urls, false);
    if (set.giant > 0)
        mean = load("new URLs of one host", set.giant, true);
    sizes(set.dir, mean);
    if (set.urls > 0)
        known();
}

int
main(int argc, char **argv)
{
    struct rusage usage;

    for (int i = 1; i < argc; i++)
        if (!setting(argv[i]))
            return 2;
    if (set.hosts == 0)
        set.hosts = (uint64_t)(set.urls * 1e4) + 1;
    if (set.dir == NULL)
        set.dir = help_folder();
    log_threshold = LOG_ERROR;
    o = help_opts();
    o.frontier_map_gib = 256;
    o.frontier_sync = str_c(set.sync);
    o.frontier_cache_mib = set.cache_mib;
    o.frontier_merge_mib = set.merge_mib;
    o.frontier_merge_from = set.from;
    o.frontier_host_queue_max = set.giant > 0 ? 0 : o.frontier_host_queue_max;
    must(frontier_open(&f, set.dir, &o, now_ms));
    must(frontier_save_later(f, &o)); /* as the service does */
    if (set.reuse)
        settle();
    else
        fill();
    lease();
    frontier_close(f);
    open_again(set.dir);
    getrusage(RUSAGE_SELF, &usage);
    printf("resident at most: %ld MiB, of it pages of the store\n",
           usage.ru_maxrss >> 10);
    if (!set.keep)
        folder_remove(set.dir);
    opts_free(&o);
    return 0;
}
