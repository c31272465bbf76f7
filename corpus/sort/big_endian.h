/* big_endian.h -- numbers as bytes whose order is that of the numbers. */
#ifndef CORPUS_BIG_ENDIAN_H
#define CORPUS_BIG_ENDIAN_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void
be32_put(void *to, uint32_t v)
{
    v = htobe32(v);
    memcpy(to, &v, sizeof v);
}

static inline uint32_t
be32_get(const void *from)
{
    uint32_t v;

    memcpy(&v, from, sizeof v);
    return be32toh(v);
}

static inline void
be64_put(void *to, uint64_t v)
{
    v = htobe64(v);
    memcpy(to, &v, sizeof v);
}

static inline uint64_t
be64_get(const void *from)
{
    uint64_t v;

    memcpy(&v, from, sizeof v);
    return be64toh(v);
}

#endif
