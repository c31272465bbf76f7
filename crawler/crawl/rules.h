/* rules.h -- what a crawl must know before it touches anything: formats, scope,
 * addresses, seeds, who we are, and how pages are cleaned. */
#ifndef CRAWLER_RULES_H
#define CRAWLER_RULES_H

#include "crawl.h"
#include "crawler/admit/seeds.h"
#include "crawler/loop/crawl_state.h"

/* Open them for c->opts; c->dir NULL: no folder yet.  ST_USAGE: what is wrong
 * is reported.  crawl_rules_close() in any case. */
enum status crawl_rules_open(struct crawl *c, struct seeds *seeds,
                             struct arena *a, const struct crawl_setup *setup);
void crawl_rules_close(struct crawl *c);

/* Is a lease of so many seconds longer than a fetch may take?  Else ST_USAGE
 * (reported): a page would be fetched twice at once.  service: whose leases
 * these are; "": the crawl's own. */
enum status crawl_check_lease(const struct opts *o, uint64_t seconds,
                              struct str service);

/* Says that there are none; ST_USAGE. */
enum status crawl_no_seeds(const char *dir);

/* check.c: would a crawl with these options begin?  ST_USAGE, ST_IO: no, and
 * all that is wrong is reported.  no_seeds: there may be none, since what names
 * them is known to be wrong. */
enum status crawl_check(const struct opts *o, bool no_seeds);

#endif
