/* folder_glob.c -- see folder_glob.h. */
#include "folder_glob.h"

#include <string.h>

#include "base/buf.h"

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
    rc = glob(path.p, flags, NULL, found);
    buf_free(&path);
    return rc;
}
