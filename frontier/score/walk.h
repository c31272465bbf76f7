/* walk.h -- scorer `walk`: a random walk, one URL after the other.  See walk.c.
 *
 * All but the last two are called inside a transaction. */
#ifndef FRONTIER_WALK_H
#define FRONTIER_WALK_H

#include "frontier/store/url_store.h"
#include "scorer.h"

enum status walk_open(void **state, const struct opts *o);
void walk_close(void *state); /* NULL is allowed */
enum status walk_load(void *state, struct url_store *db);
enum status walk_save(void *state, struct url_store *db);
enum status walk_seeded(void *state, struct url_store *db, struct str url);
enum status walk_ended(void *state, struct url_store *db,
                       const struct frontier_done *d);
enum status walk_next(void *state, struct url_store *db, struct scorer_next *n);
enum status walk_print(const void *state, struct url_store *db,
                       struct buf *out);
double walk_score(const struct link_signals *s, const struct scorer_tools *t);

#endif
