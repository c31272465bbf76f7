/* arena.h -- memory that is given back all at once.
 *
 * One arena per page (or per message): allocate forward, never free singly,
 * reset when the page leaves.  Chunks are kept over a reset, so a warmed-up
 * arena allocates nothing.  An arena belongs to one thread at a time.
 *
 * Out of memory ends the program with a message: an arena is bounded by the
 * limits on what is put into it (body_size_max and the like), so there is no
 * sensible way to go on. */
#ifndef WINNOW_ARENA_H
#define WINNOW_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "winnow/str.h"

struct arena; /* opaque; see base/arena.c */

struct arena *arena_new(void);     /* owned by the caller */
void arena_free(struct arena *a);  /* NULL is allowed */
void arena_reset(struct arena *a); /* everything given out is void */
size_t arena_used(const struct arena *a);
size_t arena_high(const struct arena *a); /* most bytes ever in use at once */

/* Zeroed memory, aligned to 16 bytes; n == 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n);

/* Memory that is not zeroed. */
void *arena_raw(struct arena *a, size_t n);

/* An array grown in place when it is the latest allocation, else copied.
 * Sizes in bytes; bytes past old_n are not zeroed. */
void *arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

struct str arena_str(struct arena *a, struct str s); /* a copy, NUL after it */
char *arena_cstr(struct arena *a, struct str s);     /* the same as char* */
struct str arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
