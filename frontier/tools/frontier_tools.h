/* frontier_tools.h -- a frontier looked at, checked, moved and made whole. */
#ifndef FRONTIER_TOOLS_FRONTIER_TOOLS_H
#define FRONTIER_TOOLS_FRONTIER_TOOLS_H

#include "base/buf.h"
#include "frontier/frontier.h"
#include <stdio.h>

/* Why a URL was or was not fetched, with the parts of its score: text. */
struct buf;
enum status frontier_why(struct frontier *f, struct str url, uint64_t now_ms,
                         struct buf *out);

/* With what a queued URL competes now.  why: what the scorer says of it, lines
 * of text; may be NULL.  ST_NONE: it is not queued. */
struct frontier_place {
    double priority; /* 0..1 */
    enum trap trap;  /* that it looks like, which has lowered it */
};
enum status frontier_place(struct frontier *f, struct str url,
                           struct frontier_place *out, struct buf *why);

/* Are all invariants of the store true?  Faults as lines of text into `out`. */
enum status frontier_check(struct frontier *f, struct buf *out,
                           uint64_t *faults);

/* The pages of the store in DIR, each by itself and all together, while nobody
 * has it open (else: nothing is looked at).  Faults as lines of text into
 * `out`.  ST_NONE: there is no store; ST_INVALID: it is none any more. */
enum status frontier_check_file(const char *dir, struct buf *out,
                                uint64_t *faults);

/* Does a process have the store in DIR open for writing? */
bool frontier_in_use(const char *dir);

/* What can be read of the store in DIR becomes a new one in its place; the
 * damaged file stays as data.mdb.damaged.  What was found and what is lost as
 * lines of text into `out`.  ST_USAGE: it is in use; ST_STORE: nothing can be
 * read (both reported).  Killed meanwhile it is as it was. */
enum status frontier_repair(const char *dir, const struct opts *o,
                            struct buf *out);

/* The frontier as lines of JSON: every URL with its state, its URL (queued
 * ones) or hash, the parts of its score, and every other row.  Of one moment,
 * during which the store grows if somebody writes. */
enum status frontier_dump(struct frontier *f, FILE *to);

/* Make a frontier in DIR (empty, new, or left in the middle of the same file)
 * from such lines, of a file called `name`.  *lines: read so far.  ST_USAGE:
 * DIR holds a frontier; ST_INVALID: not a dump, or a part of one (both
 * reported).  A dump of it is equal, byte by byte. */
enum status frontier_load(const char *dir, const struct opts *o, FILE *from,
                          const char *name, uint64_t *lines);

/* A copy of the store of DIR as its last commit in LMDB has it, in the folder
 * `to`, which is made; somebody may be writing to DIR, whose store grows
 * meanwhile.  ST_BUSY: try again; ST_USAGE: there is one in `to`; all
 * reported. */
enum status frontier_backup(const char *dir, const char *to,
                            const struct opts *o);

/* Write the store of DIR anew without the space it does not use; nobody may
 * have it open.  *before, *after: bytes.  Killed meanwhile it is as it was. */
enum status frontier_compact(const char *dir, const struct opts *o,
                             uint64_t *before, uint64_t *after);

#endif
