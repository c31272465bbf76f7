/* How long a lease takes while links are loaded: bench_lease [key=value ...]
 *
 *   rate=50000    links a second, of all clients together; 0: no loading
 *   clients=4     that report pages with links
 *   seconds=20    measured, after `warm`=5 seconds of the same
 *   pages=10      of a report, with links=50 each, of which `known` percent
 *                 were reported before (=0)
 *   hosts=20000   the links and the leases are spread over
 *   store=500000  URLs that are in the store before
 *   every=10      ms between two leases; sync=meta as frontier.sync
 *
 * A service behind a socket; its clients are processes of their own.  Prints
 * the time of a lease call (median, 99th percentile, most), what was loaded,
 * and how much of the machine others had meanwhile: on a busy one the figures
 * say little (run it with `nice -n -10`). */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../unit/frontier_help.h"
#include "base/clock.h"
#include "base/log.h"
#include "proto/endpoint.h"
#include "seconds.h"

enum { SAMPLES = 1 << 20, CLIENTS_MAX = 64 };

static struct settings {
    uint64_t rate, clients, seconds, warm, pages, links, known, hosts, store,
        every;
    const char *sync;
} set = {50000, 4, 20, 5, 10, 50, 0, 20000, 500000, 10, "meta"};

static struct shared { /* between the processes */
    atomic_bool stop, measure, ready;
    atomic_ulong links;
    atomic_uint n;
    float ms[SAMPLES];
} * shared;

static struct opts o;
static const char *dir;
static char url[128];

static struct str
page(struct arena *a, uint64_t k)
{
    return arena_printf(a, "http://www.host%llu.example/page/%llu",
                        (unsigned long long)(hash_mix(k) % set.hosts),
                        (unsigned long long)k);
}

/* ---- clients ---- */

static struct frontier_client *
client(uint64_t name)
{
    struct frontier_client *c;

    if (frontier_client_open(&c, &o, name) != ST_OK)
        exit(1);
    while (!shared->ready && !shared->stop)
        clock_sleep_ms(1);
    return c;
}

static struct frontier_done
report(struct arena *a, uint64_t k, uint64_t *link)
{
    struct frontier_done d =
        help_done(page(a, k), OUTCOME_FETCHED, clock_wall_ms());
    struct frontier_link *l = ARENA_ARRAY(a, struct frontier_link, set.links);

    for (uint64_t i = 0; i < set.links; i++) {
        bool old = hash_mix(*link) % 100 < set.known;

        l[i].url = page(a, old ? hash_mix(*link) % set.store : *link);
        l[i].boilerplate = (float)(i % 10) / 10;
        ++*link;
    }
    d.links = l;
    d.links_n = set.links;
    return d;
}

/* Pages that the store has, one after the other; their links are new. */
static void
load(uint64_t me)
{
    struct frontier_client *c = client(100 + me);
    struct frontier_done *d = calloc(set.pages, sizeof *d);
    struct arena *a = arena_new();
    uint64_t link = (me + 1) << 32, k = me;
    double call =
               (double)(set.pages * set.links * set.clients) / (double)set.rate,
           next = seconds(CLOCK_MONOTONIC);

    while (!shared->stop) {
        double now = seconds(CLOCK_MONOTONIC);

        if (now < next) {
            clock_sleep_ms((uint64_t)((next - now) * 1000) + 1);
            continue;
        }
        next += call;
        arena_reset(a);
        for (uint64_t i = 0; i < set.pages; i++, k += set.clients)
            d[i] = report(a, k, &link);
        if (frontier_client_done(c, d, set.pages, &shared->stop) == ST_OK &&
            shared->measure)
            shared->links += set.pages * set.links;
    }
    arena_free(a);
    free(d);
    frontier_client_close(c);
}

static void
lease(void)
{
    struct frontier_client *c = client(1);
    const struct frontier_client_ask ask = {.max = 2};
    struct arena *a = arena_new();
    struct frontier_client_leases l;

    while (!shared->stop) {
        double start = seconds(CLOCK_MONOTONIC);

        arena_reset(a);
        if (frontier_client_lease(c, &ask, &shared->stop, a, &l) == ST_OK &&
            shared->measure && shared->n < SAMPLES)
            shared->ms[shared->n++] =
                (float)((seconds(CLOCK_MONOTONIC) - start) * 1e3);
        clock_sleep_ms(set.every);
    }
    arena_free(a);
    frontier_client_close(c);
}

/* ---- the store ---- */

static void
fill(void)
{
    struct frontier *f;
    struct arena *a = arena_new();
    struct frontier_link *l = calloc(1000, sizeof *l);
    uint64_t again;

    if (frontier_open(&f, dir, &o, clock_wall_ms()) != ST_OK)
        exit(1);
    for (uint64_t k = 0; k < set.store; k += 1000) {
        const struct row_parent p = {.facts = {.depth = 1}};
        struct row_link_counts counts = {0};

        arena_reset(a);
        for (uint64_t i = 0; i < 1000; i++)
            l[i] = (struct frontier_link){.url = page(a, k + i)};
        if (frontier_begin(f) != ST_OK ||
            intake_put(f->in, l, 1000, &p, &counts) != ST_OK ||
            frontier_commit(f) != ST_OK)
            exit(1);
    }
    do
        if (frontier_maintain(f, clock_wall_ms() + 100000, &again) != ST_OK)
            exit(1);
    while (again != UINT64_MAX);
    frontier_close(f);
    free(l);
    arena_free(a);
}

/* ---- measuring ---- */

struct machine {
    double busy, steal, own;
};

/* Seconds of all processors together. */
static struct machine
machine_now(void)
{
    struct machine m = {0};
    struct rusage self;
    double v[8] = {0}, tick = (double)sysconf(_SC_CLK_TCK);
    FILE *in = fopen("/proc/stat", "r");

    if (in != NULL &&
        fscanf(in, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2],
               &v[3], &v[4], &v[5], &v[6], &v[7]) == 8) {
        m.busy = (v[0] + v[1] + v[2] + v[5] + v[6]) / tick;
        m.steal = v[7] / tick;
    }
    if (in != NULL)
        fclose(in);
    getrusage(RUSAGE_SELF, &self);
    m.own = (double)self.ru_utime.tv_sec + (double)self.ru_stime.tv_sec +
            (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
    return m;
}

static int
by_size(const void *x, const void *y)
{
    float a = *(const float *)x, b = *(const float *)y;

    return (a > b) - (a < b);
}

static void
tell(struct machine before, double took)
{
    struct machine now = machine_now();
    unsigned n = shared->n;

    qsort(shared->ms, n, sizeof *shared->ms, by_size);
    printf("%.0f links/s of %llu; %u leases: median %.1f ms, 99 %% in %.1f, "
           "99.9 %% in %.1f, most %.1f ms\n",
           (double)shared->links / took, (unsigned long long)set.rate, n,
           n ? shared->ms[n / 2] : 0, n ? shared->ms[n - 1 - n / 100] : 0,
           n ? shared->ms[n - 1 - n / 1000] : 0, n ? shared->ms[n - 1] : 0);
    printf(
        "the service's processor time %.2f s of %.1f s; the machine was busy "
        "for %.1f s, stolen %.2f s\n",
        now.own - before.own, took, now.busy - before.busy,
        now.steal - before.steal);
}

static void
measure(void)
{
    struct frontier_service *s;
    struct machine before;
    double start;

    if (frontier_service_start(&s, dir, &o) != ST_OK) {
        shared->stop = true;
        return;
    }
    shared->ready = true;
    clock_sleep_ms(set.warm * 1000);
    before = machine_now();
    start = seconds(CLOCK_MONOTONIC);
    shared->measure = true;
    clock_sleep_ms(set.seconds * 1000);
    shared->measure = false;
    tell(before, seconds(CLOCK_MONOTONIC) - start);
    shared->stop = true;
    while (wait(NULL) > 0)
        ;
    frontier_service_stop(s);
}

static void
read_settings(int argc, char **argv)
{
    const struct {
        const char *name;
        uint64_t *to;
    } known[] = {
        {"rate", &set.rate},   {"clients", &set.clients},
        {"warm", &set.warm},   {"seconds", &set.seconds},
        {"pages", &set.pages}, {"links", &set.links},
        {"known", &set.known}, {"hosts", &set.hosts},
        {"store", &set.store}, {"every", &set.every},
    };

    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        size_t n = value ? (size_t)(value - argv[i]) : 0;

        if (n == 4 && strncmp(argv[i], "sync", 4) == 0)
            set.sync = value + 1;
        for (size_t k = 0; k < sizeof known / sizeof *known && n > 0; k++)
            if (strncmp(argv[i], known[k].name, n) == 0 &&
                known[k].name[n] == '\0')
                *known[k].to = strtoull(value + 1, NULL, 10);
    }
    if (set.clients > CLIENTS_MAX)
        set.clients = CLIENTS_MAX;
}

int
main(int argc, char **argv)
{
    read_settings(argc, argv);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    dir = help_folder();
    snprintf(url, sizeof url, "ipc://%s.sock", dir);
    o = help_opts();
    o.frontier_map_gib = 16;
    o.frontier_url = str_c(url);
    o.frontier_sync = str_c(set.sync);
    o.politeness_delay_ms = 0;
    fill();
    fflush(stdout);
    for (uint64_t i = 0; i <= set.clients; i++)
        if (fork() == 0) {
            if (i == set.clients)
                lease();
            else if (set.rate > 0)
                load(i);
            _exit(0);
        }
    measure();
    folder_remove(dir);
    unlink(url + strlen("ipc://"));
    opts_free(&o);
    return 0;
}
