/* scratch.c -- see scratch.h. */
#include "scratch.h"

#include "base/log.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS 16
#define PREFIX "winnow-scratch-"
#define NEW "winnow-new-"    /* without a lock */
#define LOCK "/scratch.lock" /* a crawl has its lock there, too */

static int
take_away(const char *path, const struct stat *sb, int flag, struct FTW *ftw)
{
    (void)sb;
    (void)flag;
    (void)ftw;
    (void)remove(path); /* a sweeper may have been there before */
    return 0;
}

/* -1: somebody has it, or it cannot be made (`flags`) or found (ENOENT). */
static int
lock_in(const char *folder, int flags)
{
    const struct path path = path_printf("%s" LOCK, folder);
    int fd = open(path.z, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Which nobody else can put anything into. */
static bool
is_ours(const char *path)
{
    struct stat sb;

    return lstat(path, &sb) == 0 && S_ISDIR(sb.st_mode) &&
           sb.st_uid == geteuid() && (sb.st_mode & 077) == 0;
}

/* What processes left there that were killed; without a lock, while they took
 * it away. */
static void
sweep(const char *base)
{
    DIR *d = opendir(base);
    const struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        char path[sizeof(struct scratch)];
        int n = snprintf(path, sizeof path, "%s/%s", base, e->d_name), fd;

        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0 || n < 0 ||
            (size_t)n >= sizeof path - strlen(LOCK) || !is_ours(path) ||
            ((fd = lock_in(path, 0)) < 0 && errno != ENOENT))
            continue;
        nftw(path, take_away, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
        if (fd >= 0)
            close(fd);
    }
    if (d != NULL)
        closedir(d);
}

void
scratch_remove(struct scratch *s)
{
    if (s->path[0] == '\0')
        return;
    nftw(s->path, take_away, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
    s->path[0] = '\0';
    if (s->lock >= 0)
        close(s->lock);
}

/* Locked before it has a name that sweep() looks for. */
static bool
make_locked(struct scratch *s, const char *base)
{
    struct scratch fresh;
    int n = snprintf(fresh.path, sizeof fresh.path, "%s/" NEW "XXXXXX", base);

    s->path[0] = '\0';
    if (n < 0 || (size_t)n >= sizeof fresh.path - strlen(PREFIX)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (mkdtemp(fresh.path) == NULL)
        return false;
    snprintf(s->path, sizeof s->path, "%s/" PREFIX "%s", base,
             fresh.path + strlen(base) + strlen("/" NEW));
    if ((s->lock = lock_in(fresh.path, O_CREAT)) >= 0 &&
        rename(fresh.path, s->path) == 0)
        return true;
    n = errno;
    memcpy(s->path, fresh.path, sizeof s->path); /* which is to go */
    scratch_remove(s);
    errno = n;
    return false;
}

enum status
scratch_make(struct scratch *s)
{
    const char *base = getenv("TMPDIR");

    if (base == NULL || base[0] == '\0')
        base = "/tmp";
    sweep(base);
    s->lock = -1;
    if (make_locked(s, base))
        return ST_OK;
    log_error("scratch", "cannot make a folder in %s (TMPDIR): %s", base,
              strerror(errno));
    return ST_IO;
}

enum status
scratch_folder(const struct scratch *s, const char *name, struct scratch *out)
{
    int n = snprintf(out->path, sizeof out->path, "%s/%s", s->path, name);

    if (n < 0 || (size_t)n >= sizeof out->path) {
        log_error("scratch", "%s/%s: the name is too long", s->path, name);
        return ST_LIMIT;
    }
    if (mkdir(out->path, 0777) != 0) {
        log_error("scratch", "cannot make %s: %s", out->path, strerror(errno));
        return ST_IO;
    }
    return ST_OK;
}
