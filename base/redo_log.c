/* redo_log.c -- see redo_log.h.
 *
 * A file begins with its name; then records, each behind a head.  The head has
 * segment, number and a check of all, so what stands behind the last record
 * that was written, a torn one or one of an older segment, is told from it and
 * not read.  Numbers of heads are those of the machine, as in LMDB. */
#include "redo_log.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/append_log.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/path.h"

enum { FILES = 2, ROOM_STEP = 1 << 20 };

struct redo_log_head {
    uint64_t check; /* of all behind it */
    uint64_t bytes, segment, number;
};

struct redo_log {
    const struct redo_log_kind *kind;
    char *dir;
    struct append_log *file[FILES]; /* NULL: not there yet */
    uint64_t segment, number;       /* number: of the next record */
    uint64_t longest, room[FILES];  /* bytes; room: that are in the file */
    struct buf record;              /* with its head */
};

static struct path
path_of(const struct redo_log_kind *kind, const char *dir, size_t i)
{
    return path_printf("%s/%s-%zu", dir, kind->file, i);
}

static size_t
file_of(uint64_t segment)
{
    return segment % FILES;
}

static uint64_t
check_of(struct str record)
{
    return hash64(str_sub(record, sizeof(uint64_t), record.n));
}

/* ---- reading ---- */

/* The file's records; none: there is no file, or its name is not whole, so that
 * nothing behind it was synced. */
static enum status
read_file(const struct redo_log *l, size_t i, struct buf *text, struct str *out)
{
    struct append_log *file = l->file[i];
    enum status st = ST_OK;

    *out = S("");
    if (file == NULL)
        st = append_log_open(&file, l->kind->owner,
                             path_of(l->kind, l->dir, i).z, APPEND_LOG_READ);
    if (st == ST_OK)
        st = append_log_read(file, 0, (size_t)append_log_written(file), text);
    if (l->file[i] == NULL)
        append_log_close(file);
    if (str_starts(buf_view(text), l->kind->name))
        *out = str_sub(buf_view(text), l->kind->name.n, text->n);
    return st == ST_NONE ? ST_OK : st;
}

/* The record that begins *in, which is moved behind it. */
static bool
take_record(struct str *in, struct redo_log_head *h, struct str *record)
{
    size_t n;

    if (in->n < sizeof *h)
        return false;
    memcpy(h, in->p, sizeof *h);
    if (h->bytes > in->n - sizeof *h)
        return false;
    n = sizeof *h + (size_t)h->bytes;
    if (h->check != check_of(str_sub(*in, 0, n)))
        return false;
    *record = str_sub(*in, sizeof *h, n);
    *in = str_sub(*in, n, in->n);
    return true;
}

/* Is there a record anywhere in it, of that segment (0: of any) and this number
 * or a later one? */
static bool
has_record(struct str in, uint64_t segment, uint64_t number)
{
    struct redo_log_head h;
    struct str at, record;

    for (size_t i = 0; i + sizeof h <= in.n; i++) {
        memcpy(&h, in.p + i, sizeof h);
        at = str_sub(in, i, in.n);
        if ((segment == 0 || h.segment == segment) && h.number >= number &&
            take_record(&at, &h, &record))
            return true;
    }
    return false;
}

enum status
redo_log_read(const struct redo_log *l, uint64_t segment, uint64_t *next,
              redo_log_each *each, void *self, bool *gap)
{
    struct buf text = {0};
    struct redo_log_head h;
    struct str in, left, record;
    enum status st = read_file(l, file_of(segment), &text, &in);

    for (left = in; st == ST_OK && take_record(&left, &h, &record) &&
                    h.segment == segment && (*next == 0 || h.number == *next);
         in = left) {
        *next = h.number + 1;
        st = each(self, record);
    }
    if (st == ST_OK && has_record(in, segment, *next))
        *gap = true;
    buf_free(&text);
    return st;
}

/* The head of the file's first record; segment 0: it has none.  *gap becomes
 * true: it has others only. */
static enum status
first_head(const struct redo_log *l, size_t i, struct redo_log_head *h,
           bool *gap)
{
    struct buf text = {0};
    struct str in, record;
    enum status st = read_file(l, i, &text, &in);

    if (!take_record(&in, h, &record)) {
        *h = (struct redo_log_head){0};
        *gap = *gap || has_record(in, 0, 0);
    }
    buf_free(&text);
    return st;
}

enum status
redo_log_oldest(const struct redo_log *l, uint64_t *segment, bool *gap)
{
    enum status st = ST_OK;

    *segment = 0;
    for (size_t i = 0; i < FILES && st == ST_OK; i++) {
        struct redo_log_head h;

        st = first_head(l, i, &h, gap);
        if (h.segment > 0 && (*segment == 0 || h.segment < *segment))
            *segment = h.segment;
    }
    return st;
}

enum status
redo_log_newest(const struct redo_log *l, uint64_t *segment)
{
    bool gap = false;
    enum status st = ST_OK;

    *segment = 0;
    for (size_t i = 0; i < FILES && st == ST_OK; i++) {
        struct redo_log_head h;

        st = first_head(l, i, &h, &gap);
        if (h.segment > *segment)
            *segment = h.segment;
    }
    return st;
}

/* ---- writing ---- */

void
redo_log_begin(struct redo_log *l, uint64_t segment, uint64_t number)
{
    struct append_log *file = l->file[file_of(segment)];
    uint64_t bytes = redo_log_bytes(l);

    if (bytes > l->longest)
        l->longest = bytes;
    l->segment = segment;
    l->number = number;
    if (file != NULL)
        append_log_back(file, l->kind->name.n);
}

uint64_t
redo_log_next(const struct redo_log *l)
{
    return l->number;
}

uint64_t
redo_log_bytes(const struct redo_log *l)
{
    const struct append_log *file = l->file[file_of(l->segment)];

    return file == NULL ? 0 : append_log_end(file) - l->kind->name.n;
}

int
redo_log_file(const struct redo_log *l)
{
    const struct append_log *file = l->file[file_of(l->segment)];

    return file == NULL ? -1 : append_log_fd(file);
}

/* The file, with its name in it; old records are written over. */
static enum status
make_file(struct redo_log *l, size_t i)
{
    struct append_log *file;
    enum status st;

    if (l->file[i] != NULL)
        return ST_OK;
    st = append_log_open(&file, l->kind->owner, path_of(l->kind, l->dir, i).z,
                         APPEND_LOG_MAKE);
    if (st != ST_OK)
        return st;
    append_log_back(file, 0);
    st = append_log_write(file, l->kind->name);
    if (st == ST_OK && l->kind->others_sync)
        st = append_log_sync(file);
    if (st == ST_OK)
        l->file[i] = file;
    else
        append_log_close(file);
    return st;
}

struct buf *
redo_log_record(struct redo_log *l)
{
    static const struct redo_log_head later;

    buf_clear(&l->record);
    buf_add(&l->record, &later, sizeof later);
    return &l->record;
}

enum status
redo_log_append(struct redo_log *l, bool sync)
{
    size_t i = file_of(l->segment);
    struct redo_log_head h = {.bytes = l->record.n - sizeof h,
                              .segment = l->segment,
                              .number = l->number};
    enum status st = make_file(l, i);

    if (st != ST_OK)
        return st;
    memcpy(l->record.p, &h, sizeof h);
    h.check = check_of(buf_view(&l->record));
    memcpy(l->record.p, &h, sizeof h);
    if ((st = append_log_write(l->file[i], buf_view(&l->record))) != ST_OK)
        return st;
    l->number++;
    if (sync && (st = append_log_sync(l->file[i])) != ST_OK)
        redo_log_take_back(l);
    return st;
}

void
redo_log_take_back(struct redo_log *l)
{
    struct append_log *file = l->file[file_of(l->segment)];

    l->number--;
    (void)append_log_cut(file, append_log_end(file) - l->record.n);
}

/* This is tried once: on a full disk the records extend the file. */
static void
fill(struct redo_log *l, size_t i, uint64_t bytes)
{
    uint64_t room = (bytes + ROOM_STEP - 1) / ROOM_STEP * ROOM_STEP;

    if (l->file[i] == NULL || l->room[i] >= room)
        return;
    l->room[i] = room;
    (void)append_log_fill(l->file[i], room);
}

void
redo_log_make_room(struct redo_log *l, uint64_t bytes)
{
    for (size_t i = 0; i < FILES && bytes > 0; i++)
        if (make_file(l, i) == ST_OK)
            fill(l, i, bytes);
}

void
redo_log_extend(struct redo_log *l)
{
    fill(l, file_of(l->segment + 1), l->longest + l->kind->name.n);
}

/* ---- opening, removing ---- */

enum status
redo_log_open(struct redo_log **out, const struct redo_log_kind *kind,
              const char *dir)
{
    struct redo_log *l = calloc(1, sizeof *l);

    *out = l;
    if (l == NULL || (l->dir = strdup(dir)) == NULL) {
        free(l);
        *out = NULL;
        return ST_NOMEM;
    }
    l->kind = kind;
    return ST_OK;
}

void
redo_log_close(struct redo_log *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < FILES; i++)
        append_log_close(l->file[i]);
    buf_free(&l->record);
    free(l->dir);
    free(l);
}

bool
redo_log_exists(const struct redo_log_kind *kind, const char *dir)
{
    bool there = false;

    for (size_t i = 0; i < FILES && !there; i++)
        there = access(path_of(kind, dir, i).z, F_OK) == 0;
    return there;
}

enum status
redo_log_remove(const struct redo_log_kind *kind, const char *dir, bool sync)
{
    struct path path;

    for (size_t i = 0; i < FILES; i++) {
        path = path_of(kind, dir, i);
        if (unlink(path.z) != 0 && errno != ENOENT) {
            log_error(kind->owner, "cannot remove %s: %s", path.z,
                      strerror(errno));
            return ST_IO;
        }
    }
    return !sync || file_sync_name(path.z) == ST_OK ? ST_OK : ST_IO;
}
