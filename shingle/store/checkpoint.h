/* checkpoint.h -- the table of tags in a file, so that who opens the index
 * reads only the end of the log of records.
 *
 * DIR/tags is a copy: when it is missing, damaged or not of this log, the table
 * is made from the log.  It is written a few parts at a time, between batches,
 * while the index goes on; each part says from which record on it has to be
 * brought up to date (lookup.c).  It takes its name when all of it is on the
 * disk, and not before the log that it goes with is. */
#ifndef SHINGLE_CHECKPOINT_H
#define SHINGLE_CHECKPOINT_H

#include "near.h"
#include "record_log.h"
#include "tags.h"

enum { CHECKPOINT_SHAPES_MAX = 8 };

/* Names of the file: of the whole table; of one whose bands are elsewhere. */
#define CHECKPOINT_TAGS "tags"
#define CHECKPOINT_WITHOUT_BANDS "tags-sharded"

/* Into an empty table; from[part]: the first place that it has not.  ST_NONE:
 * there is none; ST_STORE: it cannot be used (said), the table is half full;
 * ST_NOMEM. */
enum status checkpoint_load(const char *dir, const char *name,
                            const struct record_log *log, struct tags *tags,
                            uint32_t from[TAGS_PARTS],
                            struct near_shape *shapes, size_t *shapes_n);
void checkpoint_remove(const char *dir); /* of both names */

struct checkpoint; /* opaque: one that is being written */

/* Of a log that the last one goes with up to byte `from`.  A new one is due
 * when `tail` bytes of records are not in it and a sixteenth of all; 0: never.
 * ST_NOMEM. */
enum status checkpoint_open(struct checkpoint **out, const char *dir,
                            const char *name, uint64_t from, uint64_t tail);
void checkpoint_close(struct checkpoint *c); /* NULL is allowed */

/* The last one is on the disk, if that can be had. */
void checkpoint_sync(const struct checkpoint *c);

/* Between two batches: begin one, if it is due, or go on with it, for about so
 * many bytes.  Returns how many it wrote; 0: there is nothing to do.  SIZE_MAX:
 * all of it, begun anew, if a quarter of `tail` is not in the last one. */
size_t checkpoint_step(struct checkpoint *c, const struct record_log *log,
                       const struct tags *tags, const struct near_shape *shapes,
                       size_t shapes_n, size_t bytes);
/* From the thread that saves: the log is saved up to byte `end`.  One that is
 * whole takes its name. */
void checkpoint_publish(struct checkpoint *c, uint64_t end, bool sync);

#endif
