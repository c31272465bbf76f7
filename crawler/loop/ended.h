/* ended.h -- visits whose request has ended well and whose report will follow.
 *
 * Their hosts have no use for the report: when slots are free the lease thread
 * tells the frontier that they may be asked again (frontier_request_ended()).
 * Of those that brought a page only, since any other answer may change when a
 * host is asked next.  Under the crawl's lock. */
#ifndef CRAWLER_ENDED_H
#define CRAWLER_ENDED_H

#include "crawl_state.h"

/* It goes to the workers. */
void ended_add(struct crawl *c, struct visit *v);
/* It is reported: nothing is to be told of it any more. */
void ended_remove(struct crawl *c, struct visit *v);
/* All of them, in `a`; they are told now.  Returns how many. */
size_t ended_take(struct crawl *c, struct arena *a, struct frontier_done **out);

#endif
