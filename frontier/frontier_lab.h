/* frontier_lab.h -- what the laboratory asks of a frontier, and it only. */
#ifndef FRONTIER_FRONTIER_LAB_H
#define FRONTIER_FRONTIER_LAB_H

#include "frontier/frontier.h"
#include "frontier/score/watch.h"

void frontier_set_greedy_oracle(struct frontier *f, frontier_greedy_oracle *ask,
                                void *self);

void frontier_set_scored(struct frontier *f, frontier_scored *tell, void *self);

void frontier_set_lesson(struct frontier *f, frontier_lesson *tell, void *self);

/* Every scorer waits with this patience, those as well that have none. */
void frontier_set_patience(struct frontier *f, double share);

#endif
