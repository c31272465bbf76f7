/* wacz_read.c -- see wacz_read.h. */
#include "wacz_read.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"
#include "zip_list.h"

struct wacz_read {
    int fd;
    const char *path;
    struct arena *arena;
    struct zip_listed *archive; /* in the order of the file */
    size_t n, next;             /* next: the archive that is read */
    uint64_t done;              /* of its bytes */
};

static bool
is_archive(const struct zip_listed *m)
{
    return str_starts(m->name, S("archive/")) &&
           (str_ends(m->name, S(".warc.gz")) || str_ends(m->name, S(".warc")));
}

static enum status
refused(const struct wacz_read *w, struct str member, const char *why)
{
    log_error("input", "file=%s%s%.*s cannot be read: %s", w->path,
              member.n > 0 ? " member=" : "", STRF(member), why);
    return ST_INVALID;
}

/* As one stream they are all in gzip, or none is. */
static enum status
check(const struct wacz_read *w)
{
    if (w->n == 0)
        return refused(w, S(""), "no archive/*.warc.gz is in it");
    for (size_t i = 0; i < w->n; i++) {
        struct str name = w->archive[i].name;

        if (!w->archive[i].stored)
            return refused(w, name, "it is packed: unpack the file first");
        if (str_ends(name, S(".gz")) != str_ends(w->archive[0].name, S(".gz")))
            return refused(w, name,
                           "others are not compressed as this one is: unpack "
                           "the file first");
    }
    return ST_OK;
}

static int
by_place(const void *a, const void *b)
{
    const struct zip_listed *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

static enum status
find_archives(struct wacz_read *w)
{
    struct zip_list list;
    enum status st = zip_list_read(&list, w->fd, w->arena);

    if (st == ST_IO)
        log_error("input", "file=%s read=\"%s\"", w->path, strerror(errno));
    if (st == ST_INVALID)
        return refused(w, S(""),
                       "no directory of a ZIP file, or it is damaged");
    if (st != ST_OK)
        return st;
    w->archive = list.member;
    for (size_t i = 0; i < list.n; i++)
        if (is_archive(&list.member[i]))
            w->archive[w->n++] = list.member[i];
    if (w->n > 1)
        qsort(w->archive, w->n, sizeof *w->archive, by_place);
    return check(w);
}

enum status
wacz_read_open(struct wacz_read **out, int fd, const char *path)
{
    struct wacz_read *w = memory_need(calloc(1, sizeof *w));
    enum status st;

    *w = (struct wacz_read){.fd = fd, .path = path, .arena = arena_new()};
    *out = w;
    if ((st = find_archives(w)) != ST_OK) {
        wacz_read_close(w);
        *out = NULL;
    }
    return st;
}

void
wacz_read_close(struct wacz_read *w)
{
    if (w == NULL)
        return;
    arena_free(w->arena);
    free(w);
}

ptrdiff_t
wacz_read_bytes(struct wacz_read *w, void *p, size_t n)
{
    const struct zip_listed *m;
    size_t got;

    while (w->next < w->n && w->done == w->archive[w->next].n) {
        w->next++;
        w->done = 0;
    }
    if (w->next == w->n)
        return 0;
    m = &w->archive[w->next];
    if (n > m->n - w->done)
        n = (size_t)(m->n - w->done);
    if (!fd_read_at(w->fd, p, n, m->at + w->done, &got) && errno != 0) {
        log_error("input", "file=%s read=\"%s\"", w->path, strerror(errno));
        return -1;
    }
    w->done += got;
    return (ptrdiff_t)got;
}

uint64_t
wacz_read_place(const struct wacz_read *w, uint64_t offset)
{
    const struct zip_listed *m = &w->archive[0];

    for (size_t i = 0; i < w->n; offset -= m->n, i++) {
        m = &w->archive[i];
        if (offset < m->n || i + 1 == w->n)
            break;
    }
    return m->at + offset;
}
