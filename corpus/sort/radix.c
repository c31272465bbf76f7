/* radix.c -- see radix.h.
 *
 * Records that do not fit into the processor's cache are first put apart by one
 * byte of the key, from the front, until parts do: a part is then sorted where
 * no move waits for memory, so a record costs the same among a million as among
 * a thousand million.  A part that fits is sorted by the first two bytes that
 * differ, the second one first; random keys are then all but in order, and what
 * still is equal goes on with the bytes behind.  Bytes that are the same
 * everywhere move nothing: keys that share their upper bits (a bucket of
 * spill.h) and small numbers cost only what differs.  The sizes that are used
 * have a loop of their own, in which a record is a few moves. */
#include "radix.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define RECORD_MAX 64
#define INSERTION_N 24                  /* so few are sorted by comparing */
#define CACHE_BYTES ((size_t)256 << 10) /* twice that: of the second level */

struct sorting {
    size_t size, key_n;
};

static inline __attribute__((always_inline)) void
pass_sized(const unsigned char *from, unsigned char *to, size_t n, size_t size,
           size_t byte, size_t *place)
{
    for (size_t i = 0; i < n; i++, from += size)
        memcpy(to + place[from[byte]]++ * size, from, size);
}

/* All records to their places by one byte; end: where each value ends. */
static void
pass(const unsigned char *from, unsigned char *to, size_t n, size_t size,
     size_t byte, size_t end[256])
{
    size_t at = 0;

    memset(end, 0, 256 * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[from[i * size + byte]]++;
    for (size_t v = 0; v < 256; v++) {
        size_t count = end[v];

        end[v] = at;
        at += count;
    }
    switch (size) {
    case 8: pass_sized(from, to, n, 8, byte, end); break;
    case 12: pass_sized(from, to, n, 12, byte, end); break;
    case 16: pass_sized(from, to, n, 16, byte, end); break;
    case 20: pass_sized(from, to, n, 20, byte, end); break;
    default: pass_sized(from, to, n, size, byte, end); break;
    }
}

static void
insertion(const struct sorting *s, unsigned char *p, size_t n, size_t byte)
{
    const size_t size = s->size, key_n = s->key_n - byte;
    unsigned char moved[RECORD_MAX];

    for (size_t i = 1; i < n; i++) {
        unsigned char *at = p + i * size;

        if (memcmp(at - size + byte, at + byte, key_n) <= 0)
            continue;
        memcpy(moved, at, size);
        for (; at > p && memcmp(at - size + byte, moved + byte, key_n) > 0;
             at -= size)
            memcpy(at, at - size, size);
        memcpy(at, moved, size);
    }
}

/* The first byte of the key, from `byte` on, in which any two differ. */
static size_t
first_that_differs(const struct sorting *s, const unsigned char *p, size_t n,
                   size_t byte)
{
    for (; byte < s->key_n; byte++)
        for (size_t i = 1; i < n; i++)
            if (p[i * s->size + byte] != p[byte])
                return byte;
    return byte;
}

static void sort_part(const struct sorting *s, unsigned char *from,
                      unsigned char *other, size_t n, size_t byte,
                      bool into_other);

static void
sort_large(const struct sorting *s, unsigned char *from, unsigned char *other,
           size_t n, size_t byte, bool into_other)
{
    size_t end[256], at = 0;

    pass(from, other, n, s->size, byte, end);
    for (size_t v = 0; v < 256; at = end[v++])
        sort_part(s, other + at * s->size, from + at * s->size, end[v] - at,
                  byte + 1, !into_other);
}

/* By two bytes, and then what is equal in both by the others. */
static void
sort_small(const struct sorting *s, unsigned char *from, unsigned char *other,
           size_t n, size_t byte)
{
    const size_t size = s->size;
    size_t end[256];

    pass(from, other, n, size, byte + 1, end);
    pass(other, from, n, size, byte, end);
    for (size_t i = 0, next; i < n; i = next) {
        const unsigned char *p = from + i * size + byte;

        for (next = i + 1; next < n && memcmp(p, p + (next - i) * size, 2) == 0;
             next++)
            ;
        if (next - i > 1)
            sort_part(s, from + i * size, other + i * size, next - i, byte + 2,
                      false);
    }
}

/* What stands in `from`, equal before `byte`, sorted there or in `other`. */
static void
sort_part(const struct sorting *s, unsigned char *from, unsigned char *other,
          size_t n, size_t byte, bool into_other)
{
    const size_t size = s->size;

    if (n > INSERTION_N)
        byte = first_that_differs(s, from, n, byte);
    if (n <= INSERTION_N) {
        insertion(s, from, n, byte);
    } else if (byte + 1 == s->key_n ||
               (byte < s->key_n && n * size > CACHE_BYTES)) {
        sort_large(s, from, other, n, byte, into_other);
        return;
    } else if (byte < s->key_n) {
        sort_small(s, from, other, n, byte);
    }
    if (into_other)
        memcpy(other, from, n * size);
}

void *
radix_sort(void *records, void *room, size_t n, size_t size, size_t key_n)
{
    sort_part(&(struct sorting){size, key_n}, records, room, n, 0, false);
    return records;
}
