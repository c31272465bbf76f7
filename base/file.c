/* file.c -- see base/file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "disk_full.h"
#include "fd_io.h"

#define STEP ((size_t)65536)

static void
close_file(void *f)
{
    fclose(f);
}

enum status
file_read(struct buf *out, const char *path, size_t bytes_max)
{
    FILE *f = fopen(path, "rb");
    struct memory_held held;
    enum status st = ST_OK;
    int fault;

    buf_clear(out);
    if (f == NULL)
        return ST_IO;
    memory_hold(&held, close_file, f);
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
    memory_let_go(&held);
    fclose(f);
    errno = fault;
    return st;
}

static bool
write_out(const char *path, struct str bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0;

    good = good && fd_write(fd, bytes.p, bytes.n) && fsync(fd) == 0;
    if (fd >= 0 && close(fd) != 0)
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
    good = write_out(part.p, bytes) && rename(part.p, path) == 0 &&
           file_sync_name(path) == ST_OK;
    fault = errno;
    if (!good)
        unlink(part.p);
    buf_free(&part);
    errno = fault;
    return good ? ST_OK : disk_full(fault) ? ST_FULL : ST_IO;
}

enum status
file_sync_name(const char *path)
{
    struct buf folder = {0};
    size_t n = strlen(path);
    int fd, fault = 0;

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n > 0)
        buf_add(&folder, path, n);
    else
        buf_char(&folder, '.');
    buf_char(&folder, '\0');
    fd = open(folder.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0)
        fault = errno;
    if (fd >= 0)
        close(fd);
    buf_free(&folder);
    errno = fault;
    return fault == 0 ? ST_OK : ST_IO;
}
