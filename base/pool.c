/* pool.c -- see pool.h. */
#include "base/pool.h"

#include <stdatomic.h>
#include <stdint.h>

#include "base/thread.h"

struct each {
    pool_work *work;
    void *self;
    size_t n;
    atomic_size_t next, thread; /* the next one of each */
    pthread_mutex_t lock;       /* of what follows */
    enum status status;
    size_t failed; /* the lowest i that did not succeed */
};

static void
note_failure(struct each *e, size_t i, enum status st)
{
    pthread_mutex_lock(&e->lock);
    if (i < e->failed) {
        e->failed = i;
        e->status = st;
    }
    pthread_mutex_unlock(&e->lock);
    atomic_store(&e->next, e->n); /* all before i have been begun */
}

static void *
work_on(void *each)
{
    struct each *e = each;
    size_t thread = atomic_fetch_add(&e->thread, 1), i;
    enum status st;

    while ((i = atomic_fetch_add(&e->next, 1)) < e->n)
        if ((st = e->work(e->self, i, thread)) != ST_OK)
            note_failure(e, i, st);
    return NULL;
}

enum status
pool_each(size_t threads_n, size_t n, pool_work *work, void *self)
{
    struct each e = {.work = work,
                     .self = self,
                     .n = n,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .failed = SIZE_MAX};
    size_t most = threads_n < n ? threads_n : n;
    struct pool p;

    pool_start(&p, most > 1 ? most - 1 : 0, work_on, &e, 0);
    work_on(&e);
    pool_join(&p);
    return e.status;
}

bool
pool_add(struct pool *p, void *(*run)(void *self), void *self)
{
    bool started =
        p->n < POOL_THREADS_MAX && thread_start(&p->thread[p->n], run, self);

    p->n += started;
    return started;
}

size_t
pool_start(struct pool *p, size_t threads_n, void *(*run)(void *self),
           void *self, size_t size)
{
    p->n = 0;
    while (p->n < threads_n && pool_add(p, run, (char *)self + p->n * size))
        ;
    return p->n;
}

void
pool_join(struct pool *p)
{
    while (p->n > 0)
        pthread_join(p->thread[--p->n], NULL);
}
