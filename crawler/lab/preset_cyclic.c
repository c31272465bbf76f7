/* preset_cyclic.c -- five phases.  Published: a breadth-first crawl that is
 * stopped now and then and begun anew from the targets of good links yields
 * more, for a short spell each time.  Ours beside it: the same number of pages
 * by a frontier that prioritises all the time.
 *
 * A cycle begins from the links found so far whose target was not fetched, in
 * pages of badness 10 or less and blocks of boilerplate value 0.5 or less (the
 * published cuts); if there are none, from every such link.  What was fetched
 * or kept in earlier phases is neither fetched nor kept again. */
#include "base/memory.h"
#include "crawler/plot/plot.h"
#include "findings.h"
#include "preset.h"

#include <stdlib.h>

enum { PHASES = FINDINGS_PHASES, SNAPSHOTS = 20 };

struct snapshots { /* yields, over the whole crawl */
    double page[PHASES * SNAPSHOTS], yield[PHASES * SNAPSHOTS];
    size_t n;
};

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
        const struct web_link *l = &c->e->web->link[r->link[i].link];
        const struct web_page *from = &c->e->web->page[r->link[i].page];

        c->found[l->to] = true;
        c->good[l->to] |= from->has_badness &&
                          (double)from->badness <= FINDINGS_BADNESS_CUT &&
                          (double)l->boilerplate <= FINDINGS_CUT;
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
row(struct lab_table *t, struct str how, size_t phase,
    const struct measure_fit *fit)
{
    table_text(t, how);
    table_count(t, phase + 1);
    table_count(t, fit->to - fit->from);
    table_real(t, fit->yield, 3);
    table_real(t, fit->intercept, 3);
    table_real(t, fit->slope, 3);
    table_real(t, fit->adjusted, 3);
}

/* Add `parts` snapshots of a run, whose first page is number `from`. */
static void
take_snapshots(struct snapshots *s, const struct sim_run *r, size_t parts,
               double from)
{
    for (size_t i = 0; i < parts; i++) {
        size_t first = r->fetches_n * i / parts,
               end = r->fetches_n * (i + 1) / parts, kept = 0;

        for (size_t k = first; k < end; k++)
            kept += r->fetch[k].kept;
        if (end == first)
            continue;
        s->page[s->n] = from + (double)(first + end) / 2;
        s->yield[s->n++] = (double)kept / (double)(end - first);
    }
}

static enum status
in_cycles(struct cycle *c, uint64_t pages, struct lab_table *t,
          struct snapshots *snapshots, uint64_t *kept, uint64_t *fetched)
{
    const struct experiment *e = c->e;
    struct opts o = *e->opts;
    struct sim_setup setup = experiment_setup(e, &o, S("bfs"));
    struct measure_fit fit;
    struct sim_run r;
    enum status st = ST_OK;

    setup.admitted = c->admitted;
    setup.before = c->before;
    setup.watch_links = true;
    setup.pages_max = pages;
    experiment_pace(e, &setup);
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
        measure_fit(&fit, &r, 0, 1);
        row(t, S("cyclic"), phase, &fit);
        take_snapshots(snapshots, &r, SNAPSHOTS, (double)(phase * pages));
        note_links(c, &r);
        *kept += r.kept;
        *fetched += r.fetches_n;
        sim_free(&r);
    }
    return st;
}

static void
sum(struct lab_table *t, struct str how, const struct spread *kept,
    const struct spread *yield)
{
    table_text(t, how);
    table_spread(t, kept, 0);
    table_spread(t, yield, 3);
}

static void
sum_cycles(struct lab_table *t, double kept, double fetched)
{
    double yield = fetched > 0 ? kept / fetched : 0;

    sum(t, S("cyclic"), &(struct spread){kept, kept, kept},
        &(struct spread){yield, yield, yield});
}

static void
plot(const struct snapshots *cyclic, const struct findings *f, uint64_t pages,
     struct buf *out)
{
    size_t n = f->e->arms_n;
    struct snapshots *of = memory_need(calloc(n + 1, sizeof *of));
    struct plot_series *s = memory_need(calloc(n + 1, sizeof *s));
    double mark[PHASES - 1];
    const struct plot all = {.title = "Yield of snapshots, five phases",
                             .x_name = "pages fetched",
                             .y_name = "kept / fetched in the snapshot",
                             .series = s,
                             .n = n + 1,
                             .mark = mark,
                             .marks_n = PHASES - 1};

    for (size_t i = 0; i < PHASES - 1; i++)
        mark[i] = (double)((i + 1) * pages);
    s[0] = (struct plot_series){.name = S("cyclic"),
                                .x = cyclic->page,
                                .y = cyclic->yield,
                                .n = cyclic->n};
    for (size_t i = 0; i < n; i++) {
        take_snapshots(&of[i], &f->e->arm[i].run[0], PHASES * SNAPSHOTS, 0);
        s[i + 1] = (struct plot_series){.name = f->e->arm[i].name,
                                        .x = of[i].page,
                                        .y = of[i].yield,
                                        .n = of[i].n,
                                        .thin = true,
                                        .colour = (unsigned)i + 1};
    }
    plot_svg(out, &all);
    free(of);
    free(s);
}

static void
tell_snapshots(struct lab_table *t, struct str how, const struct snapshots *s)
{
    t->data = true;
    for (size_t i = 0; i < s->n; i++) {
        table_text(t, how);
        table_real(t, s->page[i], 1);
        table_real(t, s->yield[i], 4);
    }
}

/* The crawls that prioritise all the time. */
static void
tell_arms(const struct findings *f, struct lab_table *t, struct lab_table *all,
          struct lab_table *snapshots)
{
    for (size_t i = 0; i < f->e->arms_n; i++) {
        struct snapshots s = {.n = 0};

        for (size_t phase = 0; phase < PHASES; phase++)
            row(t, f->of[i].arm->name, phase, &f->of[i].fit[phase]);
        sum(all, f->of[i].arm->name, &f->of[i].kept, &f->of[i].yield);
        take_snapshots(&s, &f->e->arm[i].run[0], PHASES * SNAPSHOTS, 0);
        tell_snapshots(snapshots, f->of[i].arm->name, &s);
    }
}

static enum status
run_cycles(struct cycle *c, struct experiment *e, struct arena *a,
           struct table_list *out, struct buf *plots)
{
    uint64_t pages = e->pages_max / PHASES ? e->pages_max / PHASES : 1,
             kept = 0, fetched = 0;
    struct lab_table *t = table_new(
        a, "preset_cyclic", "Linear fits of the yield in five phases",
        "cyclic: breadth first, begun anew from good links at every phase; the "
        "others: one crawl, parted into five. Yield of a snapshot (a twentieth "
        "of the phase) = intercept + slope * thousands of pages. Published: "
        "yield from above 0.2 after each new beginning down to 0.05, nearly "
        "linear (WAC-9 2014).",
        "order phase pages yield_ratio intercept slope adjusted_R2");
    struct lab_table *all = table_new(a, "preset_cyclic_sum", "All phases", "",
                                      "order kept yield_ratio");
    struct lab_table *each = table_new(a, "preset_cyclic_snapshots",
                                       "Snapshots", "", "order page yield");
    struct snapshots snapshots = {.n = 0};
    struct findings *f;
    enum status st = in_cycles(c, pages, t, &snapshots, &kept, &fetched);

    e->pages_max = pages * PHASES;
    if (st != ST_OK || (st = experiment_run(e)) != ST_OK)
        return st;
    f = findings_make(e, e->opts->frontier_random_seed);
    sum_cycles(all, (double)kept, (double)fetched);
    tell_snapshots(each, S("cyclic"), &snapshots);
    tell_arms(f, t, all, each);
    plot(&snapshots, f, pages, plots);
    findings_free(f);
    table_list_add(out, all);
    table_list_add(out, t);
    table_list_add(out, each);
    return ST_OK;
}

static enum status
run(struct experiment *e, struct arena *a, struct table_list *out,
    struct buf *plots)
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
    st = run_cycles(&c, e, a, out, plots);
    free(c.admitted);
    free(c.found);
    free(c.good);
    free(c.before);
    free(c.seed);
    return st;
}

const struct preset preset_cyclic = {
    .name = "cyclic",
    .pages = true,
    .help = "five phases with cyclic selection against one crawl",
    .run = run,
};
