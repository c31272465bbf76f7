/* crawl.h -- one crawl, from start to a state that can be resumed. */
#ifndef CRAWLER_CRAWL_H
#define CRAWLER_CRAWL_H

#include "crawler/job/job.h"

struct crawl_setup {
    const struct opts *opts;
    const char *dir;          /* all state lives here; created */
    const char *const *seeds; /* of --seed */
    size_t seeds_n;
    const char *again; /* a file of seeds, in place of the job's, that are
                          fetched once more; NULL: none */
    bool no_seeds;     /* it is no fault that there are none */
    bool quiet;        /* no status line */
    bool change;       /* --change: the corpus may be of another job */
    struct job *job;   /* of these opts: what DIR/job is to hold */
};

/* Runs until the budget is spent, nothing is left, or a signal; returns an exit
 * code of command.h.  Blocks SIGINT, SIGTERM and SIGHUP in the calling thread
 * and all threads it makes, and reads them itself. */
int crawl_run(const struct crawl_setup *setup);

#endif
