/* corpus_inside.h -- what the files of the corpus share: its struct, and what
 * each of them has for the others. */
#ifndef SHINGLE_CORPUS_INSIDE_H
#define SHINGLE_CORPUS_INSIDE_H

#include "corpus.h"
#include "gzip_members.h"
#include "stream.h"

struct corpus {
    char *dir;
    struct index *index;
    struct corpus_options options;
    struct gzip_members *gzip;
    struct stream stream[CORPUS_STREAMS_MAX];
    size_t streams_n;
    struct buf text, member; /* work space of a flush */
    struct buf unsynced;     /* files that were written by this batch */
};

/* ---- corpus_streams.c ---- */

/* NULL: not prepared. */
struct stream *corpus_stream(struct corpus *c, enum corpus_group group,
                             struct str suffix);
/* Its row in the index, in the transaction that is open. */
enum status corpus_stream_row(struct corpus *c, const struct stream *s);
bool corpus_stream_is_warc(const struct stream *s);

/* The streams that the index knows, and the files as it knows them: what a
 * crash has left is cut off. */
enum status corpus_streams_open(struct corpus *c);

#endif
