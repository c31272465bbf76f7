/* pool.c -- see pool.h. */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

struct pool {
    enum status (*work)(void *self, size_t i);
    void *self;
    size_t n;
    atomic_size_t next;
    pthread_mutex_t lock; /* of what follows */
    enum status status;
    size_t failed; /* the lowest i that did not succeed */
};

static void *
hand(void *pool)
{
    struct pool *p = pool;
    enum status st;
    size_t i;

    while ((i = atomic_fetch_add(&p->next, 1)) < p->n) {
        if ((st = p->work(p->self, i)) == ST_OK)
            continue;
        pthread_mutex_lock(&p->lock);
        if (i < p->failed) {
            p->failed = i;
            p->status = st;
        }
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

enum status
pool_each(size_t threads_n, size_t n, enum status (*work)(void *self, size_t i),
          void *self)
{
    struct pool p = {.work = work, .self = self, .n = n, .failed = SIZE_MAX};
    pthread_t thread[THREADS_MAX];
    size_t most = threads_n < n ? threads_n : n, hands = 1;

    most = most > THREADS_MAX ? THREADS_MAX : most;
    pthread_mutex_init(&p.lock, NULL);
    while (hands < most && pthread_create(&thread[hands], NULL, hand, &p) == 0)
        hands++;
    hand(&p);
    for (size_t i = 1; i < hands; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&p.lock);
    return p.status;
}
