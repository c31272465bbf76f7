/* hold.h -- who has a folder for writing: the lock file in it. */
#ifndef PAGES_HOLD_H
#define PAGES_HOLD_H

#include <stdbool.h>

#include "base/status.h"

/* Take the lock file at `path` of the folder `dir`, until *fd is closed, and
 * note this process in it.  ST_USAGE: another process has it; ST_FULL, ST_IO:
 * it cannot be made (all reported under `topic`; *fd is -1). */
enum status hold_take(int *fd, const char *path, const char *dir,
                      const char *topic);

/* Is the file at `path` not the one that `fd` is, since its folder was removed,
 * moved away or replaced?  What is written by path then is another's. */
bool hold_lost(int fd, const char *path);

/* Does a process hold the lock file at `path`? */
bool hold_taken(const char *path);

#endif
