/* machine.c -- see machine.h.
 *
 * /proc/self/cgroup has a line `N:controllers:/path` for each hierarchy, v2's
 * without controllers.  In a container the path may be the host's, of which
 * only the group itself is mounted: then what stands at the mount counts. */
#include "machine.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/str.h"

#define TEXT_MAX 4096

static bool
read_text(struct path path, char out[TEXT_MAX])
{
    FILE *f = fopen(path.z, "re");
    size_t n = f != NULL ? fread(out, 1, TEXT_MAX - 1, f) : 0;

    if (f != NULL)
        (void)fclose(f);
    out[n] = '\0';
    return n > 0;
}

/* "max" and v1's -1 are none. */
static uint64_t
number_in(struct str text)
{
    uint64_t n;

    return str_u64(str_trim(text), &n) ? n : UINT64_MAX;
}

static uint64_t
number_of(const char *group, const char *name)
{
    char text[TEXT_MAX];

    return read_text(path_printf("%s/%s", group, name), text)
               ? number_in(str_c(text))
               : UINT64_MAX;
}

static void
lower(uint64_t *limit, uint64_t to)
{
    if (to < *limit)
        *limit = to;
}

/* Of a group: what it may use of its period, rounded up. */
static void
lower_processors(struct machine_limits *l, uint64_t quota, uint64_t period)
{
    if (quota > 0 && quota != UINT64_MAX && period > 0 && period != UINT64_MAX)
        lower(&l->processors, quota / period + (quota % period > 0));
}

static void
limits_of(struct machine_limits *l, const char *group)
{
    char text[TEXT_MAX];
    struct str rest, quota = S("");

    lower(&l->memory, number_of(group, "memory.max"));
    lower(&l->memory, number_of(group, "memory.limit_in_bytes"));
    lower_processors(l, number_of(group, "cpu.cfs_quota_us"),
                     number_of(group, "cpu.cfs_period_us"));
    if (!read_text(path_printf("%s/cpu.max", group), text))
        return;
    rest = str_c(text);
    (void)str_cut(&rest, ' ', &quota);
    lower_processors(l, number_in(quota), number_in(rest));
}

/* A group and those above it, up to the mount. */
static void
limits_up(struct machine_limits *l, const char *mount, struct str path)
{
    while (path.n > 0 && path.p[0] == '/') {
        limits_of(l, path_printf("%s%.*s", mount, STRF(path)).z);
        while (path.n > 0 && path.p[path.n - 1] != '/')
            path.n--;
        path.n -= path.n > 0;
    }
    limits_of(l, mount);
}

static void
limits_in(struct machine_limits *l, const char *root, struct str line)
{
    struct str number, controllers, controller;

    if (!str_cut(&line, ':', &number) || !str_cut(&line, ':', &controllers))
        return;
    if (controllers.n == 0)
        limits_up(l, path_printf("%s/sys/fs/cgroup", root).z, line);
    while (str_cut(&controllers, ',', &controller))
        limits_up(
            l, path_printf("%s/sys/fs/cgroup/%.*s", root, STRF(controller)).z,
            line);
}

struct machine_limits
machine_limits(const char *root)
{
    struct machine_limits l = {UINT64_MAX, UINT64_MAX};
    char text[TEXT_MAX];
    struct str all, line;

    if (!read_text(path_printf("%s/proc/self/cgroup", root), text))
        return l;
    all = str_c(text);
    while (str_cut(&all, '\n', &line))
        limits_in(&l, root, line);
    return l;
}

size_t
machine_processors(void)
{
    uint64_t n = machine_limits("").processors;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t own;

    if (sched_getaffinity(0, sizeof own, &own) == 0)
        lower(&n, (uint64_t)CPU_COUNT(&own));
#endif
    if (online > 0)
        lower(&n, (uint64_t)online);
    return n > 0 && n != UINT64_MAX ? (size_t)n : 1;
}

uint64_t
machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t n = machine_limits("").memory;

    if (pages > 0 && size > 0)
        lower(&n, (uint64_t)pages * (uint64_t)size);
    return n == UINT64_MAX ? 0 : n;
}

uint64_t
machine_cache_bytes(uint64_t mib)
{
    uint64_t bytes = mib << 20, half = machine_memory() / 2;

    return half > 0 && half < bytes ? half : bytes;
}
