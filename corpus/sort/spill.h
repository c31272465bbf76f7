/* spill.h -- records of one size in a file, apart by bucket: the external sort
 * of tender.
 *
 * Whoever writes says into which bucket a record goes (the upper bits of its
 * key); whoever reads takes one bucket after the other, each of which fits into
 * memory, and sorts it there.  So a record is written once and read once, as
 * long as there are enough buckets; of one that is too large another spill is
 * made.  Beside the file PATH stands PATH.index, which says where the pieces of
 * each bucket are; it is written last, so a spill with an index is whole.
 *
 * Faults (ST_FULL, ST_IO) are reported once, with the file's name, and are kept
 * until spill_finish(). */
#ifndef CORPUS_SPILL_H
#define CORPUS_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define SPILL_BUCKETS_MAX 1024u

struct spill;        /* opaque; any thread */
struct spill_writer; /* opaque; one thread */

/* A new, empty file.  `buckets` at most SPILL_BUCKETS_MAX; a piece has
 * `piece_bytes` (a writer has one in memory for each bucket). */
enum status spill_make(struct spill **out, const char *path, unsigned buckets,
                       size_t record_size, size_t piece_bytes);
/* One that was finished, for reading.  ST_NONE: there is none, or it is not
 * what its index says. */
enum status spill_open(struct spill **out, const char *path);
void spill_close(struct spill *s); /* NULL is allowed */
/* What is written, and what is read, does not stay in the page cache from now
 * on: of a file that is larger than memory.  Before there are writers. */
void spill_drop_behind(struct spill *s);
bool spill_drops_behind(const struct spill *s);
/* The file and its index, if they are there. */
void spill_remove(const char *path);

struct spill_writer *spill_writer_new(struct spill *s);
void spill_put(struct spill_writer *w, unsigned bucket, const void *record);
/* Writes what is left; `w` is freed. */
void spill_writer_end(struct spill_writer *w);

/* A piece that the caller has gathered; n below 2^32. */
void spill_append(struct spill *s, unsigned bucket, const void *records,
                  size_t n);

/* All writers have ended: it can be read, by this handle.  What went wrong
 * since spill_make() comes out here. */
enum status spill_check(const struct spill *s);
/* The same, and the index is written: it can be opened. */
enum status spill_finish(struct spill *s);

unsigned spill_buckets(const struct spill *s);
size_t spill_record_size(const struct spill *s);
/* Records in a bucket, in all of them, bytes of the file. */
uint64_t spill_n(const struct spill *s, unsigned bucket);
uint64_t spill_all_n(const struct spill *s);

/* All of a bucket, in pieces in the order they were written, into memory of
 * the caller's that is large enough.  ST_IO, reported. */
enum status spill_load(const struct spill *s, unsigned bucket, void *into);

/* Piece by piece; take() may end it with another status than ST_OK. */
typedef enum status spill_take(void *self, const void *records, size_t n);
enum status spill_each(const struct spill *s, unsigned bucket, spill_take *take,
                       void *self);

#endif
