/* folder_glob.c -- see folder_glob.h. */
#include "folder_glob.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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

/* All characters stand for themselves. */
static void
escape(struct buf *out, const char *path)
{
    for (const char *p = path; *p != '\0'; p++) {
        if (strchr("*?[]\\", *p) != NULL)
            buf_char(out, '\\');
        buf_char(out, *p);
    }
}

int
folder_glob(const char *dir, const char *pattern, int flags, glob_t *found)
{
    struct buf path = {0};
    int rc;

    escape(&path, dir);
    buf_printf(&path, "/%s", pattern);
    buf_char(&path, '\0');
    rc = glob(path.p, flags, folder_glob_fault, found);
    buf_free(&path);
    return rc;
}

int
word_glob(const char *word, int flags, glob_t *found)
{
    struct buf path = {0};
    int rc;

    if (access(word, F_OK) != 0)
        return glob(word, flags, folder_glob_fault, found);
    escape(&path, word);
    buf_char(&path, '\0');
    rc = glob(path.p, flags, folder_glob_fault, found);
    buf_free(&path);
    return rc;
}
