/* checkpoint.c -- see checkpoint.h.
 *
 *     name | head | part 0: its head, entries | part 1 ...
 *
 * The head is written last; it names the last 32 bytes of the log that the
 * parts know of by their hash, so that a file beside another log is not
 * believed. Every part has a check of its bytes.  Numbers are those of the
 * machine, as in the log.  A checkpoint that cannot be written (no space) is
 * given up, said, and tried again when the log has grown as much once more. */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd_io.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/path.h"
#include "corpus_file.h"

#define NAME "winnow-dedup-tags 1\n\n\n\n\n\n\n\n\n\n\n\n\n"

enum { NAME_BYTES = 32, GROWTH = 16, PIECE = 64 << 10 };

struct checkpoint_head {
    uint64_t check, to, last; /* bytes of the log; hash of the last of them */
    uint32_t parts, shapes_n;
    struct near_shape shapes[CHECKPOINT_SHAPES_MAX];
};

struct checkpoint_part {
    uint64_t check;
    uint32_t n, from;
};

_Static_assert(sizeof NAME - 1 == NAME_BYTES, "as long as it says");

/* WRITING: the owner's; WHOLE: the saver's; else nothing is under way. */
enum checkpoint_state { IDLE, WRITING, WHOLE };

struct checkpoint {
    struct path path, part_path;
    uint64_t tail, from; /* from: of the log; the last one goes so far */
    uint64_t begun, to;  /* of the one that is being written */
    uint64_t at;         /* bytes of the file */
    size_t next;         /* part */
    int fd;
    struct buf room; /* the part before that ... */
    size_t put;      /* ... and how much of it is in the file */
    _Atomic int state;
};

static uint64_t
check_of(const void *bytes, size_t n)
{
    const char *p = bytes;

    return hash64(str_n(p + sizeof(uint64_t), n - sizeof(uint64_t)));
}

static struct path
path_of(const char *dir, const char *name)
{
    return path_printf("%s/%s", dir, name);
}

static struct path
part_path_of(const char *dir, const char *name)
{
    return path_printf("%s/%s.new", dir, name);
}

void
checkpoint_remove(const char *dir)
{
    static const char *const names[] = {CHECKPOINT_TAGS,
                                        CHECKPOINT_WITHOUT_BANDS};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(path_of(dir, names[i]).z);
        unlink(part_path_of(dir, names[i]).z);
    }
}

/* ---- reading ---- */

/* The next n bytes, from *at on. */
static bool
take(int fd, uint64_t *at, void *to, size_t n)
{
    bool whole = fd_read_at(fd, to, n, *at, NULL);

    *at += n;
    return whole;
}

/* Why not; NULL: it is of this log. */
static const char *
read_head(int fd, uint64_t *at, const struct record_log *log,
          struct checkpoint_head *h)
{
    char name[NAME_BYTES];

    if (!take(fd, at, name, sizeof name) || memcmp(name, NAME, NAME_BYTES) != 0)
        return "it is no checkpoint of this version";
    if (!take(fd, at, h, sizeof *h) || h->check != check_of(h, sizeof *h) ||
        h->parts != TAGS_PARTS || h->shapes_n > CHECKPOINT_SHAPES_MAX)
        return "its head is garbled";
    if (h->to > record_log_end(log) || h->last != record_log_hash(log, h->to))
        return "it is of another log, or of a later one";
    return NULL;
}

static const char *
read_part(int fd, uint64_t *at, struct tags *tags, size_t part, uint64_t left,
          struct buf *room, uint32_t *from)
{
    struct checkpoint_part h;
    size_t bytes;
    struct str entries;

    if (left < sizeof h || !take(fd, at, &h, sizeof h))
        return "it is cut";
    bytes = (size_t)h.n * sizeof(uint64_t);
    if (bytes > left - sizeof h)
        return "it is cut";
    buf_clear(room);
    buf_reserve(room, bytes + 1);
    if (!take(fd, at, room->p, bytes))
        return "it is cut";
    entries = str_n(room->p, bytes);
    if (h.check != (hash64(entries) ^ hash_mix((uint64_t)h.n << 32 | h.from)) ||
        tags_part_fill(tags, part, (const void *)room->p, h.n) != ST_OK)
        return "it is garbled";
    *from = h.from;
    return NULL;
}

enum status
checkpoint_load(const char *dir, const char *name, const struct record_log *log,
                struct tags *tags, uint32_t from[TAGS_PARTS],
                struct near_shape *shapes, size_t *shapes_n)
{
    const struct path path = path_of(dir, name);
    struct buf room = {0};
    struct checkpoint_head h;
    struct stat sb;
    const char *why;
    uint64_t at = 0;
    int fd;

    fd = open(path.z, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &sb) != 0) {
        if (fd >= 0)
            close(fd);
        return ST_NONE;
    }
    why = read_head(fd, &at, log, &h);
    for (size_t i = 0; why == NULL && i < TAGS_PARTS; i++)
        why =
            read_part(fd, &at, tags, i, (uint64_t)sb.st_size, &room, &from[i]);
    close(fd);
    buf_free(&room);
    if (why != NULL) {
        log_warn("dedup", "%s: %s: the table is made from the log", path.z,
                 why);
        return ST_STORE;
    }
    memcpy(shapes, h.shapes, sizeof h.shapes);
    *shapes_n = h.shapes_n;
    return ST_OK;
}

/* ---- writing ---- */

enum status
checkpoint_open(struct checkpoint **out, const char *dir, const char *name,
                uint64_t from, uint64_t tail)
{
    struct checkpoint *c = calloc(1, sizeof *c);

    *out = c;
    if (c == NULL)
        return ST_NOMEM;
    c->path = path_of(dir, name);
    c->part_path = part_path_of(dir, name);
    c->from = from;
    c->tail = tail;
    c->fd = -1;
    unlink(c->part_path.z);
    return ST_OK;
}

void
checkpoint_sync(const struct checkpoint *c)
{
    if (access(c->path.z, F_OK) == 0)
        (void)corpus_file_sync(c->path.z, true);
}

static void
give_up(struct checkpoint *c)
{
    if (c->fd >= 0) {
        close(c->fd);
        unlink(c->part_path.z);
    }
    c->fd = -1;
    c->state = IDLE;
}

void
checkpoint_close(struct checkpoint *c)
{
    if (c == NULL)
        return;
    give_up(c);
    buf_free(&c->room);
    free(c);
}

static void
fail(struct checkpoint *c)
{
    static struct log_limit said = LOG_LIMIT(60);

    log_rarely(&said, LOG_WARN, "dedup",
               "%s: %s: no checkpoint now; a start will take longer",
               c->part_path.z, strerror(errno));
    c->from = c->begun; /* not again at once */
    give_up(c);
}

static bool
begin(struct checkpoint *c, uint64_t end)
{
    c->begun = end;
    c->next = c->put = 0;
    buf_clear(&c->room);
    c->at = NAME_BYTES + sizeof(struct checkpoint_head);
    c->fd = open(c->part_path.z, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    c->state = WRITING;
    return c->fd >= 0;
}

/* The next part as it is now.  Copied at once, put into the file piece by
 * piece: a table of a megabyte takes under a millisecond so, and 3 with the
 * write.
 */
static void
take_part(struct checkpoint *c, const struct record_log *log,
          const struct tags *tags)
{
    struct checkpoint_part h = {
        .n = (uint32_t)tags_part_n(tags, c->next),
        .from = (uint32_t)(record_log_end(log) / RECORD_UNIT)};
    size_t bytes = h.n * sizeof(uint64_t);
    char *p;

    buf_clear(&c->room);
    buf_reserve(&c->room, sizeof h + bytes);
    p = c->room.p + sizeof h;
    tags_part_copy(tags, c->next, (void *)p);
    h.check = hash64(str_n(p, bytes)) ^ hash_mix((uint64_t)h.n << 32 | h.from);
    memcpy(c->room.p, &h, sizeof h);
    c->room.n = sizeof h + bytes;
    c->put = 0;
    c->next++;
}

/* False: it cannot be written. */
static bool
put_piece(struct checkpoint *c, size_t most)
{
    size_t left = c->room.n - c->put, n = most > PIECE ? most : PIECE;

    n = n < left ? n : left;
    if (!fd_write_at(c->fd, c->room.p + c->put, n, c->at, NULL))
        return false;
    c->put += n;
    c->at += n;
    return true;
}

/* All of the table. */
static bool
is_put(const struct checkpoint *c)
{
    return c->next == TAGS_PARTS && c->put == c->room.n;
}

/* Parts, for about so many bytes. */
static bool
put_parts(struct checkpoint *c, const struct record_log *log,
          const struct tags *tags, size_t bytes)
{
    uint64_t from = c->at;

    while (c->at - from < bytes && !is_put(c)) {
        if (c->put == c->room.n)
            take_part(c, log, tags);
        if (!put_piece(c, bytes))
            return false;
    }
    (void)sync_file_range(c->fd, (off_t)from, (off_t)(c->at - from),
                          SYNC_FILE_RANGE_WRITE);
    return true;
}

static bool
put_head(struct checkpoint *c, const struct record_log *log,
         const struct near_shape *shapes, size_t shapes_n)
{
    struct checkpoint_head h = {.to = record_log_end(log),
                                .parts = TAGS_PARTS,
                                .shapes_n = (uint32_t)shapes_n};

    memcpy(h.shapes, shapes, shapes_n * sizeof *shapes);
    h.last = record_log_hash(log, h.to);
    h.check = check_of(&h, sizeof h);
    c->to = h.to;
    return fd_write_at(c->fd, NAME, NAME_BYTES, 0, NULL) &&
           fd_write_at(c->fd, &h, sizeof h, NAME_BYTES, NULL);
}

static bool
is_due(const struct checkpoint *c, uint64_t end, bool all)
{
    uint64_t grown = end > c->from ? end - c->from : 0;

    if (c->tail == 0)
        return false;
    return all ? grown >= c->tail / 4 + 1
               : grown >= c->tail && grown >= end / GROWTH;
}

size_t
checkpoint_step(struct checkpoint *c, const struct record_log *log,
                const struct tags *tags, const struct near_shape *shapes,
                size_t shapes_n, size_t bytes)
{
    uint64_t end = record_log_end(log), from;
    bool all = bytes == SIZE_MAX;

    if (c->state == WHOLE && !all)
        return 0;
    if (all && c->state != IDLE)
        give_up(c);
    if (c->state == IDLE && (!is_due(c, end, all) || !begin(c, end))) {
        if (c->state == WRITING)
            fail(c);
        return 0;
    }
    from = c->at;
    if (!put_parts(c, log, tags, bytes) ||
        (is_put(c) && !put_head(c, log, shapes, shapes_n))) {
        fail(c);
        return 0;
    }
    if (is_put(c))
        c->state = WHOLE;
    return (size_t)(c->at - from);
}

void
checkpoint_publish(struct checkpoint *c, uint64_t end, bool sync)
{
    if (c->state != WHOLE || end < c->to)
        return;
    if ((sync && fdatasync(c->fd) != 0) ||
        rename(c->part_path.z, c->path.z) != 0) {
        fail(c);
        return;
    }
    if (sync)
        (void)corpus_file_sync(c->path.z, true);
    c->from = c->begun;
    close(c->fd);
    c->fd = -1;
    c->state = IDLE;
}
