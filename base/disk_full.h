/* disk_full.h -- which errors of a write mean that there is no room: the disk
 * is full, the quota of the user, or the size that the process may give a file.
 * What wrote reports ST_FULL then, and may be asked again later. */
#ifndef BASE_DISK_FULL_H
#define BASE_DISK_FULL_H

#include <errno.h>
#include <stdbool.h>

/* Of an errno: was it that? */
static inline bool
disk_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

#endif
