/* frame.h -- how messages are told apart on a stream: the bytes "wnw2", the
 * length and the number of the message as big-endian uint32, the message.
 *
 * The number is the caller's and stands in front of the answer, too; 0 is the
 * hello, the first message each side sends.
 *
 * A function of the bytes that arrive, in whatever pieces; nothing here reads
 * or waits:
 *
 *     frame_begin(&f, most);
 *     while (bytes.n > 0)
 *         if ((st = frame_take(&f, &message, &bytes)) == ST_OK)
 *             ... use f.number and the message ..., frame_begin(&f, most);
 *         else if (st != ST_NONE)
 *             ... it is not understood ...
 *
 * Memory for a message is taken as its bytes arrive, so a peer that only
 * announces one costs nothing. */
#ifndef PROTO_FRAME_H
#define PROTO_FRAME_H

#include "base/buf.h"
#include "base/status.h"

#define FRAME_HEADER_SIZE 12u

/* What stands before a message of `n` bytes. */
void frame_header(unsigned char out[FRAME_HEADER_SIZE], uint32_t number,
                  size_t n);

struct frame { /* that is being read */
    unsigned char header[FRAME_HEADER_SIZE];
    size_t header_n;     /* arrived */
    size_t most, length; /* of the message; the latter when it is known */
    uint32_t number;
};

void frame_begin(struct frame *f, size_t most);

/* Has something of it come, but not all? */
static inline bool
frame_is_under_way(const struct frame *f)
{
    return f->header_n > 0;
}

/* Take what belongs to this message off the front of *bytes, append it to
 * `message` (empty at first; its memory is malloc()'s).  ST_OK: it is whole;
 * ST_NONE: go on with what is left (only after the header) or comes next;
 * ST_LIMIT: one longer than `most` is announced; ST_INVALID: the peer speaks
 * something else; ST_NOMEM. */
enum status frame_take(struct frame *f, struct buf *message, struct str *bytes);

/* The capacity `message` will have when frame_take() is given n bytes now: who
 * counts memory asks before it is taken. */
size_t frame_wants(const struct frame *f, const struct buf *message, size_t n);

/* What a peer speaks that sent these bytes first and is not understood, for
 * people. */
const char *frame_speaks(struct str first);

/* ---- the hello ---- */

#define HELLO_VERSION 3
#define HELLO_SIZE_MAX ((size_t)512)

/* The asker names the versions it speaks, the other chooses one (both numbers
 * the same) or refuses (0, 0) and says why in `text`. */
struct hello {
    uint16_t lowest, highest;
    struct str text; /* for people; points into the message */
};

/* What the one who says hello is: what stands behind ": " in its text; empty:
 * it does not say. */
struct str hello_service(const struct hello *h);

void hello_write(struct buf *out, const struct hello *h);
enum status hello_read(struct hello *out, struct str message); /* ST_INVALID */

#endif
