/* pending.h -- links that were accepted and wait to be merged into the store.
 *
 * A large store takes new links in sorted bulk: a page's links go into the
 * discovery log (journal.h) when its report is committed and from there, a
 * slice at a time, into the tables.  Two segments of the log at most: one
 * that gathers, one that is being merged.  In memory a link is a key and an
 * offset.
 *
 * All calls stand inside a transaction of the frontier but for open and close;
 * the frontier's own commit and abort call ..._commit, ..._committed and
 * ..._abort. */
#ifndef FRONTIER_PENDING_H
#define FRONTIER_PENDING_H

#include "merge.h"

struct pending; /* opaque; see frontier/intake/pending.c */

/* What waits, as the store says.  A reader reads it, and does not merge. */
enum status pending_open(struct pending **out, const char *dir,
                         struct intake *in);
void pending_close(struct pending *p); /* NULL is allowed */

uint64_t pending_n(const struct pending *p); /* links that wait */

/* Accept a candidate. */
enum status pending_add(struct pending *p, const struct candidate *c);

/* Merge some of what waits: in step with what this transaction has accepted,
 * so that nobody waits long, or at least `least`. */
enum status pending_merge(struct pending *p, size_t least);

/* Crawlers get less than they ask for, or nothing (`starved`).  True: the next
 * transaction can merge more for them. */
bool pending_wanted(struct pending *p, bool starved);
/* Merge for them; does nothing unless pending_wanted() was true. */
enum status pending_feed(struct pending *p);

/* A transaction that was made for it: merge a slice. */
enum status pending_maintain(struct pending *p);
/* In how many ms such a transaction is due; UINT64_MAX: nothing waits. */
uint64_t pending_due(const struct pending *p, uint64_t now_ms);
/* More than two segments' worth waits. */
bool pending_behind(const struct pending *p);

enum status pending_commit(struct pending *p); /* before the tables' commit */
void pending_committed(struct pending *p);     /* after it */
void pending_abort(struct pending *p);

/* Every link that waits, in the order of discovery; stops when `take` does not
 * return ST_OK. */
enum status pending_each(struct pending *p,
                         enum status (*take)(void *self,
                                             const struct candidate *c),
                         void *self);

#endif
