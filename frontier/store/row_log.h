/* row_log.h -- changes of rows on their way into the frontier's store.
 *
 * What a transaction has changed is here first, as one record, in one write;
 * LMDB is brought along later, many transactions at once (tables_later.c).  A
 * row is told as it is afterwards, so a record may be read twice.
 *
 * Records are counted through; those that follow one commit of LMDB (its
 * number is their `base`) are a segment.  The one before the present segment
 * is kept, since a power loss may undo the last commit: two files take turns,
 * DIR/rows-0 and -1, and are written over, so that a sync writes no more than
 * the bytes.
 *
 * One thread.  Errors: ST_FULL (disk), ST_IO (reported), ST_NOMEM. */
#ifndef FRONTIER_ROW_LOG_H
#define FRONTIER_ROW_LOG_H

#include "base/buf.h"
#include "base/status.h"
#include "base/str.h"

struct row_log; /* opaque; see frontier/store/row_log.c */

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

/* In the folder `dir`, which exists; no file is made yet. */
enum status row_log_open(struct row_log **out, const char *dir);
void row_log_close(struct row_log *l); /* NULL is allowed */
/* Does the folder have one?  Then not all is in LMDB. */
bool row_log_exists(const char *dir);
/* Nothing of it is needed any more; sync: for good. */
enum status row_log_remove(const char *dir, bool sync);

/* Every change of the records that follow `base`, in order, to the last whole
 * one; then of those that follow the next commit.  base 0: of all there are.
 * Between two appends.  *gap: one that is not whole stands before others that
 * are, by damage or a power loss. */
enum status row_log_replay(struct row_log *l, uint64_t base,
                           row_change_each *each, void *self, bool *gap);

/* From now on records follow this commit of LMDB; `whole`: all that it has is
 * in the log before. */
void row_log_begin(struct row_log *l, uint64_t base, bool whole);
/* Else it is as if it had not been. */
enum status row_log_append(struct row_log *l, struct str changes);
uint64_t row_log_bytes(const struct row_log *l); /* of the segment */
/* What was appended is on the disk. */
enum status row_log_sync(struct row_log *l);
/* The last record is not to be replayed: its sync has failed, and so will all
 * that follow. */
void row_log_take_back(struct row_log *l);
int row_log_file(const struct row_log *l); /* to be synced by others; -1 */

#endif
