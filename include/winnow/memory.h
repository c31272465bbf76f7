/* memory.h -- memory that must be had.
 *
 * What is small, or grows with bounds of its own, ends the program when there
 * is no more, as arena.h and buf.h do; large tables return ST_NOMEM instead.
 * Thread-safe. */
#ifndef WINNOW_MEMORY_H
#define WINNOW_MEMORY_H

/* `p` as malloc() and its like returned it; NULL ends the program. */
void *memory_need(void *p) __attribute__((returns_nonnull));

#endif
