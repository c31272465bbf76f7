/* report_index.c -- see report_index.h. */
#include "report_index.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

static uint64_t
slot_key(const void *slot)
{
    const struct report_slot *s = slot;

    return (uint64_t)s->key[1] << 32 | s->key[0];
}

bool
report_slot_used(const void *slot)
{
    return slot_key(slot) != 0;
}

static bool
slot_is(const void *of, const void *slot, const void *key)
{
    (void)of;
    return slot_key(slot) == *(const uint64_t *)key;
}

static uint64_t
slot_hash(const void *of, const void *slot)
{
    (void)of;
    return slot_key(slot);
}

const struct hashmap_kind report_index_kind = {
    sizeof(struct report_slot), report_slot_used, slot_is, slot_hash, NULL};

void *
report_grown(void *p, size_t *cap, size_t n, size_t each)
{
    if (n < *cap)
        return p;
    *cap = *cap ? *cap * 2 : 256;
    return memory_need(realloc(p, *cap * each));
}

/* 0 marks a free slot. */
static uint64_t
key_of(uint64_t hash)
{
    return hash + (hash == 0);
}

uint32_t *
report_index_value(struct hashmap *x, uint64_t key, bool *fresh)
{
    struct report_slot *s;

    key = key_of(key);
    s = hashmap_put(x, &report_index_kind, NULL, key, &key);
    *fresh = !report_slot_used(s);
    s->key[0] = (uint32_t)key;
    s->key[1] = (uint32_t)(key >> 32);
    return &s->value;
}

void
name_index_init(struct name_index *names, size_t room)
{
    *names = (struct name_index){0};
    hashmap_init(&names->index, &report_index_kind, NULL, room);
}

void
name_index_free(struct name_index *names)
{
    hashmap_free(&names->index);
    free(names->item);
}

uint32_t
name_index_number(struct name_index *names, struct arena *a, struct str name)
{
    bool fresh;
    uint32_t *number = report_index_value(&names->index, hash64(name), &fresh);

    if (fresh) {
        *number = (uint32_t)(names->index.n - 1);
        names->item =
            report_grown(names->item, &names->cap, *number, sizeof name);
        names->item[*number] = arena_str(a, name);
    }
    return *number;
}

bool
name_index_has(const struct name_index *names, struct str name)
{
    uint64_t key = key_of(hash64(name));

    return report_slot_used(
        hashmap_find(&names->index, &report_index_kind, NULL, key, &key));
}
