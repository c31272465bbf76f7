/* seconds.h -- what a clock says: CLOCK_MONOTONIC, or the processor's time of
 * the process or thread. */
#ifndef BENCH_SECONDS_H
#define BENCH_SECONDS_H

#include <time.h>

static inline double
seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double
microseconds(clockid_t clock)
{
    return seconds(clock) * 1e6;
}

#endif
