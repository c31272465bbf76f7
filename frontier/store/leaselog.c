/* leaselog.c -- see leaselog.h: a file of records
 *
 *   be32 size | be64 check | counters as a text | (be32 host | lease as a
 * text)*
 *
 * each written by one pwrite().  The check is a hash of the bytes, seeded with
 * the commit and the place in the file: what is left of earlier commits, or was
 * cut off by a kill, ends the log. */
#include "leaselog.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/append_log.h"
#include "base/hashmap.h"
#include "pack.h"
#include "winnow/hash.h"
#include "winnow/memory.h"

#define FRAME 12u
#define SIZE_MAX_READ ((size_t)16 << 20) /* of a file */

struct leaselog {
    struct leaselog_entry entry[LEASELOG_MAX];
    struct hashmap index; /* by host: number of the entry, from 1 */
    size_t n, fresh;      /* entries; behind them those of the next record */
    uint64_t base;        /* of what the file holds */
    struct buf record, row;
    struct append_log *file; /* NULL: a reader, and there is none */
    bool read_only;
};

/* ---- in memory ---- */

static bool
has_number(const void *slot)
{
    return *(const uint16_t *)slot != 0;
}

static bool
is_host(const void *log, const void *slot, const void *host)
{
    const struct leaselog *l = log;

    return l->entry[*(const uint16_t *)slot - 1].host ==
           *(const uint32_t *)host;
}

/* Numbers are small: the table is cleared at every commit. */
static const struct hashmap_kind index_kind = {sizeof(uint16_t), has_number,
                                               is_host, NULL, NULL};

_Static_assert(LEASELOG_MAX < UINT16_MAX, "a number fits");

struct leaselog_entry *
leaselog_find(const struct leaselog *l, uint32_t host)
{
    const uint16_t *number;

    if (l == NULL || l->n == 0)
        return NULL;
    number = hashmap_find(&l->index, &index_kind, l, hash_mix(host), &host);
    return *number == 0 ? NULL
                        : (struct leaselog_entry *)&l->entry[*number - 1];
}

size_t
leaselog_n(const struct leaselog *l)
{
    return l == NULL ? 0 : l->n;
}

struct leaselog_entry *
leaselog_at(const struct leaselog *l, size_t i)
{
    return (struct leaselog_entry *)&l->entry[i];
}

void
leaselog_clear(struct leaselog *l)
{
    hashmap_clear(&l->index, &index_kind);
    l->n = l->fresh = 0;
    if (l->file != NULL)
        append_log_back(l->file, 0);
}

bool
leaselog_add(struct leaselog *l, const struct leaselog_entry *e)
{
    if (l->n + l->fresh == LEASELOG_MAX)
        return false;
    l->entry[l->n + l->fresh++] = *e;
    return true;
}

void
leaselog_undo(struct leaselog *l)
{
    l->fresh = 0;
}

/* The fresh entries count now: each host has its latest. */
static void
take_fresh(struct leaselog *l)
{
    for (; l->fresh > 0; l->fresh--) {
        const struct leaselog_entry e = l->entry[l->n];
        uint16_t *number =
            hashmap_put(&l->index, &index_kind, l, hash_mix(e.host), &e.host);

        if (*number != 0) {
            l->entry[*number - 1] = e;
            l->entry[l->n] = l->entry[l->n + l->fresh - 1];
        } else {
            *number = (uint16_t)++l->n;
        }
    }
}

/* ---- the file ---- */

enum status
leaselog_open(struct leaselog **out, const char *dir, bool read_only)
{
    struct leaselog *l = memory_need(calloc(1, sizeof *l));
    char path[4200];
    enum status st;

    *out = NULL;
    snprintf(path, sizeof path, "%s/leases.log", dir);
    l->read_only = read_only;
    hashmap_init(&l->index, &index_kind, NULL, LEASELOG_MAX);
    st = append_log_open(&l->file, "frontier", path,
                         read_only ? APPEND_LOG_READ : APPEND_LOG_MAKE);
    if (st != ST_OK && st != ST_NONE) {
        leaselog_close(l);
        return st;
    }
    *out = l;
    return ST_OK;
}

void
leaselog_close(struct leaselog *l)
{
    if (l == NULL)
        return;
    append_log_close(l->file);
    buf_free(&l->record);
    buf_free(&l->row);
    hashmap_free(&l->index);
    free(l);
}

static uint64_t
check_of(struct str record, uint64_t base, uint64_t at)
{
    return hash64_seed(record, hash_mix(base ^ at));
}

enum status
leaselog_write(struct leaselog *l, uint64_t base,
               const struct row_counters *counters)
{
    struct buf *r = &l->record;
    struct str body;
    uint64_t check;
    enum status st;

    if (base != l->base)
        append_log_back(l->file, 0);
    l->base = base;
    buf_clear(r);
    pack_fixed(r, 0, 4);
    pack_fixed(r, 0, 8);
    row_counters_write(&l->row, counters);
    pack_text(r, buf_view(&l->row));
    for (size_t i = l->n; i < l->n + l->fresh; i++) {
        pack_fixed(r, l->entry[i].host, 4);
        row_lease_write(&l->row, &l->entry[i].lease);
        pack_text(r, buf_view(&l->row));
    }
    body = str_sub(buf_view(r), FRAME, r->n);
    check = check_of(body, base, append_log_end(l->file));
    for (int i = 0; i < 4; i++)
        r->p[i] = (char)(unsigned char)(body.n >> (24 - 8 * i));
    for (int i = 0; i < 8; i++)
        r->p[4 + i] = (char)(unsigned char)(check >> (56 - 8 * i));
    st = append_log_write(l->file, buf_view(r));
    if (st == ST_OK)
        take_fresh(l);
    else
        l->fresh = 0;
    return st;
}

/* ---- reading ---- */

static bool
parse_record(struct str body,
             void (*take)(void *self, const struct leaselog_entry *e),
             void *self, struct row_counters *counters)
{
    struct unpack u = {body, false};
    struct row_counters c;
    bool ok = row_counters_read(&c, unpack_text(&u));

    while (ok && u.left.n > 0) {
        struct leaselog_entry e = {.host = (uint32_t)unpack_fixed(&u, 4)};

        ok = row_lease_read(&e.lease, unpack_text(&u)) && !u.bad;
        e.lease.position.host = e.host;
        if (ok)
            take(self, &e);
    }
    if (ok)
        *counters = c;
    return ok && !u.bad;
}

size_t
leaselog_parse(struct str bytes, uint64_t base,
               void (*take)(void *self, const struct leaselog_entry *e),
               void *self, struct row_counters *counters)
{
    size_t at = 0;

    while (bytes.n - at >= FRAME) {
        struct unpack u = {str_sub(bytes, at, bytes.n), false};
        uint64_t size = unpack_fixed(&u, 4), check = unpack_fixed(&u, 8);
        struct str body = str_sub(u.left, 0, (size_t)size);

        if (body.n < size || check_of(body, base, at) != check ||
            !parse_record(body, take, self, counters))
            break;
        at += FRAME + body.n;
    }
    return at;
}

static void
load_entry(void *self, const struct leaselog_entry *e)
{
    struct leaselog *l = self;

    if (leaselog_add(l, e))
        take_fresh(l);
}

/* Records of a commit that a power loss has undone could be taken for those of
 * the one that comes in its place. */
static enum status
cut(struct leaselog *l, uint64_t end)
{
    enum status st;

    if (l->read_only) {
        append_log_back(l->file, end);
        return ST_OK;
    }
    st = append_log_cut(l->file, end);
    return st == ST_OK ? append_log_sync(l->file) : st;
}

enum status
leaselog_load(struct leaselog *l, uint64_t base, struct row_counters *counters)
{
    struct buf bytes = {0};
    uint64_t size, end = 0;
    enum status st = ST_OK;

    hashmap_clear(&l->index, &index_kind);
    l->n = l->fresh = 0;
    l->base = base;
    if (l->file == NULL)
        return ST_OK; /* of before there were any */
    size = append_log_end(l->file);
    if (size <= SIZE_MAX_READ)
        st = append_log_read(l->file, 0, (size_t)size, &bytes);
    if (st == ST_OK || st == ST_LIMIT) {
        end = leaselog_parse(buf_view(&bytes), base, load_entry, l, counters);
        st = size > end ? cut(l, end) : ST_OK;
    }
    buf_free(&bytes);
    return st;
}
