/* memory.h -- what happens when there is no more memory.
 *
 * Arenas, buffers and memory_need() never return NULL: they call memory_fail().
 * Inside memory_guarded() that ends the guarded function, which is how a page
 * that needs too much becomes a rejection, and how libwinnow leaves its host
 * alive.  Outside it ends the program, by the handler that main() installed.
 *
 * What runs guarded may therefore stop at any allocation.  It holds nothing
 * then that only it would give back: no lock, no object of another library,
 * memory from arenas (or a `struct buf` with an arena) only, or from owners
 * that live on outside of the guard.  Thread-safe. */
#ifndef WINNOW_MEMORY_H
#define WINNOW_MEMORY_H

#include <stddef.h>

#include "winnow/status.h"

/* `p` as malloc() and its like returned it; NULL: memory_fail(). */
void *memory_need(void *p) __attribute__((returns_nonnull));

/* Run run(self) and return what it returns; ST_NOMEM: there was no memory;
 * ST_LIMIT: an arena was at its limit (arena_limit()).  Guards nest; each
 * belongs to its thread. */
enum status memory_guarded(enum status (*run)(void *self), void *self);

/* n bytes cannot be had: to the innermost guard of this thread with `why`, else
 * to the handler, which must not return. */
_Noreturn void memory_fail(enum status why, size_t n);

/* What ends the program outside of guards; for main(), before threads start.
 * Without one it ends with a line on standard error and SIGABRT. */
void memory_set_handler(void (*handler)(size_t n));

#endif
