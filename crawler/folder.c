/* folder.c -- a lock keeps two crawls apart (base/pages/hold.h): it ends with
 * the process, so a killed crawl leaves nothing locked. */
#include "folder.h"

#include "base/file.h"
#include "base/log.h"
#include "base/pages/hold.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
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

static bool
read_id(const char *path, uint64_t *id)
{
    char text[20] = "";
    FILE *f = fopen(path, "r");

    if (f == NULL)
        return false;
    if (fgets(text, sizeof text, f) == NULL)
        text[0] = '\0';
    fclose(f);
    *id = strtoull(text, NULL, 16);
    return *id != 0;
}

static enum status
make_id(const char *path, uint64_t *id)
{
    char text[24];
    enum status st;
    int n;

    while (getrandom(id, sizeof *id, 0) != (ssize_t)sizeof *id || *id == 0)
        ;
    n = snprintf(text, sizeof text, "%016" PRIx64 "\n", *id);
    if ((st = file_write(path, str_n(text, (size_t)n))) != ST_OK)
        log_error("crawl", "%s: %s", path, strerror(errno));
    return st;
}

enum status
folder_open(struct folder *f, const char *dir)
{
    char path[PATH_SIZE];

    f->lock_fd = -1;
    if (strlen(dir) > PATH_SIZE - 64 || !make_folders(dir)) {
        log_error("crawl", "%s: cannot be made: %s", dir, strerror(errno));
        return ST_USAGE;
    }
    snprintf(path, sizeof path, "%s/lock", dir);
    if (hold_take(&f->lock_fd, path, dir, "crawl") != ST_OK)
        return ST_USAGE;
    snprintf(path, sizeof path, "%s/crawler.id", dir);
    return read_id(path, &f->id) ? ST_OK : make_id(path, &f->id);
}

void
folder_close(struct folder *f)
{
    if (f->lock_fd >= 0)
        close(f->lock_fd);
    f->lock_fd = -1;
}
