#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t
read_ms(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

uint64_t
clock_wall_ms(void)
{
    return read_ms(CLOCK_REALTIME);
}

uint64_t
clock_steady_ms(void)
{
    return read_ms(CLOCK_MONOTONIC);
}

uint64_t
clock_boot_ms(void)
{
    return read_ms(CLOCK_BOOTTIME);
}

void
clock_sleep_ms(uint64_t ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

    nanosleep(&t, NULL);
}

void
clock_iso(uint64_t wall_ms, char out[21])
{
    time_t t = (time_t)(wall_ms / 1000);
    struct tm tm;

    if (gmtime_r(&t, &tm) == NULL ||
        strftime(out, 21, "%Y-%m-%dT%H:%M:%SZ", &tm) != 20)
        memcpy(out, "9999-12-31T23:59:59Z", 21);
}
