/* Under a program (LD_PRELOAD): its wall clock is off by as many milliseconds
 * as the file SET_CLOCK says, which the test writes while the program runs.
 * Other clocks stay as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static long long
off_ms(void)
{
    const char *path = getenv("SET_CLOCK");
    FILE *f = path != NULL ? fopen(path, "re") : NULL;
    long long ms = 0;

    if (f != NULL) {
        if (fscanf(f, "%lld", &ms) != 1)
            ms = 0;
        fclose(f);
    }
    return ms;
}

int
clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    long long ms;
    int rc;

    if (real == NULL) {
        void *symbol = dlsym(RTLD_NEXT, "clock_gettime");

        memcpy(&real, &symbol, sizeof real);
    }
    rc = real(id, t);
    if (id != CLOCK_REALTIME || rc != 0)
        return rc;
    ms = t->tv_nsec / 1000000 + off_ms();
    t->tv_sec += (ms >= 0 ? ms : ms - 999) / 1000;
    t->tv_nsec = t->tv_nsec % 1000000 + (ms % 1000 + 1000) % 1000 * 1000000;
    return 0;
}

int
gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t
time(time_t *out)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}
