/* experiment.c -- see experiment.h.  The runs share the web and nothing else,
 * so threads take one each; results do not depend on how many. */
#include "experiment.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/options/scorer_way.h"
#include "base/pool.h"
#include "base/progress.h"
#include "frontier/score/scorer.h"

#include <stdlib.h>

/* ---- scope ---- */

/* Hosts with a page that the record knows. */
static bool *
hosts_inside(const struct web *w)
{
    bool *inside = memory_need(calloc(w->hosts.n + 1, sizeof *inside));

    for (uint32_t i = 0; i < w->urls.n; i++)
        if (w->page[i].known)
            inside[w->page[i].host] = true;
    return inside;
}

static void
admit(struct experiment *e, bool scoped)
{
    const struct web *w = e->web;
    bool *inside = hosts_inside(w);

    e->admitted = memory_need(calloc(w->urls.n + 1, sizeof *e->admitted));
    for (uint32_t i = 0; i < w->urls.n; i++) {
        const struct web_page *p = &w->page[i];

        e->admitted[i] = (!e->leave_out_missing || web_is_document(p) ||
                          p->target != WEB_NONE) &&
                         (!e->inside_only || inside[p->host]) &&
                         (!scoped || scope_admits(e->scope, w->urls.name[i],
                                                  w->host[p->host].name));
    }
    free(inside);
}

static enum status
open_scope(struct experiment *e)
{
    const struct opts *o = e->opts;
    bool scoped = o->scope_tld.n + o->scope_domains.n + o->scope_hosts.n +
                      o->scope_exclude.n + o->scope_exclude_file.n +
                      o->scope_visit.n >
                  0;
    enum status st = scope_open(&e->scope, o);

    if (st == ST_OK && (scoped || e->leave_out_missing || e->inside_only))
        admit(e, scoped);
    return st;
}

struct sim_setup
experiment_setup(const struct experiment *e, struct opts *o, struct str scorer)
{
    size_t oracle = oracle_find(scorer);

    o->frontier_scorer = oracle < ORACLES_N ? S("oracle") : scorer;
    o->limits_host_pages =
        scorer_chooses(scorer) ? 0 : e->opts->limits_host_pages;
    return (struct sim_setup){.web = e->web,
                              .opts = o,
                              .scope = e->scope,
                              .admitted = e->admitted,
                              .seed = e->seed,
                              .seeds_n = e->seeds_n,
                              .link_words = e->link_words,
                              .patience = o->frontier_patience,
                              .progress = e->progress,
                              .worth =
                                  oracle < ORACLES_N ? e->worth[oracle] : NULL};
}

void
experiment_pace(const struct experiment *e, struct sim_setup *setup)
{
    setup->rate = e->rate;
    setup->fetch_ms = e->fetch_ms;
}

bool
experiment_timeless(const struct experiment *e)
{
    return e->opts->politeness_delay_ms == 0;
}

/* ---- the reference ---- */

/* Where a redirect leads in the end, or the page itself. */
static uint32_t
end_of(const struct web *w, uint32_t page, uint64_t redirects_max)
{
    for (uint64_t i = 0; i < redirects_max && w->page[page].target != WEB_NONE;
         i++)
        page = w->page[page].target;
    return page;
}

/* A page under two URLs is kept under one: a link to either leads to what is
 * kept, and so does one to a redirect. */
static void
spread_over_contents(struct experiment *e)
{
    const struct web *w = e->web;
    bool *kept = memory_need(calloc(w->contents_n + (size_t)1, sizeof *kept));

    e->good = memory_need(calloc(w->urls.n + (size_t)1, sizeof *e->good));
    for (uint32_t i = 0; i < w->urls.n; i++)
        if (e->keepable[i] && w->page[i].content != WEB_NONE)
            kept[w->page[i].content] = true;
    for (uint32_t i = 0; i < w->urls.n; i++) {
        uint32_t end = end_of(w, i, e->opts->fetch_redirects_max);
        uint32_t content = w->page[end].content;

        e->good[i] = content != WEB_NONE ? kept[content] : e->keepable[end];
    }
    free(kept);
}

static uint64_t
known_pages(const struct web *w)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < w->urls.n; i++)
        n += w->page[i].known;
    return n;
}

static enum status
reference(struct experiment *e)
{
    const struct web *w = e->web;
    struct opts o = *e->opts;
    struct sim_setup setup = experiment_setup(e, &o, S("bfs"));
    bool *counted = memory_need(calloc(w->contents_n + 1, sizeof *counted));
    struct sim_run r;
    enum status st;

    o.politeness_delay_ms = 0;
    setup.progress = progress_begin("lab reference", "fetches", known_pages(w));
    e->keepable = memory_need(calloc(w->urls.n + 1, sizeof *e->keepable));
    setup.asked = e->asked =
        memory_need(calloc(w->urls.n + 1, sizeof *e->asked));
    e->reached = memory_need(calloc(w->hosts.n + 1, sizeof *e->reached));
    e->had = memory_need(calloc(w->hosts.n + 1, sizeof *e->had));
    if ((st = sim_run(&r, &setup)) == ST_OK) {
        for (size_t i = 0; i < r.fetches_n; i++) {
            const struct sim_fetch *f = &r.fetch[i];
            const struct web_page *p = &w->page[f->page];

            if (!f->document)
                continue;
            e->keepable[f->page] = f->kept;
            e->had[p->host] += f->kept;
            if (p->content != WEB_NONE && counted[p->content])
                continue;
            if (p->content != WEB_NONE)
                counted[p->content] = true;
            e->reached[p->host]++;
            e->pages++;
        }
        e->kept_total = r.kept;
        sim_free(&r);
    }
    free(counted);
    progress_end(setup.progress);
    if (st == ST_OK)
        spread_over_contents(e);
    return st;
}

/* ---- the arms ---- */

/* Is its order drawn?  Not where the scores of links settle it. */
static bool
leaves_to_chance(struct str scorer)
{
    const struct scorer *s = scorer_find(scorer);

    return s != NULL &&
           (s->now != NULL || s->next != NULL || str_eq(scorer, S("random")));
}

static void
add_arm(struct experiment *e, struct str scorer, double patience)
{
    struct experiment_arm *arm = &e->arm[e->arms_n++];
    size_t oracle = oracle_find(scorer);
    struct str name = scorer;

    if (oracle < ORACLES_N)
        name = str_c(experiment_timeless(e)
                         ? oracle_table[oracle].title
                         : oracle_table[oracle].title_with_delays);
    if (e->patiences_n > 1)
        name =
            arena_printf(e->arena, "%.*s, patience %g", STRF(name), patience);
    *arm = (struct experiment_arm){
        .scorer = scorer,
        .name = name,
        .patience = patience,
        .oracle = oracle,
        .runs_n = leaves_to_chance(scorer) ? e->chances_n : 1};
    e->runs_n += arm->runs_n;
}

static void
make_arms(struct experiment *e)
{
    struct sim_run *run;

    e->arena = arena_new();
    e->arm =
        memory_need(calloc(e->scorers_n * e->patiences_n + 1, sizeof *e->arm));
    for (size_t i = 0; i < e->scorers_n; i++)
        for (size_t k = 0; k < e->patiences_n; k++)
            add_arm(e, e->scorer[i], e->patience[k]);
    run = e->run = memory_need(calloc(e->runs_n + 1, sizeof *e->run));
    for (size_t i = 0; i < e->arms_n; i++) {
        e->arm[i].run = run;
        run += e->arm[i].runs_n;
    }
}

static enum status
crawl(void *experiment, size_t i, size_t thread)
{
    struct experiment *e = experiment;
    const struct experiment_arm *arm = e->arm;
    struct opts o = *e->opts;
    struct sim_setup setup;
    size_t chance = i;
    enum status st;

    (void)thread;
    while (chance >= arm->runs_n)
        chance -= arm++->runs_n;
    setup = experiment_setup(e, &o, arm->scorer);
    o.frontier_random_seed += chance;
    setup.patience = arm->patience;
    setup.pages_max = e->pages_max;
    experiment_pace(e, &setup);
    setup.watch_links = true;
    setup.lessons = e->lessons;
    st = sim_run(&e->run[i], &setup);
    if (st == ST_OK && e->run[i].fetches_n < e->pages_max) /* it ended early */
        progress_add(e->progress, e->pages_max - e->run[i].fetches_n);
    return st;
}

static void
ask_oracles(struct experiment *e)
{
    const struct oracle_view v = {e->web,     e->keepable,
                                  e->asked,   e->seed,
                                  e->seeds_n, e->opts->frontier_home_pages};

    for (size_t i = 0; i < ORACLES_N; i++) {
        e->worth[i] =
            memory_need(calloc(e->web->urls.n + 1, sizeof *e->worth[i]));
        oracle_table[i].worth(e->worth[i], &v);
    }
}

enum status
experiment_prepare(struct experiment *e)
{
    enum status st;

    if (e->seeds_n == 0) {
        log_error("lab",
                  "no seed is a page of this web: --seeds FILE names others");
        return ST_USAGE;
    }
    if ((st = open_scope(e)) != ST_OK || (st = reference(e)) != ST_OK)
        return st;
    if (e->pages == 0) {
        log_error("lab",
                  "no HTML page can be reached from the seeds (%zu of them)",
                  e->seeds_n);
        return ST_USAGE;
    }
    if (e->pages_max == 0)
        e->pages_max = (e->pages + 1) / 2;
    if (e->patiences_n == 0)
        e->patience[e->patiences_n++] = e->opts->frontier_patience;
    if (e->chances_n == 0)
        e->chances_n = 1;
    ask_oracles(e);
    return ST_OK;
}

enum status
experiment_run(struct experiment *e)
{
    const bool own = e->progress == NULL; /* a preset has one for all */
    enum status st;

    make_arms(e);
    if (own)
        e->progress =
            progress_begin("lab", "fetches", e->runs_n * e->pages_max);
    /* Lessons stand in the order of the runs: the same bytes every time. */
    st = pool_each(e->lessons != NULL ? 1 : e->threads_n, e->runs_n, crawl, e);
    if (own) {
        progress_end(e->progress);
        e->progress = NULL;
    }
    return st;
}

void
experiment_free(struct experiment *e)
{
    for (size_t i = 0; i < e->runs_n; i++)
        sim_free(&e->run[i]);
    free(e->run);
    free(e->arm);
    arena_free(e->arena);
    free(e->good);
    free(e->keepable);
    free(e->asked);
    free(e->reached);
    for (size_t i = 0; i < ORACLES_N; i++)
        free(e->worth[i]);
    free(e->had);
    free(e->admitted);
    scope_close(e->scope);
}
