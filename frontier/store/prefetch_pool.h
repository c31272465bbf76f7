/* prefetch_pool.h -- rows that the store's one writer is about to ask for are
 * looked at by other threads first, so that it finds their pages in memory.
 *
 * The writer looks up one row after the other, and in a store larger than
 * memory each may be a page that comes from the disk.  These threads wait for
 * that in the writer's place, several at once.  They change nothing, see what
 * was committed last, and nobody depends on them. */
#ifndef FRONTIER_PREFETCH_POOL_H
#define FRONTIER_PREFETCH_POOL_H

#include "tables.h"

struct prefetch_pool; /* opaque; see frontier/store/prefetch_pool.c */
struct prefetch_view; /* at what is committed, of one of the threads */

/* Its threads are made when they are first needed.  End it before the tables
 * are closed. */
struct prefetch_pool *prefetch_pool_new(struct tables *t);
void prefetch_pool_free(struct prefetch_pool *w); /* NULL is allowed */

/* Looks at rows of n items of `size` bytes. */
typedef void prefetch_work(struct prefetch_view *l, const void *items,
                           size_t n);

#define PREFETCH_BYTES_MAX 256u /* of the items of one prefetch_pool_soon() */

/* Have it done soon; forgotten when much is waiting.  The items are copied. */
void prefetch_pool_soon(struct prefetch_pool *w, prefetch_work *work,
                        const void *items, size_t n, size_t size);

/* Have it done, in parts of `part` items or more, by several threads at once;
 * returns when it is.  Any thread may call it, one at a time. */
void prefetch_pool_all(struct prefetch_pool *w, prefetch_work *work,
                       const void *items, size_t n, size_t size, size_t part);

/* Is it worth while?  It is from when the writer says how long a transaction of
 * its own has waited (prefetch_pool_faults() at its begin), until all pages
 * that were looked at have long been in memory. */
bool prefetch_pool_wanted(struct prefetch_pool *w);
void prefetch_pool_waited(struct prefetch_pool *w, long faults_before);
/* How many pages the calling thread has waited for so far, from the disk. */
long prefetch_pool_faults(void);

/* For the work: a row (false: there is none), valid until the work ends; the
 * page on which a row is or would be. */
bool prefetch_get(struct prefetch_view *l, enum table table, struct str key,
                  struct str *value);
void prefetch_page(struct prefetch_view *l, enum table table, struct str key);

#endif
