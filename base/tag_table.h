/* tag_table.h -- a table of features in the file of a model: 2^bits slots of a
 * tag of 2 bytes, little endian, 0: free.  A feature's slot goes by the high
 * bits of its key, then linearly; its tag is the low ones, 1 for 0.  What is
 * known of a feature stands in an array of the owner's, at the same index. */
#ifndef BASE_TAG_TABLE_H
#define BASE_TAG_TABLE_H

#include "base/arena.h"
#include "base/hashmap.h"

#define TAG_NONE SIZE_MAX

struct tag_table {
    struct hashmap slots; /* of uint16_t */
};

/* The tags of a file, 2^(bits + 1) bytes; with an arena.  False: no slot is
 * free, so that looking for what is not there would not end. */
bool tag_table_read(struct tag_table *t, struct arena *a, const char *bytes,
                    unsigned bits);

/* The tag of a key, never 0. */
static inline uint16_t
tag_of(uint64_t key)
{
    return (uint16_t)key != 0 ? (uint16_t)key : 1;
}

/* struct hashmap_kind: is it no free slot? */
static inline bool
tag_used(const void *slot)
{
    return *(const uint16_t *)slot != 0;
}

/* struct hashmap_kind: has the slot this tag? */
static inline bool
tag_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return *(const uint16_t *)slot == *(const uint16_t *)key;
}

/* The index of a feature; TAG_NONE: it is not there. */
static inline size_t
tag_table_find(const struct tag_table *t, uint64_t key)
{
    static const struct hashmap_kind kind = {
        .size = sizeof(uint16_t), .used = tag_used, .equal = tag_equal};
    uint16_t tag = tag_of(key);
    const uint16_t *slot = hashmap_find(&t->slots, &kind, NULL, key, &tag);

    return *slot == 0 ? TAG_NONE
                      : (size_t)(slot - (const uint16_t *)t->slots.slots);
}

/* Tags to be written to a file: 2^bits, all 0 at first.  The slot of one more
 * feature, whose tag is set; two with one tag have a slot each, of which the
 * first is found. */
void tag_table_make(struct tag_table *t, struct arena *a, unsigned bits);
size_t tag_table_add(struct tag_table *t, uint64_t key);

#endif
