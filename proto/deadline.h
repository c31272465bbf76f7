/* deadline.h -- how long a call waits: until a deadline, or until its caller
 * sets a flag.  Everything in proto/ that waits takes one of these. */
#ifndef PROTO_DEADLINE_H
#define PROTO_DEADLINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"

#define DEADLINE_NEVER UINT64_MAX

struct deadline {
    uint64_t at_ms;          /* of clock_steady_ms(); or DEADLINE_NEVER */
    const atomic_bool *stop; /* true: give up; NULL: none */
    /* How often to look at *stop; 0: whoever sets it wakes the waiter. */
    uint64_t look_ms;
};

/* Wait on `c` (of thread_condition(); its lock is held) for a while.  ST_OK:
 * look at what you wait for, then call again; ST_TIMEOUT, ST_STOPPED: the time
 * is over. */
enum status deadline_wait(const struct deadline *d, pthread_cond_t *c,
                          pthread_mutex_t *lock);

/* Sleep that long, if the deadline allows; results as above. */
enum status deadline_sleep(const struct deadline *d, uint64_t ms);

#endif
