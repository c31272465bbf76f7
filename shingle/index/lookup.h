/* lookup.h -- where in the log of records a document is found: by visit, by
 * text, by band; and what depends on it.
 *
 * A table of tags in memory (tags.h), made at the start from the log, or from a
 * checkpoint and the rest of the log, and changed with every record; what has
 * changed since lookup_begin() can be undone.  A tag may be another key's, so
 * whoever finds a place compares what stands there.
 *
 * One thread.  Errors: ST_NOMEM, and those of record_log_read(). */
#ifndef SHINGLE_LOOKUP_H
#define SHINGLE_LOOKUP_H

#include "shingle/store/checkpoint.h"
#include "shingle/store/near.h"
#include "shingle/store/record_log.h"

struct lookup; /* opaque */
struct shards;

/* Over `records`, which is borrowed, with what the checkpoint in `dir` has
 * (NULL: none is looked for): the records from byte *from on are still to be
 * entered, or all (0), for so many tags or more.  shards: have the bands, are
 * borrowed; NULL: the table has them.  The caller owns *out. */
enum status lookup_open(struct lookup **out, const struct record_log *records,
                        struct shards *shards, const char *dir, uint64_t tags,
                        uint64_t *from);
/* The checkpoint's file. */
const char *lookup_checkpoint_name(const struct shards *shards);
void lookup_close(struct lookup *l); /* NULL is allowed */

/* What a key is of. */
enum lookup_kind {
    LOOKUP_VISIT = 1, /* its record */
    LOOKUP_DIGEST,    /* the kept document with this text */
    LOOKUP_DEPENDENT, /* of a place: see lookup_dependents() */
    LOOKUP_SUCCESSOR  /* of a place: the document that replaced it */
};
uint64_t lookup_key(enum lookup_kind kind, uint64_t place);
/* Of a visit or digest as a record has it. */
uint64_t lookup_key_of_16(enum lookup_kind kind, const unsigned char *bytes);

/* As tags_find() and tags_prefetch(); bands have near_key(), and shards must
 * have been asked for them (shards_want()). */
size_t lookup_find(const struct lookup *l, uint64_t key, uint32_t *out,
                   size_t max);
size_t lookup_find_band(const struct lookup *l, uint64_t key, uint32_t *out,
                        size_t max);
void lookup_prefetch(const struct lookup *l, uint64_t key);

/* What a kept document stands for: what was removed for its sake, what it
 * replaced, and what those stood for; behind the *n places that `out` has, room
 * for LOOKUP_DEPENDENTS_MAX + 1.  So many: there may be more. */
enum { LOOKUP_DEPENDENTS_MAX = 64 };
enum status lookup_dependents(const struct lookup *l, uint32_t place,
                              uint32_t *out, size_t *n);

/* Into the cache with what lookup_enter() of this record will look at. */
void lookup_prefetch_record(const struct lookup *l, const struct record *r);

/* The record at `place` can be found from now on; what it replaces is no
 * candidate any more. */
enum status lookup_enter(struct lookup *l, uint32_t place,
                         const struct record *r);

/* From begin to end changes are noted, so that they can be undone. */
void lookup_begin(struct lookup *l);
void lookup_undo(struct lookup *l);
void lookup_end(struct lookup *l);

/* May kept records have bands of so many rows?  Of CHECKPOINT_SHAPES_MAX
 * kinds, at most. */
bool lookup_has_room(struct lookup *l, uint32_t rows);
/* The shapes of bands that kept records have, one for each number of rows; *n
 * of them. */
const struct near_shape *lookup_shapes(const struct lookup *l, size_t *n);

uint64_t lookup_tags(const struct lookup *l);

/* As checkpoint_step(). */
size_t lookup_checkpoint(const struct lookup *l, struct checkpoint *c,
                         size_t bytes);

#endif
