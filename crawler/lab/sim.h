/* sim.h -- a crawl of a recorded web in virtual time.
 *
 * The frontier is the real one (frontier/frontier.h), so are its scorers, its
 * politeness and patience, robots.txt, the meaning of answers (outcome.h), and
 * the dedup index, which sees documents in the order of this crawl: "kept"
 * means what it means in a live crawl.  What is simulated is the network:
 *
 *   - a fetch, of a page or a robots.txt, takes fetch_ms;
 *   - the next one starts no sooner than 1/rate s after the one before, when
 *     a slot of fetch.parallel is free;
 *   - nothing else takes time.
 *
 * With delay 0, no rate and fetch_ms 0 every host is always due, and each
 * lease knows the outcome of the last page. */
#ifndef LAB_SIM_H
#define LAB_SIM_H

#include <stdio.h>

#include "clean/language/link_words.h"
#include "clean/scope/scope.h"
#include "frontier/frontier_lab.h"
#include "web.h"

struct sim_setup {
    const struct web *web;
    const struct opts *opts;   /* frontier.scorer, politeness, limits.depth */
    const struct scope *scope; /* what may be fetched and kept */
    const bool *admitted;      /* by page: scope admits it; NULL: all */
    bool *asked; /* by page, set where its host was asked for it; or NULL */
    const uint32_t *seed; /* pages */
    size_t seeds_n;
    const struct link_words_model *link_words; /* of seeds' paths; NULL */
    const uint32_t *before; /* pages kept by an earlier crawl: duplicates ... */
    size_t before_n;        /* ... of them are not kept again */
    uint64_t pages_max;     /* fetched pages; 0: until nothing is left */
    double patience;        /* of every scorer: see frontier.patience */
    double rate;            /* fetches a second; 0: no bound */
    uint64_t fetch_ms;
    const float *worth; /* by page: what scorer oracle says; NULL: nothing */
    FILE *lessons;      /* what scorer learned learns, a line each; NULL */
    struct progress *progress; /* counts fetches; NULL */
    bool watch_links;          /* collect the scores of links: sim_run.link */
};

struct sim_fetch { /* a fetched page, in the order of their ends */
    uint32_t page, depth;
    float score;
    uint8_t reject; /* enum verdict, of an HTML page */
    bool document, kept;
    uint64_t at_ms; /* since the start */
};

struct sim_link {        /* a link when the frontier scored it */
    uint32_t link, page; /* number in the web; the page it stands on */
    uint32_t at;         /* pages fetched so far, that one too */
    float score;
};

struct sim_run {
    struct sim_fetch *fetch;
    size_t fetches_n;
    struct sim_link *link;
    size_t links_n;
    uint64_t kept, fetched_bytes, kept_bytes;
    uint64_t robots, redirects, disallowed;
    uint64_t not_recorded; /* leased, but the web does not know them */
    uint64_t ms;           /* virtual time */
    uint64_t idle_ms;      /* of slots that patience left idle */
    bool ended;            /* nothing was left; else pages_max was reached */
};

/* ST_STORE, ST_FULL, ST_IO: reported.  End with sim_free(). */
enum status sim_run(struct sim_run *out, const struct sim_setup *with);
void sim_free(struct sim_run *r);

#endif
