/* buf.h -- a byte buffer that grows; owns its bytes, belongs to one thread.
 *
 * Start with `struct buf b = {0};`, end with buf_free().  With `{.arena = a}`
 * its bytes lie in that arena and buf_free() is not needed.  What cannot be had
 * goes to memory_fail() (memory.h). */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/arena.h"
#include "base/str.h"

struct buf {
    char *p;
    size_t n, cap;
    struct arena *arena; /* NULL: on the heap */
};

void buf_free(struct buf *b); /* back to its start */

/* Room for `more` bytes behind the present ones: b->p + b->n may be written,
 * and b->n raised by as much. */
void buf_reserve(struct buf *b, size_t more);
bool buf_try_reserve(struct buf *b, size_t more); /* false: no memory */

/* Of a buffer in an arena: its bytes, NUL after them, for as long as the arena
 * keeps them; what is left of its room goes back if nothing was allocated
 * since.  The buffer is empty then. */
struct str buf_keep(struct buf *b);

/* Append a copy of n bytes, a string, a C string, one byte, a formatted text
 * (without its NUL), a number as 1234567 and as 1,234,567, one as "%.*g" has it
 * with so many digits (at most 17) and a point whatever the locale, a code
 * point in UTF-8 (what is none as U+FFFD), a string in double quotes (" and \
 * with \ before them), a string as a word of the shell, in single quotes.
 * What is appended must not lie in `b` itself. */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, struct str s);
void buf_c(struct buf *b, const char *z);
void buf_char(struct buf *b, char c);
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_number(struct buf *b, uint64_t v);
void buf_grouped(struct buf *b, uint64_t v);
void buf_real(struct buf *b, double v, int digits);
void buf_utf8(struct buf *b, uint32_t code_point);
void buf_quoted(struct buf *b, struct str s);
void buf_shell(struct buf *b, struct str s);

static inline void
buf_clear(struct buf *b) /* keeps the memory */
{
    b->n = 0;
}

static inline struct str
buf_view(const struct buf *b) /* valid until the next change of b */
{
    return (struct str){b->p ? b->p : "", b->n};
}

#endif
