/* deadline.c -- see deadline.h. */
#include "deadline.h"

#include <stddef.h>
#include <time.h>

#include "base/clock.h"

/* The least wait: past a deadline, what was cancelled still has to end. */
enum { LEAST_MS = 10 };

static enum status
state(const struct deadline *d, uint64_t now)
{
    if (d->stop != NULL && *d->stop)
        return ST_STOPPED;
    return now >= d->at_ms ? ST_TIMEOUT : ST_OK;
}

enum status
deadline_wait(const struct deadline *d, pthread_cond_t *c,
              pthread_mutex_t *lock)
{
    uint64_t now = clock_steady_ms(), until = d->at_ms;
    enum status st = state(d, now);
    struct timespec t;

    if (st != ST_OK)
        until = now + LEAST_MS;
    else if (d->stop != NULL && d->look_ms > 0 && until - now > d->look_ms)
        until = now + d->look_ms;
    if (until == DEADLINE_NEVER) {
        pthread_cond_wait(c, lock);
    } else {
        t.tv_sec = (time_t)(until / 1000);
        t.tv_nsec = (long)(until % 1000) * 1000000;
        pthread_cond_timedwait(c, lock, &t);
    }
    return st != ST_OK ? st : state(d, clock_steady_ms());
}

enum status
deadline_sleep(const struct deadline *d, uint64_t ms)
{
    uint64_t now = clock_steady_ms(), until = now + ms;
    enum status st;

    for (; (st = state(d, now)) == ST_OK && now < until;
         now = clock_steady_ms()) {
        uint64_t left = until - now;

        if (left > d->at_ms - now)
            left = d->at_ms - now;
        if (d->stop != NULL && left > d->look_ms)
            left = d->look_ms;
        clock_sleep_ms(left > 0 ? left : 1);
    }
    return st;
}
