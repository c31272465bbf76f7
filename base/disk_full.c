/* disk_full.c -- see disk_full.h. */
#include "disk_full.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "buf.h"
#include "log.h"

bool
disk_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

const char *
disk_full_text(int error)
{
    static _Thread_local char text[96];
    struct rlimit most;
    struct buf size = {0};

    if (error != EFBIG)
        return strerror(error);
    if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY)
        return "the file system takes no larger file";
    buf_grouped(&size, most.rlim_cur);
    snprintf(text, sizeof text,
             "no file may be larger than %.*s bytes (ulimit -f): raise it",
             STRF(buf_view(&size)));
    buf_free(&size);
    return text;
}

const char *
disk_full_remedy(int error)
{
    return error == EFBIG ? disk_full_text(error) : "no space left: make room";
}

int
disk_full_of(uint64_t size, int error)
{
    struct rlimit most;

    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
                   most.rlim_cur != RLIM_INFINITY && most.rlim_cur < size
               ? EFBIG
               : error;
}

void
disk_full_hint(const char *topic, const char *path, int error)
{
    static struct log_limit said = LOG_LIMIT(1);

    if (error == EFBIG)
        log_rarely(&said, LOG_WARN, topic, "file=%s %s", path,
                   disk_full_text(error));
}
