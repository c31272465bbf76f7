/* tag_table.c -- see tag_table.h. */
#include "base/tag_table.h"

#include <endian.h>
#include <string.h>

static bool
tag_used(const void *slot)
{
    return *(const uint16_t *)slot != 0;
}

/* The first free slot is wanted. */
static bool
never_equal(const void *of, const void *slot, const void *key)
{
    (void)of, (void)slot, (void)key;
    return false;
}

static const struct hashmap_kind kind = {
    .size = sizeof(uint16_t), .used = tag_used, .equal = never_equal};

bool
tag_table_read(struct tag_table *t, struct arena *a, const char *bytes,
               unsigned bits)
{
    size_t places = (size_t)1 << bits, used = 0;
    uint16_t *tags = arena_raw(a, (places + TAG_SPAN - 1) * sizeof *tags);

    memcpy(tags, bytes, places * sizeof *tags);
    for (size_t i = 0; i < places; i++) {
        tags[i] = le16toh(tags[i]);
        used += tags[i] != 0;
    }
    memcpy(tags + places, tags, (TAG_SPAN - 1) * sizeof *tags);
    hashmap_use(&t->slots, &kind, tags, places);
    t->slots.secret = 1;
    return used < places;
}

void
tag_table_make(struct tag_table *t, struct arena *a, unsigned bits)
{
    size_t places = (size_t)1 << bits;

    hashmap_use(&t->slots, &kind, ARENA_ARRAY(a, uint16_t, places), places);
    t->slots.secret = 1;
}

size_t
tag_table_add(struct tag_table *t, uint64_t key)
{
    uint16_t *slot = hashmap_put(&t->slots, &kind, NULL, key, NULL);

    *slot = htole16(tag_of(key));
    return (size_t)(slot - (uint16_t *)t->slots.slots);
}
