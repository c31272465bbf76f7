/* sync_count.c -- for LD_PRELOAD: counts what a program syncs, writes, polls
 * and connects, and makes every sync slower.
 *
 *   SYNC_COUNT_OUT=FILE  gets a line at the end: syncs, written bytes (as
 *                        /proc/self/io has them), calls of poll() and connect()
 *   SYNC_COUNT_MS=N      each fsync, fdatasync, msync(MS_SYNC) takes N ms more,
 *                        asleep, as a slow disk would */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static atomic_ulong syncs, polls, connects;
static long slower_ms;

/* The program's own one, behind this. */
static void
next_of(const char *name, void *out)
{
    void *f = dlsym(RTLD_NEXT, name);

    memcpy(out, &f, sizeof f); /* a function is no object in ISO C */
}

static void
counted(void)
{
    const struct timespec t = {slower_ms / 1000, slower_ms % 1000 * 1000000};

    syncs++;
    if (slower_ms > 0)
        nanosleep(&t, NULL);
}

int
fsync(int fd)
{
    int (*next)(int);

    next_of("fsync", &next);
    counted();
    return next(fd);
}

int
fdatasync(int fd)
{
    int (*next)(int);

    next_of("fdatasync", &next);
    counted();
    return next(fd);
}

int
msync(void *at, size_t n, int flags)
{
    int (*next)(void *, size_t, int);

    next_of("msync", &next);
    if (flags & MS_SYNC)
        counted();
    return next(at, n, flags);
}

int
poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    int (*next)(struct pollfd *, nfds_t, int);

    next_of("poll", &next);
    polls++;
    return next(fds, n, timeout_ms);
}

int
connect(int fd, const struct sockaddr *to, socklen_t n)
{
    int (*next)(int, const struct sockaddr *, socklen_t);

    next_of("connect", &next);
    connects++;
    return next(fd, to, n);
}

__attribute__((constructor)) static void
begin(void)
{
    const char *ms = getenv("SYNC_COUNT_MS");

    slower_ms = ms != NULL ? atol(ms) : 0;
}

static unsigned long
written_bytes(void)
{
    FILE *f = fopen("/proc/self/io", "r");
    char line[128];
    unsigned long n = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "write_bytes: %lu", &n) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return n;
}

__attribute__((destructor)) static void
end(void)
{
    const char *path = getenv("SYNC_COUNT_OUT");
    FILE *f = path != NULL ? fopen(path, "w") : NULL;

    if (f == NULL)
        return;
    fprintf(f, "%lu %lu %lu %lu\n", (unsigned long)syncs, written_bytes(),
            (unsigned long)polls, (unsigned long)connects);
    fclose(f);
}
