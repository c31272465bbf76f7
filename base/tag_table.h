/* tag_table.h -- a table of features in the file of a model: 2^bits slots of a
 * tag of 2 bytes, little endian, 0: free.  A feature's slot goes by the high
 * bits of its key, then linearly; its tag is the low ones, 1 for 0.  What is
 * known of a feature stands in an array of the owner's, at the same index. */
#ifndef BASE_TAG_TABLE_H
#define BASE_TAG_TABLE_H

#include "base/arena.h"
#include "base/hashmap.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct tag_table {
    struct hashmap slots; /* of uint16_t; seven more repeat the first ones */
};

/* The tags of a file, 2^(bits + 1) bytes, bits > 2; with an arena.  False: no
 * slot is free, so that looking for what is not there would not end. */
bool tag_table_read(struct tag_table *t, struct arena *a, const char *bytes,
                    unsigned bits);

/* The tag of a key, never 0. */
static inline uint16_t
tag_of(uint64_t key)
{
    return (uint16_t)key != 0 ? (uint16_t)key : 1;
}

/* Eight tags; comparing them (GCC's vectors) gives a mask. */
typedef uint16_t tag_eight __attribute__((vector_size(16)));

/* The first of eight tags that is `tag` or 0; 8: none is.  *found: it is not
 * 0. */
static inline unsigned
tag_stop(const uint16_t *tags, uint16_t tag, bool *found)
{
#ifdef __SSE2__
    tag_eight v;
    unsigned equal, free_one, stop;

    memcpy(&v, tags, sizeof v);
    equal = (unsigned)_mm_movemask_epi8((__m128i)(v == tag));
    free_one = (unsigned)_mm_movemask_epi8((__m128i)(v == 0));
    stop = (unsigned)__builtin_ctz(equal | free_one | 1u << 16);
    *found = equal >> stop & 1;
    return stop / 2;
#else
    unsigned i = 0;

    while (i < 8 && tags[i] != tag && tags[i] != 0)
        i++;
    *found = i < 8 && tags[i] == tag;
    return i;
#endif
}

/* The index of a feature, by eight tags at a time; *found: it is there, else
 * the index is that of some slot.  Of a table that was read. */
static inline size_t
tag_table_find(const struct tag_table *t, uint64_t key, bool *found)
{
    const uint16_t *tags = t->slots.slots;
    size_t at = (size_t)(key >> t->slots.shift), mask = t->slots.mask;
    uint16_t tag = tag_of(key);
    unsigned stop;

    while ((stop = tag_stop(tags + at, tag, found)) == 8)
        at = (at + 8) & mask;
    return (at + stop) & mask;
}

/* Tags to be written to a file: 2^bits, all 0 at first.  The slot of one more
 * feature, whose tag is set; two with one tag have a slot each, of which the
 * first is found. */
void tag_table_make(struct tag_table *t, struct arena *a, unsigned bits);
size_t tag_table_add(struct tag_table *t, uint64_t key);

#endif
