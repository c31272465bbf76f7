/* revisits.h -- answers of an archive whose bytes stand in another record of
 * it.
 *
 * A revisit has a header of its own, and is a page of its own: links are
 * relative to its URL.  So it waits until the archive is read again, when
 * whichever record has the bytes gives them.  Not thread-safe. */
#ifndef LAB_REVISITS_H
#define LAB_REVISITS_H

#include "base/status.h"
#include "clean/archive/source.h"

struct revisits; /* opaque; see crawler/lab/revisits.c */

struct revisits *revisits_new(void);
void revisits_free(struct revisits *r); /* NULL is allowed */

/* First, of all answers in the order of the archive: a revisit waits until
 * another answer of its URL comes.  One that the server says has not changed
 * does not count: the answer before it is the page's. */
void revisits_see(struct revisits *r, const struct source_page *p);
size_t revisits_waiting(const struct revisits *r);

typedef enum status revisits_take(void *self, const struct source_page *p);

/* Then, of each answer again: hand on those that waited for these bytes, with
 * bytes in `a`, until one is not ST_OK. */
enum status revisits_give(struct revisits *r, const struct source_page *p,
                          struct arena *a, revisits_take *take, void *self);

/* At last: of those that still wait, hand on what is no page anyway, a redirect
 * or an error.  *lost_n: the others. */
enum status revisits_end(struct revisits *r, size_t *lost_n,
                         revisits_take *take, void *self);

#endif
