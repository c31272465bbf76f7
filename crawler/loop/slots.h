/* slots.h -- which visits hold one of the slots of fetch.parallel, and which go
 * on beside them.  Belongs to the loop thread. */
#ifndef CRAWLER_SLOTS_H
#define CRAWLER_SLOTS_H

#include "crawl_state.h"

struct slots; /* opaque; see crawler/loop/slots.c */

struct slots *slots_new(struct crawl *c); /* NULL: out of memory */
void slots_free(struct slots *l);         /* NULL is allowed */

/* Of those that entered, the first, and so on by `later`; NULL: none. */
struct visit *slots_first(const struct slots *l);

/* A visit begins; it holds a slot.  A visit ends with v->fault. */
void slots_enter(struct slots *l, struct visit *v, uint64_t now_ms);
void slots_leave(struct slots *l, struct visit *v);

/* Has its host brought something in good time before? */
bool slots_was_fast(const struct slots *l, const struct visit *v);

/* When all slots are taken: whoever is slow loses its own.  May end transfers.
 * Returns in how many ms it wants to be called again. */
uint64_t slots_reclaim(struct slots *l, uint64_t now_ms);

#endif
