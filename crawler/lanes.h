/* lanes.h -- which visits hold one of the slots of fetch.parallel, and which go
 * on beside them.  Belongs to the loop thread. */
#ifndef CRAWLER_LANES_H
#define CRAWLER_LANES_H

#include "crawl_state.h"

struct lanes; /* opaque; see crawler/lanes.c */

struct lanes *lanes_new(struct crawl *c); /* NULL: out of memory */
void lanes_free(struct lanes *l);         /* NULL is allowed */

/* A visit begins; it holds a slot.  A visit ends with v->fault. */
void lanes_enter(struct lanes *l, struct visit *v, uint64_t now_ms);
void lanes_leave(struct lanes *l, struct visit *v);

/* When all slots are taken: whoever is slow loses its own.  May end transfers.
 * Returns in how many ms it wants to be called again. */
uint64_t lanes_press(struct lanes *l, uint64_t now_ms);

#endif
