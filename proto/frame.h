/* frame.h -- how messages are told apart on a stream: the bytes "wnw1", the
 * length as a big-endian uint32, the message.
 *
 * A function of the bytes that arrive, in whatever pieces; nothing here reads
 * or waits.  The reader says where the next bytes belong and is told how many
 * came:
 *
 *     frame_begin(&f, &message);
 *     do {
 *         n = frame_room(&f, &message, room);
 *         ... read some bytes, at least one, into room[0], then room[1] ...
 *         st = frame_arrived(&f, &message, bytes);
 *     } while (st == ST_NONE);
 *
 * Memory for a message is taken as its bytes arrive, FRAME_CHUNK_MAX ahead at
 * most, so a peer that only announces one costs nothing. */
#ifndef PROTO_FRAME_H
#define PROTO_FRAME_H

#include "winnow/buf.h"
#include "winnow/status.h"

#define FRAME_HEADER_SIZE 8u
#define FRAME_CHUNK_MIN ((size_t)4096)
#define FRAME_CHUNK_MAX ((size_t)1024 * 1024)

/* What stands before a message of `n` bytes (ENDPOINT_MESSAGE_MAX at most). */
void frame_header(unsigned char out[FRAME_HEADER_SIZE], size_t n);

struct frame { /* that is being read */
    unsigned char header[FRAME_HEADER_SIZE];
    size_t header_n; /* arrived */
    size_t length;   /* of the message, when the header is there */
};

struct frame_room {
    void *p;
    size_t n;
};

void frame_begin(struct frame *f, struct buf *message); /* emptied */

/* Where the next bytes belong: one or two places, valid until `message` or *f
 * changes.  Returns how many. */
unsigned frame_room(struct frame *f, struct buf *message,
                    struct frame_room room[2]);

/* So many bytes have come there.  ST_OK: `message` is whole; ST_NONE: go on;
 * ST_LIMIT: one over ENDPOINT_MESSAGE_MAX is announced; ST_INVALID: the peer
 * speaks something else, or goes on behind the message (nobody sends the next
 * one before the answer). */
enum status frame_arrived(struct frame *f, struct buf *message, size_t n);

#endif
