/* rewrite.h -- a store written anew beside itself: compaction, repair. */
#ifndef FRONTIER_REWRITE_H
#define FRONTIER_REWRITE_H

#include "tables.h"

/* Write the rows of `from`, which is being read, into `to`, inside the
 * transaction that is open there. */
typedef enum status rewrite_fill(void *self, struct tables *from,
                                 struct tables *to);

/* Fill a new store in DIR/NAME from the one in DIR, and put it in the other's
 * place by one rename when all of it is on the disk.  A process that is killed
 * meanwhile leaves the store as it was. */
enum status rewrite_store(const char *dir, const char *name,
                          const struct tables_config *config,
                          rewrite_fill *fill, void *self);

/* Commit and go on: after every so many rows (*rows counts them). */
enum status rewrite_step(struct tables *to, uint64_t *rows);

/* The rows of a table as they are. */
struct progress;
enum status rewrite_copy(struct tables *from, struct tables *to,
                         enum table table, uint64_t *rows, struct progress *p);

#endif
