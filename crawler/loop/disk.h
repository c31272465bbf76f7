/* disk.h -- is there room left where the crawl writes? */
#ifndef CRAWLER_DISK_H
#define CRAWLER_DISK_H

#include <stdbool.h>
#include <stdint.h>

struct disk_shortage {
    char path[1024];
    uint64_t free_mib;
};

/* True when DIR or one of its folders has less than `free_mib` MiB free (they
 * may be mounts of their own); *out says which.  0: never. */
bool disk_short(struct disk_shortage *out, const char *dir, uint64_t free_mib);

#endif
