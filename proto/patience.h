/* patience.h -- how long a call waits: until a deadline, or until its caller
 * sets a flag.  Everything in proto/ that waits takes one of these. */
#ifndef PROTO_PATIENCE_H
#define PROTO_PATIENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "winnow/status.h"

#define PATIENCE_ENDLESS UINT64_MAX

struct patience {
    uint64_t deadline_ms;    /* of clock_steady_ms(); or PATIENCE_ENDLESS */
    const atomic_bool *stop; /* true: give up; NULL: none */
    /* How often to look at *stop; 0: whoever sets it wakes the waiter. */
    uint64_t look_ms;
};

/* A condition for patience_wait(): its timed waits read the steady clock. */
void patience_cond_init(pthread_cond_t *c);

/* Wait on `c` (whose lock is held) for a while.  ST_OK: look at what you wait
 * for, then call again; ST_TIMEOUT, ST_STOPPED: the time is over. */
enum status patience_wait(const struct patience *p, pthread_cond_t *c,
                          pthread_mutex_t *lock);

/* Sleep that long, if the patience lasts; results as above. */
enum status patience_sleep(const struct patience *p, uint64_t ms);

#endif
