/* oracle.h -- what crawlers would do that knew the web: bounds for the others.
 *
 *   greedy     the greedy oracle knows of each queued URL whether it will be
 *              kept.  It makes no progress when all that is kept lies behind an
 *              index page: a greedy order, no bound.
 *   ceiling    knows the paths, too: of a page that is not kept, whether it
 *              lies on a shortest path (fewest such pages) from the seeds to
 *              pages that are, and what share of the pages behind it on such
 *              paths these are.  No order can do much better while a fetch is
 *              all that costs.  With delays between the fetches of a host, an
 *              order that fetches from many hosts at once may; the tables then
 *              call it the ceiling without delays.
 *   patterns   knows of each host what share of its URLs of a kind (the finest
 *              of frontier/store/url_class.h) is kept, which is the most that
 *              its yields can ever teach: what it misses is noise to whoever
 *              goes by hosts and URL patterns.
 *
 * `oracle` and `foresight` are older names of the first two. */
#ifndef LAB_ORACLE_H
#define LAB_ORACLE_H

#include "web.h"

struct oracle_view {
    const struct web *web;
    const bool *keepable; /* by page */
    const bool *open;     /* by page: a crawl of everything asked for it */
    const uint32_t *seed;
    size_t seeds_n;
    bool home_pages; /* as frontier.home_pages */
};

enum { ORACLES_N = 3 };

struct oracle {
    const char *name;  /* as a scorer */
    const char *alias; /* an older name; NULL: none */
    const char
        *title; /* in tables and plots, where a fetch is all that costs */
    const char *title_with_delays; /* ... and where hosts have delays */
    /* worth[page], zeros before: 1 kept .. 0 of no use. */
    void (*worth)(float *worth, const struct oracle_view *v);
};

extern const struct oracle oracle_table[ORACLES_N];

/* Number of the one with this name; ORACLES_N: none. */
size_t oracle_find(struct str name);

#endif
