/* pack.h -- numbers and texts in a row's value, and the cursor that reads them.
 *
 * A number is LEB128 (seven bits a byte, low first); a fixed one is big-endian
 * of n bytes; a text is its length as a number and its bytes.  Reading past the
 * end gives zeros and marks the cursor bad: check once, at the end. */
#ifndef FRONTIER_PACK_H
#define FRONTIER_PACK_H

#include <assert.h>

#include "base/big_endian.h"
#include "base/buf.h"

struct unpack {
    struct str left;
    bool bad;
};

#define PACK_NUMBER_MAX 10u /* bytes */

/* Room for the bytes of a number: one question for all of them. */
static inline char *
pack_room(struct buf *out)
{
    if (out->cap - out->n < PACK_NUMBER_MAX)
        buf_reserve(out, PACK_NUMBER_MAX);
    assert(out->p != NULL);
    return out->p + out->n;
}

static inline void
pack_number(struct buf *out, uint64_t v)
{
    char *p = pack_room(out);
    size_t n = 0;

    while (v >= 0x80) {
        p[n++] = (char)(unsigned char)(v | 0x80);
        v >>= 7;
    }
    p[n++] = (char)v;
    out->n += n;
}

/* n is 8 at most. */
static inline void
pack_fixed(struct buf *out, uint64_t v, unsigned n)
{
    be_put(pack_room(out), v, n);
    out->n += n;
}

static inline void
pack_text(struct buf *out, struct str s)
{
    pack_number(out, s.n);
    buf_str(out, s);
}

static inline uint64_t
unpack_fixed(struct unpack *u, unsigned n)
{
    uint64_t v;

    if (u->left.n < n) {
        u->bad = true;
        return 0;
    }
    v = be_get(u->left.p, n);
    u->left = str_n(u->left.p + n, u->left.n - n);
    return v;
}

static inline uint64_t
unpack_number(struct unpack *u)
{
    uint64_t v = 0, byte;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        byte = unpack_fixed(u, 1);
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
    u->bad = true;
    return 0;
}

static inline uint32_t
unpack_u32(struct unpack *u)
{
    uint64_t v = unpack_number(u);

    if (v > UINT32_MAX)
        u->bad = true;
    return (uint32_t)v;
}

static inline struct str
unpack_text(struct unpack *u)
{
    uint64_t n = unpack_number(u);
    struct str s;

    if (n > u->left.n) {
        u->bad = true;
        return S("");
    }
    s = str_n(u->left.p, (size_t)n);
    u->left = str_n(u->left.p + n, u->left.n - (size_t)n);
    return s;
}

#endif
