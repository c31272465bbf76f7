/* intern.c -- see intern.h: an array and a hash table of its indices. */
#include "intern.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

static bool
is_name(const void *intern, const void *slot, const void *name)
{
    const struct intern *t = intern;

    return str_eq(t->name[*(const uint32_t *)slot - 1],
                  *(const struct str *)name);
}

static uint64_t
name_hash(const void *intern, const void *slot)
{
    const struct intern *t = intern;

    return hash64(t->name[*(const uint32_t *)slot - 1]);
}

static const struct hashmap_kind names_kind = {
    sizeof(uint32_t), hashmap_numbered, is_name, name_hash, NULL};

void
intern_init(struct intern *t)
{
    *t = (struct intern){.arena = arena_new()};
    hashmap_init(&t->index, &names_kind, NULL, 32);
}

void
intern_free(struct intern *t)
{
    arena_free(t->arena);
    free(t->name);
    hashmap_free(&t->index);
    *t = (struct intern){0};
}

uint32_t
intern_add(struct intern *t, struct str s, bool *fresh)
{
    uint32_t *number = hashmap_put(&t->index, &names_kind, t, hash64(s), &s);

    if (fresh != NULL)
        *fresh = *number == 0;
    if (*number != 0)
        return *number - 1;
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->name = memory_need(realloc(t->name, t->cap * sizeof *t->name));
    }
    t->name[t->n] = arena_str(t->arena, s);
    *number = ++t->n;
    return t->n - 1;
}

uint32_t
intern_find(const struct intern *t, struct str s)
{
    const uint32_t *number =
        hashmap_find(&t->index, &names_kind, t, hash64(s), &s);

    return *number - 1; /* 0 - 1: INTERN_NONE */
}
