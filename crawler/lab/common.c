/* common.c -- see common.h: the runs of each link are counted. */
#include "common.h"

#include "base/memory.h"

#include <stdlib.h>

static bool
counts(const struct experiment *e, size_t arm, bool any_scorer)
{
    return !any_scorer || e->arm[arm].oracle == ORACLES_N;
}

void
common_make(struct common *c, const struct experiment *e)
{
    size_t links = e->web->links_n, runs = 0;
    uint32_t *by = memory_need(calloc(links + 1, sizeof *by));
    bool any_scorer = false, *some = memory_need(calloc(links + 1, 1));

    *c = (struct common){.is = memory_need(calloc(links + 1, sizeof *c->is))};
    for (size_t i = 0; i < e->arms_n; i++)
        any_scorer |= e->arm[i].oracle == ORACLES_N;
    for (size_t i = 0; i < e->arms_n; i++) {
        if (!counts(e, i, any_scorer))
            continue;
        for (size_t k = 0; k < e->arm[i].runs_n; k++, runs++) {
            const struct sim_run *r = &e->arm[i].run[k];

            for (size_t l = 0; l < r->links_n; l++) {
                uint32_t link = r->link[l].link;

                by[link] += by[link] == runs; /* once a run */
                some[link] = true;
            }
        }
    }
    for (size_t i = 0; i < links; i++) {
        c->is[i] = runs > 0 && by[i] == runs;
        c->n += c->is[i];
        c->some += some[i];
    }
    free(by);
    free(some);
}

void
common_free(struct common *c)
{
    free(c->is);
    *c = (struct common){0};
}
