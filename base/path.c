/* path.c -- see base/path.h. */
#include "base/path.h"

#include <stdarg.h>
#include <stdio.h>

struct path
path_printf(const char *format, ...)
{
    struct path p;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(p.z, sizeof p.z, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof p.z)
        snprintf(p.z, sizeof p.z, "/dev/null/the name is too long");
    return p;
}

struct str
path_base(struct str path)
{
    size_t at = path.n;

    while (at > 0 && path.p[at - 1] != '/')
        at--;
    return str_sub(path, at, path.n);
}
