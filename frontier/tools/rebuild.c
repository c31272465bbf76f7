/* rebuild.c -- see rebuild.h.
 *
 * Hosts come first; a queued URL without its host is lost, since the queue does
 * not name it.  `seen` of what is queued, names, places of the best URLs and
 * all counts that rows can tell are made anew.  Leases end, and every host
 * rests for one delay: what of it was out is not known any more.  A queued
 * robots.txt of another host is asked for again when it is needed.  Links of
 * the discovery log wait in a new one; those that were merged already are known
 * and do no harm. */
#include "rebuild.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/log.h"
#include "frontier/intake/candidate.h"
#include "frontier/intake/journal.h"
#include "frontier/store/pack.h"
#include "frontier/store/rewrite.h"
#include "frontier/store/row_keys.h"

struct work {
    struct rebuild *m;
    struct tables *from, *to;
    struct arena *arena;
    struct row_counters counters;
    enum row_keys keys;
    struct buf row;
    uint64_t written;
    bool counted; /* the old counters can be read */
};

static enum status
put(struct work *w, enum table table, struct str key, struct str value)
{
    enum status st = tables_put(w->to, table, key, value);

    w->m->rows[table]++;
    return st == ST_OK ? rewrite_step(w->to, &w->written) : st;
}

static enum status
lose(struct work *w)
{
    w->m->lost++;
    return ST_OK;
}

typedef enum status take_row(struct work *w, struct str key, struct str value);

static enum status
each_row(struct work *w, enum table table, take_row *take)
{
    struct str key, value;
    enum status st = tables_seek(w->from, table, S(""), &key, &value);

    while (st == ST_OK) {
        arena_reset(w->arena);
        if ((st = take(w, key, value)) == ST_OK)
            st = tables_next(w->from, table, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- what has ended ---- */

static enum status
take_ended(struct work *w, struct str key, struct str value)
{
    struct frontier_totals *t = &w->counters.totals;
    struct row_seen s;

    if (key.n != sizeof(struct row_seen_key) || !row_seen_read(&s, value))
        return lose(w);
    if (!row_has_ended(s.state))
        return ST_OK; /* its queue says so, too */
    t->seen++;
    *(s.state == ROW_DONE     ? &t->done
      : s.state == ROW_FAILED ? &t->failed
                              : &t->refused) += 1;
    return put(w, TABLE_SEEN, key, value);
}

/* ---- what is queued ---- */

static void
note_numbers(struct work *w, struct row_position position)
{
    if (position.sequence > w->counters.sequence)
        w->counters.sequence = position.sequence;
    if (position.host > w->counters.host)
        w->counters.host = position.host;
}

/* A page into `seen`.  ST_NONE: it is there already. */
static enum status
know(struct work *w, struct str authority, const struct row_queued *q,
     const struct row_seen *s)
{
    struct str url = row_queued_url(q, authority, w->arena);
    struct row_seen_key key = row_seen_key(w->keys, authority, url);
    enum status st;

    row_seen_write(&w->row, s);
    st = tables_add(w->to, TABLE_SEEN, row_seen_bytes(&key), buf_view(&w->row));
    if (st == ST_INVALID)
        return ST_NONE;
    if (st != ST_OK)
        return st;
    w->counters.totals.seen++;
    w->m->rows[TABLE_SEEN]++;
    note_numbers(w, s->position);
    return rewrite_step(w->to, &w->written);
}

static void
count_queued(struct work *w, uint16_t priority)
{
    w->counters.totals.queued++;
    w->counters.totals.queued_by_priority[row_priority_class(priority)]++;
}

static enum status
take_queued(struct work *w, struct row_host *h, struct str key,
            struct str value)
{
    struct row_seen s = {.state = ROW_QUEUED};
    struct row_queued q;
    struct url_class *url_class;
    enum status st;

    if (!row_queue_position(&s.position, key) || !row_queued_read(&q, value) ||
        s.position.url_class >= h->url_classes.n || frontier_is_rules(q.kind))
        return lose(w);
    if ((st = know(w, h->name, &q, &s)) != ST_OK)
        return st == ST_NONE ? lose(w) : st;
    count_queued(w, s.position.priority);
    url_class = &h->url_classes.item[s.position.url_class];
    if (url_class->queued++ == 0) { /* the best one comes first */
        url_class->head_priority = s.position.priority;
        url_class->head_sequence = s.position.sequence;
    }
    return put(w, TABLE_QUEUE, key, value);
}

/* ---- hosts ---- */

static enum status
take_name(struct work *w, struct str name, struct str key)
{
    struct row_key by_name = row_name_key(name);

    w->m->rows[TABLE_NAMES]++;
    return tables_add(w->to, TABLE_NAMES, row_bytes(&by_name), key);
}

static enum status
take_host(struct work *w, struct str key, struct str value)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host h;
    const uint32_t id = row_be32(key);
    const struct row_key prefix = row_host_key(id);
    enum status st;

    if (key.n != 4 || id == 0 || !row_host_read(&h, value, room))
        return lose(w);
    if ((st = take_name(w, h.name, key)) != ST_OK)
        return st == ST_INVALID ? lose(w) : st;
    for (size_t i = 0; i < h.url_classes.n; i++) {
        room[i].queued = room[i].head_sequence = 0;
        room[i].head_priority = 0;
    }
    h.robots.pending = false;
    if (h.next_contact_ms < w->m->config.rest_ms)
        h.next_contact_ms = w->m->config.rest_ms;
    note_numbers(w, (struct row_position){.host = id});
    w->counters.totals.hosts++;
    st = tables_seek(w->from, TABLE_QUEUE, row_bytes(&prefix), &key, &value);
    while (st == ST_OK && row_be32(key) == id)
        if ((st = take_queued(w, &h, key, value)) == ST_OK)
            st = tables_next(w->from, TABLE_QUEUE, &key, &value);
    if (st != ST_OK && st != ST_NONE)
        return st;
    row_host_write(&w->row, &h);
    return put(w, TABLE_HOSTS, row_bytes(&prefix), buf_view(&w->row));
}

/* A walk through the hosts, while each one's queue is walked, too: the hosts
 * are looked up one by one. */
static enum status
take_hosts(struct work *w)
{
    struct str key, value;
    struct row_key next = {.n = 0};
    enum status st = tables_seek(w->from, TABLE_HOSTS, S(""), &key, &value);

    while (st == ST_OK) {
        next = row_host_key(row_be32(key) + 1);
        arena_reset(w->arena);
        if ((st = take_host(w, key, value)) != ST_OK ||
            row_be32(row_bytes(&next)) == 0)
            break;
        st = tables_seek(w->from, TABLE_HOSTS, row_bytes(&next), &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

/* ---- what waits, and what is held ---- */

static enum status
take_apart(struct work *w, enum table table, const struct row_seen *s,
           struct str key, struct str value)
{
    struct url_class room[URL_CLASSES_MAX];
    const struct row_key host = row_host_key(s->position.host);
    struct row_queued q;
    struct row_host h;
    struct str row;
    enum status st;

    if (!row_queued_read(&q, value) || frontier_is_rules(q.kind) ||
        tables_get(w->to, TABLE_HOSTS, row_bytes(&host), &row) != ST_OK ||
        !row_host_read(&h, arena_str(w->arena, row), room) ||
        s->position.url_class >= h.url_classes.n)
        return lose(w);
    if ((st = know(w, h.name, &q, s)) != ST_OK)
        return st == ST_NONE ? lose(w) : st;
    if (s->state == ROW_HELD)
        w->counters.totals.held++;
    else
        count_queued(w, s->position.priority);
    return put(w, table, key, value);
}

static enum status
take_later(struct work *w, struct str key, struct str value)
{
    struct row_seen s = {.state = ROW_LATER};

    return row_later_position(&s.position, &s.due_ms, key)
               ? take_apart(w, TABLE_LATER, &s, key, value)
               : lose(w);
}

static enum status
take_held(struct work *w, struct str key, struct str value)
{
    struct row_seen s = {.state = ROW_HELD};

    return row_queue_position(&s.position, key)
               ? take_apart(w, TABLE_HELD, &s, key, value)
               : lose(w);
}

/* Nobody will report it now: it is fetched again. */
static enum status
take_unreported(struct work *w, struct str key, struct str value)
{
    struct row_seen s = {.state = ROW_LATER};
    struct row_key later;

    if (!row_queue_position(&s.position, key))
        return lose(w);
    later = row_later_key(s.due_ms, s.position);
    return take_apart(w, TABLE_LATER, &s, row_bytes(&later), value);
}

/* ---- other tables ---- */

static enum status
take_robots(struct work *w, struct str key, struct str value)
{
    struct str row;

    return key.n == 4 && tables_get(w->to, TABLE_HOSTS, key, &row) == ST_OK
               ? put(w, TABLE_ROBOTS, key, value)
               : lose(w);
}

static enum status
take_address(struct work *w, struct str key, struct str value)
{
    return key.n == 8 && value.n == 8 ? put(w, TABLE_ADDRESSES, key, value)
                                      : lose(w);
}

static enum status
take_rule(struct work *w, struct str key, struct str value)
{
    return put(w, TABLE_CONTROL, key, value);
}

/* With its date, unless the page is queued. */
static enum status
take_revisit(struct work *w, struct str key, struct str value)
{
    struct unpack u = {value, false};
    struct row_seen_key page;
    struct row_key due;
    struct row_seen s;
    struct str seen;
    uint64_t due_ms;
    enum status st;

    (void)unpack_number(&u);
    due_ms = unpack_number(&u);
    if (u.bad || key.n != sizeof page.bytes ||
        tables_get(w->to, TABLE_SEEN, key, &seen) != ST_OK ||
        !row_seen_read(&s, seen))
        return lose(w);
    if (due_ms > 0 && row_has_ended(s.state)) {
        memcpy(page.bytes, key.p, key.n);
        due = row_due_key(due_ms, page);
        st = put(w, TABLE_DUE, row_bytes(&due), S(""));
        if (st != ST_OK)
            return st;
    }
    return put(w, TABLE_REVISIT, key, value);
}

static enum status
take_model(struct work *w, struct str key, struct str value)
{
    return put(w, TABLE_MODEL, key, value);
}

static enum status
take_meta(struct work *w, struct str key, struct str value)
{
    static const char *const own[] = {"magic", "schema", "counters", "links",
                                      "load"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (str_eq(key, str_c(own[i])))
            return ST_OK;
    if (w->m->config.bare && !str_eq(key, S("scorer")) &&
        !str_eq(key, ROW_KEYS_META))
        return lose(w);
    return put(w, TABLE_META, key, value);
}

/* ---- the discovery log ---- */

static enum status
take_link(struct work *w, struct str record, struct journal *out)
{
    struct candidate c;
    struct row_seen_key key;
    struct str url, seen;
    enum status st;

    arena_reset(w->arena);
    if (!candidate_read(&c, record) || !row_queued_read(&c.q, c.row))
        return lose(w);
    url = row_queued_url(&c.q, c.authority, w->arena);
    key = row_seen_key(w->keys, c.authority, url);
    if (memcmp(key.bytes, c.key.bytes, sizeof key.bytes) != 0)
        return lose(w);
    st = tables_get(w->to, TABLE_SEEN, row_seen_bytes(&key), &seen);
    if (st != ST_NONE)
        return st; /* it is merged */
    note_numbers(w, (struct row_position){.sequence = c.sequence});
    w->m->links++;
    journal_add(out, record);
    return ST_OK;
}

/* Up to where it cannot be read. */
static enum status
take_log(struct work *w, uint64_t number, struct journal *out)
{
    const struct path path = journal_path(w->m->config.dir, number);
    struct journal *in;
    struct str record;
    struct stat sb;
    uint64_t at = 0;
    enum status st;

    if (stat(path.z, &sb) != 0 || sb.st_size < (off_t)JOURNAL_START ||
        journal_open(&in, path.z, (uint64_t)sb.st_size, true) != ST_OK)
        return ST_OK;
    while ((st = journal_next(in, &at, &record)) == ST_OK)
        if ((st = take_link(w, record, out)) != ST_OK)
            break;
    journal_close(in);
    if (st == ST_STORE)
        w->m->lost++; /* reported: links behind it */
    return st == ST_NONE || st == ST_STORE ? ST_OK : st;
}

enum { LOGS_MAX = 16 };

/* Those that are there, whatever the store says of them. */
static size_t
find_logs(const struct work *w, uint64_t number[LOGS_MAX], uint64_t *last)
{
    DIR *d = opendir(w->m->config.dir);
    struct dirent *e;
    size_t n = 0;

    *last = 0;
    while (d != NULL && (e = readdir(d)) != NULL) {
        uint64_t one = journal_number(e->d_name);

        if (one > *last)
            *last = one;
        if (one > 0 && n < LOGS_MAX)
            number[n++] = one;
    }
    if (d != NULL)
        closedir(d);
    return n;
}

static enum status
take_logs(struct work *w)
{
    uint64_t number[LOGS_MAX], last;
    size_t n = find_logs(w, number, &last);
    struct journal *out;
    enum status st;

    if (n == 0)
        return ST_OK;
    w->m->log = ++last;
    st = journal_open(&out, journal_path(w->m->config.to, last).z, 0, false);
    if (st != ST_OK)
        return st;
    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = take_log(w, number[i], out);
    if (st == ST_OK)
        st = journal_write(out, w->m->config.sync);
    buf_clear(&w->row);
    pack_number(&w->row, last);
    pack_number(&w->row, journal_end(out));
    pack_number(&w->row, w->m->links);
    pack_fixed(&w->row, 0, 1);
    journal_close(out);
    return st == ST_OK ? put(w, TABLE_META, S("links"), buf_view(&w->row)) : st;
}

/* ---- all of it ---- */

/* Of the old counters stays what rows cannot tell. */
static void
read_counters(struct work *w)
{
    struct frontier_totals *t = &w->counters.totals;
    struct str value;

    if (tables_get(w->from, TABLE_META, S("counters"), &value) == ST_OK)
        w->counted = row_counters_read(&w->counters, value);
    if (!w->counted)
        w->counters = (struct row_counters){0};
    t->seen = t->queued = t->leased = t->hosts = t->held = 0;
    t->done = t->failed = t->refused = 0;
    memset(t->queued_by_priority, 0, sizeof t->queued_by_priority);
}

static enum status
fill(struct work *w)
{
    enum status st;

    read_counters(w);
    if ((st = row_keys_read(&w->keys, w->from)) != ST_OK ||
        (st = each_row(w, TABLE_SEEN, take_ended)) != ST_OK ||
        (st = take_hosts(w)) != ST_OK ||
        (st = each_row(w, TABLE_LATER, take_later)) != ST_OK ||
        (st = each_row(w, TABLE_HELD, take_held)) != ST_OK ||
        (st = each_row(w, TABLE_UNREPORTED, take_unreported)) != ST_OK ||
        (st = each_row(w, TABLE_ROBOTS, take_robots)) != ST_OK ||
        (st = each_row(w, TABLE_ADDRESSES, take_address)) != ST_OK ||
        (st = each_row(w, TABLE_REVISIT, take_revisit)) != ST_OK ||
        (st = each_row(w, TABLE_META, take_meta)) != ST_OK)
        return st;
    if (!w->m->config.bare &&
        ((st = each_row(w, TABLE_MODEL, take_model)) != ST_OK ||
         (st = each_row(w, TABLE_CONTROL, take_rule)) != ST_OK))
        return st;
    if ((st = take_logs(w)) != ST_OK)
        return st;
    if (!w->counted)
        w->counters.totals.pages = w->counters.totals.done;
    row_counters_write(&w->row, &w->counters);
    return put(w, TABLE_META, S("counters"), buf_view(&w->row));
}

enum status
rebuild(void *self, struct tables *from, struct tables *to)
{
    struct work w = {.m = self, .from = from, .to = to, .arena = arena_new()};
    enum status st;

    memset(w.m->rows, 0, sizeof w.m->rows);
    w.m->links = w.m->lost = w.m->log = 0;
    st = fill(&w);
    arena_free(w.arena);
    buf_free(&w.row);
    return st;
}
