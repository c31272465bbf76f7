/* migrate.c -- see migrate.h.
 *
 * Rows of schema 4 and later are read as they are and change in their own time.
 * Older ones cannot wait: schema 1 had no shelves in the keys of its queue, and
 * before schema 4 URLs that differ only in a session had keys of their own in
 * `seen`, under which nobody finds them any more.  So what is queued gets its
 * place and its key anew, from the URL; of URLs that have become one the first
 * stays, or what has ended; counts are taken from the rows.  Ended URLs with a
 * session keep their old keys (of them only hashes are left) and may be fetched
 * once more.  Links that waited in the discovery log wait in a new one.
 *
 * Leases stay; that of a URL which has become another's copy is void, and its
 * host rests until it would have ended. */
#include "migrate.h"

#include <stdio.h>

#include "frontier/discover/candidate.h"
#include "frontier/discover/journal.h"
#include "frontier/store/anew.h"
#include "frontier/store/pack.h"
#include "frontier/store/schema1.h"
#include "winnow/log.h"

struct migration {
    struct tables *from, *to;
    const char *dir;
    struct arena *arena; /* of the present host or row */
    struct row_counters counters;
    struct buf row, queued;
    uint64_t rows, joined; /* written; URLs that others stand for */
    bool sync;
};

struct migrant { /* the host whose rows are moved */
    uint32_t id;
    struct row_host row;
    struct shelf room[SHELVES_MAX];
};

static bool
is_first(const struct migration *m)
{
    return tables_found(m->from) == 1;
}

static enum status
put(struct migration *m, enum table table, struct str key, struct str value)
{
    enum status st = tables_put(m->to, table, key, value);

    return st == ST_OK ? anew_breathe(m->to, &m->rows) : st;
}

/* ---- what has ended ---- */

static enum status
move_ended(struct migration *m, struct str key, struct str value)
{
    struct frontier_totals *t = &m->counters.totals;
    struct row_seen s;

    if (!(is_first(m) ? schema1_seen_read(&s, value)
                      : row_seen_read(&s, value)))
        return frontier_corrupt("seen");
    if (s.state == ROW_QUEUED || s.state == ROW_LATER)
        return ST_OK; /* see move_url() */
    t->seen++;
    *(s.state == ROW_DONE     ? &t->done
      : s.state == ROW_FAILED ? &t->failed
                              : &t->refused) += 1;
    row_seen_write(&m->row, &s);
    return put(m, TABLE_SEEN, key, buf_view(&m->row));
}

static enum status
move_all_ended(struct migration *m)
{
    struct str key, value;
    enum status st = tables_seek(m->from, TABLE_SEEN, S(""), &key, &value);

    while (st == ST_OK)
        if ((st = move_ended(m, key, value)) == ST_OK)
            st = tables_next(m->from, TABLE_SEEN, &key, &value);
    return st == ST_NONE ? ST_OK : st;
}

/* ---- what is queued ---- */

/* In schema 3 a link's place had no level. */
static bool
read_queued(const struct migration *m, struct row_queued *q, struct str value)
{
    struct link_place *p = &q->facts.place;

    if (is_first(m))
        return schema1_queued_read(q, value);
    if (!row_queued_read(q, value))
        return false;
    p->tenth = (uint8_t)(p->tenth * 4 + p->level);
    p->level = 0;
    return p->tenth <= 9;
}

/* Its shelf.  False: it has none. */
static bool
find_shelf(const struct migration *m, struct migrant *h,
           const struct row_queued *q, struct row_place *place)
{
    struct row_url url = {.rest = q->rest};
    struct shelf_kinds kinds;

    if (!is_first(m))
        return place->shelf < h->row.shelves.n;
    if (q->whole && !row_url_split(&url, q->rest))
        return false;
    kinds = shelf_kinds(url.rest);
    place->shelf = (uint8_t)shelves_find(
        &h->row.shelves, q->kind == FRONTIER_ROBOTS ? NULL : &kinds, m->arena);
    return true;
}

/* A page into `seen`, counted.  ST_NONE: it is known already. */
static enum status
move_url(struct migration *m, const struct migrant *h,
         const struct row_queued *q, const struct row_seen *s, bool leased)
{
    struct frontier_totals *t = &m->counters.totals;
    struct str url = frontier_queued_url(q, h->row.name, m->arena);
    struct row_seen_key key = row_seen_key(h->row.name, url);
    enum status st;

    row_seen_write(&m->row, s);
    st = tables_add(m->to, TABLE_SEEN, row_seen_bytes(&key), buf_view(&m->row));
    if (st == ST_INVALID) {
        m->joined++;
        return ST_NONE;
    }
    t->seen++;
    t->leased += leased;
    t->queued += !leased;
    t->queued_by_priority[frontier_class(s->place.priority)] += !leased;
    return st == ST_OK ? anew_breathe(m->to, &m->rows) : st;
}

static enum status
move_row(struct migration *m, struct migrant *h, struct str key,
         struct str value)
{
    struct row_seen s = {.state = ROW_QUEUED};
    struct row_lease *l = &h->row.lease;
    struct row_queued q;
    struct row_key at;
    struct shelf *shelf;
    bool leased;
    enum status st = ST_OK;

    if (!(is_first(m) ? schema1_queue_place(&s.place, key)
                      : row_queue_place(&s.place, key)) ||
        !read_queued(m, &q, value) || !find_shelf(m, h, &q, &s.place))
        return frontier_corrupt("queue");
    leased = l->out && l->place.sequence == s.place.sequence;
    if (q.kind != FRONTIER_ROBOTS)
        st = move_url(m, h, &q, &s, leased);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if (leased)
        l->place = s.place;
    shelf = &h->row.shelves.item[s.place.shelf];
    if (shelf->queued++ == 0) { /* the best one comes first */
        shelf->head_priority = s.place.priority;
        shelf->head_sequence = s.place.sequence;
    }
    at = row_queue_key(s.place);
    row_queued_write(&m->queued, &q);
    return put(m, TABLE_QUEUE, row_bytes(&at), buf_view(&m->queued));
}

/* ---- hosts ---- */

static bool
read_host(const struct migration *m, struct migrant *h, struct str key,
          struct str value)
{
    h->id = row_be32(key);
    if (!(is_first(m) ? schema1_host_read(&h->row, value, h->room)
                      : row_host_read(&h->row, value, h->room)))
        return false;
    for (size_t i = 0; i < h->row.shelves.n; i++) {
        h->room[i].queued = h->room[i].head_sequence = 0;
        h->room[i].head_priority = 0;
    }
    return true;
}

static enum status
write_host(struct migration *m, const struct migrant *h)
{
    struct row_key key = row_host_key(h->id);

    row_host_write(&m->row, &h->row);
    return put(m, TABLE_HOSTS, row_bytes(&key), buf_view(&m->row));
}

static enum status
write_lease(struct migration *m, struct migrant *h)
{
    struct row_lease *l = &h->row.lease;
    struct row_key key = row_host_key(h->id);
    bool found = l->place.sequence == 0 || l->place.host == h->id;

    if (!l->out)
        return ST_OK;
    if (!found) { /* its URL has become another's copy */
        if (h->row.next_contact_ms < l->deadline_ms)
            h->row.next_contact_ms = l->deadline_ms;
        return ST_OK;
    }
    row_lease_write(&m->row, l);
    return put(m, TABLE_LEASES, row_bytes(&key), buf_view(&m->row));
}

static enum status
move_host(struct migration *m, struct str key, struct str value)
{
    struct migrant h;
    struct row_key from;
    enum status st;

    if (!read_host(m, &h, key, value))
        return frontier_corrupt("hosts");
    from = row_host_key(h.id);
    m->counters.totals.hosts++;
    st = tables_seek(m->from, TABLE_QUEUE, row_bytes(&from), &key, &value);
    while (st == ST_OK && row_be32(key) == h.id) {
        arena_reset(m->arena);
        if ((st = move_row(m, &h, key, value)) == ST_OK)
            st = tables_next(m->from, TABLE_QUEUE, &key, &value);
    }
    if (st == ST_OK || st == ST_NONE)
        st = write_lease(m, &h);
    return st == ST_OK ? write_host(m, &h) : st;
}

static enum status
move_hosts(struct migration *m)
{
    struct str key, value;
    enum status st = tables_seek(m->from, TABLE_HOSTS, S(""), &key, &value);

    while (st == ST_OK)
        if ((st = move_host(m, key, value)) == ST_OK)
            st = tables_next(m->from, TABLE_HOSTS, &key, &value);
    return st == ST_NONE ? ST_OK : st;
}

/* ---- what waits for a retry ---- */

static enum status
move_late(struct migration *m, struct str key, struct str value)
{
    struct row_seen s = {.state = ROW_LATER};
    struct row_queued q;
    struct row_key at;
    struct migrant h;
    size_t shelves;
    enum status st;

    if (!(is_first(m) ? schema1_later_place(&s.place, &s.due_ms, key)
                      : row_later_place(&s.place, &s.due_ms, key)) ||
        !read_queued(m, &q, value))
        return frontier_corrupt("later");
    h.id = s.place.host;
    at = row_host_key(h.id);
    st = tables_get(m->to, TABLE_HOSTS, row_bytes(&at), &value);
    arena_reset(m->arena);
    if (st != ST_OK ||
        !row_host_read(&h.row, arena_str(m->arena, value), h.room))
        return frontier_corrupt("hosts");
    shelves = h.row.shelves.n;
    if (!find_shelf(m, &h, &q, &s.place))
        return frontier_corrupt("later");
    st = q.kind == FRONTIER_ROBOTS ? ST_OK : move_url(m, &h, &q, &s, false);
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if (h.row.shelves.n > shelves && (st = write_host(m, &h)) != ST_OK)
        return st;
    at = row_later_key(s.due_ms, s.place);
    row_queued_write(&m->queued, &q);
    return put(m, TABLE_LATER, row_bytes(&at), buf_view(&m->queued));
}

static enum status
move_later(struct migration *m)
{
    struct str key, value;
    enum status st = tables_seek(m->from, TABLE_LATER, S(""), &key, &value);

    while (st == ST_OK)
        if ((st = move_late(m, key, value)) == ST_OK)
            st = tables_next(m->from, TABLE_LATER, &key, &value);
    return st == ST_NONE ? ST_OK : st;
}

/* ---- the discovery log ---- */

/* One of its files, as the row `links` of meta names it (pending.c). */
struct log_part {
    uint64_t number, end, left;
    struct str merged; /* links up to this key are merged; empty: none */
};

static bool
read_part(struct log_part *p, struct unpack *u)
{
    p->number = unpack_number(u);
    p->end = unpack_number(u);
    p->left = unpack_number(u);
    p->merged = S("");
    if (unpack_fixed(u, 1) != 0) {
        size_t n = sizeof(struct row_seen_key);

        u->bad = u->bad || u->left.n < n;
        p->merged = str_sub(u->left, 0, n);
        u->left = str_sub(u->left, n, u->left.n);
    }
    return !u->bad;
}

static enum status
open_log(const struct migration *m, uint64_t number, uint64_t end,
         struct journal **out)
{
    char path[4200];

    snprintf(path, sizeof path, "%s/links-%llu.log", m->dir,
             (unsigned long long)number);
    return journal_open(out, path, end, end > 0);
}

/* A record under the key that its URL has today; its row, too, is read as the
 * queue's are. */
static enum status
move_link(struct migration *m, struct str record, struct journal *out)
{
    struct candidate c;
    struct str url;

    arena_reset(m->arena);
    if (!candidate_read(&c, record) || !read_queued(m, &c.q, c.row))
        return frontier_corrupt("links");
    url = frontier_queued_url(&c.q, c.authority, m->arena);
    c.key = row_seen_key(c.authority, url);
    candidate_record(&m->row, &m->queued, &c);
    journal_add(out, buf_view(&m->row));
    return ST_OK;
}

/* The links of one file that are not merged yet. */
static enum status
move_part(struct migration *m, const struct log_part *p, struct journal *out,
          uint64_t *n)
{
    struct journal *in;
    struct str record;
    uint64_t at = 0;
    enum status st = open_log(m, p->number, p->end, &in);

    if (st != ST_OK) {
        log_warn("frontier", "%s/links-%llu.log: its links are lost", m->dir,
                 (unsigned long long)p->number);
        return st == ST_NONE ? ST_OK : st;
    }
    while (st == ST_OK && (st = journal_next(in, &at, &record)) == ST_OK) {
        if (record.n >= p->merged.n && p->merged.n > 0 &&
            memcmp(record.p, p->merged.p, p->merged.n) <= 0)
            continue;
        ++*n;
        st = move_link(m, record, out);
    }
    journal_close(in);
    return st == ST_NONE ? ST_OK : st;
}

static enum status
move_parts(struct migration *m, struct str parts, uint64_t number,
           struct journal *out)
{
    struct unpack u = {parts, false};
    struct log_part p;
    uint64_t n = 0;
    enum status st = ST_OK;

    while (u.left.n > 0 && st == ST_OK)
        st = read_part(&p, &u) ? move_part(m, &p, out, &n)
                               : frontier_corrupt("meta");
    if (st != ST_OK || (st = journal_write(out, m->sync)) != ST_OK)
        return st;
    buf_clear(&m->row);
    pack_number(&m->row, number);
    pack_number(&m->row, journal_end(out));
    pack_number(&m->row, n);
    pack_fixed(&m->row, 0, 1);
    return put(m, TABLE_META, S("links"), buf_view(&m->row));
}

/* All files become one, which nobody knows of before the new store has taken
 * its place. */
static enum status
move_log(struct migration *m)
{
    struct log_part p = {0};
    struct journal *out;
    struct unpack u = {.bad = false};
    struct str parts;
    enum status st = tables_get(m->from, TABLE_META, S("links"), &parts);

    if (st != ST_OK || parts.n == 0)
        return st == ST_NONE ? ST_OK : st;
    for (u.left = parts; u.left.n > 0;)
        if (!read_part(&p, &u))
            return frontier_corrupt("meta");
    if ((st = open_log(m, p.number + 1, 0, &out)) != ST_OK)
        return st;
    st = move_parts(m, parts, p.number + 1, out);
    journal_close(out);
    return st;
}

/* ---- all of it ---- */

static enum status
move_meta(struct migration *m)
{
    static const char *const own[] = {"magic", "schema", "counters", "links"};
    struct str key, value;
    enum status st = tables_seek(m->from, TABLE_META, S(""), &key, &value);

    for (; st == ST_OK; st = tables_next(m->from, TABLE_META, &key, &value)) {
        bool skip = false;

        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            skip = skip || str_eq(key, str_c(own[i]));
        if (!skip && (st = put(m, TABLE_META, key, value)) != ST_OK)
            return st;
    }
    return st == ST_NONE ? ST_OK : st;
}

/* Of the old counters stays what rows cannot tell. */
static enum status
read_counters(struct migration *m)
{
    struct frontier_totals *t = &m->counters.totals;
    struct str value;
    enum status st = tables_get(m->from, TABLE_META, S("counters"), &value);

    if (st == ST_NONE)
        return ST_OK;
    if (st != ST_OK || !row_counters_read(&m->counters, value))
        return frontier_corrupt("meta");
    t->seen = t->queued = t->leased = t->hosts = 0;
    t->done = t->failed = t->refused = 0;
    memset(t->queued_by_priority, 0, sizeof t->queued_by_priority);
    return ST_OK;
}

static enum status
migrate(void *self, struct tables *from, struct tables *to)
{
    static const enum table same[] = {TABLE_NAMES, TABLE_ROBOTS, TABLE_MODEL};
    struct migration *m = self;
    enum status st;

    m->from = from;
    m->to = to;
    log_info("frontier", "dir=%s schema=%u is brought to %u", m->dir,
             tables_found(from), tables_schema());
    st = read_counters(m);
    for (size_t i = 0; i < sizeof same / sizeof *same && st == ST_OK; i++)
        st = anew_copy(from, to, same[i], &m->rows);
    if (st == ST_OK && (st = move_all_ended(m)) == ST_OK &&
        (st = move_hosts(m)) == ST_OK && (st = move_later(m)) == ST_OK &&
        (st = move_log(m)) == ST_OK)
        st = move_meta(m);
    if (st != ST_OK)
        return st;
    row_counters_write(&m->row, &m->counters);
    if ((st = put(m, TABLE_META, S("counters"), buf_view(&m->row))) == ST_OK)
        log_info("frontier", "dir=%s urls=%llu hosts=%llu joined=%llu", m->dir,
                 (unsigned long long)m->counters.totals.seen,
                 (unsigned long long)m->counters.totals.hosts,
                 (unsigned long long)m->joined);
    return st;
}

enum status
migrate_open(struct tables **out, const char *dir,
             const struct tables_config *config)
{
    struct tables_config older = *config;
    struct migration m = {.dir = dir, .sync = !str_eq(config->sync, S("none"))};
    enum status st = tables_open(out, dir, config);

    if (st != ST_INVALID)
        return st;
    older.older = true;
    m.arena = arena_new();
    st = anew_write(dir, "migration", &older, migrate, &m);
    arena_free(m.arena);
    buf_free(&m.row);
    buf_free(&m.queued);
    return st == ST_OK ? tables_open(out, dir, config) : st;
}
