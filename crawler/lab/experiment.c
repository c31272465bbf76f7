/* experiment.c -- see experiment.h.  The runs share the web and nothing else,
 * so threads take one scorer each; results do not depend on how many. */
#include "experiment.h"

#include "pool.h"
#include "winnow/log.h"
#include "winnow/memory.h"

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
    return (struct sim_setup){.web = e->web,
                              .opts = o,
                              .scope = e->scope,
                              .admitted = e->admitted,
                              .seed = e->seed,
                              .seeds_n = e->seeds_n,
                              .worth =
                                  oracle < ORACLES_N ? e->worth[oracle] : NULL};
}

/* ---- the reference ---- */

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
    e->keepable = memory_need(calloc(w->urls.n + 1, sizeof *e->keepable));
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
    return st;
}

/* ---- the scorers ---- */

static enum status
crawl(void *experiment, size_t i)
{
    struct experiment *e = experiment;
    struct opts o = *e->opts;
    struct sim_setup setup = experiment_setup(e, &o, e->scorer[i]);

    setup.pages_max = e->pages_max;
    setup.rate = e->rate;
    setup.fetch_ms = e->fetch_ms;
    setup.watch_links = true;
    return sim_run(&e->run[i], &setup);
}

static void
ask_oracles(struct experiment *e)
{
    const struct oracle_view v = {e->web, e->keepable, e->admitted, e->seed,
                                  e->seeds_n};

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
        log_error("lab", "no seed is a page of this web");
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
    ask_oracles(e);
    return ST_OK;
}

enum status
experiment_run(struct experiment *e)
{
    return pool_each(e->threads_n, e->scorers_n, crawl, e);
}

void
experiment_free(struct experiment *e)
{
    for (size_t i = 0; i < e->scorers_n; i++)
        sim_free(&e->run[i]);
    free(e->keepable);
    free(e->reached);
    for (size_t i = 0; i < ORACLES_N; i++)
        free(e->worth[i]);
    free(e->had);
    free(e->admitted);
    scope_close(e->scope);
}
