/* tag_table.h -- a table of features in the file of a model: 2^bits slots of a
 * tag of 2 bytes, little endian, 0: free.  A feature's slot goes by the high
 * bits of its key, then linearly; its tag is the low ones, 1 for 0.  What is
 * known of a feature stands in an array of the owner's, at the same index. */
#ifndef BASE_TAG_TABLE_H
#define BASE_TAG_TABLE_H

#include "base/arena.h"
#include "base/hashmap.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

struct tag_table {
    struct hashmap slots; /* of uint16_t; more repeat the first ones */
};

/* The tags of a file, 2^(bits + 1) bytes, bits > 3; with an arena.  False: no
 * slot is free, so that looking for what is not there would not end. */
bool tag_table_read(struct tag_table *t, struct arena *a, const char *bytes,
                    unsigned bits);

/* The tag of a key, never 0. */
static inline uint16_t
tag_of(uint64_t key)
{
    return (uint16_t)key != 0 ? (uint16_t)key : 1;
}

enum { TAG_SPAN = 16 }; /* tags that are looked at together */

/* The first of TAG_SPAN tags that is `tag` or 0; TAG_SPAN: none is.  *found: it
 * is not 0. */
static inline unsigned
tag_stop(const uint16_t *tags, uint16_t tag, bool *found)
{
#if defined(__AVX2__)
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)tags);
    unsigned equal = (unsigned)_mm256_movemask_epi8(
        _mm256_cmpeq_epi16(a, _mm256_set1_epi16((short)tag)));
    unsigned none = (unsigned)_mm256_movemask_epi8(
        _mm256_cmpeq_epi16(a, _mm256_setzero_si256()));
    uint64_t stops = equal | none | UINT64_C(1) << 2 * TAG_SPAN;
    unsigned stop = (unsigned)__builtin_ctzll(stops) / 2; /* two bits a tag */

    *found = (uint64_t)equal >> 2 * stop & 1;
    return stop;
#elif defined(__SSE2__)
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)tags);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(tags + 8));
    __m128i wanted = _mm_set1_epi16((short)tag), zero = _mm_setzero_si128();
    unsigned equal = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(
        _mm_cmpeq_epi16(a, wanted), _mm_cmpeq_epi16(b, wanted)));
    unsigned none = (unsigned)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_cmpeq_epi16(a, zero), _mm_cmpeq_epi16(b, zero)));
    unsigned stop = (unsigned)__builtin_ctz(equal | none | 1u << TAG_SPAN);

    *found = equal >> stop & 1;
    return stop;
#else
    unsigned i = 0;

    while (i < TAG_SPAN && tags[i] != tag && tags[i] != 0)
        i++;
    *found = i < TAG_SPAN && tags[i] == tag;
    return i;
#endif
}

/* The index of a feature; *found: it is there, else the index is that of some
 * slot.  Of a table that was read. */
static inline size_t
tag_table_find(const struct tag_table *t, uint64_t key, bool *found)
{
    const uint16_t *tags = t->slots.slots;
    size_t at = (size_t)(key >> t->slots.shift), mask = t->slots.mask;
    uint16_t tag = tag_of(key);
    unsigned stop;

    while ((stop = tag_stop(tags + at, tag, found)) == TAG_SPAN)
        at = (at + TAG_SPAN) & mask;
    return (at + stop) & mask;
}

/* Tags to be written to a file: 2^bits, all 0 at first.  The slot of one more
 * feature, whose tag is set; two with one tag have a slot each, of which the
 * first is found. */
void tag_table_make(struct tag_table *t, struct arena *a, unsigned bits);
size_t tag_table_add(struct tag_table *t, uint64_t key);

#endif
