/* hold.h -- who has a store open for writing: the lock file beside it. */
#ifndef PAGES_HOLD_H
#define PAGES_HOLD_H

#include <stdbool.h>

/* Take the lock of the open file `fd`, until it is closed.  False: another
 * process has it. */
bool hold_take(int fd);

/* Does a process hold the lock file at `path`? */
bool hold_taken(const char *path);

#endif
