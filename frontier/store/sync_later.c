/* sync_later.c -- see sync_later.h.  The thread sleeps until something is
 * noted, waits the lag once for all that comes meanwhile, and syncs. */
#include "sync_later.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"

struct sync_later {
    struct thread_beside beside;
    uint64_t lag_ms;
    int fd[SYNC_LATER_FILES]; /* in the order of their first note */
    bool dirty[SYNC_LATER_FILES];
    size_t n;
    bool any, failed;
};

/* All files that are dirty.  The lock is held, but not meanwhile. */
static void
sync_dirty(struct sync_later *s)
{
    bool dirty[SYNC_LATER_FILES];
    int error = 0;

    memcpy(dirty, s->dirty, sizeof dirty);
    memset(s->dirty, 0, sizeof s->dirty);
    s->any = false;
    pthread_mutex_unlock(&s->beside.lock);
    for (size_t i = 0; i < SYNC_LATER_FILES; i++)
        if (dirty[i] && fdatasync(s->fd[i]) != 0)
            error = errno;
    if (error != 0)
        log_error("frontier", "cannot sync: %s", strerror(error));
    pthread_mutex_lock(&s->beside.lock);
    s->failed = s->failed || error != 0;
}

/* For the lag, or until the end. */
static void
wait_lag(struct sync_later *s)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(s->lag_ms / 1000);
    until.tv_nsec += (long)(s->lag_ms % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!s->beside.ended &&
           pthread_cond_timedwait(&s->beside.changed, &s->beside.lock,
                                  &until) == 0)
        ;
}

static void *
run(void *self)
{
    struct sync_later *s = self;

    thread_name("frontier-sync");
    pthread_mutex_lock(&s->beside.lock);
    while (s->any || !s->beside.ended) {
        if (s->any) {
            wait_lag(s);
            sync_dirty(s);
        } else {
            pthread_cond_wait(&s->beside.changed, &s->beside.lock);
        }
    }
    pthread_mutex_unlock(&s->beside.lock);
    return NULL;
}

struct sync_later *
sync_later_new(uint64_t lag_ms)
{
    struct sync_later *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->lag_ms = lag_ms;
    if (thread_beside_start(&s->beside, run, s))
        return s;
    free(s);
    return NULL;
}

void
sync_later_free(struct sync_later *s)
{
    if (s == NULL)
        return;
    thread_beside_end(&s->beside);
    free(s);
}

/* Its place; SYNC_LATER_FILES: there is none. */
static size_t
place(struct sync_later *s, int fd)
{
    size_t i = 0;

    while (i < s->n && s->fd[i] != fd)
        i++;
    if (i == s->n && i < SYNC_LATER_FILES)
        s->fd[s->n++] = fd;
    return i;
}

bool
sync_later_failed(struct sync_later *s)
{
    bool failed;

    pthread_mutex_lock(&s->beside.lock);
    failed = s->failed;
    pthread_mutex_unlock(&s->beside.lock);
    return failed;
}

bool
sync_later_note(struct sync_later *s, int fd)
{
    size_t i;
    bool good;

    pthread_mutex_lock(&s->beside.lock);
    i = place(s, fd);
    if (i < SYNC_LATER_FILES)
        s->dirty[i] = true;
    if (!s->any) {
        s->any = true;
        pthread_cond_signal(&s->beside.changed);
    }
    good = !s->failed && i < SYNC_LATER_FILES;
    pthread_mutex_unlock(&s->beside.lock);
    return good;
}
