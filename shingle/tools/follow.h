/* follow.h -- reads what a dedup service has stored, document by document, in
 * the order of its verdicts: while it works, after it has ended, from any
 * number on.
 *
 * Reads only, beside the service: nothing is ever asked of it.  What is read is
 * committed; so it is stored, and in the same order for everyone.  One thread.
 */
#ifndef SHINGLE_FOLLOW_H
#define SHINGLE_FOLLOW_H

#include "shingle/corpus/verdict_line.h"

struct follow; /* opaque */

/* Of the documents in DIR.  ST_NONE: there is no log of verdicts (yet): the
 * service does not run with dedup.pub; ST_USAGE, ST_STORE, ST_IO: reported.
 * Owned by the caller. */
enum status follow_open(struct follow **out, const char *dir, uint64_t map_gib);
void follow_close(struct follow *f); /* NULL is allowed */

/* Go on with document `number`, or the first that is there behind it; 0: with
 * those that are stored from now on. */
enum status follow_seek(struct follow *f, uint64_t number);

/* The number of the last document that is stored by now, 0: none. */
enum status follow_last(struct follow *f, uint64_t *number);

struct followed {
    struct verdict_line line;
    struct str text;            /* the line, with its end */
    struct verdict_place place; /* of the line */
};

/* The next document; the strings live until the next call.  ST_NONE: no
 * further one is stored by now; ST_INVALID: the log is damaged (reported). */
enum status follow_next(struct follow *f, struct followed *out);

/* A record of it, into the cleared `out`.  ST_NONE: its file is not there any
 * more, or shorter. */
enum status follow_record(struct follow *f, const struct verdict_place *p,
                          struct buf *out);

#endif
