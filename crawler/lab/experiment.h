/* experiment.h -- the same web crawled once for every scorer, and by none: what
 * there is to be had.
 *
 * The reference is a breadth-first crawl without politeness to its end.  What
 * it fetches as HTML is what can be reached; what it keeps is what can be kept
 * (of pages that duplicate each other, the one it meets first).  Pages are
 * counted as contents: one page under two URLs counts once. */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "oracle.h"
#include "sim.h"

#define EXPERIMENT_SCORERS_MAX 32

struct experiment {
    /* In. */
    const struct web *web;
    const struct opts *opts; /* but for frontier.scorer */
    struct str scorer[EXPERIMENT_SCORERS_MAX];
    size_t scorers_n;
    const uint32_t *seed; /* pages */
    size_t seeds_n;
    uint64_t pages_max; /* of each run; 0: half of the reachable pages */
    double rate;
    uint64_t fetch_ms;
    bool leave_out_missing; /* links to what is no page and no redirect */
    bool inside_only;       /* links to hosts the record knows a page of */
    size_t threads_n;

    /* Out. */
    uint64_t pages;          /* reachable, by content */
    uint64_t kept_total;     /* of them */
    bool *keepable;          /* by page: the reference kept it */
    uint32_t *reached;       /* by host: contents reached there */
    uint32_t *had;           /* by host: documents the reference kept */
    float *worth[ORACLES_N]; /* by page: see oracle.h */
    struct sim_run run[EXPERIMENT_SCORERS_MAX];

    struct scope *scope;
    bool *admitted;
};

/* The reference: all of "out" but the runs.  ST_USAGE: no seed leads to a page
 * (reported). */
enum status experiment_prepare(struct experiment *e);
/* Then the crawl of every scorer. */
enum status experiment_run(struct experiment *e);
/* How a crawl with this scorer begins; *o is a copy of e->opts. */
struct sim_setup experiment_setup(const struct experiment *e, struct opts *o,
                                  struct str scorer);
void experiment_free(struct experiment *e);

#endif
