/* row_log.c -- see row_log.h.
 *
 * A file begins with its name; then records, each a head and changes.  The head
 * has base, number and a check of all, so what stands behind the last record
 * that was written, a torn one or one of an older segment, is told from it and
 * not read.  Numbers of heads are those of the machine, as in LMDB. */
#include "row_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/append_log.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/path.h"
#include "pack.h"

#define NAME "winnow frontier rows 1\n\n\n\n\n\n\n\n\n\n"

enum { FILES = 2, NAME_BYTES = sizeof NAME - 1, GONE = 0x80 };

struct row_log_head {
    uint64_t check; /* of all behind it */
    uint64_t bytes, base, number;
};

struct row_log {
    char *dir;
    struct append_log *file[FILES]; /* NULL: not there yet */
    uint64_t base, number, bytes;
    struct buf record;
};

static struct path
path_of(const char *dir, size_t i)
{
    return path_printf("%s/rows-%zu", dir, i);
}

static size_t
file_of(uint64_t base)
{
    return base % FILES;
}

/* ---- changes as bytes ---- */

void
row_change_add(struct buf *out, const struct row_change *c)
{
    pack_fixed(out, c->table | (c->gone ? GONE : 0), 1);
    pack_text(out, c->key);
    if (!c->gone)
        pack_text(out, c->value);
}

enum status
row_changes_read(struct str bytes, row_change_each *each, void *self)
{
    struct unpack u = {bytes, false};
    enum status st = ST_OK;

    while (u.left.n > 0 && st == ST_OK) {
        struct row_change c = {.table = (unsigned)unpack_fixed(&u, 1)};

        c.gone = (c.table & GONE) != 0;
        c.table &= ~(unsigned)GONE;
        c.key = unpack_text(&u);
        if (!c.gone)
            c.value = unpack_text(&u);
        if (u.bad)
            return ST_INVALID;
        st = each(self, &c);
    }
    return st;
}

/* ---- reading ---- */

static uint64_t
check_of(const char *record, size_t n)
{
    size_t skip = sizeof(uint64_t);

    return hash64(str_n(record + skip, n - skip));
}

/* The file's records; none: there is no file, or one of another kind. */
static enum status
read_file(const struct row_log *l, size_t i, struct buf *text, struct str *out)
{
    struct append_log *file = l->file[i];
    enum status st = ST_OK;

    *out = S("");
    if (file == NULL)
        st = append_log_open(&file, "frontier", path_of(l->dir, i).z,
                             APPEND_LOG_READ);
    if (st == ST_OK)
        st = append_log_read(file, 0, (size_t)append_log_written(file), text);
    if (l->file[i] == NULL)
        append_log_close(file);
    if (str_starts(buf_view(text), S(NAME)))
        *out = str_sub(buf_view(text), NAME_BYTES, text->n);
    return st == ST_NONE ? ST_OK : st;
}

/* The record that begins *in, which is moved behind it. */
static bool
take_record(struct str *in, struct row_log_head *h, struct str *changes)
{
    size_t n;

    if (in->n < sizeof *h)
        return false;
    memcpy(h, in->p, sizeof *h);
    if (h->bytes > in->n - sizeof *h)
        return false;
    n = sizeof *h + (size_t)h->bytes;
    if (h->check != check_of(in->p, n))
        return false;
    *changes = str_sub(*in, sizeof *h, n);
    *in = str_sub(*in, n, in->n);
    return true;
}

struct row_log_reading {
    uint64_t base, next; /* next: number of the next record; 0: any */
    row_change_each *each;
    void *self;
    uint64_t records;
    bool gap;
};

/* Is there a record anywhere in it, of that base (0: of any) and this number or
 * a later one? */
static bool
find_record(struct str in, uint64_t base, uint64_t number,
            struct row_log_head *h)
{
    struct str at, changes;

    for (size_t i = 0; i + sizeof *h <= in.n; i++) {
        memcpy(h, in.p + i, sizeof *h);
        at = str_sub(in, i, in.n);
        if ((base == 0 || h->base == base) && h->number >= number &&
            take_record(&at, h, &changes))
            return true;
    }
    return false;
}

static enum status
read_segment(const struct row_log *l, struct row_log_reading *r)
{
    struct buf text = {0};
    struct row_log_head h;
    struct str in, left, changes;
    enum status st = read_file(l, file_of(r->base), &text, &in);

    for (left = in; st == ST_OK && take_record(&left, &h, &changes) &&
                    h.base == r->base && (r->next == 0 || h.number == r->next);
         in = left) {
        r->next = h.number + 1;
        r->records++;
        st = row_changes_read(changes, r->each, r->self);
    }
    r->gap = r->gap || find_record(in, r->base, r->next, &h);
    buf_free(&text);
    return st;
}

/* The oldest segment that has a record; 0: none has. */
static enum status
oldest(const struct row_log *l, uint64_t *base)
{
    struct row_log_head h;
    struct str in;
    enum status st = ST_OK;

    *base = 0;
    for (size_t i = 0; i < FILES && st == ST_OK; i++) {
        struct buf text = {0};

        st = read_file(l, i, &text, &in);
        if (st == ST_OK && find_record(in, 0, 0, &h) &&
            (*base == 0 || h.base < *base))
            *base = h.base;
        buf_free(&text);
    }
    return st;
}

enum status
row_log_replay(struct row_log *l, uint64_t base, row_change_each *each,
               void *self, bool *gap)
{
    struct row_log_reading r = {.base = base, .each = each, .self = self};
    enum status st = base == 0 ? oldest(l, &r.base) : ST_OK;

    for (size_t i = 0; i < FILES && st == ST_OK && r.base > 0; i++, r.base++) {
        r.records = 0;
        st = read_segment(l, &r);
        if (r.records == 0)
            break;
    }
    *gap = r.gap;
    return st;
}

/* ---- writing ---- */

void
row_log_begin(struct row_log *l, uint64_t base, bool whole)
{
    struct append_log *file = l->file[file_of(base)];

    l->base = base;
    l->bytes = 0;
    if (!whole)
        l->number++; /* so that no replay goes on across it */
    if (file != NULL)
        append_log_back(file, NAME_BYTES);
}

/* The segment's file, with its name in it; old records are written over. */
static enum status
open_file(struct row_log *l)
{
    size_t i = file_of(l->base);
    struct append_log *file;
    enum status st;

    if (l->file[i] != NULL)
        return ST_OK;
    st = append_log_open(&file, "frontier", path_of(l->dir, i).z,
                         APPEND_LOG_ANEW);
    if (st != ST_OK)
        return st;
    if ((st = append_log_write(file, S(NAME))) == ST_OK)
        st = append_log_sync(file);
    if (st == ST_OK)
        l->file[i] = file;
    else
        append_log_close(file);
    return st;
}

enum status
row_log_append(struct row_log *l, struct str changes)
{
    struct row_log_head h = {.bytes = changes.n, .base = l->base};
    enum status st = open_file(l);

    if (st != ST_OK)
        return st;
    h.number = l->number + 1;
    buf_clear(&l->record);
    buf_add(&l->record, (const char *)&h, sizeof h);
    buf_str(&l->record, changes);
    h.check = check_of(l->record.p, l->record.n);
    memcpy(l->record.p, &h, sizeof h);
    st = append_log_write(l->file[file_of(l->base)], buf_view(&l->record));
    if (st != ST_OK)
        return st;
    l->number++;
    l->bytes += l->record.n;
    return ST_OK;
}

uint64_t
row_log_bytes(const struct row_log *l)
{
    return l->bytes;
}

enum status
row_log_sync(struct row_log *l)
{
    struct append_log *file = l->file[file_of(l->base)];

    return file == NULL ? ST_OK : append_log_sync(file);
}

/* Past append_log.c, which keeps in mind that a sync has failed. */
void
row_log_take_back(struct row_log *l)
{
    struct append_log *file = l->file[file_of(l->base)];

    if (file == NULL || l->record.n == 0 ||
        append_log_written(file) < l->record.n)
        return;
    if (ftruncate(append_log_fd(file),
                  (off_t)(append_log_written(file) - l->record.n)) != 0)
        log_error("frontier", "cannot cut %s: %s", append_log_path(file),
                  strerror(errno));
}

int
row_log_file(const struct row_log *l)
{
    const struct append_log *file = l->file[file_of(l->base)];

    return file == NULL ? -1 : append_log_fd(file);
}

/* ---- opening, removing ---- */

enum status
row_log_open(struct row_log **out, const char *dir)
{
    struct row_log *l = calloc(1, sizeof *l);

    *out = l;
    if (l == NULL || (l->dir = strdup(dir)) == NULL) {
        free(l);
        *out = NULL;
        return ST_NOMEM;
    }
    return ST_OK;
}

void
row_log_close(struct row_log *l)
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
row_log_exists(const char *dir)
{
    bool there = false;

    for (size_t i = 0; i < FILES && !there; i++)
        there = access(path_of(dir, i).z, F_OK) == 0;
    return there;
}

enum status
row_log_remove(const char *dir, bool sync)
{
    struct path path;

    for (size_t i = 0; i < FILES; i++) {
        path = path_of(dir, i);
        if (unlink(path.z) != 0 && errno != ENOENT) {
            log_error("frontier", "cannot remove %s: %s", path.z,
                      strerror(errno));
            return ST_IO;
        }
    }
    return !sync || file_sync_name(path.z) == ST_OK ? ST_OK : ST_IO;
}
