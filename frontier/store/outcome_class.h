/* outcome_class.h -- why a page was not kept, and how often that happened. */
#ifndef FRONTIER_OUTCOME_CLASS_H
#define FRONTIER_OUTCOME_CLASS_H

#include <stdint.h>

#include "winnow/str.h"

enum outcome_class {
    CLASS_KEPT,
    CLASS_SHORT,
    CLASS_LANGUAGE,
    CLASS_BADNESS,
    CLASS_EXACT,
    CLASS_NEAR,
    CLASS_OTHER,
    CLASS_ERROR,
    CLASS_REFUSED,  /* not fetched: robots.txt, scope */
    CLASS_REDIRECT, /* fetched, not a page */
    /* Counted beside those: the latest pages that a link led to (no seeds), and
       how many of them were not there (link_rot.h). */
    CLASS_LINKS,
    CLASS_LINKS_DEAD,
    /* And what its pages have led to on their host: new links, those of them
       that have ended, and those that were kept (hub.h). */
    CLASS_OPENED,
    CLASS_OUTLINKS,
    CLASS_OUTLINKS_KEPT,
    CLASS_N
};

enum outcome_class outcome_class_of(struct str reason); /* of a fetched page */
/* Of one that failed: another page was sent in its place (`challenge` ...), or
 * it is not there. */
enum outcome_class outcome_class_of_failure(struct str reason);
bool outcome_is_interstitial(struct str reason);
const char *outcome_class_name(enum outcome_class c);

struct outcome_counts { /* how pages ended, counted */
    uint32_t n[CLASS_N];
};

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
