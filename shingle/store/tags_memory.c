/* tags_memory.c -- see tags_memory.h. */
#include "tags_memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tags_ahead.h"

#define PAGE TAGS_AHEAD_PAGE
#define RESERVE_MAX ((size_t)64 << 30) /* the log of records ends before */
#define RESERVE_MIN ((size_t)64 << 20)
#define AHEAD_FROM ((size_t)32 << 20) /* less is not worth a thread */
enum { UNIT = 64 };

static size_t
rounded(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Of `reserved` + PAGE addresses at p: those from where a large page begins. */
static void
keep_whole_pages(struct tags_memory *m, char *p)
{
    size_t before = rounded((uintptr_t)p, PAGE) - (uintptr_t)p;

    m->base = p + before;
    if (before > 0)
        (void)munmap(p, before);
    if (before < PAGE)
        (void)munmap(m->base + m->reserved, PAGE - before);
}

/* Addresses only: they count as memory when they are made usable. */
static bool
reserve(struct tags_memory *m)
{
    size_t n = RESERVE_MAX;
    void *p = MAP_FAILED;

    for (; n >= RESERVE_MIN && p == MAP_FAILED; n /= 2) {
        p = mmap(NULL, n + PAGE, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        m->reserved = n;
    }
    if (p == MAP_FAILED)
        return false;
    keep_whole_pages(m, p);
#ifdef MADV_HUGEPAGE
    (void)madvise(m->base, m->reserved, MADV_HUGEPAGE); /* or small ones */
#endif
    return true;
}

void
tags_memory_close(struct tags_memory *m)
{
    tags_ahead_stop(m->ahead);
    if (m->base != NULL)
        munmap(m->base, m->reserved);
    free(m->free);
    *m = (struct tags_memory){0};
}

static void
remove_extent(struct tags_memory *m, size_t i)
{
    m->free_n--;
    memmove(&m->free[i], &m->free[i + 1], (m->free_n - i) * sizeof *m->free);
}

/* False: there is no memory. */
static bool
extend(struct tags_memory *m, size_t end)
{
    size_t usable = rounded(end, PAGE);

    if (usable > m->reserved)
        return false;
    if (m->ahead == NULL && usable >= AHEAD_FROM)
        m->ahead = tags_ahead_start(m->base, m->usable, m->reserved);
    if (m->ahead != NULL)
        return tags_ahead_need(m->ahead, usable);
    if (usable > m->usable && mprotect(m->base + m->usable, usable - m->usable,
                                       PROT_READ | PROT_WRITE) != 0)
        return false;
    m->usable = usable > m->usable ? usable : m->usable;
    return true;
}

void *
tags_memory_take(struct tags_memory *m, size_t bytes)
{
    size_t n = rounded(bytes, UNIT), at;

    if (m->base == NULL && !reserve(m))
        return NULL;
    for (size_t i = 0; i < m->free_n; i++) {
        if (m->free[i].bytes < n)
            continue;
        at = m->free[i].at;
        m->free[i].at += n;
        m->free[i].bytes -= n;
        if (m->free[i].bytes == 0)
            remove_extent(m, i);
        return memset(m->base + at, 0, n);
    }
    if (!extend(m, m->top + n))
        return NULL;
    at = m->top;
    m->top += n;
    return memset(m->base + at, 0, n);
}

/* Room for one more.  Without memory for that a piece is lost, no more. */
static bool
room(struct tags_memory *m)
{
    size_t n = 2 * m->free_room + 64;
    struct tags_extent *more;

    if (m->free_n < m->free_room)
        return true;
    if ((more = realloc(m->free, n * sizeof *more)) == NULL)
        return false;
    m->free = more;
    m->free_room = n;
    return true;
}

void
tags_memory_give(struct tags_memory *m, void *p, size_t bytes)
{
    size_t at = (size_t)((char *)p - m->base), n = rounded(bytes, UNIT), i = 0;

    while (i < m->free_n && m->free[i].at < at)
        i++;
    if (i > 0 && m->free[i - 1].at + m->free[i - 1].bytes == at) {
        m->free[--i].bytes += n;
    } else if (room(m)) {
        memmove(&m->free[i + 1], &m->free[i],
                (m->free_n - i) * sizeof *m->free);
        m->free[i] = (struct tags_extent){at, n};
        m->free_n++;
    } else {
        return;
    }
    if (i + 1 < m->free_n &&
        m->free[i].at + m->free[i].bytes == m->free[i + 1].at) {
        m->free[i].bytes += m->free[i + 1].bytes;
        remove_extent(m, i + 1);
    }
    if (m->free[i].at + m->free[i].bytes == m->top) {
        m->top = m->free[i].at;
        remove_extent(m, i);
    }
}
