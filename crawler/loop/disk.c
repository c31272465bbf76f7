/* disk.c -- statvfs(3) over the folders of a crawl; those that are not there
 * (their service runs elsewhere) do not count. */
#include "disk.h"

#include <stdio.h>
#include <sys/statvfs.h>

bool
disk_short(struct disk_shortage *out, const char *dir, uint64_t free_mib)
{
    static const char *const sub[] = {"",          "/frontier", "/corpus",
                                      "/dedup",    "/log",      "/warc",
                                      "/rejected", "/replaced", "/verdicts"};

    for (size_t i = 0; free_mib > 0 && i < sizeof sub / sizeof sub[0]; i++) {
        struct statvfs s;

        snprintf(out->path, sizeof out->path, "%s%s", dir, sub[i]);
        if (statvfs(out->path, &s) != 0)
            continue;
        out->free_mib = (uint64_t)s.f_bavail * s.f_frsize >> 20;
        if (out->free_mib < free_mib)
            return true;
    }
    return false;
}
