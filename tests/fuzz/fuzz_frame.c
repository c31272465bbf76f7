/* Any bytes as what a peer sends, in any pieces: read as link.c does, against
 * what the whole of it says. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frame.h"
#include "winnow/endpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct peer {
    const unsigned char *p;
    size_t n, at;
    size_t most; /* bytes of a piece */
};

/* A piece, as far as there is room. */
static size_t
deliver(struct peer *peer, const struct frame_room *room, unsigned rooms)
{
    size_t space = 0, bytes, done = 0;

    for (unsigned i = 0; i < rooms; i++)
        space += room[i].n;
    if (space == 0)
        abort();
    bytes = space < peer->most ? space : peer->most;
    if (bytes > peer->n - peer->at)
        bytes = peer->n - peer->at;
    for (unsigned i = 0; i < rooms && done < bytes; i++) {
        size_t k = bytes - done < room[i].n ? bytes - done : room[i].n;

        memcpy(room[i].p, peer->p + peer->at + done, k);
        done += k;
    }
    peer->at += bytes;
    return bytes;
}

/* What the first `n` bytes of a stream are, told without pieces. */
static enum status
whole(const unsigned char *p, size_t n, size_t *length)
{
    if (n < FRAME_HEADER_SIZE)
        return ST_NONE;
    if (memcmp(p, "wnw1", 4) != 0)
        return ST_INVALID;
    *length =
        (size_t)p[4] << 24 | (size_t)p[5] << 16 | (size_t)p[6] << 8 | p[7];
    if (*length > ENDPOINT_MESSAGE_MAX)
        return ST_LIMIT;
    n -= FRAME_HEADER_SIZE;
    return n > *length ? ST_INVALID : n < *length ? ST_NONE : ST_OK;
}

/* Sent and read again it is the same. */
static void
send_again(struct str message, size_t most)
{
    struct buf stream = {0}, again = {0};
    unsigned char header[FRAME_HEADER_SIZE];
    struct frame_room room[2];
    struct frame f;
    struct peer peer;
    enum status st;

    frame_header(header, message.n);
    buf_add(&stream, header, sizeof header);
    buf_str(&stream, message);
    peer = (struct peer){(const unsigned char *)stream.p, stream.n, 0, most};
    frame_begin(&f, &again);
    do {
        unsigned rooms = frame_room(&f, &again, room);

        st = frame_arrived(&f, &again, deliver(&peer, room, rooms));
    } while (st == ST_NONE);
    if (st != ST_OK || !str_eq(buf_view(&again), message))
        abort();
    buf_free(&stream);
    buf_free(&again);
}

static void
receive(struct peer peer)
{
    struct buf message = {0};
    struct frame_room room[2];
    struct frame f;
    enum status st = ST_NONE;
    size_t length = 0;

    frame_begin(&f, &message);
    while (st == ST_NONE && peer.at < peer.n) {
        unsigned rooms = frame_room(&f, &message, room);

        if (message.cap > 2 * peer.at + 2 * FRAME_CHUNK_MAX)
            abort(); /* memory for what was only announced */
        st = frame_arrived(&f, &message, deliver(&peer, room, rooms));
        if (st != whole(peer.p, peer.at, &length))
            abort();
    }
    if (st == ST_OK) {
        if (message.n != length ||
            memcmp(message.p, peer.p + FRAME_HEADER_SIZE, length) != 0)
            abort();
        send_again(buf_view(&message), peer.most);
    }
    buf_free(&message);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const size_t most[] = {1, 2, 7, 8, 9, 100, 5000, SIZE_MAX};

    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        receive((struct peer){.p = data, .n = n, .most = most[i]});
    return 0;
}
