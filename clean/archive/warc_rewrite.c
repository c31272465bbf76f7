/* warc_rewrite.c -- see warc_rewrite.h.
 *
 * An index says at which byte records stand, so no file may be beside that of
 * another: the old index goes first, then the file takes its name, then it gets
 * its own. */
#include "warc_rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/file.h"
#include "base/path.h"
#include "cdxj.h"
#include "warc_folder.h"

struct writing {
    struct warc_members *m;
    const struct warc_changes *how;
    const char *part;
    int fd;
    uint64_t from, to; /* bytes that stay and are not copied yet */
    uint64_t written;
    struct buf text, fresh, packed;
};

static enum status
copy(struct writing *w)
{
    enum status st =
        warc_members_copy(w->m, w->from, w->to - w->from, w->fd, w->part);

    w->written += w->to - w->from;
    w->from = w->to;
    return st;
}

static enum status
change(struct writing *w, const struct warc_record *r)
{
    enum status st = warc_members_text(w->m, r->offset, r->length, &w->text);

    buf_clear(&w->fresh);
    buf_clear(&w->packed);
    if (st == ST_OK)
        st = w->how->change(w->how->self, r, buf_view(&w->text), &w->fresh);
    if (st == ST_OK)
        st = warc_members_pack(w->m, &w->fresh, &w->packed);
    if (st == ST_OK && !fd_write(w->fd, w->packed.p, w->packed.n))
        st = warc_io_fault(w->part, "write");
    w->written += w->packed.n;
    return st;
}

static enum status
take(struct writing *w, const struct warc_record *r)
{
    enum warc_fate fate =
        w->how->fate(w->how->self, r, w->written + w->to - w->from);
    enum status st = ST_OK;

    if (fate != WARC_STAYS) {
        st = copy(w);
        w->from = r->offset + r->length;
    }
    w->to = r->offset + r->length;
    return st == ST_OK && fate == WARC_CHANGES ? change(w, r) : st;
}

static enum status
write_all(struct writing *w)
{
    struct warc_record r;
    enum status st;

    w->to = warc_members_begin(w->m);
    while ((st = warc_members_next(w->m, &r)) == ST_OK &&
           (st = take(w, &r)) == ST_OK)
        ;
    return st == ST_NONE ? copy(w) : st;
}

enum status
warc_index(const char *path)
{
    struct buf lines = {0};
    uint64_t end;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum status st =
        fd < 0 ? warc_io_fault(path, "open")
               : cdxj_of_warc(&lines, &end, fd, path, path_base(str_c(path)));

    if (fd >= 0)
        close(fd);
    if (st == ST_OK)
        st = warc_index_write(path, &lines);
    buf_free(&lines);
    return st;
}

static enum status
take_place(struct writing *w, const char *path)
{
    struct path index = warc_index_path(path);

    if (fsync(w->fd) != 0)
        return warc_io_fault(w->part, "sync");
    if (unlink(index.z) != 0 && errno != ENOENT)
        return warc_io_fault(index.z, "remove");
    if (file_sync_name(path) != ST_OK || rename(w->part, path) != 0 ||
        file_sync_name(path) != ST_OK)
        return warc_io_fault(path, "replace");
    return warc_index(path);
}

enum status
warc_rewrite(const char *path, const struct warc_changes *how)
{
    struct path part = path_printf("%s.part", path);
    struct writing w = {.how = how, .part = part.z, .fd = -1};
    enum status st = warc_members_open(&w.m, path);

    if (st != ST_OK)
        return st;
    w.fd = open(part.z, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    st = w.fd < 0 ? warc_io_fault(part.z, "create") : write_all(&w);
    if (st == ST_OK)
        st = take_place(&w, path);
    if (st != ST_OK)
        (void)unlink(part.z);
    if (w.fd >= 0)
        close(w.fd);
    warc_members_close(w.m);
    buf_free(&w.text);
    buf_free(&w.fresh);
    buf_free(&w.packed);
    return st;
}

bool
warc_is_indexed(const char *path)
{
    return access(warc_index_path(path).z, F_OK) == 0;
}
