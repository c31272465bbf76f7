/* reminder.h -- says what holds something up once, then every minute, and when
 * it is over. */
#ifndef BASE_REMINDER_H
#define BASE_REMINDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct reminder {
    pthread_mutex_t lock;
    const char *what; /* said last; NULL: nothing holds it up */
    uint64_t said_ms;
};
#define REMINDER_INITIALIZER                                                   \
    {                                                                          \
        .lock = PTHREAD_MUTEX_INITIALIZER                                      \
    }

/* Is `what` (compared by address) to be said now, by this caller?  Any number
 * of threads may meet it. */
bool reminder_due(struct reminder *r, const char *what);

/* It is over.  Is that to be said? */
bool reminder_over(struct reminder *r);

#endif
