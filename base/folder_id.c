/* folder_id.c -- see folder_id.h. */
#include "folder_id.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "buf.h"
#include "file.h"
#include "log.h"

#define FILE_BYTES ((size_t)4096)

const char folder_id_other[] =
    "this is not the folder that the crawler began with: start the service "
    "with that one, or the crawl again to go on with this one";

static enum status
make_id(const char *path, uint64_t *id)
{
    char text[24];
    int n;

    while (getrandom(id, sizeof *id, 0) != (ssize_t)sizeof *id || *id == 0)
        ;
    n = snprintf(text, sizeof text, "%016" PRIx64 "\n", *id);
    return file_write(path, str_n(text, (size_t)n));
}

enum status
folder_id_file(const char *path, uint64_t *id)
{
    struct buf text = {0};
    enum status st = file_read(&text, path, FILE_BYTES);

    int fault = errno;

    *id = 0;
    if (st == ST_OK) {
        buf_char(&text, '\0');
        *id = strtoull(text.p, NULL, 16);
    }
    buf_free(&text);
    errno = fault;
    if (st == ST_IO && fault != ENOENT)
        return ST_IO;
    return *id != 0 ? ST_OK : make_id(path, id);
}

uint64_t
folder_id(const char *dir)
{
    char path[PATH_MAX];
    uint64_t id;

    if ((size_t)snprintf(path, sizeof path, "%s/id", dir) >= sizeof path)
        errno = ENAMETOOLONG;
    else if (folder_id_file(path, &id) == ST_OK)
        return id;
    log_warn("services",
             "%s/id: %s; crawlers will not see when the service comes back "
             "with another folder",
             dir, strerror(errno));
    return 0;
}

bool
folder_id_is_other(uint64_t theirs, uint64_t ours)
{
    return theirs != 0 && ours != 0 && theirs != ours;
}
