/* radix.c -- see radix.h.
 *
 * One pass over the records counts the values of every byte of the key; then
 * each byte, the last one first, moves all records to their places.  A byte
 * that is the same everywhere moves nothing: keys that share their upper bits
 * (a bucket of spill.h) and small numbers cost only what differs.  The sizes
 * that are used have a loop of their own, in which a record is a few moves. */
#include "radix.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define KEY_MAX 64

static inline __attribute__((always_inline)) void
pass_sized(const unsigned char *from, unsigned char *to, size_t n, size_t size,
           size_t byte, size_t *place)
{
    for (size_t i = 0; i < n; i++, from += size)
        memcpy(to + place[from[byte]]++ * size, from, size);
}

static void
pass(const unsigned char *from, unsigned char *to, size_t n, size_t size,
     size_t byte, const size_t *counts)
{
    size_t place[256], at = 0;

    for (size_t v = 0; v < 256; v++) {
        place[v] = at;
        at += counts[v];
    }
    switch (size) {
    case 8: pass_sized(from, to, n, 8, byte, place); break;
    case 12: pass_sized(from, to, n, 12, byte, place); break;
    case 20: pass_sized(from, to, n, 20, byte, place); break;
    default: pass_sized(from, to, n, size, byte, place); break;
    }
}

/* Does one value of the byte have all the records? */
static bool
is_constant(const size_t *counts, size_t n)
{
    for (size_t v = 0; v < 256; v++)
        if (counts[v] != 0)
            return counts[v] == n;
    return true;
}

void *
radix_sort(void *records, void *room, size_t n, size_t size, size_t key_n)
{
    size_t counts[KEY_MAX][256];
    unsigned char *from = records, *to = room, *swap;

    memset(counts, 0, key_n * sizeof counts[0]);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < key_n; b++)
            counts[b][from[i * size + b]]++;
    for (size_t b = key_n; b-- > 0;) {
        if (is_constant(counts[b], n))
            continue;
        pass(from, to, n, size, b, counts[b]);
        swap = from;
        from = to;
        to = swap;
    }
    return from;
}
