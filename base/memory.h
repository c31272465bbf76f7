/* memory.h -- what happens when there is no more memory.
 *
 * Arenas, buffers and memory_need() never return NULL: they call memory_fail().
 * Inside memory_guarded() that ends the guarded function, which is how a page
 * that needs too much becomes a rejection, and how libwinnow leaves its host
 * alive.  Outside it ends the program, by the handler that main() installed.
 *
 * What runs guarded may therefore stop at any allocation.  It holds nothing
 * then that only it would give back: no lock, no object of another library but
 * by memory_hold(), memory from arenas (or a `struct buf` with an arena) only,
 * or from owners that live on outside of the guard.  memory_owned() lifts that
 * for memory.  Thread-safe. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* `p` as malloc() and its like returned it; NULL: memory_fail(). */
void *memory_need(void *p) __attribute__((returns_nonnull));

/* Run run(self) and return what it returns; ST_NOMEM: there was no memory;
 * ST_LIMIT: an arena was at its limit (arena_limit()).  Guards nest; each
 * belongs to its thread. */
enum status memory_guarded(enum status (*run)(void *self), void *self);

/* malloc(), calloc(), realloc() and free(), whose blocks memory_owned() knows;
 * arenas, buffers and hash tables are made of them.  NULL: there is no memory.
 * Outside of memory_owned() they are no more than that. */
void *memory_try(size_t n);
void *memory_zero(size_t n, size_t size);
void *memory_resize(void *p, size_t n); /* NULL: `p` stands as it was */
void memory_free(void *p);              /* NULL is allowed */

/* As memory_guarded(), for a function that makes new owners: when it is ended,
 * all blocks that it allocated and has not freed are given back, also those
 * that an owner outside of it was made to hold, who is then to be forgotten.
 * When it returns, whatever its status, they are as any others. */
enum status memory_owned(enum status (*run)(void *self), void *self);

/* Is this thread inside of memory_owned()? */
bool memory_is_owned(void);

/* A thing that is more than memory (a file, another library's object), while a
 * guarded function may be ended: release(what) is called then, for the latest
 * first, before blocks are given back.  Outside of guards both calls do
 * nothing. *h, on the stack mostly, is there until memory_let_go(). */
struct memory_held {
    struct memory_held *next, **at;
    void (*release)(void *what);
    void *what;
};
void memory_hold(struct memory_held *h, void (*release)(void *what),
                 void *what);
void memory_let_go(struct memory_held *h);

/* n bytes cannot be had: to the innermost guard of this thread with `why`, else
 * to the handler, which must not return. */
_Noreturn void memory_fail(enum status why, size_t n);

/* What ends the program outside of guards; for main(), before threads start.
 * Without one it ends with a line on standard error and SIGABRT. */
void memory_set_handler(void (*handler)(size_t n));

#endif
