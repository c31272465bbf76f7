/* row_log.c -- see row_log.h. */
#include "row_log.h"

#include "pack.h"

enum { SEGMENTS = 2, GONE = 0x80 };

const struct redo_log_kind row_log = {
    .owner = "frontier",
    .file = "rows",
    .name = STR("winnow frontier rows 1\n\n\n\n\n\n\n\n\n\n"),
    .others_sync = true};

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

struct row_log_reading {
    row_change_each *each;
    void *self;
    bool any;
};

static enum status
read_record(void *self, struct str record)
{
    struct row_log_reading *r = self;

    r->any = true;
    return row_changes_read(record, r->each, r->self);
}

enum status
row_log_replay(const struct redo_log *l, uint64_t base, row_change_each *each,
               void *self, bool *gap)
{
    struct row_log_reading r = {.each = each, .self = self};
    uint64_t next = 0;
    enum status st = ST_OK;

    *gap = false;
    if (base == 0)
        st = redo_log_oldest(l, &base, gap);
    for (size_t i = 0; i < SEGMENTS && st == ST_OK && base > 0; i++, base++) {
        r.any = false;
        st = redo_log_read(l, base, &next, read_record, &r, gap);
        if (!r.any)
            break;
    }
    return st;
}

void
row_log_begin(struct redo_log *l, uint64_t base, bool whole)
{
    /* one is left out, so that no replay goes on across it */
    redo_log_begin(l, base, redo_log_next(l) + (whole ? 0 : 1));
}

enum status
row_log_append(struct redo_log *l, struct str changes, bool sync)
{
    buf_str(redo_log_record(l), changes);
    return redo_log_append(l, sync);
}
