/* hold.c -- see hold.h: flock(2), which ends with the process.  To find out
 * whether a lock is held is to hold it for a moment, so who takes it asks a few
 * times. */
#include "hold.h"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define TRIES 5
#define BETWEEN_NS 20000000L

bool
hold_take(int fd)
{
    const struct timespec between = {0, BETWEEN_NS};

    for (int i = 0; i < TRIES; i++) {
        if (i > 0)
            nanosleep(&between, NULL);
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
    }
    return false;
}

bool
hold_taken(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool taken = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;

    if (fd >= 0)
        close(fd);
    return taken;
}
