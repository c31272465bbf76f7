/* frontier_lab.c -- see frontier_lab.h. */
#include "frontier/frontier_lab.h"

#include "frontier/parts.h"

void
frontier_set_greedy_oracle(struct frontier *f, frontier_greedy_oracle *ask,
                           void *self)
{
    scoring_set_greedy_oracle(f->sc, ask, self);
}

void
frontier_set_patience(struct frontier *f, double share)
{
    schedule_set_patience(f->sched, share);
}

void
frontier_set_scored(struct frontier *f, frontier_scored *tell, void *self)
{
    scoring_set_scored(f->sc, tell, self);
}

void
frontier_set_lesson(struct frontier *f, frontier_lesson *tell, void *self)
{
    scoring_set_lesson(f->sc, tell, self);
}
