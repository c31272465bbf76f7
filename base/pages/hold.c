/* hold.c -- see hold.h: flock(2), which ends with the process.  To find out
 * whether a lock is held is to hold it for a moment, so who takes it asks a few
 * times. */
#include "hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/log.h"

#define TRIES 5
#define BETWEEN_NS 20000000L

static bool
take(int fd)
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

static void
say_taken(int fd, const char *dir, const char *topic)
{
    char pid[32] = "";
    ssize_t n = pread(fd, pid, sizeof pid - 1, 0);

    pid[n > 0 ? n : 0] = '\0';
    pid[strcspn(pid, "\n")] = '\0';
    log_error(topic,
              "%s is in use by process %s: stop that first, or work in another "
              "folder (--dir, --output)",
              dir, pid[0] ? pid : "(unknown)");
}

enum status
hold_take(int *fd, const char *path, const char *dir, const char *topic)
{
    char pid[32];
    int n;

    if ((*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) < 0) {
        log_error(topic, "cannot write %s: %s", path, disk_full_text(errno));
        return disk_full(errno) ? ST_FULL : ST_IO;
    }
    if (!take(*fd)) {
        say_taken(*fd, dir, topic);
        close(*fd);
        *fd = -1;
        return ST_USAGE;
    }
    n = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(*fd, 0) != 0 || pwrite(*fd, pid, (size_t)n, 0) != n)
        log_warn(topic, "cannot note the process in %s: %s", path,
                 strerror(errno));
    return ST_OK;
}

bool
hold_lost(int fd, const char *path)
{
    struct stat ours, there;

    if (fstat(fd, &ours) != 0)
        return false;
    if (stat(path, &there) != 0)
        return errno == ENOENT || errno == ENOTDIR;
    return ours.st_ino != there.st_ino || ours.st_dev != there.st_dev;
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
