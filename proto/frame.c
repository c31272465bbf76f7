/* frame.c -- see frame.h. */
#include "frame.h"

#include <assert.h>
#include <stdlib.h>

#include "base/big_endian.h"

enum { GROW_LEAST = 16 * 1024 };

static const char magic[] = "wnw2";

void
frame_header(unsigned char out[FRAME_HEADER_SIZE], uint32_t number, size_t n)
{
    assert(n <= UINT32_MAX);
    memcpy(out, magic, 4);
    be32_put(out + 4, (uint32_t)n);
    be32_put(out + 8, number);
}

void
frame_begin(struct frame *f, size_t most)
{
    *f = (struct frame){.most = most};
}

/* A stranger is found out by its first byte. */
static enum status
take_header(struct frame *f, struct str *bytes)
{
    while (f->header_n < FRAME_HEADER_SIZE && bytes->n > 0) {
        f->header[f->header_n] = (unsigned char)bytes->p[0];
        *bytes = str_sub(*bytes, 1, SIZE_MAX);
        if (f->header_n < 4 &&
            f->header[f->header_n] != (unsigned char)magic[f->header_n])
            return ST_INVALID;
        f->header_n++;
    }
    if (f->header_n < FRAME_HEADER_SIZE)
        return ST_NONE;
    f->length = be32_get(f->header + 4);
    f->number = be32_get(f->header + 8);
    return f->length > f->most ? ST_LIMIT : ST_OK;
}

size_t
frame_wants(const struct frame *f, const struct buf *message, size_t n)
{
    size_t want = message->n +
                  (message->n / 4 > GROW_LEAST ? message->n / 4 : GROW_LEAST);

    if (f->header_n < FRAME_HEADER_SIZE)
        return message->cap;
    if (n > f->length - message->n)
        n = f->length - message->n;
    if (message->cap - message->n >= n)
        return message->cap;
    if (want < message->n + n)
        want = message->n + n;
    return want < f->length ? want : f->length;
}

/* Exactly so many bytes: they are counted. */
static bool
hold(struct buf *message, size_t cap)
{
    char *p = message->p;

    if (cap > message->cap && (p = realloc(p, cap)) == NULL)
        return false;
    message->p = p;
    message->cap = cap > message->cap ? cap : message->cap;
    return true;
}

enum status
frame_take(struct frame *f, struct buf *message, struct str *bytes)
{
    enum status st;
    size_t n;

    if (f->header_n < FRAME_HEADER_SIZE) {
        if ((st = take_header(f, bytes)) != ST_OK)
            return st;
        return f->length > 0 ? ST_NONE : ST_OK;
    }
    n = f->length - message->n;
    if (n > bytes->n)
        n = bytes->n;
    if (!hold(message, frame_wants(f, message, n)))
        return ST_NOMEM;
    buf_add(message, bytes->p, n);
    *bytes = str_sub(*bytes, n, SIZE_MAX);
    return message->n < f->length ? ST_NONE : ST_OK;
}

const char *
frame_speaks(struct str first)
{
    if (first.n > 2 && first.p[0] == 0x16 && first.p[1] == 3)
        return "it speaks TLS, and this is no tls+tcp:// address";
    if (str_starts(first, S("wnw1")))
        return "it speaks version 1: an older winnow";
    if (str_starts(first, S("wnw")))
        return "it speaks another version of winnow's protocol";
    return "it does not speak winnow's protocol";
}

void
hello_write(struct buf *out, const struct hello *h)
{
    const unsigned char versions[4] = {
        (unsigned char)(h->lowest >> 8), (unsigned char)h->lowest,
        (unsigned char)(h->highest >> 8), (unsigned char)h->highest};

    buf_add(out, versions, sizeof versions);
    buf_str(out, h->text);
}

struct str
hello_service(const struct hello *h)
{
    return str_sub(h->text, str_find(h->text, ':', 0) + 2, SIZE_MAX);
}

enum status
hello_read(struct hello *out, struct str message)
{
    const unsigned char *p = (const unsigned char *)message.p;

    if (message.n < 4)
        return ST_INVALID;
    *out = (struct hello){.lowest = (uint16_t)be_get(p, 2),
                          .highest = (uint16_t)be_get(p + 2, 2),
                          .text = str_sub(message, 4, SIZE_MAX)};
    return out->lowest <= out->highest ? ST_OK : ST_INVALID;
}
