/* replaced.c -- see replaced.h. */
#include "replaced.h"

#include <glob.h>

#include "base/buf.h"

static enum status
read_all(struct id_set *s, const char *pattern)
{
    enum status st = ST_OK;
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return ST_OK;
    for (size_t i = 0; i < found.gl_pathc && st == ST_OK; i++)
        st = id_set_read(s, found.gl_pathv[i]);
    globfree(&found);
    return st;
}

static struct str
folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? S(".") : str_n(path, (size_t)(slash - path));
}

/* The service names its files part-000001.ids.gz and part-000002.tail-....ids.
 */
enum status
replaced_read(struct id_set *s, const struct paths *inputs)
{
    struct str last = S("");
    enum status st = ST_OK;

    for (size_t i = 0; i < inputs->n && st == ST_OK; i++) {
        struct str folder = folder_of(inputs->path[i]);
        struct buf pattern = {0};

        if (i > 0 && str_eq(folder, last))
            continue; /* sorted by name: a folder comes once */
        last = folder;
        buf_printf(&pattern, "%.*s/../replaced/part-*ids*", STRF(folder));
        buf_char(&pattern, '\0');
        st = read_all(s, pattern.p);
        buf_free(&pattern);
    }
    return st;
}
