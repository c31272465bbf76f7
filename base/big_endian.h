/* big_endian.h -- numbers as bytes whose order is that of the numbers. */
#ifndef BASE_BIG_ENDIAN_H
#define BASE_BIG_ENDIAN_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Put the low n bytes of a number, 8 at most. */
static inline void
be_put(void *to, uint64_t v, size_t n)
{
    unsigned char *p = to;

    for (; n > 0; v >>= 8)
        p[--n] = (unsigned char)(v & 0xff);
}

/* The number that n bytes are, 8 at most. */
static inline uint64_t
be_get(const void *from, size_t n)
{
    const unsigned char *p = from;
    uint64_t v = 0;

    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

/* Put a number of four bytes; these are for where it has to be fast. */
static inline void
be32_put(void *to, uint32_t v)
{
    v = htobe32(v);
    memcpy(to, &v, sizeof v);
}

/* A number of four bytes. */
static inline uint32_t
be32_get(const void *from)
{
    uint32_t v;

    memcpy(&v, from, sizeof v);
    return be32toh(v);
}

/* Put a number of eight bytes. */
static inline void
be64_put(void *to, uint64_t v)
{
    v = htobe64(v);
    memcpy(to, &v, sizeof v);
}

/* A number of eight bytes. */
static inline uint64_t
be64_get(const void *from)
{
    uint64_t v;

    memcpy(&v, from, sizeof v);
    return be64toh(v);
}

#endif
