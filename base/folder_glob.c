/* folder_glob.c -- see folder_glob.h. */
#include "folder_glob.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"

int
folder_glob_fault(const char *path, int fault)
{
    if (fault == ENOENT || fault == ENOTDIR)
        return 0;
    log_error("files", "%s: %s", path, strerror(fault));
    return 1;
}

int
folder_glob(const char *dir, const char *pattern, int flags, glob_t *found)
{
    struct buf path = {0};
    int rc;

    for (const char *p = dir; *p != '\0'; p++) {
        if (strchr("*?[]\\", *p) != NULL)
            buf_char(&path, '\\');
        buf_char(&path, *p);
    }
    buf_printf(&path, "/%s", pattern);
    buf_char(&path, '\0');
    rc = glob(path.p, flags, folder_glob_fault, found);
    buf_free(&path);
    return rc;
}
