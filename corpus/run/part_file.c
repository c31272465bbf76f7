/* part_file.c -- see part_file.h. */
#include "part_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/disk_full.h"
#include "base/log.h"
#include "base/memory.h"

#define FRAME_BYTES ((size_t)1 << 20)
#define LEVEL 1

struct part_file {
    FILE *to;
    char *path;
    ZSTD_CCtx *zstd;
    struct buf lines, packed;
    bool begun; /* it has a frame */
    enum status fault;
};

static enum status
fault_of(const char *path)
{
    bool full = disk_full(errno);

    log_error("run", "file=%s fault=\"%s\"", path, disk_full_text(errno));
    return full ? ST_FULL : ST_IO;
}

enum status
part_file_make(struct part_file **out, const char *path)
{
    FILE *to = fopen(path, "wbe");

    *out = NULL;
    if (to == NULL)
        return fault_of(path);
    *out = memory_need(calloc(1, sizeof **out));
    (*out)->to = to;
    (*out)->path = memory_need(strdup(path));
    (*out)->zstd = memory_need(ZSTD_createCCtx());
    return ST_OK;
}

/* A file of no lines has a frame as well: zstdcat takes no empty files. */
static void
put_frame(struct part_file *f)
{
    size_t n;

    if ((f->lines.n == 0 && f->begun) || f->fault != ST_OK)
        return;
    f->begun = true;
    buf_clear(&f->packed);
    buf_reserve(&f->packed, ZSTD_compressBound(f->lines.n));
    n = ZSTD_compressCCtx(f->zstd, f->packed.p, f->packed.cap,
                          buf_view(&f->lines).p, f->lines.n, LEVEL);
    if (ZSTD_isError(n)) {
        log_error("run", "file=%s fault=\"%s\"", f->path, ZSTD_getErrorName(n));
        f->fault = ST_IO;
    } else if (fwrite(f->packed.p, 1, n, f->to) != n)
        f->fault = fault_of(f->path);
    buf_clear(&f->lines);
}

enum status
part_file_put(void *file, struct str line)
{
    struct part_file *f = file;

    buf_str(&f->lines, line);
    buf_char(&f->lines, '\n');
    if (f->lines.n >= FRAME_BYTES)
        put_frame(f);
    return f->fault;
}

enum status
part_file_end(struct part_file *f)
{
    enum status st;

    if (f == NULL)
        return ST_OK;
    put_frame(f);
    if (f->fault == ST_OK && (fflush(f->to) != 0 || fsync(fileno(f->to)) != 0))
        f->fault = fault_of(f->path);
    fclose(f->to);
    st = f->fault;
    ZSTD_freeCCtx(f->zstd);
    buf_free(&f->lines);
    buf_free(&f->packed);
    free(f->path);
    free(f);
    return st;
}
