/* geo_table.c -- see geo_table.h.
 *
 * Lines of blocks are "first","last","place", of places place,"country",
 * "region","city" and more.  What is no such line (the copyright, the names of
 * the columns) is passed over.  Both are sorted and searched by halves. */
#include "geo_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "clean/charset/utf8.h"

struct geo_block {
    uint32_t first, last, place;
};

struct geo_known {
    uint32_t id;
    struct geo_place place;
};

struct geo_table {
    struct arena *arena; /* of all that follows */
    struct geo_block *block;
    struct geo_known *known;
    size_t blocks_n, blocks_room, known_n, known_room;
};

/* The next column, without its quotes; a comma may stand between them. */
static struct str
column(struct str *rest)
{
    struct str c;
    size_t end;

    *rest = str_trim(*rest);
    if (rest->n > 0 && rest->p[0] == '"') {
        end = str_find(*rest, '"', 1);
        c = str_sub(*rest, 1, end);
        *rest = str_sub(*rest, str_find(*rest, ',', end), rest->n);
    } else {
        end = str_find(*rest, ',', 0);
        c = str_trim(str_sub(*rest, 0, end));
        *rest = str_sub(*rest, end, rest->n);
    }
    *rest = str_sub(*rest, 1, rest->n);
    return c;
}

static bool
number(struct str *rest, uint32_t *out)
{
    uint64_t v;

    if (!str_u64(column(rest), &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static void
take_block(struct geo_table *t, struct str line)
{
    struct geo_block b;

    if (!number(&line, &b.first) || !number(&line, &b.last) ||
        !number(&line, &b.place) || b.last < b.first)
        return;
    if (t->blocks_n == t->blocks_room) {
        size_t room = t->blocks_room ? 2 * t->blocks_room : 1024;

        t->block = arena_grow(t->arena, t->block, t->blocks_n * sizeof b,
                              room * sizeof b);
        t->blocks_room = room;
    }
    t->block[t->blocks_n++] = b;
}

static struct str
text(struct geo_table *t, struct str *rest)
{
    return utf8_repair(t->arena, arena_str(t->arena, column(rest)));
}

static void
take_place(struct geo_table *t, struct str line)
{
    struct geo_known k;

    if (!number(&line, &k.id))
        return;
    k.place.country = text(t, &line);
    k.place.region = text(t, &line);
    k.place.city = text(t, &line);
    if (t->known_n == t->known_room) {
        size_t room = t->known_room ? 2 * t->known_room : 1024;

        t->known = arena_grow(t->arena, t->known, t->known_n * sizeof k,
                              room * sizeof k);
        t->known_room = room;
    }
    t->known[t->known_n++] = k;
}

static int
by_first(const void *a, const void *b)
{
    const struct geo_block *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

static int
by_id(const void *a, const void *b)
{
    const struct geo_known *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static enum status
read_lines(struct geo_table *t, const char *path,
           void (*take)(struct geo_table *t, struct str line))
{
    struct buf all = {0};
    struct str rest, line;
    size_t before = t->blocks_n + t->known_n;
    enum status st = file_read(&all, path, SIZE_MAX);

    if (st != ST_OK)
        log_error("geo", "file=%s fault=\"%s\"", path, strerror(errno));
    rest = buf_view(&all);
    while (st == ST_OK && str_cut(&rest, '\n', &line))
        take(t, line);
    buf_free(&all);
    if (st == ST_OK && t->blocks_n + t->known_n == before) {
        log_error("geo", "file=%s has no line of GeoLite's CSV", path);
        st = ST_INVALID;
    }
    return st;
}

enum status
geo_table_open(struct geo_table **out, const char *blocks, const char *places)
{
    struct arena *a = arena_new();
    struct geo_table *t = ARENA_NEW(a, struct geo_table);
    enum status st;

    *out = NULL;
    t->arena = a;
    st = read_lines(t, blocks, take_block);
    if (st == ST_OK)
        st = read_lines(t, places, take_place);
    if (st != ST_OK) {
        arena_free(a);
        return st;
    }
    qsort(t->block, t->blocks_n, sizeof *t->block, by_first);
    qsort(t->known, t->known_n, sizeof *t->known, by_id);
    *out = t;
    return ST_OK;
}

void
geo_table_close(struct geo_table *t)
{
    if (t != NULL)
        arena_free(t->arena);
}

bool
geo_table_find(const struct geo_table *t, uint32_t address,
               struct geo_place *out)
{
    struct geo_known key = {0};
    const struct geo_known *found;
    size_t low = 0, high = t->blocks_n; /* the first that begins behind it */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->block[middle].first <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || t->block[low - 1].last < address)
        return false;
    key.id = t->block[low - 1].place;
    found = bsearch(&key, t->known, t->known_n, sizeof key, by_id);
    if (found == NULL)
        return false;
    *out = found->place;
    return true;
}
