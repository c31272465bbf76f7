/* large.h -- memory of many megabytes, in large pages where the system has
 * them: fewer faults when it is first used, fewer misses when it is read here
 * and there. */
#ifndef CORPUS_LARGE_H
#define CORPUS_LARGE_H

#include <stddef.h>

/* free() gives it back; without memory memory_fail(). */
void *large_need(size_t bytes) __attribute__((returns_nonnull));

#endif
