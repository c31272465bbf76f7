/* inflate_stream.h -- a file as decompressed bytes, however it is compressed.
 *
 * Plain bytes, gzip (RFC 1952; any number of members, run together) or zstd
 * (RFC 8878; frames, with the dictionary frame of the WARC zstd proposal).  The
 * reader sees one stream and can ask whether a member begins where it stands:
 * that is how a record is found again in a compressed file.  Memory is bounded:
 * a window of 1 MiB on both sides, plus what was put back, plus zstd's window.
 *
 * A damaged member ends the stream there (see enum inflate_state) until
 * inflate_stream_recover() finds the next one.  Belongs to one thread. */
#ifndef CLEAN_INFLATE_STREAM_H
#define CLEAN_INFLATE_STREAM_H

#include "base/status.h"
#include "base/str.h"

#define INFLATE_PEEK_MAX ((size_t)64 << 10)

/* Where the bytes come from.  read(): number of bytes, 0 at the end, negative
 * on a fault, which it has reported. */
struct inflate_source {
    void *self;
    ptrdiff_t (*read)(void *self, void *p, size_t n);
};

enum inflate_form { INFLATE_PLAIN, INFLATE_GZIP, INFLATE_ZSTD };

/* Why there is nothing ahead. */
enum inflate_state {
    INFLATE_OPEN,    /* there may be more */
    INFLATE_END,     /* the end of the file, between members */
    INFLATE_GARBAGE, /* after a whole member: bytes that begin no other */
    INFLATE_DAMAGED, /* a member is corrupt */
    INFLATE_SHORT,   /* the file ends inside a member */
    INFLATE_BOMB,    /* a member expands beyond all bounds */
    INFLATE_FAILED   /* reading failed */
};

struct inflate_stream;

/* Reads the first bytes to see what form it is.  *out is owned by the caller,
 * source.self by whoever made it, and must stay.  ST_NOMEM: *out is NULL. */
enum status inflate_stream_open(struct inflate_stream **out,
                                struct inflate_source source);
void inflate_stream_close(struct inflate_stream *s); /* NULL is allowed */

/* What the first bytes say; how far it has come: no longer INFLATE_OPEN when
 * what was peeked is all there is. */
enum inflate_form inflate_stream_form(const struct inflate_stream *s);
enum inflate_state inflate_stream_state(const struct inflate_stream *s);

/* At least `want` bytes (<= INFLATE_PEEK_MAX) from here on, fewer only when
 * the state is no longer INFLATE_OPEN.  Valid until the next call on `s`. */
struct str inflate_stream_peek(struct inflate_stream *s, size_t want);
void inflate_stream_skip(struct inflate_stream *s, size_t n); /* <= peeked */

/* At the beginning of a text: leave out its byte order mark, if it has one. */
void inflate_stream_skip_mark(struct inflate_stream *s);

/* Put back the bytes that were skipped last. */
void inflate_stream_unread(struct inflate_stream *s, struct str bytes);

/* Decoded bytes skipped so far. */
uint64_t inflate_stream_position(const struct inflate_stream *s);

/* Whether a member begins here, or the file ends (call after a peek): then its
 * offset in the file.  Always true for plain files. */
bool inflate_stream_boundary(const struct inflate_stream *s, uint64_t *offset);

/* Bytes to the next beginning of a member in the window, SIZE_MAX: none. */
size_t inflate_stream_to_boundary(const struct inflate_stream *s);

/* Offset in the file of the compressed bytes read so far. */
uint64_t inflate_stream_offset(const struct inflate_stream *s);

/* Where in the file these offsets are, for who is told of them: what `place`
 * says with source.self, for a source that reads parts of a file; without it
 * the same. */
void inflate_stream_set_place(struct inflate_stream *s,
                              uint64_t (*place)(void *self, uint64_t offset));
uint64_t inflate_stream_place(const struct inflate_stream *s, uint64_t offset);

/* Give up this member and what is ahead of it; go to the next one.  False:
 * there is none. */
bool inflate_stream_recover(struct inflate_stream *s);

#endif
