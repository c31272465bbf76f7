/* home_pages.h -- the home page of a host, queued as one link more when the
 * first link to that host comes in (frontier.home_pages).
 *
 * What leads to a host is often dead, or an odd page of it: its home page is
 * there nearly always and leads to the rest.  It is queued like the link that
 * the host was met with, from the same page and the same block, but known as a
 * link that nobody has written (LINK_PATH_HOME), so that what comes of such
 * pages is learnt apart.
 *
 * Once a host: when its row is made, in the same transaction.  Not while
 * HOME_PAGES_QUEUED URLs of its registered domain are queued: names without end
 * below one domain get no more.  A home page has a place in the quotas like any
 * link, and whether it is in scope asks who fetches it, as of every lease. */
#ifndef FRONTIER_HOME_PAGES_H
#define FRONTIER_HOME_PAGES_H

#include "candidate.h"

struct intake;

#define HOME_PAGES_QUEUED 10000u

struct home_pages { /* in the intake's memory of a transaction */
    struct candidate **c;
    size_t n;
};

/* Those of candidates c[0..n), sorted and admitted: candidates themselves,
 * sorted and prepared. */
void home_pages_of(struct home_pages *out, struct intake *in,
                   struct candidate *const *c, size_t n);

#endif
