/* folder.h -- DIR: there, ours alone, and with the crawler's lasting id. */
#ifndef CRAWLER_FOLDER_H
#define CRAWLER_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct folder {
    int lock_fd;
    uint64_t id; /* of DIR/crawler.id: our leases are known by it */
};

/* Create DIR (and its parents), lock DIR/lock, read or make DIR/crawler.id.
 * ST_USAGE: another crawl holds it, or it cannot be used (reported). */
enum status folder_open(struct folder *f, const char *dir);
/* Before the job is compared with that of DIR: ST_USAGE (reported): another
 * crawl holds DIR. */
enum status folder_is_free(const char *dir);
/* Is DIR not ours any more?  It was removed, moved away or replaced. */
bool folder_lost(const struct folder *f, const char *dir);
void folder_close(struct folder *f);

#endif
