/* patience.c -- see patience.h. */
#include "patience.h"

#include <stddef.h>
#include <time.h>

#include "winnow/clock.h"

/* The least wait: past a deadline, what was cancelled still has to end. */
enum { LEAST_MS = 10 };

void
patience_cond_init(pthread_cond_t *c)
{
    pthread_condattr_t steady;

    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(c, &steady);
    pthread_condattr_destroy(&steady);
}

static enum status
state(const struct patience *p, uint64_t now)
{
    if (p->stop != NULL && *p->stop)
        return ST_STOPPED;
    return now >= p->deadline_ms ? ST_TIMEOUT : ST_OK;
}

enum status
patience_wait(const struct patience *p, pthread_cond_t *c,
              pthread_mutex_t *lock)
{
    uint64_t now = clock_steady_ms(), until = p->deadline_ms;
    enum status st = state(p, now);
    struct timespec t;

    if (st != ST_OK)
        until = now + LEAST_MS;
    else if (p->stop != NULL && p->look_ms > 0 && until - now > p->look_ms)
        until = now + p->look_ms;
    if (until == PATIENCE_ENDLESS) {
        pthread_cond_wait(c, lock);
    } else {
        t.tv_sec = (time_t)(until / 1000);
        t.tv_nsec = (long)(until % 1000) * 1000000;
        pthread_cond_timedwait(c, lock, &t);
    }
    return st != ST_OK ? st : state(p, clock_steady_ms());
}

enum status
patience_sleep(const struct patience *p, uint64_t ms)
{
    uint64_t now = clock_steady_ms(), until = now + ms;
    enum status st;

    for (; (st = state(p, now)) == ST_OK && now < until;
         now = clock_steady_ms()) {
        uint64_t left = until - now;

        if (left > p->deadline_ms - now)
            left = p->deadline_ms - now;
        if (p->stop != NULL && left > p->look_ms)
            left = p->look_ms;
        clock_sleep_ms(left > 0 ? left : 1);
    }
    return st;
}
