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

/* The program's own ones, behind these. */
static int (*next_fsync)(int);
static int (*next_fdatasync)(int);
static int (*next_msync)(void *, size_t, int);
static int (*next_poll)(struct pollfd *, nfds_t, int);
static int (*next_connect)(int, const struct sockaddr *, socklen_t);

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
    counted();
    return next_fsync(fd);
}

int
fdatasync(int fd)
{
    counted();
    return next_fdatasync(fd);
}

int
msync(void *at, size_t n, int flags)
{
    if (flags & MS_SYNC)
        counted();
    return next_msync(at, n, flags);
}

int
poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    polls++;
    return next_poll(fds, n, timeout_ms);
}

int
connect(int fd, const struct sockaddr *to, socklen_t n)
{
    connects++;
    return next_connect(fd, to, n);
}

__attribute__((constructor)) static void
begin(void)
{
    const char *ms = getenv("SYNC_COUNT_MS");

    slower_ms = ms != NULL ? atol(ms) : 0;
    next_of("fsync", &next_fsync);
    next_of("fdatasync", &next_fdatasync);
    next_of("msync", &next_msync);
    next_of("poll", &next_poll);
    next_of("connect", &next_connect);
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
