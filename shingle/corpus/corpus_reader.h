/* corpus_reader.h -- the text of a stream of the corpus by position, while a
 * service may be writing it.
 *
 * A position is a part and a number of bytes of its text, before compression;
 * what stands at a position never changes.  Reading on is cheap, reading
 * further back begins the part again.  One thread. */
#ifndef SHINGLE_CORPUS_READER_H
#define SHINGLE_CORPUS_READER_H

#include "stream.h"

struct corpus_reader; /* opaque */

/* `dir` must live as long.  NULL: no memory. */
struct corpus_reader *
corpus_reader_new(const char *dir, enum corpus_group group, struct str suffix);
void corpus_reader_free(struct corpus_reader *r); /* NULL is allowed */

/* How far the stream is committed: nothing behind it is read. */
void corpus_reader_committed(struct corpus_reader *r,
                             const struct stream_state *state);

/* Up to n bytes into the cleared `out`; fewer: that is all there is of this
 * part.  ST_NONE: the part is not there (yet, or moved away); ST_BUSY: the
 * files have moved on, tell the committed state again; ST_INVALID: the part is
 * damaged, ST_IO (both reported). */
enum status corpus_reader_get(struct corpus_reader *r, uint64_t part,
                              uint64_t at, size_t n, struct buf *out);

/* How much text the first file_bytes of a part's file are.  Errors as above. */
enum status corpus_reader_length(struct corpus_reader *r, uint64_t part,
                                 uint64_t file_bytes, uint64_t *text);

#endif
