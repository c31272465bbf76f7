/* folder.c -- a lock keeps two crawls apart (base/pages/hold.h): it ends with
 * the process, so a killed crawl leaves nothing locked. */
#include "folder.h"

#include "base/file.h"
#include "base/folder_id.h"
#include "base/log.h"
#include "base/pages/hold.h"
#include "base/path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status
folder_open(struct folder *f, const char *dir)
{
    struct path path;
    enum status st;

    f->lock_fd = -1;
    if (file_make_folders(dir) != ST_OK) {
        log_error("crawl", "cannot make the folder: %s: %s", strerror(errno),
                  dir);
        return ST_USAGE;
    }
    path = path_printf("%s/lock", dir);
    if (hold_take(&f->lock_fd, path.z, dir, "crawl") != ST_OK)
        return ST_USAGE;
    path = path_printf("%s/crawler.id", dir);
    if ((st = folder_id_file(path.z, &f->id)) != ST_OK)
        log_error("crawl", "%s: %s", path.z, strerror(errno));
    return st;
}

enum status
folder_is_free(const char *dir)
{
    struct path path = path_printf("%s/lock", dir);
    enum status st;
    int fd;

    if (!hold_taken(path.z))
        return ST_OK;
    if ((st = hold_take(&fd, path.z, dir, "crawl")) == ST_OK)
        close(fd); /* it has ended just now */
    return st;
}

bool
folder_lost(const struct folder *f, const char *dir)
{
    return hold_lost(f->lock_fd, path_printf("%s/lock", dir).z);
}

void
folder_close(struct folder *f)
{
    if (f->lock_fd >= 0)
        close(f->lock_fd);
    f->lock_fd = -1;
}
