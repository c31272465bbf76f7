/* tags_ahead.c -- see tags_ahead.h. */
#include "tags_ahead.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/thread.h"

enum { AHEAD_SHARE = 32, AHEAD_PAGES = 8 };

struct tags_ahead {
    char *base;
    size_t reserved;
    struct thread_beside beside;
    /* Under its lock: */
    size_t usable, wanted;
    bool full; /* the last attempt failed */
};

/* The next large page.  A kernel that cannot prepare it (before 5.14) does so
 * when it is used first. */
static bool
prepare(char *page)
{
    if (mprotect(page, TAGS_AHEAD_PAGE, PROT_READ | PROT_WRITE) != 0)
        return false;
#ifdef MADV_POPULATE_WRITE
    (void)madvise(page, TAGS_AHEAD_PAGE, MADV_POPULATE_WRITE);
#endif
    return true;
}

static void *
run(void *self)
{
    struct tags_ahead *a = self;

    thread_name("dedup-memory");
    pthread_mutex_lock(&a->beside.lock);
    while (!a->beside.ended) {
        char *next = a->base + a->usable;
        bool made;

        if (a->full || a->usable >= a->wanted) {
            pthread_cond_wait(&a->beside.changed, &a->beside.lock);
            continue;
        }
        pthread_mutex_unlock(&a->beside.lock);
        made = prepare(next);
        pthread_mutex_lock(&a->beside.lock);
        a->full = !made;
        a->usable += made ? TAGS_AHEAD_PAGE : 0;
        pthread_cond_broadcast(&a->beside.changed);
    }
    pthread_mutex_unlock(&a->beside.lock);
    return NULL;
}

struct tags_ahead *
tags_ahead_start(char *base, size_t usable, size_t reserved)
{
    struct tags_ahead *a = calloc(1, sizeof *a);

    if (a == NULL)
        return NULL;
    a->base = base;
    a->usable = a->wanted = usable;
    a->reserved = reserved;
    if (thread_beside_start(&a->beside, run, a))
        return a;
    free(a);
    return NULL;
}

void
tags_ahead_stop(struct tags_ahead *a)
{
    if (a == NULL)
        return;
    thread_beside_end(&a->beside);
    free(a);
}

/* Up to which page: a little behind a table, more behind a large one. */
static size_t
look_ahead(const struct tags_ahead *a, size_t end)
{
    size_t pages = end / AHEAD_SHARE / TAGS_AHEAD_PAGE + 1;

    if (pages > AHEAD_PAGES)
        pages = AHEAD_PAGES;
    end += pages * TAGS_AHEAD_PAGE;
    return end < a->reserved ? end : a->reserved;
}

bool
tags_ahead_need(struct tags_ahead *a, size_t end)
{
    size_t ahead = look_ahead(a, end);
    bool usable;

    pthread_mutex_lock(&a->beside.lock);
    if (ahead > a->wanted)
        a->wanted = ahead;
    a->full = false;
    pthread_cond_broadcast(&a->beside.changed);
    while (a->usable < end && !a->full)
        pthread_cond_wait(&a->beside.changed, &a->beside.lock);
    usable = a->usable >= end;
    pthread_mutex_unlock(&a->beside.lock);
    return usable;
}
