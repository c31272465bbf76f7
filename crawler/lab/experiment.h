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
#define EXPERIMENT_PATIENCES_MAX 8
#define EXPERIMENT_CHANCES_MAX 100

/* A scorer with a patience, crawled once for every random seed; once only
 * when it leaves nothing to chance. */
struct experiment_arm {
    struct str scorer; /* as given */
    struct str name;   /* what it is called in tables */
    double patience;
    size_t oracle; /* in oracle_table; ORACLES_N: it is none */
    struct sim_run *run;
    size_t runs_n;
};

struct experiment {
    /* In. */
    const struct web *web;
    const struct opts *opts; /* but for frontier.scorer */
    struct str scorer[EXPERIMENT_SCORERS_MAX];
    size_t scorers_n;
    double patience[EXPERIMENT_PATIENCES_MAX]; /* every scorer with each; ... */
    size_t patiences_n;   /* ... 0: with frontier.patience */
    size_t chances_n;     /* runs of each, with random seeds that follow each
                             other from frontier.random_seed on; 0: one */
    const uint32_t *seed; /* pages */
    size_t seeds_n;
    struct link_words_model *link_words; /* see sim.h */
    uint64_t pages_max; /* of each run; 0: half of the reachable pages */
    double rate;
    uint64_t fetch_ms;
    bool leave_out_missing; /* links to what is no page and no redirect */
    FILE *lessons;          /* see sim.h */
    bool inside_only;       /* links to hosts the record knows a page of */
    size_t threads_n;
    struct progress *progress; /* of all runs; NULL: none */

    /* Out. */
    uint64_t pages;          /* reachable, by content */
    uint64_t kept_total;     /* of them */
    bool *asked;             /* by page: the reference did, redirects, too */
    bool *keepable;          /* by page: the reference kept it ... */
    bool *good;              /* ... or what it leads to, or its content
                                under another URL */
    uint32_t *reached;       /* by host: contents reached there */
    uint32_t *had;           /* by host: documents the reference kept */
    float *worth[ORACLES_N]; /* by page: see oracle.h */
    struct experiment_arm *arm;
    size_t arms_n;
    struct arena *arena; /* of their names */
    struct sim_run *run; /* of all arms, one behind the other */
    size_t runs_n;

    struct scope *scope;
    bool *admitted;
};

/* The reference: all of "out" but arms and runs.  ST_USAGE: no seed leads to a
 * page (reported). */
enum status experiment_prepare(struct experiment *e);
/* Then the crawls of every arm. */
enum status experiment_run(struct experiment *e);
/* Is a fetch the only cost, so that ceiling is one? */
bool experiment_timeless(const struct experiment *e);
/* How a crawl with this scorer begins; *o is a copy of e->opts. */
struct sim_setup experiment_setup(const struct experiment *e, struct opts *o,
                                  struct str scorer);
/* As fast as the crawls of every arm; the reference takes no time. */
void experiment_pace(const struct experiment *e, struct sim_setup *setup);
void experiment_free(struct experiment *e);

#endif
