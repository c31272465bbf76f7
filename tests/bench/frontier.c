/* The frontier's speed at some millions of URLs: bench_frontier [millions]
 * [hosts] [links a page].  New URLs and known URLs a second through reports of
 * pages (one transaction a page and 100 pages a transaction), leases of 100,
 * bytes on disk, time to open. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../unit/frontier_help.h"
#include "winnow/clock.h"
#include "winnow/log.h"

#define BATCH 100 /* pages of one transaction */

static struct opts o;
static struct frontier *f;
static uint64_t hosts, per_page;

static void
must(enum status st)
{
    if (st == ST_OK)
        return;
    fprintf(stderr, "%s\n", status_name(st));
    exit(1);
}

/* Page number k of a web in which a page links to two hosts. */
static void
links_of(uint64_t k, struct frontier_link *links, struct arena *a)
{
    uint64_t near = hash_mix(k) % hosts, far = hash_mix(~k) % hosts;

    for (uint64_t i = 0; i < per_page; i++) {
        uint64_t host = i % 5 == 0 ? far : near;

        links[i] = (struct frontier_link){
            .url = arena_printf(a, "http://www.host%llu.example/%llu/p%llu",
                                (unsigned long long)host, (unsigned long long)k,
                                (unsigned long long)i),
            .boilerplate = (float)(i % 10) / 10};
    }
}

static double
put(uint64_t from, uint64_t pages, size_t *fresh)
{
    struct arena *a = arena_new();
    struct frontier_link *links = calloc(per_page, sizeof *links);
    struct frontier_put counts = {0};
    struct random r = random_seed(from);
    uint64_t spent = 0;

    for (uint64_t k = from; k < from + pages; k++) {
        struct frontier_parent p = {
            .facts = {.depth = 1,
                      .has_badness = true,
                      .badness = (float)random_below(&r, 50)}};
        uint64_t start;

        arena_reset(a);
        links_of(k, links, a);
        start = clock_steady_ms();
        if (k % BATCH == 0 || k == from)
            must(frontier_begin(f));
        must(frontier_put(f, links, per_page, &p, &counts));
        if (k % BATCH == BATCH - 1 || k + 1 == from + pages)
            must(frontier_commit(f));
        spent += clock_steady_ms() - start;
    }
    *fresh = counts.fresh;
    free(links);
    arena_free(a);
    return (double)spent / 1000;
}

static int
by_size(const void *x, const void *y)
{
    const double *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

static double
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void
lease(void)
{
    enum { ROUNDS = 300, EACH = 100 };
    double us[ROUNDS], done_us = 0;
    struct arena *a = arena_new();
    uint64_t now = 1800000000000, wake;

    for (int i = 0; i < ROUNDS; i++, now += 2000) {
        struct frontier_lease *l;
        size_t n, x, y, z;
        double start = now_us();

        arena_reset(a);
        must(frontier_begin(f));
        must(frontier_lease(f, 1, 0, EACH, now, a, &l, &n, &wake));
        must(frontier_commit(f));
        us[i] = now_us() - start;
        start = now_us();
        must(frontier_begin(f));
        for (size_t k = 0; k < n; k++) {
            struct frontier_done d = help_done(l[k].url, OUTCOME_FETCHED, now);

            must(frontier_done(f, &d, now, &x, &y, &z));
        }
        must(frontier_commit(f));
        done_us += now_us() - start;
    }
    qsort(us, ROUNDS, sizeof *us, by_size);
    printf("lease of %d URLs: median %.0f us, p99 %.0f us; %d reports without "
           "links: mean %.0f us\n",
           EACH, us[ROUNDS / 2], us[ROUNDS * 99 / 100], EACH, done_us / ROUNDS);
    arena_free(a);
}

static double
file_size(const char *dir)
{
    struct stat st;
    char path[128];

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    return stat(path, &st) == 0 ? (double)st.st_blocks * 512 : 0;
}

int
main(int argc, char **argv)
{
    double millions = argc > 1 ? atof(argv[1]) : 2, s;
    const char *dir = help_folder();
    struct frontier_totals t;
    uint64_t pages, start;
    size_t fresh;

    log_threshold = LOG_ERROR;
    hosts = argc > 2 ? (uint64_t)atoll(argv[2]) : 100000;
    per_page = argc > 3 ? (uint64_t)atoll(argv[3]) : 50;
    pages = (uint64_t)(millions * 1e6 / (double)per_page);
    o = help_opts();
    o.frontier_map_gib = 64;
    o.frontier_sync = S("meta");
    must(frontier_open(&f, dir, &o, 0));
    s = put(0, pages, &fresh);
    printf("new URLs: %.0f/s (%zu in %.1f s, %d pages of %llu links a "
           "transaction, sync meta)\n",
           (double)fresh / s, fresh, s, BATCH, (unsigned long long)per_page);
    s = put(0, pages / 2, &fresh);
    printf("known URLs: %.0f/s (%zu new)\n", (double)(pages / 2 * per_page) / s,
           fresh);
    frontier_totals(f, &t, 0);
    printf("disk: %.0f bytes a queued URL (mean length of URLs 40)\n",
           file_size(dir) / (double)t.seen);
    lease();
    frontier_close(f);
    start = clock_steady_ms();
    must(frontier_open(&f, dir, &o, 0));
    printf("open: %llu ms with %llu hosts\n",
           (unsigned long long)(clock_steady_ms() - start),
           (unsigned long long)t.hosts);
    frontier_close(f);
    help_folder_remove(dir);
    return 0;
}
