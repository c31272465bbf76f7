/* row_log.h -- changes of rows on their way into the frontier's store.
 *
 * What a transaction has changed is a record of this log (base/redo_log.h),
 * DIR/rows-0 and -1, before LMDB has it (tables_later.c).  A row is told as it
 * is afterwards, so a record may be read twice.  Records are counted through;
 * the number of a commit of LMDB is that of the segment that follows it, its
 * `base`. */
#ifndef FRONTIER_ROW_LOG_H
#define FRONTIER_ROW_LOG_H

#include "base/redo_log.h"

extern const struct redo_log_kind row_log;

struct row_change {
    unsigned table;
    bool gone; /* the row is deleted */
    struct str key, value;
};

void row_change_add(struct buf *out, const struct row_change *c);
typedef enum status row_change_each(void *self, const struct row_change *c);
/* ST_INVALID: that is no row of changes. */
enum status row_changes_read(struct str bytes, row_change_each *each,
                             void *self);

/* Every change of the records that follow `base`, in order, to the last whole
 * one; then of those that follow the next commit.  base 0: of all there are.
 * Between two appends.  *gap: see redo_log_read(). */
enum status row_log_replay(const struct redo_log *l, uint64_t base,
                           row_change_each *each, void *self, bool *gap);

/* From now on records follow this commit of LMDB; `whole`: all that it has is
 * in the log before. */
void row_log_begin(struct redo_log *l, uint64_t base, bool whole);
/* See redo_log_append(). */
enum status row_log_append(struct redo_log *l, struct str changes, bool sync);

#endif
