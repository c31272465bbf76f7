/* folder.c -- a lock keeps two crawls apart (base/pages/hold.h): it ends with
 * the process, so a killed crawl leaves nothing locked. */
#include "folder.h"

#include "base/file.h"
#include "base/folder_id.h"
#include "base/log.h"
#include "base/pages/hold.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096

static bool
make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 ? file_sync_name(path) == ST_OK
                                  : errno == EEXIST;
}

static bool
make_folders(const char *dir)
{
    char path[PATH_SIZE];
    size_t n = strlen(dir);

    if (n == 0 || n >= sizeof path)
        return false;
    memcpy(path, dir, n + 1);
    for (char *p = path + 1; *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        if (!make_folder(path))
            return false;
        *p = '/';
    }
    return make_folder(path);
}

enum status
folder_open(struct folder *f, const char *dir)
{
    char path[PATH_SIZE];
    enum status st;

    f->lock_fd = -1;
    if (strlen(dir) > PATH_SIZE - 64 || !make_folders(dir)) {
        log_error("crawl", "%s: cannot be made: %s", dir, strerror(errno));
        return ST_USAGE;
    }
    snprintf(path, sizeof path, "%s/lock", dir);
    if (hold_take(&f->lock_fd, path, dir, "crawl") != ST_OK)
        return ST_USAGE;
    snprintf(path, sizeof path, "%s/crawler.id", dir);
    if ((st = folder_id_file(path, &f->id)) != ST_OK)
        log_error("crawl", "%s: %s", path, strerror(errno));
    return st;
}

bool
folder_lost(const struct folder *f, const char *dir)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/lock", dir);
    return hold_lost(f->lock_fd, path);
}

void
folder_close(struct folder *f)
{
    if (f->lock_fd >= 0)
        close(f->lock_fd);
    f->lock_fd = -1;
}
