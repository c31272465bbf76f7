/* intern.c -- see intern.h: an array and a hash of its indices (open
 * addressing, linear probing, at most half full). */
#include "intern.h"

#include "winnow/hash.h"
#include "winnow/memory.h"

#include <stdlib.h>

void
intern_init(struct intern *t)
{
    *t = (struct intern){.arena = arena_new(), .mask = 63};
    t->slot = memory_need(calloc((size_t)t->mask + 1, sizeof *t->slot));
}

void
intern_free(struct intern *t)
{
    arena_free(t->arena);
    free(t->name);
    free(t->slot);
    *t = (struct intern){0};
}

/* Its slot, or the free one where it would stand. */
static uint32_t
place(const struct intern *t, struct str s)
{
    uint32_t i = (uint32_t)hash64(s) & t->mask;

    while (t->slot[i] != 0 && !str_eq(t->name[t->slot[i] - 1], s))
        i = (i + 1) & t->mask;
    return i;
}

static void
grow(struct intern *t)
{
    free(t->slot);
    t->mask = 2 * t->mask + 1;
    t->slot = memory_need(calloc((size_t)t->mask + 1, sizeof *t->slot));
    for (uint32_t i = 0; i < t->n; i++)
        t->slot[place(t, t->name[i])] = i + 1;
}

uint32_t
intern_add(struct intern *t, struct str s, bool *fresh)
{
    uint32_t at = place(t, s);

    if (fresh != NULL)
        *fresh = t->slot[at] == 0;
    if (t->slot[at] != 0)
        return t->slot[at] - 1;
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->name = memory_need(realloc(t->name, t->cap * sizeof *t->name));
    }
    t->name[t->n] = arena_str(t->arena, s);
    t->slot[at] = ++t->n;
    if (t->n > t->mask / 2)
        grow(t);
    return t->n - 1;
}

uint32_t
intern_find(const struct intern *t, struct str s)
{
    return t->slot[place(t, s)] - 1; /* 0 - 1: INTERN_NONE */
}
