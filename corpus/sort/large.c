/* large.c -- see large.h. */
#include "large.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/memory.h"

#define LARGE_PAGE ((size_t)2 << 20)

void *
large_need(size_t bytes)
{
    size_t whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *p;

    if (bytes < 2 * LARGE_PAGE || whole < bytes)
        return memory_need(malloc(bytes + 1));
    p = memory_need(aligned_alloc(LARGE_PAGE, whole));
#ifdef MADV_HUGEPAGE
    (void)madvise(p, whole, MADV_HUGEPAGE); /* or small ones */
#endif
    return p;
}
