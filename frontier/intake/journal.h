/* journal.h -- records in the order in which they came, in a file that only
 * grows: the discovery log, where links wait to be merged into the store.
 *
 * Accepted means in the journal: the store's transaction says how long the
 * journal is, so what stands behind that end (of a transaction that was undone
 * or killed) is cut off when it is opened again.  A record is read where it
 * stands; its bytes are valid until journal_close().  Belongs to one thread.
 *
 * Errors: ST_FULL no space; ST_IO (reported).  A journal that is shorter than
 * the store says, or that does not read back, is ST_STORE (reported, with what
 * to do). */
#ifndef FRONTIER_JOURNAL_H
#define FRONTIER_JOURNAL_H

#include "base/path.h"
#include "base/status.h"
#include "base/str.h"

struct journal; /* opaque; see frontier/intake/journal.c */

#define JOURNAL_START 16u                    /* where the first record stands */
#define JOURNAL_RECORD_MAX ((size_t)1 << 18) /* bytes */
#define JOURNAL_SIZE_MAX ((uint64_t)1 << 36) /* ST_FULL beyond */

/* Of those of a store each has a number: DIR/links-N.log; of another file's
 * name it is 0. */
struct path journal_path(const char *dir, uint64_t number);
uint64_t journal_number(const char *name);

/* Remove those of `dir` whose numbers are not among the `n` of `kept`. */
void journal_remove_others(const char *dir, const uint64_t *kept, size_t n);

/* Open PATH, which holds records up to `end`; 0: make an empty one in the place
 * of any file there.  A reader leaves the file as it is. */
enum status journal_open(struct journal **out, const char *path, uint64_t end,
                         bool read_only);
void journal_close(struct journal *j); /* NULL is allowed */

uint64_t journal_end(const struct journal *j); /* where the next one will be */

/* Append; readable after journal_write(). */
void journal_add(struct journal *j, struct str record);
/* Into the kernel, and onto the disk when `sync`. */
enum status journal_write(struct journal *j, bool sync);
/* Forget what was added behind `end`. */
void journal_cut(struct journal *j, uint64_t end);

/* The record at *at, which moves to the next one.  ST_NONE at the end. */
enum status journal_next(const struct journal *j, uint64_t *at,
                         struct str *record);

/* Records in bytes from outside: as journal_next(), ST_INVALID when garbled. */
enum status journal_parse(struct str bytes, uint64_t *at, struct str *record);

#endif
