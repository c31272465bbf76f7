/* walk.h -- the state of scorer `walk`: see walk.c. */
#ifndef FRONTIER_WALK_H
#define FRONTIER_WALK_H

#include "scorer.h"

enum status walk_open(void **state, const struct opts *o);
void walk_close(void *state); /* NULL is allowed */
void walk_learn(void *state, const struct scorer_lesson *n, struct buf *said);
double walk_score(const struct link_signals *s, const struct scorer_tools *t);

#endif
