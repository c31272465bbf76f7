/* preset_cyclic.c -- five phases.  Published: a breadth-first crawl that is
 * stopped now and then and begun anew from the targets of good links yields
 * more, for a short spell each time.  Ours beside it: the same number of pages
 * by a frontier that prioritises all the time.
 *
 * A cycle begins from the links found so far whose target was not fetched, in
 * pages of badness 10 or less and blocks of boilerplate value 0.5 or less (the
 * published cuts); if there are none, from every such link.  What was fetched
 * or kept in earlier phases is neither fetched nor kept again. */
#include "findings.h"
#include "preset.h"
#include "winnow/memory.h"

#include <stdlib.h>

enum { PHASES = 5 };

struct cycle {
    const struct experiment *e;
    bool *admitted;   /* by page: may be fetched still */
    bool *found;      /* by page: a link leads there */
    bool *good;       /* by page: a good link leads there */
    uint32_t *before; /* kept in earlier phases */
    size_t before_n;
    uint32_t *seed;
    size_t seeds_n;
};

static void
note_links(struct cycle *c, const struct sim_run *r)
{
    for (size_t i = 0; i < r->links_n; i++) {
        const struct sim_link *l = &r->link[i];

        c->found[l->to] = true;
        c->good[l->to] |= l->has_badness &&
                          (double)l->badness <= FINDINGS_BADNESS_CUT &&
                          (double)l->boilerplate <= 0.5;
    }
    for (size_t i = 0; i < r->fetches_n; i++) {
        c->admitted[r->fetch[i].page] = false;
        if (r->fetch[i].kept)
            c->before[c->before_n++] = r->fetch[i].page;
    }
}

static size_t
choose(struct cycle *c, const bool *from)
{
    size_t n = 0;

    for (uint32_t i = 0; i < c->e->web->urls.n; i++)
        if (from[i] && c->admitted[i])
            c->seed[n++] = i;
    return n;
}

static void
row(struct table *t, struct str how, size_t phase, const struct sim_run *r,
    size_t i, size_t n)
{
    struct measure_fit fit;

    measure_fit(&fit, r, i, n);
    table_text(t, how);
    table_count(t, phase + 1);
    table_count(t, fit.to - fit.from);
    table_real(t, fit.yield, 3);
    table_real(t, fit.slope, 3);
    table_real(t, fit.r2, 3);
}

static enum status
in_cycles(struct cycle *c, uint64_t pages, struct table *t, uint64_t *kept)
{
    const struct experiment *e = c->e;
    struct opts o = *e->opts;
    struct sim_setup setup = experiment_setup(e, &o, S("bfs"));
    struct sim_run r;
    enum status st = ST_OK;

    setup.admitted = c->admitted;
    setup.before = c->before;
    setup.watch_links = true;
    setup.pages_max = pages;
    for (size_t phase = 0; phase < PHASES && st == ST_OK; phase++) {
        if (phase > 0) {
            setup.seed = c->seed;
            setup.seeds_n = choose(c, c->good);
            if (setup.seeds_n == 0)
                setup.seeds_n = choose(c, c->found);
        }
        setup.before_n = c->before_n;
        if (setup.seeds_n == 0 || (st = sim_run(&r, &setup)) != ST_OK)
            break;
        row(t, S("cyclic"), phase, &r, 0, 1);
        note_links(c, &r);
        *kept += r.kept;
        sim_free(&r);
    }
    return st;
}

static enum status
at_once(const struct experiment *e, struct str scorer, uint64_t pages,
        struct table *t, uint64_t *kept)
{
    struct opts o = *e->opts;
    struct sim_setup setup = experiment_setup(e, &o, scorer);
    struct sim_run r;
    enum status st;

    setup.pages_max = pages * PHASES;
    if ((st = sim_run(&r, &setup)) != ST_OK)
        return st;
    for (size_t phase = 0; phase < PHASES; phase++)
        row(t, scorer, phase, &r, phase, PHASES);
    *kept = r.kept;
    sim_free(&r);
    return ST_OK;
}

static void
sum(struct table *t, struct str how, uint64_t kept, uint64_t pages)
{
    table_text(t, how);
    table_count(t, kept);
    table_real(t, (double)kept / (double)(pages * PHASES), 3);
}

static enum status
run_cycles(struct cycle *c, struct arena *a, struct table_list *out)
{
    struct experiment *e = (struct experiment *)(uintptr_t)c->e;
    uint64_t pages = e->pages_max / PHASES ? e->pages_max / PHASES : 1,
             kept = 0;
    struct table *t = table_new(
        a, "preset_cyclic", "Five phases",
        "cyclic: breadth first, begun anew from good links at every phase; the "
        "others: one crawl, parted into five.  Slope: change of the yield "
        "ratio in a thousand pages.  Published: yield ratio from 0.05 to above "
        "0.2, for short spells after each new beginning (WAC-9 2014).",
        "order phase pages yield_ratio slope R2");
    struct table *all = table_new(a, "preset_cyclic_sum", "All phases", "",
                                  "order kept yield_ratio");
    enum status st = in_cycles(c, pages, t, &kept);

    if (st == ST_OK)
        sum(all, S("cyclic"), kept, pages);
    for (size_t i = 0; i < e->scorers_n && st == ST_OK; i++) {
        st = at_once(e, e->scorer[i], pages, t, &kept);
        if (st == ST_OK)
            sum(all, e->scorer[i], kept, pages);
    }
    table_list_add(out, t);
    table_list_add(out, all);
    return st;
}

static enum status
run(struct experiment *e, struct arena *a, struct table_list *out)
{
    size_t n = e->web->urls.n;
    struct cycle c = {.e = e,
                      .admitted =
                          memory_need(calloc(n + 1, sizeof *c.admitted)),
                      .found = memory_need(calloc(n + 1, sizeof *c.found)),
                      .good = memory_need(calloc(n + 1, sizeof *c.good)),
                      .before = memory_need(calloc(n + 1, sizeof *c.before)),
                      .seed = memory_need(calloc(n + 1, sizeof *c.seed))};
    enum status st;

    for (size_t i = 0; i < n; i++)
        c.admitted[i] = e->admitted == NULL || e->admitted[i];
    st = run_cycles(&c, a, out);
    free(c.admitted);
    free(c.found);
    free(c.good);
    free(c.before);
    free(c.seed);
    return st;
}

const struct preset preset_cyclic = {
    .name = "cyclic",
    .help = "five phases with cyclic selection against one crawl",
    .run = run,
};
