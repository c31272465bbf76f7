/* watch.h -- who is asked, or told, when links are scored: the laboratory. */
#ifndef FRONTIER_SCORE_WATCH_H
#define FRONTIER_SCORE_WATCH_H

#include "base/str.h"

struct frontier_link;

/* Scorer `oracle` asks this for the chance, 0..1, that `url` will be kept;
 * `self` is handed through. */
typedef double frontier_greedy_oracle(void *self, struct str url);

/* Told every link that is scored, with what it would compete now; NULL: nobody
 * is.  `self` is handed through. */
typedef void frontier_scored(void *self, const struct frontier_link *link,
                             double score);

/* Told every verdict that scorer learned learns from: host, how its page ended,
 * features with values; NULL: nobody is.  `self` is handed through. */
typedef void frontier_lesson(void *self, struct str lesson);

#endif
