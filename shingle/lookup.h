/* lookup.h -- where in the log of records a document is found: by visit, by
 * text, by band; and what depends on it.
 *
 * A table of tags in memory (tags.h), made from the log at the start and
 * changed with every record; what has changed since lookup_begin() can be
 * undone.  A tag may be another key's, so whoever finds a place compares what
 * stands there.
 *
 * One thread.  Errors: ST_NOMEM, and those of record_log_read(). */
#ifndef SHINGLE_LOOKUP_H
#define SHINGLE_LOOKUP_H

#include "near.h"
#include "record_log.h"

struct lookup; /* opaque */

/* Over `records`, which is borrowed, for so many tags or more.  The caller owns
 * *out. */
enum status lookup_open(struct lookup **out, const struct record_log *records,
                        uint64_t tags);
void lookup_close(struct lookup *l); /* NULL is allowed */

/* What a key is of. */
enum lookup_kind {
    LOOKUP_VISIT = 1, /* its record */
    LOOKUP_DIGEST,    /* the kept document with this text */
    LOOKUP_DEPENDENT, /* of a place: what was removed for its sake */
    LOOKUP_SUCCESSOR  /* of a place: the document that replaced it */
};
uint64_t lookup_key(enum lookup_kind kind, uint64_t place);
/* Of a visit or digest as a record has it. */
uint64_t lookup_key_of_16(enum lookup_kind kind, const unsigned char *bytes);

/* As tags_find() and tags_prefetch(); bands have near_key(). */
size_t lookup_find(const struct lookup *l, uint64_t key, uint32_t *out,
                   size_t max);
void lookup_prefetch(const struct lookup *l, uint64_t key);

/* The record at `place` can be found from now on; what it replaces is no
 * candidate any more. */
enum status lookup_enter(struct lookup *l, uint32_t place,
                         const struct record *r);

/* From begin to end changes are noted, so that they can be undone. */
void lookup_begin(struct lookup *l);
void lookup_undo(struct lookup *l);
void lookup_end(struct lookup *l);

/* The shapes of bands that kept records have; *n of them. */
const struct near_shape *lookup_shapes(const struct lookup *l, size_t *n);

uint64_t lookup_tags(const struct lookup *l);

/* So many documents depend on a kept one at most. */
enum { LOOKUP_DEPENDENTS_MAX = 64 };

#endif
