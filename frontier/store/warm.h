/* warm.h -- rows that the store's one writer is about to ask for are looked at
 * by other threads first, so that it finds their pages in memory.
 *
 * The writer looks up one row after the other, and in a store larger than
 * memory each may be a page that comes from the disk.  These threads wait for
 * that in the writer's place, several at once.  They change nothing, see what
 * was committed last, and nobody depends on them. */
#ifndef FRONTIER_WARM_H
#define FRONTIER_WARM_H

#include "tables.h"

struct warm;      /* opaque; see frontier/store/warm.c */
struct warm_look; /* at what is committed, of one of the threads */

/* Its threads are made when they are first needed.  End it before the tables
 * are closed. */
struct warm *warm_new(struct tables *t);
void warm_free(struct warm *w); /* NULL is allowed */

/* Looks at rows of n items of `size` bytes. */
typedef void warm_work(struct warm_look *l, const void *items, size_t n);

#define WARM_BYTES_MAX 256u /* of the items of one warm_soon() */

/* Have it done soon; forgotten when much is waiting.  The items are copied. */
void warm_soon(struct warm *w, warm_work *work, const void *items, size_t n,
               size_t size);

/* Have it done, in parts of `part` items or more, by several threads at once;
 * returns when it is.  Any thread may call it, one at a time. */
void warm_all(struct warm *w, warm_work *work, const void *items, size_t n,
              size_t size, size_t part);

/* Is it worth while?  It is from when the writer says how long a transaction of
 * its own has waited (warm_faults() at its begin), until all pages that were
 * looked at have long been in memory. */
bool warm_wanted(struct warm *w);
void warm_waited(struct warm *w, long faults_before);
/* How many pages the calling thread has waited for so far, from the disk. */
long warm_faults(void);

/* For the work: a row (false: there is none), valid until the work ends; the
 * page on which a row is or would be. */
bool warm_get(struct warm_look *l, enum table table, struct str key,
              struct str *value);
void warm_place(struct warm_look *l, enum table table, struct str key);

#endif
