/* writeback.c -- see writeback.h.  The thread sleeps between commits and is
 * made by the first large one, so a small crawl never has it. */
#include "writeback.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/thread.h"

#define STEP_NS 1000000L /* between two requests to the kernel */

struct writeback {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    int fd;
    bool started, wanted, ended;
};

static void
request(int fd)
{
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd;
#endif
}

static void *
work(void *self)
{
    const struct timespec step = {0, STEP_NS};
    struct writeback *w = self;

    thread_name("writeback");
    pthread_mutex_lock(&w->lock);
    while (!w->ended) {
        if (!w->wanted) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock(&w->lock);
        request(w->fd);
        nanosleep(&step, NULL);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static bool
start(struct writeback *w)
{
    w->started = thread_start(&w->thread, work, w);
    return w->started;
}

struct writeback *
writeback_new(int fd)
{
    struct writeback *w = calloc(1, sizeof *w);

    if (w == NULL)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->fd = fd;
    return w;
}

static void
set(struct writeback *w, bool wanted, bool ended)
{
    pthread_mutex_lock(&w->lock);
    w->wanted = wanted;
    w->ended = ended;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void
writeback_free(struct writeback *w)
{
    if (w == NULL)
        return;
    set(w, false, true);
    if (w->started)
        pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void
writeback_begin(struct writeback *w)
{
    if (w != NULL && (w->started || start(w)))
        set(w, true, false);
}

void
writeback_end(struct writeback *w)
{
    if (w != NULL && w->started)
        set(w, false, false);
}
