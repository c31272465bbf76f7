/* data_dir.c -- see data_dir.h.
 *
 * Installed trees are often moved (DESTDIR, a home folder, a container), so the
 * way from the program or library itself is tried before the path fixed at
 * build time.  dladdr() knows the file of a shared library; for a program it
 * gives argv[0], which may be anything, so /proc/self/exe answers there. */
#include "data_dir.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* bin/winnow, lib/libwinnow.so, lib/x86_64-linux-gnu/libwinnow.so */
#define LEVELS 3

static struct str
parent(struct str path)
{
    while (path.n > 0 && path.p[path.n - 1] != '/')
        path.n--;
    if (path.n > 0)
        path.n--;
    return path;
}

/* share/winnow in a folder above the file `path`; empty: none. */
static struct str
beside(struct arena *a, struct str path)
{
    struct str folder = parent(path);

    for (int i = 1; i < LEVELS; i++) {
        struct str data;

        folder = parent(folder);
        data = arena_printf(a, "%.*s/share/winnow", STRF(folder));
        if (access(arena_cstr(
                       a, arena_printf(a, "%.*s/boilerplate.net", STRF(data))),
                   R_OK) == 0)
            return data;
    }
    return S("");
}

static struct str
installed(struct arena *a)
{
    static const char here; /* in this file's library or program */
    char path[PATH_MAX];
    struct str data = S("");
    ssize_t n;
    Dl_info info;

    if (dladdr(&here, &info) != 0 && info.dli_fname != NULL &&
        realpath(info.dli_fname, path) != NULL)
        data = beside(a, str_c(path));
    if (data.n == 0 && (n = readlink("/proc/self/exe", path, PATH_MAX)) > 0)
        data = beside(a, str_n(path, (size_t)n));
    return data;
}

struct str
data_dir(struct arena *a, const struct opts *o)
{
    const char *environment = getenv("WINNOW_DATA_DIR");
    struct str data;

    if (o->clean_data.n > 0)
        return o->clean_data;
    if (environment != NULL && environment[0] != '\0')
        return arena_str(a, str_c(environment));
    data = installed(a);
    return data.n > 0 ? data : str_c(WINNOW_DATA_DIR);
}
