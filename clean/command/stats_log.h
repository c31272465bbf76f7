/* stats_log.h -- how winnow clean comes along, as lines of a file
 * (log.stats_file). */
#ifndef CLEAN_STATS_LOG_H
#define CLEAN_STATS_LOG_H

#include "batch.h"

struct stats_log; /* opaque; see clean/command/stats_log.c */

/* *out NULL: the options ask for none.  ST_IO: reported. */
enum status stats_log_open(struct stats_log **out, const struct opts *o);

/* From any thread, after each page: a line when one is due.  NULL is allowed,
 * here and below. */
void stats_log_tick(struct stats_log *l, const struct batch *b);

/* The last line.  ST_IO: reported; not all lines are in the file. */
enum status stats_log_close(struct stats_log *l, const struct batch *b);

#endif
