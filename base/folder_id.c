/* folder_id.c -- see folder_id.h. */
#include "folder_id.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "buf.h"
#include "file.h"
#include "log.h"

enum { DIGITS = 16 };

/* 0: none is written there. */
static uint64_t
read_id(const char *path)
{
    struct buf text = {0};
    uint64_t id = 0;

    if (file_read(&text, path, PATH_MAX) == ST_OK && text.n >= DIGITS) {
        buf_char(&text, '\0');
        id = strtoull(text.p, NULL, 16);
    }
    buf_free(&text);
    return id;
}

static uint64_t
make_id(const char *path)
{
    char text[DIGITS + 2];
    uint64_t id = 0;

    while (id == 0)
        if (getrandom(&id, sizeof id, 0) != sizeof id)
            id = 0;
    snprintf(text, sizeof text, "%016llx\n", (unsigned long long)id);
    if (file_write(path, str_c(text)) == ST_OK)
        return id;
    log_warn("services",
             "%s: cannot be written: %s; crawlers will not see when the "
             "service comes back with another folder",
             path, strerror(errno));
    return 0;
}

uint64_t
folder_id(const char *dir)
{
    char path[PATH_MAX];
    uint64_t id;

    if ((size_t)snprintf(path, sizeof path, "%s/id", dir) >= sizeof path)
        return 0;
    return (id = read_id(path)) != 0 ? id : make_id(path);
}
