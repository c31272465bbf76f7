/* redo_log.h -- changes on their way into a store, to be made again after a
 * crash.
 *
 * What is promised is here first, as one record, in one write; the store is
 * brought along later, many records at once.  Those that follow one save of the
 * store are a segment.  The one before the present segment is kept, since a
 * power loss may undo the last save: two files take turns, DIR/FILE-0 and -1,
 * and are written over, so that a sync writes no more than the bytes.
 *
 * What records say is the owner's business.  One thread, but for
 * redo_log_extend().  Errors: ST_FULL (disk), ST_IO (reported), ST_NOMEM. */
#ifndef BASE_REDO_LOG_H
#define BASE_REDO_LOG_H

#include "base/buf.h"
#include "base/status.h"

struct redo_log; /* opaque; see base/redo_log.c */

/* Whose it is: one for each owner. */
struct redo_log_kind {
    const char *owner; /* who reports */
    const char *file;  /* FILE */
    struct str name;   /* what a file begins with */
    bool others_sync;  /* by redo_log_file(): a file's name is on the disk first
                        */
};

/* In the folder `dir`, which exists; no file is made yet.  `kind` is
 * borrowed. */
enum status redo_log_open(struct redo_log **out,
                          const struct redo_log_kind *kind, const char *dir);
void redo_log_close(struct redo_log *l); /* NULL is allowed */
/* Does the folder have one?  Then not all is in the store. */
bool redo_log_exists(const struct redo_log_kind *kind, const char *dir);
/* Nothing of it is needed any more; sync: for good. */
enum status redo_log_remove(const struct redo_log_kind *kind, const char *dir,
                            bool sync);

/* Every record of the segment, in order, to the last whole one or until `each`
 * returns other than ST_OK.  *next: the number that the first one is to have,
 * 0 any; then of the one that would follow.  *gap becomes true: one that is not
 * whole, or is left out, stands before others, by damage or a power loss. */
typedef enum status redo_log_each(void *self, struct str record);
enum status redo_log_read(const struct redo_log *l, uint64_t segment,
                          uint64_t *next, redo_log_each *each, void *self,
                          bool *gap);
/* The oldest segment that has its first record; 0: none has.  *gap becomes
 * true: a file has others only. */
enum status redo_log_oldest(const struct redo_log *l, uint64_t *segment,
                            bool *gap);

/* The newest segment that has its first record, also of a log that another
 * process writes; 0: none has. */
enum status redo_log_newest(const struct redo_log *l, uint64_t *segment);

/* From now on records are of this segment, 1 or more, counted from `number`
 * on; the one before the last is not needed any more. */
void redo_log_begin(struct redo_log *l, uint64_t segment, uint64_t number);
uint64_t redo_log_next(const struct redo_log *l);  /* number of the next one */
uint64_t redo_log_bytes(const struct redo_log *l); /* of the segment */
/* A new record is what is appended to that; valid until redo_log_append(),
 * which writes it.  sync: and it is on the disk.  Not ST_OK: it is as if it had
 * not been. */
struct buf *redo_log_record(struct redo_log *l);
enum status redo_log_append(struct redo_log *l, bool sync);
/* The last record, which was just appended, has not been. */
void redo_log_take_back(struct redo_log *l);
/* Of the segment, to be synced by others; -1: there is none yet. */
int redo_log_file(const struct redo_log *l);

/* So that the first records need not extend the files: both get `bytes`.  When
 * no segment is needed any more, before the first append. */
void redo_log_make_room(struct redo_log *l, uint64_t bytes);
/* The file that takes the next turn gets the bytes of the longest segment, so
 * that records seldom have to.  By any thread, between a save and the next
 * redo_log_begin(). */
void redo_log_extend(struct redo_log *l);

#endif
