/* Any bytes as what a peer sends, in any pieces: read as wire.c does, against
 * what the whole of it says; the first message as a hello. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "proto/endpoint.h"
#include "proto/frame.h"

/* What the first message of `n` bytes is, told without pieces: its end, or why
 * there is none. */
static enum status
whole(const unsigned char *p, size_t n, size_t most, size_t *length)
{
    size_t m = n < 4 ? n : 4;

    if (memcmp(p, "wnw2", m) != 0)
        return ST_INVALID;
    if (n < FRAME_HEADER_SIZE)
        return ST_NONE;
    *length =
        (size_t)p[4] << 24 | (size_t)p[5] << 16 | (size_t)p[6] << 8 | p[7];
    if (*length > most)
        return ST_LIMIT;
    return n - FRAME_HEADER_SIZE < *length ? ST_NONE : ST_OK;
}

static void
check_hello(struct str message)
{
    struct hello h, again;
    struct buf out = {0};

    if (hello_read(&h, message) != ST_OK)
        return;
    hello_write(&out, &h);
    if (!str_eq(buf_view(&out), message) ||
        hello_read(&again, buf_view(&out)) != ST_OK || again.lowest > h.highest)
        abort();
    buf_free(&out);
}

/* One message from *at on, in pieces of `piece` bytes. */
static enum status
one(const unsigned char *p, size_t n, size_t *at, size_t piece, size_t most)
{
    unsigned char header[FRAME_HEADER_SIZE];
    struct buf message = {0};
    size_t from = *at, length = 0;
    struct frame f;
    enum status st = ST_NONE, want;

    frame_begin(&f, most);
    while (st == ST_NONE && *at < n) {
        size_t k = n - *at < piece ? n - *at : piece;
        struct str bytes = str_n((const char *)p + *at, k);

        do {
            size_t wants = frame_wants(&f, &message, bytes.n);

            st = frame_take(&f, &message, &bytes);
            if (message.cap != wants)
                abort(); /* it is counted */
        } while (st == ST_NONE && bytes.n > 0);
        *at += k - bytes.n;
        if (message.cap > (*at - from) / 4 * 5 + 64 * 1024)
            abort(); /* memory for what was only announced */
        want = whole(p + from, *at - from, most, &length);
        if (st != want)
            abort();
    }
    if (st == ST_OK) {
        frame_header(header, f.number, message.n);
        if (message.n != length || *at != from + FRAME_HEADER_SIZE + length ||
            memcmp(header, p + from, sizeof header) != 0 ||
            (length > 0 &&
             memcmp(message.p, p + from + sizeof header, length) != 0))
            abort();
        if (most == HELLO_SIZE_MAX)
            check_hello(buf_view(&message));
    } else if (st != ST_NONE &&
               frame_speaks(str_n((const char *)p, n)) == NULL) {
        abort();
    }
    buf_free(&message);
    return st;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const size_t pieces[] = {1, 2, 7, 11, 12, 13, 100, 5000, SIZE_MAX};

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t at = 0, most = HELLO_SIZE_MAX;

        while (at < n && one(data, n, &at, pieces[i], most) == ST_OK)
            most = ENDPOINT_MESSAGE_MAX;
    }
    return 0;
}
