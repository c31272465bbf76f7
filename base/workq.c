/* workq.c -- a ring under one mutex; two conditions. */
#include "base/workq.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "base/thread.h"

struct workq {
    pthread_mutex_t lock;
    pthread_cond_t filled, drained;
    size_t bound, head, n;
    bool closed;
    void *ring[];
};

struct workq *
workq_new(size_t bound)
{
    struct workq *q =
        memory_need(calloc(1, sizeof *q + bound * sizeof q->ring[0]));

    assert(bound > 0);
    q->bound = bound;
    pthread_mutex_init(&q->lock, NULL);
    thread_condition(&q->filled);
    thread_condition(&q->drained);
    return q;
}

void
workq_free(struct workq *q)
{
    if (q == NULL)
        return;
    assert(q->n == 0);
    pthread_cond_destroy(&q->filled);
    pthread_cond_destroy(&q->drained);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

void
workq_close(struct workq *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->filled);
    pthread_cond_broadcast(&q->drained);
    pthread_mutex_unlock(&q->lock);
}

enum status
workq_push(struct workq *q, void *item)
{
    enum status st = ST_OK;

    pthread_mutex_lock(&q->lock);
    while (q->n == q->bound && !q->closed)
        pthread_cond_wait(&q->drained, &q->lock);
    if (q->closed) {
        st = ST_STOPPED;
    } else {
        q->ring[(q->head + q->n++) % q->bound] = item;
        pthread_cond_signal(&q->filled);
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

static struct timespec
deadline(uint64_t timeout_ms)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(timeout_ms / 1000);
    t.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

enum status
workq_pop(struct workq *q, void **item, uint64_t timeout_ms)
{
    bool bounded = timeout_ms != UINT64_MAX;
    struct timespec until = deadline(bounded ? timeout_ms : 0);
    enum status st = ST_OK;
    /* A wait that is over at once would be a call of the system all the same.
     */
    int rc = timeout_ms == 0 ? ETIMEDOUT : 0;

    pthread_mutex_lock(&q->lock);
    while (q->n == 0 && !q->closed && rc != ETIMEDOUT)
        rc = bounded ? pthread_cond_timedwait(&q->filled, &q->lock, &until)
                     : pthread_cond_wait(&q->filled, &q->lock);
    if (q->n > 0) {
        *item = q->ring[q->head];
        q->head = (q->head + 1) % q->bound;
        q->n--;
        pthread_cond_signal(&q->drained);
    } else {
        st = q->closed ? ST_STOPPED : ST_TIMEOUT;
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}
