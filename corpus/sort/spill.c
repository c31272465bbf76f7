/* spill.c -- see spill.h.
 *
 * A writer gathers a piece for each bucket and appends it to the one file where
 * the end is then (an atomic addition); the list of pieces is what the index
 * is.  So there is one descriptor, the disk sees long sequential writes, and
 * nothing has to be known of how the records will be spread. */
#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/disk_full.h"
#include "base/drop_behind.h"
#include "base/fd_io.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "large.h"

/* What a bucket was given last stands in a few lines; of all buckets that is as
 * much as the processor's cache has.  Only then does it move on to the piece,
 * all at once. */
#define FRESH_BYTES ((size_t)192)
#define MAGIC 0x77737031u /* wsp1 */

struct spill_piece {
    uint64_t offset;
    uint32_t bucket, n; /* records */
};

struct spill_head {
    uint32_t magic, buckets, record_size, pieces_n;
    uint64_t bytes;
};

struct spill {
    int fd;
    char *path;
    uint32_t buckets, record_size;
    size_t piece_bytes;
    _Atomic uint64_t end;
    atomic_int fault;
    bool drops_behind;
    struct drop_behind written;
    pthread_mutex_t lock; /* of what follows */
    struct spill_piece *piece;
    size_t pieces_n, pieces_room;
    uint64_t *n; /* records of each bucket */
};

struct spill_writer {
    struct spill *s;
    size_t fresh_room, room; /* records; of a piece, a multiple of the first */
    char *fresh, *piece;     /* of each bucket */
    uint32_t *fresh_n, *n;
};

static struct spill *
spill_new(const char *path, uint32_t buckets, uint32_t record_size, int fd)
{
    struct spill *s = memory_need(calloc(1, sizeof *s));

    s->fd = fd;
    s->path = memory_need(strdup(path));
    s->buckets = buckets;
    s->record_size = record_size;
    s->n = memory_need(calloc(buckets, sizeof *s->n));
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void
index_path(struct buf *out, const char *path)
{
    buf_printf(out, "%s.index", path);
    buf_char(out, '\0');
}

static enum status
fault_of(const char *path, const char *doing)
{
    enum status st = disk_full(errno) ? ST_FULL : ST_IO;

    log_error("sort", "file=%s doing=%s fault=\"%s\"", path, doing,
              disk_full_text(errno));
    return st;
}

enum status
spill_make(struct spill **out, const char *path, unsigned buckets,
           size_t record_size, size_t piece_bytes)
{
    int fd;

    *out = NULL;
    spill_remove(path);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return fault_of(path, "open");
    *out = spill_new(path, buckets, (uint32_t)record_size, fd);
    (*out)->piece_bytes = piece_bytes;
    return ST_OK;
}

void
spill_remove(const char *path)
{
    struct buf name = {0};

    index_path(&name, path);
    unlink(name.p);
    unlink(path);
    buf_free(&name);
}

void
spill_close(struct spill *s)
{
    if (s == NULL)
        return;
    close(s->fd);
    pthread_mutex_destroy(&s->lock);
    free(s->piece);
    free(s->path);
    free(s->n);
    free(s);
}

void
spill_drop_behind(struct spill *s)
{
    s->drops_behind = true;
}

bool
spill_drops_behind(const struct spill *s)
{
    return s->drops_behind;
}

/* Does the index describe the file as it is? */
static bool
is_whole(struct str index, uint64_t file_bytes, struct spill_head *h)
{
    if (index.n < sizeof *h)
        return false;
    memcpy(h, index.p, sizeof *h);
    return h->magic == MAGIC && h->bytes == file_bytes && h->buckets > 0 &&
           h->buckets <= SPILL_BUCKETS_MAX && h->record_size > 0 &&
           index.n == sizeof *h + h->pieces_n * sizeof(struct spill_piece);
}

enum status
spill_open(struct spill **out, const char *path)
{
    struct buf name = {0}, index = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct spill_head h;
    struct stat about;
    bool good;

    *out = NULL;
    index_path(&name, path);
    good = fd >= 0 && fstat(fd, &about) == 0 &&
           file_read(&index, name.p, SIZE_MAX) == ST_OK &&
           is_whole(buf_view(&index), (uint64_t)about.st_size, &h);
    if (good) {
        struct spill *s = spill_new(path, h.buckets, h.record_size, fd);

        s->pieces_n = h.pieces_n;
        s->piece = memory_need(calloc(h.pieces_n + 1, sizeof *s->piece));
        memcpy(s->piece, index.p + sizeof h, h.pieces_n * sizeof *s->piece);
        for (size_t i = 0; i < s->pieces_n; i++)
            if (s->piece[i].bucket < h.buckets)
                s->n[s->piece[i].bucket] += s->piece[i].n;
        *out = s;
    } else if (fd >= 0) {
        close(fd);
    }
    buf_free(&name);
    buf_free(&index);
    return good ? ST_OK : ST_NONE;
}

/* ---- writing ---- */

struct spill_writer *
spill_writer_new(struct spill *s)
{
    struct spill_writer *w = memory_need(calloc(1, sizeof *w));

    w->s = s;
    w->room = s->piece_bytes / s->record_size;
    w->fresh_room = FRESH_BYTES / s->record_size;
    if (w->fresh_room > w->room)
        w->fresh_room = w->room;
    if (w->fresh_room == 0)
        w->fresh_room = 1;
    w->room -= w->room % w->fresh_room;
    if (w->room == 0)
        w->room = 1;
    w->fresh = large_need(s->buckets * w->fresh_room * s->record_size);
    w->piece = large_need(s->buckets * w->room * s->record_size);
    w->fresh_n = memory_need(calloc(s->buckets, sizeof *w->fresh_n));
    w->n = memory_need(calloc(s->buckets, sizeof *w->n));
    return w;
}

static void
note_piece(struct spill *s, struct spill_piece p)
{
    pthread_mutex_lock(&s->lock);
    if (s->pieces_n == s->pieces_room) {
        s->pieces_room = s->pieces_room ? 2 * s->pieces_room : 256;
        s->piece =
            memory_need(realloc(s->piece, s->pieces_room * sizeof *s->piece));
    }
    s->piece[s->pieces_n++] = p;
    s->n[p.bucket] += p.n;
    pthread_mutex_unlock(&s->lock);
}

void
spill_append(struct spill *s, unsigned bucket, const void *records, size_t n)
{
    size_t bytes = n * s->record_size;
    uint64_t offset;

    if (bytes == 0 || s->fault != ST_OK)
        return;
    offset = atomic_fetch_add(&s->end, bytes);
    if (!fd_write_at(s->fd, records, bytes, offset, NULL)) {
        int none = ST_OK, fault = errno;

        if (atomic_compare_exchange_strong(&s->fault, &none, ST_IO)) {
            errno = fault;
            s->fault = (int)fault_of(s->path, "write");
        }
    }
    if (s->drops_behind)
        drop_behind_written(&s->written, s->fd, offset + bytes);
    note_piece(s, (struct spill_piece){offset, bucket, (uint32_t)n});
}

static void
put_piece(struct spill_writer *w, unsigned bucket)
{
    spill_append(w->s, bucket, w->piece + bucket * w->room * w->s->record_size,
                 w->n[bucket]);
    w->n[bucket] = 0;
}

static void
move_on(struct spill_writer *w, unsigned bucket)
{
    const size_t size = w->s->record_size;

    memcpy(w->piece + (bucket * w->room + w->n[bucket]) * size,
           w->fresh + bucket * w->fresh_room * size, w->fresh_n[bucket] * size);
    w->n[bucket] += w->fresh_n[bucket];
    w->fresh_n[bucket] = 0;
    if (w->n[bucket] == w->room)
        put_piece(w, bucket);
}

void
spill_put(struct spill_writer *w, unsigned bucket, const void *record)
{
    const size_t size = w->s->record_size;
    char *to;

    to = w->fresh + (bucket * w->fresh_room + w->fresh_n[bucket]++) * size;
    switch (size) { /* the sizes that are used are a move or two */
    case 8: memcpy(to, record, 8); break;
    case 12: memcpy(to, record, 12); break;
    default: memcpy(to, record, size); break;
    }
    if (w->fresh_n[bucket] == w->fresh_room)
        move_on(w, bucket);
}

void
spill_writer_end(struct spill_writer *w)
{
    for (unsigned b = 0; b < w->s->buckets; b++) {
        move_on(w, b);
        put_piece(w, b);
    }
    free(w->fresh);
    free(w->piece);
    free(w->fresh_n);
    free(w->n);
    free(w);
}

enum status
spill_check(const struct spill *s)
{
    return (enum status)s->fault;
}

/* Not synced: whoever goes on after a crash of the system begins anew. */
static enum status
write_index(const char *path, struct str index)
{
    FILE *f = fopen(path, "wbe");
    bool good = f != NULL && fwrite(index.p, 1, index.n, f) == index.n;

    if (f != NULL && fclose(f) != 0)
        good = false;
    return good ? ST_OK : fault_of(path, "write");
}

enum status
spill_finish(struct spill *s)
{
    struct spill_head h = {MAGIC, s->buckets, s->record_size,
                           (uint32_t)s->pieces_n, s->end};
    struct buf index = {0}, name = {0};
    enum status st = spill_check(s);

    if (st == ST_OK) {
        index_path(&name, s->path);
        buf_add(&index, &h, sizeof h);
        buf_add(&index, s->piece, s->pieces_n * sizeof *s->piece);
        st = write_index(name.p, buf_view(&index));
    }
    buf_free(&index);
    buf_free(&name);
    return st;
}

/* ---- reading ---- */

unsigned
spill_buckets(const struct spill *s)
{
    return s->buckets;
}

size_t
spill_record_size(const struct spill *s)
{
    return s->record_size;
}

uint64_t
spill_n(const struct spill *s, unsigned bucket)
{
    return s->n[bucket];
}

uint64_t
spill_all_n(const struct spill *s)
{
    uint64_t n = 0;

    for (unsigned b = 0; b < s->buckets; b++)
        n += s->n[b];
    return n;
}

static enum status
read_at(const struct spill *s, char *p, size_t n, uint64_t offset)
{
    if (fd_read_at(s->fd, p, n, offset, NULL)) {
        if (s->drops_behind)
            drop_behind_range(s->fd, offset, n);
        return ST_OK;
    }
    if (errno == 0)
        errno = EIO; /* shorter than its index says */
    return fault_of(s->path, "read");
}

enum status
spill_load(const struct spill *s, unsigned bucket, void *into)
{
    enum status st = ST_OK;
    char *at = into;

    for (size_t i = 0; i < s->pieces_n && st == ST_OK; i++) {
        size_t bytes = (size_t)s->piece[i].n * s->record_size;

        if (s->piece[i].bucket != bucket)
            continue;
        st = read_at(s, at, bytes, s->piece[i].offset);
        at += bytes;
    }
    return st;
}

enum status
spill_each(const struct spill *s, unsigned bucket, spill_take *take, void *self)
{
    enum status st = ST_OK;
    char *piece = NULL;

    for (size_t i = 0; i < s->pieces_n && st == ST_OK; i++) {
        size_t bytes = (size_t)s->piece[i].n * s->record_size;

        if (s->piece[i].bucket != bucket)
            continue;
        piece = memory_need(realloc(piece, bytes + 1));
        st = read_at(s, piece, bytes, s->piece[i].offset);
        if (st == ST_OK)
            st = take(self, piece, s->piece[i].n);
    }
    free(piece);
    return st;
}
