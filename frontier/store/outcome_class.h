/* outcome_class.h -- how often pages ended as what (enum outcome_class). */
#ifndef FRONTIER_OUTCOME_CLASS_H
#define FRONTIER_OUTCOME_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/verdict.h"

enum { /* counted beside enum outcome_class */
       /* the latest pages that a link led to (no seeds), and how many of them
          were not there (link_rot.h) */
       CLASS_LINKS = CLASS_NONE,
       CLASS_LINKS_DEAD,
       /* and what its pages have led to on their host: new links, the latest of
          them that have ended, and how many of those were kept
          (fetch_value.h) */
       CLASS_OPENED,
       CLASS_OUTLINKS,
       CLASS_OUTLINKS_KEPT,
       CLASS_N
};

const char *outcome_class_name(int c); /* static */

struct outcome_counts { /* how pages ended, counted */
    uint32_t n[CLASS_N];
};

/* One more of the latest `all` of a URL class, which is one of `these` or not;
 * the host has the sums of its URL classes.  Only the latest count, as a crawl
 * takes the best first: what comes late is worse than what came early. */
void outcomes_count_latest(struct outcome_counts *url_class,
                           struct outcome_counts *host, int all, int these,
                           bool is);

/* Pages of which the text could be judged: kept, short, another language, bad
 * text.  The rest were wasted fetches: gone, copies, not to be indexed. */
static inline uint64_t
outcomes_judged(const struct outcome_counts *c)
{
    return (uint64_t)c->n[CLASS_KEPT] + c->n[CLASS_SHORT] +
           c->n[CLASS_LANGUAGE] + c->n[CLASS_BADNESS];
}

static inline uint64_t
outcomes_wasted(const struct outcome_counts *c)
{
    return (uint64_t)c->n[CLASS_ERROR] + c->n[CLASS_EXACT] + c->n[CLASS_NEAR] +
           c->n[CLASS_OTHER];
}

static inline uint64_t
outcomes_pages(
    const struct outcome_counts *c) /* what the yield ratio divides by */
{
    return outcomes_judged(c) + outcomes_wasted(c);
}

static inline uint64_t
outcomes_there(const struct outcome_counts *c) /* pages that were there */
{
    return outcomes_pages(c) - c->n[CLASS_ERROR];
}

#endif
