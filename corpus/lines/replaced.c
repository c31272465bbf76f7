/* replaced.c -- see replaced.h. */
#include "replaced.h"

#include <errno.h>

#include "base/buf.h"
#include "base/log.h"

static enum status
read_all(struct id_set *s, const char *folder)
{
    struct paths found = {0};
    enum status st = paths_in_folder(&found, folder, "part-*ids*");

    if (st == ST_IO)
        log_error("corpus", "file=%s fault=\"%s\"", folder, strerror(errno));
    else
        st = ST_OK; /* without the folder, nothing was replaced */
    for (size_t i = 0; i < found.n && st == ST_OK; i++)
        st = id_set_read(s, found.path[i]);
    paths_free(&found);
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
        struct buf path = {0};

        if (i > 0 && str_eq(folder, last))
            continue; /* sorted by name: a folder comes once */
        last = folder;
        buf_printf(&path, "%.*s/../replaced", STRF(folder));
        buf_char(&path, '\0');
        st = read_all(s, path.p);
        buf_free(&path);
    }
    return st;
}
