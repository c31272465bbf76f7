/* hosts_named.c -- see hosts_named.h.
 *
 * Of each host there are hashes of the last two and the last three labels of
 * its name: hosts that a.example or .a.example matches have them in common.
 * Hosts are numbered as they are found and stay, so that only those come in
 * that were stored since the last call. */
#include "hosts_named.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/url/host.h"
#include "frontier/features/pattern.h"

#define FEW 1000u /* more are looked at in their order, by pieces */

enum { LAST_TWO, LAST_THREE };

struct hashed_host {
    uint32_t hash[2], id;
};

static size_t
labels(struct str host)
{
    size_t n = 1;

    for (size_t i = 0; i < host.n; i++)
        n += host.p[i] == '.';
    return n;
}

/* Of its last n labels; of all, if there are fewer. */
static uint32_t
hash_last(struct str host, size_t n)
{
    size_t at = host.n;

    while (at > 0 && (host.p[at - 1] != '.' || --n > 0))
        at--;
    return (uint32_t)hash64(str_sub(host, at, host.n));
}

static void
add(struct hosts_index *names, uint32_t id, struct str authority)
{
    struct str host = host_without_port(authority);

    if (names->n == names->room) {
        names->room = names->room == 0 ? 1024 : 2 * names->room;
        names->item = memory_need(
            realloc(names->item, names->room * sizeof *names->item));
    }
    names->item[names->n++] =
        (struct hashed_host){{hash_last(host, 2), hash_last(host, 3)}, id};
}

static uint32_t
last_id(const struct hosts_index *names)
{
    return names->n == 0 ? 0 : names->item[names->n - 1].id;
}

static enum status
catch_up(struct hosts_index *names, struct url_store *db)
{
    struct row_key from = row_host_key(last_id(names) + 1);
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    struct str key, value;
    enum status st =
        tables_seek(db->tables, TABLE_HOSTS, row_bytes(&from), &key, &value);

    for (; st == ST_OK;
         st = tables_next(db->tables, TABLE_HOSTS, &key, &value)) {
        if (!row_host_read(&row, value, room))
            return url_store_corrupt("hosts");
        add(names, row_be32(key), row.name);
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- of a pattern ---- */

/* By their names; false: they are too many, or any. */
static bool
candidates(const struct hosts_index *names, struct str pattern, uint32_t *id,
           size_t *n)
{
    bool under = pattern.n > 1 && pattern.p[0] == '.';
    struct str host =
        under ? str_sub(pattern, 1, pattern.n) : host_without_port(pattern);
    size_t labels_n = labels(host);
    int which = labels_n > 2 ? LAST_THREE : LAST_TWO;
    uint32_t hash = hash_last(host, which == LAST_THREE ? 3 : 2);

    *n = 0;
    if (under ? labels_n < 2 : str_find(pattern, '*', 0) < pattern.n)
        return false;
    for (size_t i = 0; i < names->n; i++)
        if (names->item[i].hash[which] == hash) {
            if (*n == FEW)
                return false;
            id[(*n)++] = names->item[i].id;
        }
    return true;
}

struct matching {
    struct str pattern;
    struct hosts_named *out;
};

static void
count(void *self, struct host *h)
{
    struct matching *m = self;

    m->out->n += pattern_host(m->pattern, h->row.name);
}

static void
take(void *self, struct host *h)
{
    struct matching *m = self;

    if (pattern_host(m->pattern, h->row.name))
        m->out->id[m->out->n++] = h->id;
}

static int
ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

/* All that match are met: those that are stored, and those of this transaction.
 */
static void
take_met(struct url_store *db, struct str pattern, struct hosts_named *out)
{
    struct matching m = {pattern, out};

    url_store_hosts_met(db, count, &m);
    out->id = ARENA_ARRAY(db->arena, uint32_t, out->n);
    out->n = 0;
    url_store_hosts_met(db, take, &m);
    if (out->n > 0)
        qsort(out->id, out->n, sizeof *out->id, ascending);
}

/* The one host of a pattern of URLs. */
static enum status
of_urls(struct url_store *db, struct str pattern, struct hosts_named *out)
{
    struct str one = pattern_single(pattern);
    struct host *h;
    enum status st;

    out->all = one.n == 0;
    if (out->all)
        return ST_OK;
    st = url_store_host_named(db, one, S(""), false, &h);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    out->id = ARENA_ARRAY(db->arena, uint32_t, 1);
    out->id[out->n++] = h->id;
    return ST_OK;
}

enum status
hosts_named_find(struct hosts_index *names, struct url_store *db,
                 struct str pattern, struct hosts_named *out)
{
    struct str lower = pattern_kept(db->arena, pattern);
    uint32_t id[FEW];
    struct host *h;
    size_t n;
    enum status st;

    *out = (struct hosts_named){0};
    if (pattern_of_urls(pattern))
        return of_urls(db, pattern, out);
    if ((st = catch_up(names, db)) != ST_OK)
        return st;
    out->all = !candidates(names, lower, id, &n);
    if (out->all)
        return ST_OK;
    for (size_t i = 0; i < n; i++)
        if ((st = url_store_host(db, id[i], &h)) != ST_OK)
            return st;
    take_met(db, pattern, out);
    return ST_OK;
}

void
hosts_named_free(struct hosts_index *names)
{
    free(names->item);
    *names = (struct hosts_index){0};
}
