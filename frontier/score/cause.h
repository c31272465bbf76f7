/* cause.h -- why a page was not kept, and how often that happened. */
#ifndef FRONTIER_CAUSE_H
#define FRONTIER_CAUSE_H

#include <stdint.h>

#include "winnow/str.h"

enum cause {
    CAUSE_KEPT,
    CAUSE_SHORT,
    CAUSE_LANGUAGE,
    CAUSE_BADNESS,
    CAUSE_EXACT,
    CAUSE_NEAR,
    CAUSE_OTHER,
    CAUSE_ERROR,
    CAUSE_REFUSED,  /* not fetched: robots.txt, scope */
    CAUSE_REDIRECT, /* fetched, not a page */
    /* Counted beside those: the latest pages that a link led to (no seeds), and
       how many of them were not there (alive.h). */
    CAUSE_LINKS,
    CAUSE_LINKS_DEAD,
    /* And what its pages have led to on their host: new links, those of them
       that have ended, and those that were kept (hub.h). */
    CAUSE_OPENED,
    CAUSE_HEIRS,
    CAUSE_HEIRS_KEPT,
    CAUSE_N
};

enum cause cause_of(struct str reason); /* of a fetched page */
/* Of one that failed: another page was sent in its place (`challenge` ...), or
 * it is not there. */
enum cause cause_of_failure(struct str reason);
bool cause_is_interstitial(struct str reason);
const char *cause_name(enum cause c);

struct causes { /* how pages ended, counted */
    uint32_t n[CAUSE_N];
};

/* Pages of which the text could be judged: kept, short, another language, bad
 * text.  The rest were wasted fetches: gone, copies, not to be indexed. */
static inline uint64_t
causes_judged(const struct causes *c)
{
    return (uint64_t)c->n[CAUSE_KEPT] + c->n[CAUSE_SHORT] +
           c->n[CAUSE_LANGUAGE] + c->n[CAUSE_BADNESS];
}

static inline uint64_t
causes_wasted(const struct causes *c)
{
    return (uint64_t)c->n[CAUSE_ERROR] + c->n[CAUSE_EXACT] + c->n[CAUSE_NEAR] +
           c->n[CAUSE_OTHER];
}

static inline uint64_t
causes_pages(const struct causes *c) /* what the yield ratio divides by */
{
    return causes_judged(c) + causes_wasted(c);
}

static inline uint64_t
causes_there(const struct causes *c) /* pages that were there */
{
    return causes_pages(c) - c->n[CAUSE_ERROR];
}

#endif
