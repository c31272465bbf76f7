/* arena.h -- memory that is given back all at once.
 *
 * One arena per page (or per message): allocate forward, never free singly,
 * reset when the page leaves.  Chunks are kept over a reset, so a warmed-up
 * arena allocates nothing.  An arena belongs to one thread at a time.
 *
 * What cannot be had goes to memory_fail() (memory.h); only arena_try() and
 * arena_try_grow() return NULL. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/str.h"

struct arena; /* opaque; see base/arena.c */

struct arena *arena_new(void);     /* owned by the caller */
void arena_free(struct arena *a);  /* NULL is allowed */
void arena_reset(struct arena *a); /* everything given out is void */

/* From now on so many chunks (of 256 KiB) of arenas that are freed are kept for
 * new ones, of whatever thread; 0, as at first: none.  For a program that makes
 * and frees many. */
void arena_keep(size_t chunks);

/* Enough for a batch of reports and those who wait (32 MiB). */
#define ARENA_KEEP_MESSAGES 128

/* Bytes that are given out now, and the most that ever were at once. */
size_t arena_used(const struct arena *a);
size_t arena_high(const struct arena *a);

/* From now on at most `more` bytes on top of those in use, as asked for (16 at
 * the least for each); SIZE_MAX: no limit, as at first.  A request over it
 * fails with ST_LIMIT.  It stays over a reset. */
void arena_limit(struct arena *a, size_t more);

/* Zeroed memory, aligned to 16 bytes; n == 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n);

/* Memory that is not zeroed. */
void *arena_raw(struct arena *a, size_t n);
void *arena_try(struct arena *a, size_t n); /* NULL when there is none */

/* An array grown (or cut) in place when it is the latest allocation, else
 * copied.  Sizes in bytes; bytes past old_n are not zeroed.  The other one
 * gives NULL, with the array as it was, when there is no memory. */
void *arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n);
void *arena_try_grow(struct arena *a, void *p, size_t old_n, size_t new_n);

/* Zeroed: n times size bytes. */
void *arena_array(struct arena *a, size_t size, size_t n);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_array((a), sizeof(type), (n)))

struct str arena_str(struct arena *a, struct str s); /* a copy, NUL after it */
char *arena_cstr(struct arena *a, struct str s);     /* the same as char* */
struct str arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
