/* learner_inside.h -- what the files of the learner share: which features have
 * a name. */
#ifndef FRONTIER_LEARNER_INSIDE_H
#define FRONTIER_LEARNER_INSIDE_H

#include "learner.h"

enum feature {
#define FEATURE(name, help) F_##name,
#include "learner.tbl.h"
#undef FEATURE
    F_N
};
_Static_assert(F_N <= LEARNER_NAMED_MAX, "room for all that have a name");

#define LEARNER_NAME_ROOM 64u

extern const char *const learner_names[F_N];

/* The name of today for one of version 0.1, written to `room`; any other one
 * itself. */
struct str learner_renamed(struct str name, char room[LEARNER_NAME_ROOM]);

/* Weights from a file of lines "NAME<tab>weight".  ST_USAGE: it cannot be used
 * (reported). */
enum status learner_read_prior(float *weights, struct str path);

#endif
