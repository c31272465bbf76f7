/* pool.h -- the same work on many things, by some threads. */
#ifndef LAB_POOL_H
#define LAB_POOL_H

#include <stddef.h>

#include "winnow/status.h"

/* Call work(self, i) for every i below n, from up to `threads_n` threads; what
 * comes back is the first status that is not ST_OK, by i.  All are called. */
enum status pool_each(size_t threads_n, size_t n,
                      enum status (*work)(void *self, size_t i), void *self);

#endif
