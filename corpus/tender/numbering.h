/* numbering.h -- the documents get their numbers, and the file `documents`.
 *
 * A document's place in the file is its number, whatever forms of fingerprints
 * are read, by however many threads.  Any thread may call. */
#ifndef CORPUS_NUMBERING_H
#define CORPUS_NUMBERING_H

#include "tender_inside.h"

struct numbering; /* opaque */

/* ST_IO: reported, as all faults here. */
enum status numbering_new(struct numbering **out, const struct tender *t);
void numbering_free(struct numbering *n); /* NULL is allowed */

/* The number of the document of this id (ID_SIZE bytes), a new one the first
 * time; its size is the largest that is given.  For lines of one document that
 * may stand anywhere. */
enum status numbering_of_id(struct numbering *n, const char *id, uint64_t size,
                            uint32_t *number);

/* `count` documents, whatever their ids: numbers from *first on.  ST_LIMIT:
 * there are no more numbers. */
enum status numbering_add(struct numbering *n, const struct stored_document *d,
                          size_t count, uint32_t *first);

/* There are no more: the file is whole.  How many there are in *documents_n. */
enum status numbering_end(struct numbering *n, uint32_t *documents_n);

#endif
