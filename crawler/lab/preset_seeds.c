/* preset_seeds.c -- does the yield of a set of seeds predict the yield of the
 * crawl from it?  Hosts are sorted by the share of their seeds that is kept
 * (equal ones at random) and parted into SETS sets of about as many seeds, so
 * that sets from the worst to the best are there.  From each, a breadth-first
 * crawl fetches PAGES_EACH pages for a seed.  The yield of the crawl is that of
 * what it found: its seeds are left out. */
#include "base/memory.h"
#include "base/pool.h"
#include "base/random.h"
#include "crawler/plot/plot.h"
#include "measure.h"
#include "preset.h"

#include <math.h>
#include <stdlib.h>

enum { SETS = 30, PAGES_EACH = 10 };

struct deal {
    struct experiment *e;
    uint32_t *seed[SETS];
    size_t seeds_n[SETS];
    uint64_t fetched[SETS][2], kept[SETS][2]; /* [1]: beyond the seeds */
};

struct seed_host { /* with seeds */
    uint32_t seeds, kept;
    uint64_t chance;
    uint32_t host;
};

static int
by_yield(const void *x, const void *y)
{
    const struct seed_host *a = x, *b = y;
    uint64_t ab = (uint64_t)a->kept * b->seeds,
             ba = (uint64_t)b->kept * a->seeds;

    if ((a->seeds > 0) != (b->seeds > 0))
        return a->seeds > 0 ? 1 : -1;
    if (ab != ba)
        return ab < ba ? -1 : 1;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

/* set[host]: where its seeds go. */
static void
part(const struct experiment *e, uint8_t *set)
{
    struct random random = random_seed(e->opts->frontier_random_seed);
    uint32_t hosts = e->web->hosts.n;
    struct seed_host *h = memory_need(calloc(hosts + (size_t)1, sizeof *h));
    uint64_t before = 0, all = e->seeds_n > 0 ? e->seeds_n : 1;

    for (uint32_t i = 0; i < hosts; i++)
        h[i] = (struct seed_host){.host = i, .chance = random_u64(&random)};
    for (size_t i = 0; i < e->seeds_n; i++) {
        struct seed_host *at = &h[e->web->page[e->seed[i]].host];

        at->seeds++;
        at->kept += e->keepable[e->seed[i]];
    }
    qsort(h, hosts, sizeof *h, by_yield);
    for (uint32_t i = 0; i < hosts; i++) {
        set[h[i].host] = (uint8_t)(before * SETS / all);
        before += h[i].seeds;
        if (set[h[i].host] >= SETS)
            set[h[i].host] = SETS - 1;
    }
    free(h);
}

static uint64_t
budget(const struct deal *d, size_t set)
{
    return (uint64_t)d->seeds_n[set] * PAGES_EACH;
}

static void
deal_out(struct deal *d)
{
    const struct experiment *e = d->e;
    uint8_t *set = memory_need(calloc(e->web->hosts.n + (size_t)1, 1));

    part(e, set);
    for (size_t i = 0; i < SETS; i++)
        d->seed[i] = memory_need(calloc(e->seeds_n, sizeof *d->seed[i]));
    for (size_t i = 0; i < e->seeds_n; i++) {
        uint8_t s = set[e->web->page[e->seed[i]].host];

        d->seed[s][d->seeds_n[s]++] = e->seed[i];
    }
    d->e->pages_max = 0;
    for (size_t i = 0; i < SETS; i++)
        if (d->e->pages_max < budget(d, i))
            d->e->pages_max = budget(d, i);
    free(set);
}

static enum status
crawl(void *deal, size_t i, size_t thread)
{
    struct deal *d = deal;
    struct opts o = *d->e->opts;
    struct sim_setup setup = experiment_setup(d->e, &o, S("bfs"));
    struct sim_run r;
    enum status st;

    (void)thread;
    if (d->seeds_n[i] == 0)
        return ST_OK;
    setup.seed = d->seed[i];
    setup.seeds_n = d->seeds_n[i];
    setup.pages_max = budget(d, i);
    experiment_pace(d->e, &setup);
    if ((st = sim_run(&r, &setup)) != ST_OK)
        return st;
    for (size_t k = 0; k < r.fetches_n; k++) {
        d->fetched[i][r.fetch[k].depth > 0]++;
        d->kept[i][r.fetch[k].depth > 0] += r.fetch[k].kept;
    }
    sim_free(&r);
    return ST_OK;
}

static double
yield(const struct deal *d, size_t i, int beyond)
{
    return d->fetched[i][beyond]
               ? (double)d->kept[i][beyond] / (double)d->fetched[i][beyond]
               : 0;
}

struct points { /* sets with a crawl */
    double x[SETS], y[SETS];
    size_t n;
};

static void
tell_sets(const struct deal *d, struct points *p, struct lab_table *t)
{
    for (size_t i = 0; i < SETS; i++) {
        if (d->fetched[i][0] == 0 || d->fetched[i][1] == 0)
            continue;
        p->x[p->n] = yield(d, i, 0);
        p->y[p->n] = yield(d, i, 1);
        table_count(t, i + 1);
        table_count(t, d->seeds_n[i]);
        table_real(t, p->x[p->n], 3);
        table_count(t, d->fetched[i][1]);
        table_count(t, d->kept[i][1]);
        table_real(t, p->y[p->n++], 3);
    }
}

static void
tell_fit(const struct measure_fit *line, size_t n, struct lab_table *t)
{
    table_text(t, S("ours"));
    table_count(t, n);
    table_real(t, n > 2 ? line->intercept : (double)NAN, 3);
    table_real(t, n > 2 ? line->slope : (double)NAN, 3);
    table_real(t, line->adjusted, 3);
    table_text(t, S("published"));
    for (int i = 0; i < 3; i++)
        table_text(t, S("-"));
    table_text(t, S("0.783"));
}

static void
plot(const struct points *p, const struct measure_fit *line, struct buf *out)
{
    double x[SETS], ends[2] = {0, 0}, at[2];
    struct plot_series series[] = {{.name = S("a set of seeds"),
                                    .x = x,
                                    .y = p->y,
                                    .n = p->n,
                                    .points = true},
                                   {.name = S("linear fit"),
                                    .x = ends,
                                    .y = at,
                                    .thin = true,
                                    .colour = 1,
                                    .n = p->n > 2 ? 2 : 0}};
    const struct plot all = {.title = "Yield of seeds and of the crawls from "
                                      "them",
                             .x_name = "yield of the seeds, in percent",
                             .y_name = "yield of the crawl",
                             .series = series,
                             .n = 2};

    for (size_t i = 0; i < p->n; i++) {
        x[i] = 100 * p->x[i];
        ends[1] = fmax(ends[1], x[i]);
    }
    for (int i = 0; i < 2; i++)
        at[i] = line->intercept + line->slope * ends[i] / 100;
    plot_svg(out, &all);
}

static void
tell(const struct deal *d, struct arena *a, struct table_list *out,
     struct buf *plots)
{
    struct lab_table *sets = table_new(
        a, "preset_seeds_sets", "Sets of seeds and the crawls from them", "",
        "set seeds yield_of_seeds fetched kept yield_of_crawl");
    struct lab_table *fit = table_new(
        a, "preset_seeds", "Yield of the seeds against yield of the crawl",
        "Linear fit over the sets (yield of crawl = intercept + slope * yield "
        "of seeds). Published: WAC-9 2014, 20 sets of 1,000 seeds.",
        "figures sets intercept slope adjusted_R2");
    struct points p = {.n = 0};
    struct measure_fit line;

    tell_sets(d, &p, sets);
    measure_line(p.x, p.y, p.n, &line);
    tell_fit(&line, p.n, fit);
    plot(&p, &line, plots);
    table_list_add(out, fit);
    table_list_add(out, sets);
}

static enum status
run(struct experiment *e, struct arena *a, struct table_list *out,
    struct buf *plots)
{
    struct deal d = {.e = e};
    enum status st;

    deal_out(&d);
    st = pool_each(e->threads_n, SETS, crawl, &d);
    if (st == ST_OK)
        tell(&d, a, out, plots);
    for (size_t i = 0; i < SETS; i++)
        free(d.seed[i]);
    return st;
}

const struct preset preset_seeds = {
    .name = "seeds",
    .help = "yield of seeds against yield of the crawl from them",
    .run = run,
};
