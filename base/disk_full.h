/* disk_full.h -- which errors of a write mean that there is no room: the disk
 * is full, the quota of the user, or the size that the process may give a file
 * (RLIMIT_FSIZE).  What wrote reports ST_FULL then, and may be asked again
 * later: room comes back, and prlimit(1) raises the limit. */
#ifndef BASE_DISK_FULL_H
#define BASE_DISK_FULL_H

#include <stdbool.h>
#include <stdint.h>

/* Of an errno: was it that? */
bool disk_full(int error);

/* As strerror(), but what EFBIG is, and what to do.  Valid until this thread
 * asks again. */
const char *disk_full_text(int error);

/* The same as what to do, "... and start again": "no space left: make room". */
const char *disk_full_remedy(int error);

/* The error of a write that was cut short, or of one that would have made a
 * file so large: EFBIG where the process may have none of that size, else
 * `error`. */
int disk_full_of(uint64_t size, int error);

/* Of a write that is tried again in silence, as whoever waits says that there
 * is no room: says that it is a limit on the size of files, which nobody would
 * look for; once a minute. */
void disk_full_hint(const char *topic, const char *path, int error);

#endif
