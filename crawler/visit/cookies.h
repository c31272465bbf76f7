/* cookies.h -- cookies that came with a redirect, until its target is asked.
 *
 * They live within one page's chain of redirects on one host, in memory: what
 * an answer sets goes with the next request of the chain and is forgotten.
 * Nothing of it is on disk or sent for another page, so a crawl that begins
 * anew, or another crawler of the same frontier, asks without, and gets new
 * ones.  Thread-safe. */
#ifndef CRAWLER_COOKIES_H
#define CRAWLER_COOKIES_H

#include "visit.h"

struct cookies; /* opaque; see crawler/visit/cookies.c */

struct cookies *cookies_new(void); /* ends the program without memory */
void cookies_free(struct cookies *c);

/* So often a page that redirects to itself is asked again with cookies. */
#define COOKIE_HOPS_MAX 2u

/* Values of Set-Cookie in the reply of a visit, a line each, behind those that
 * went with its request, as cookies of its host alone; in `a`.  Empty: the
 * answer sets none. */
struct str cookies_of(const struct visit *v, struct arena *a);

/* The redirect of `v` leads to `url`, with these. */
void cookies_keep(struct cookies *c, const struct visit *v, struct str url,
                  struct str lines);

/* What was kept for its URL is the visit's from now on. */
void cookies_take(struct cookies *c, struct visit *v);

#endif
