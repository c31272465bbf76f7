/* workq.h -- a bounded queue of pointers between threads.
 *
 * Bound by count, first in first out, blocking; close() wakes everybody:
 * pushes then fail, pops drain what is left and then say ST_STOPPED. */
#ifndef BASE_WORKQ_H
#define BASE_WORKQ_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct workq; /* opaque; see base/workq.c */

/* For so many items; the caller owns it.  Out of memory ends the program. */
struct workq *workq_new(size_t bound);
void workq_free(struct workq *q);  /* NULL is allowed; must be empty */
void workq_close(struct workq *q); /* for good; may be said twice */

/* ST_STOPPED after close; otherwise waits for room. */
enum status workq_push(struct workq *q, void *item);
/* Waits up to timeout_ms (UINT64_MAX: for ever).  ST_TIMEOUT, ST_STOPPED. */
enum status workq_pop(struct workq *q, void **item, uint64_t timeout_ms);

#endif
