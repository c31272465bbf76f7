/* pool.h -- the worker pool: threads that share work, and end when it is done.
 *
 * They are started by thread_start() (base/thread.h).  When the system allows
 * fewer threads, those that there are do all of it. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define POOL_THREADS_MAX 256u

/* Item i; `thread` is the number of the thread, below `threads_n`: what belongs
 * to that number is used by nobody else meanwhile. */
typedef enum status pool_work(void *self, size_t i, size_t thread);

/* Call work() once for every i below n, in up to `threads_n` threads, of which
 * the caller's is the first.  Items are begun in order, none after one that
 * failed.  What comes back is the first status that is not ST_OK, by i. */
enum status pool_each(size_t threads_n, size_t n, pool_work *work, void *self);

/* Threads beside the caller's. */
struct pool {
    pthread_t thread[POOL_THREADS_MAX];
    size_t n;
};

/* Start up to `threads_n` threads: run(self), run(self + size) ...  How many
 * there are. */
size_t pool_start(struct pool *p, size_t threads_n, void *(*run)(void *self),
                  void *self, size_t size);

/* One more.  False: the system allows no more. */
bool pool_add(struct pool *p, void *(*run)(void *self), void *self);

/* Wait until all have returned. */
void pool_join(struct pool *p);

#endif
