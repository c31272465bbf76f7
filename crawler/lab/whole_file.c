/* whole_file.c -- see whole_file.h. */
#include "whole_file.h"

#include "winnow/buf.h"
#include "winnow/log.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static bool
write_out(const char *path, struct str bytes)
{
    FILE *f = fopen(path, "wb");
    bool good = f != NULL && fwrite(bytes.p, 1, bytes.n, f) == bytes.n;

    if (f != NULL && fclose(f) != 0)
        good = false;
    return good;
}

enum status
whole_file_write(const char *path, struct str bytes)
{
    struct buf aside = {0};
    int fault;
    bool good;

    buf_printf(&aside, "%s.part", path);
    buf_char(&aside, '\0');
    good = write_out(aside.p, bytes) && rename(aside.p, path) == 0;
    fault = errno;
    if (!good) {
        log_error("lab", "cannot write %s: %s", path, strerror(fault));
        unlink(aside.p);
    }
    buf_free(&aside);
    return good ? ST_OK : fault == ENOSPC ? ST_FULL : ST_IO;
}
