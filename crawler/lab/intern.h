/* intern.h -- strings by number: each stands once, the first gets 0.
 *
 * Owns its copies; they live until intern_free().  Out of memory ends the
 * program (see arena.h).  Not thread-safe while it grows. */
#ifndef LAB_INTERN_H
#define LAB_INTERN_H

#include "base/arena.h"
#include "base/hashmap.h"

#define INTERN_NONE UINT32_MAX

struct intern {
    struct arena *arena;
    struct str *name;
    uint32_t n, cap;
    struct hashmap index; /* numbers of names, from 1 */
};

void intern_init(struct intern *t);
void intern_free(struct intern *t);

/* The string's number; *fresh (may be NULL): it was not there. */
uint32_t intern_add(struct intern *t, struct str s, bool *fresh);
/* INTERN_NONE: it is not there. */
uint32_t intern_find(const struct intern *t, struct str s);

#endif
