/* repair_commits.h -- how far an index was saved whose row of that is lost, by
 * the log of commits beside it and the files of the corpus. */
#ifndef SHINGLE_REPAIR_COMMITS_H
#define SHINGLE_REPAIR_COMMITS_H

#include "shingle/store/store.h"

/* DIR/dedup has the log; `store` knows the streams, and may know the segment
 * that was saved last (INDEX_SAVED), else it does afterwards.  *log_end: how
 * long the log of records was then.  ST_NONE: there is no log of commits, so
 * all of it was saved. */
enum status repair_commits(const char *dir, struct store *store,
                           uint64_t *log_end);

#endif
