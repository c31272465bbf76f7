/* job_sum.h -- lines KEY, TAB, N of one key become one line with their sum. */
#ifndef CORPUS_JOB_SUM_H
#define CORPUS_JOB_SUM_H

#include "job.h"

/* Sums of at least `least` are written.  Counters (by their number): lines that
 * are none, keys, keys written. */
void job_sum(struct job_run *r, uint64_t least, unsigned rejected,
             unsigned keys, unsigned written);

#endif
