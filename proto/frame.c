/* frame.c -- see frame.h. */
#include "frame.h"

#include <assert.h>

#include "winnow/endpoint.h"

static const unsigned char magic[4] = {'w', 'n', 'w', '1'};

void
frame_header(unsigned char out[FRAME_HEADER_SIZE], size_t n)
{
    assert(n <= ENDPOINT_MESSAGE_MAX);
    memcpy(out, magic, sizeof magic);
    for (int i = 0; i < 4; i++)
        out[4 + i] = (unsigned char)(n >> (24 - 8 * i));
}

void
frame_begin(struct frame *f, struct buf *message)
{
    *f = (struct frame){.header_n = 0};
    buf_clear(message);
}

/* With the header comes the beginning of the message, or all of a short one. */
unsigned
frame_room(struct frame *f, struct buf *message, struct frame_room room[2])
{
    size_t n = f->length - message->n;

    if (f->header_n < FRAME_HEADER_SIZE) {
        buf_reserve(message, FRAME_CHUNK_MIN);
        room[0] = (struct frame_room){f->header + f->header_n,
                                      FRAME_HEADER_SIZE - f->header_n};
        room[1] = (struct frame_room){message->p, FRAME_CHUNK_MIN};
        return 2;
    }
    n = n > FRAME_CHUNK_MAX ? FRAME_CHUNK_MAX : n;
    buf_reserve(message, n);
    room[0] = (struct frame_room){message->p + message->n, n};
    return 1;
}

static enum status
read_header(struct frame *f)
{
    if (memcmp(f->header, magic, sizeof magic) != 0)
        return ST_INVALID;
    for (int i = 0; i < 4; i++)
        f->length = f->length << 8 | f->header[4 + i];
    return f->length > ENDPOINT_MESSAGE_MAX ? ST_LIMIT : ST_OK;
}

enum status
frame_arrived(struct frame *f, struct buf *message, size_t n)
{
    size_t missing = FRAME_HEADER_SIZE - f->header_n;
    enum status st;

    if (n < missing) {
        f->header_n += n;
        return ST_NONE;
    }
    f->header_n = FRAME_HEADER_SIZE;
    message->n += n - missing;
    if (missing > 0 && (st = read_header(f)) != ST_OK)
        return st;
    if (message->n > f->length)
        return ST_INVALID;
    return message->n < f->length ? ST_NONE : ST_OK;
}
