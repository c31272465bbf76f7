/* file.c -- see winnow/file.h. */
#include "winnow/file.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define STEP ((size_t)65536)

enum status
file_read(struct buf *out, const char *path, size_t bytes_max)
{
    FILE *f = fopen(path, "rb");
    enum status st = ST_OK;
    int fault;

    buf_clear(out);
    if (f == NULL)
        return ST_IO;
    while (!feof(f) && !ferror(f) && out->n < bytes_max) {
        size_t want = bytes_max - out->n < STEP ? bytes_max - out->n : STEP;

        buf_reserve(out, want);
        out->n += fread(out->p + out->n, 1, want, f);
    }
    if (!ferror(f) && !feof(f) && getc(f) != EOF)
        st = ST_LIMIT;
    fault = errno;
    if (ferror(f))
        st = ST_IO;
    fclose(f);
    errno = fault;
    return st;
}

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
file_write(const char *path, struct str bytes)
{
    struct buf part = {0};
    int fault;
    bool good;

    buf_printf(&part, "%s.part", path);
    good = write_out(part.p, bytes) && rename(part.p, path) == 0;
    fault = errno;
    if (!good)
        unlink(part.p);
    buf_free(&part);
    errno = fault;
    return good ? ST_OK : fault == ENOSPC || fault == EDQUOT ? ST_FULL : ST_IO;
}
