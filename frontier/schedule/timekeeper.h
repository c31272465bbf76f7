/* timekeeper.h -- the frontier's own time, which nobody can set.
 *
 * Durable dates (when a host may be asked again, a lease's end, a retry) need a
 * clock that goes on over restarts, which is the wall clock, and one that never
 * jumps, which it is not.  So the wall clock is read once, and from then on the
 * boot clock counts (CLOCK_BOOTTIME, which goes on in a suspended machine).
 * DIR/clock says what was to be added to it, so a restart goes on in the same
 * time.  After a reboot, or with a store from elsewhere, the wall clock is read
 * again; then nobody knows for how long nothing was asked, and *unsure says so.
 *
 * A jump of the wall clock is logged and changes nothing else. */
#ifndef FRONTIER_TIMEKEEPER_H
#define FRONTIER_TIMEKEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define TIMEKEEPER_JUMP_MS 1000 /* less is the clock being trimmed */
#define TIMEKEEPER_BOOT_SIZE 64

struct timekeeper_clocks { /* what the machine says */
    uint64_t wall_ms, boot_ms;
    char boot[TIMEKEEPER_BOOT_SIZE]; /* which boot; "": not known */
};

struct timekeeper {
    int64_t offset_ms; /* to be added to the boot clock */
    int64_t wall_ms;   /* what the wall clock adds to it, as last seen */
};

void timekeeper_look(struct timekeeper_clocks *out);

/* The time in the folder `dir`, which need not exist.  *unsure: dates of before
 * may have been written by another clock. */
void timekeeper_start(struct timekeeper *t, const char *dir,
                      const struct timekeeper_clocks *c, bool *unsure);

/* Let the next process go on in this time.  ST_FULL, ST_IO (reported). */
enum status timekeeper_keep(const struct timekeeper *t, const char *dir,
                            const struct timekeeper_clocks *c);

/* Milliseconds since the epoch, as the wall clock once said. */
uint64_t timekeeper_now(struct timekeeper *t,
                        const struct timekeeper_clocks *c);

/* The time in `dir` now, for who looks at it only. */
uint64_t timekeeper_peek(const char *dir);

#endif
