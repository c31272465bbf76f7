/* scratch.c -- see scratch.h. */
#include "scratch.h"

#include "base/log.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DESCRIPTORS 16

enum status
scratch_make(struct scratch *s)
{
    const char *base = getenv("TMPDIR");
    int n;

    if (base == NULL || base[0] == '\0')
        base = "/tmp";
    n = snprintf(s->path, sizeof s->path, "%s/winnow-XXXXXX", base);
    if (n < 0 || (size_t)n >= sizeof s->path || mkdtemp(s->path) == NULL) {
        log_error("scratch", "cannot make a folder in %s (TMPDIR): %s", base,
                  strerror(errno));
        s->path[0] = '\0';
        return ST_IO;
    }
    return ST_OK;
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

static int
take_away(const char *path, const struct stat *sb, int flag, struct FTW *ftw)
{
    (void)sb;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void
scratch_remove(struct scratch *s)
{
    if (s->path[0] != '\0')
        nftw(s->path, take_away, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
    s->path[0] = '\0';
}
