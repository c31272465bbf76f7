/* check.c -- does the store hold what it promises?  One pass over each table:
 * every URL in exactly one state, every row where its URL says it is, counts
 * equal to the counters, the best URL of every URL class the best. */
#include <stdarg.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/progress.h"
#include "frontier/parts.h"
#include "frontier_tools.h"

#define FAULTS_SAID 20u

struct check {
    struct frontier *f;
    struct buf *out;
    uint64_t faults;
    uint64_t rows, pages, robots_rows, leased, out_n, links, held, unreported;
    uint64_t active; /* hosts with something queued or out */
    uint64_t by_class[FRONTIER_CLASSES];
    struct progress *progress;
};

static void __attribute__((format(printf, 2, 3)))
fault(struct check *c, const char *format, ...)
{
    char line[512];
    va_list args;

    if (c->faults++ >= FAULTS_SAID)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    buf_printf(c->out, "%s\n", line);
}

static enum status
next(struct check *c, enum table table, struct str *key, struct str *value)
{
    progress_add(c->progress, 1);
    return tables_next(c->f->db->tables, table, key, value);
}

static enum status
check_row(struct check *c, enum row_state state, struct row_position position,
          struct str value)
{
    struct frontier *f = c->f;
    struct row_queued q;
    struct row_seen s;
    struct host *h;
    struct str url;
    enum status st = url_store_host(f->db, position.host, &h);

    if (st != ST_OK)
        return st;
    if (!row_queued_read(&q, value)) {
        fault(c, "host %u sequence %llu: garbled row", position.host,
              (unsigned long long)position.sequence);
        return ST_OK;
    }
    if (frontier_is_rules(q.kind)) {
        c->robots_rows++;
        return ST_OK;
    }
    arena_reset(f->db->scratch);
    url = row_queued_url(&q, h->row.name, f->db->scratch);
    st = url_store_seen_get(f->db,
                            row_seen_key(c->f->db->keys, h->row.name, url), &s);
    if (st == ST_NONE)
        fault(c, "%.*s: queued but not seen", STRF(url));
    else if (st != ST_OK)
        return st;
    else if (s.state != state || s.position.host != position.host ||
             s.position.url_class != position.url_class ||
             s.position.priority != position.priority ||
             s.position.sequence != position.sequence)
        fault(c, "%.*s: is not where `seen` says", STRF(url));
    if (state == ROW_HELD) {
        c->held++;
        return ST_OK;
    }
    c->pages++;
    if (state == ROW_UNREPORTED) {
        c->leased++;
        c->unreported++;
    } else if (row_is_out(&h->row, position))
        c->leased++;
    else
        c->by_class[row_priority_class(position.priority)]++;
    return ST_OK;
}

/* The rows of one URL class were met: `best` is the first of them. */
static enum status
check_url_class(struct check *c, uint64_t rows, struct row_position best)
{
    const struct url_class *s;
    struct host *h;
    enum status st;

    if (rows == 0)
        return ST_OK;
    if ((st = url_store_host(c->f->db, best.host, &h)) != ST_OK)
        return st;
    if (best.url_class >= h->row.url_classes.n) {
        fault(c, "%.*s: rows in URL class %u, which it does not have",
              STRF(h->row.name), best.url_class);
        return ST_OK;
    }
    s = &h->row.url_classes.item[best.url_class];
    if (s->queued != rows)
        fault(c, "%.*s URL class %u: %llu rows, %llu counted",
              STRF(h->row.name), best.url_class, (unsigned long long)rows,
              (unsigned long long)s->queued);
    if (s->head_priority != best.priority || s->head_sequence != best.sequence)
        fault(c, "%.*s URL class %u: its best URL is another",
              STRF(h->row.name), best.url_class);
    return ST_OK;
}

static enum status
check_queue(struct check *c)
{
    struct row_position position, best = {0};
    struct str key, value;
    uint64_t rows = 0;
    enum status st =
        tables_seek(c->f->db->tables, TABLE_QUEUE, S(""), &key, &value);

    while (st == ST_OK) {
        if (!row_queue_position(&position, key))
            return url_store_corrupt("queue");
        if (position.host != best.host ||
            position.url_class != best.url_class) {
            if ((st = check_url_class(c, rows, best)) != ST_OK)
                return st;
            rows = 0;
            best = position;
        }
        rows++;
        c->rows++;
        if ((st = check_row(c, ROW_QUEUED, position, value)) == ST_OK)
            st = next(c, TABLE_QUEUE, &key, &value);
    }
    return st == ST_NONE ? check_url_class(c, rows, best) : st;
}

static enum status
check_later(struct check *c)
{
    struct row_position position;
    struct str key, value;
    uint64_t due_ms;
    enum status st =
        tables_seek(c->f->db->tables, TABLE_LATER, S(""), &key, &value);

    while (st == ST_OK) {
        if (!row_later_position(&position, &due_ms, key))
            return url_store_corrupt("later");
        if ((st = check_row(c, ROW_LATER, position, value)) == ST_OK)
            st = next(c, TABLE_LATER, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

/* Of a page that is unreported. */
static enum status
check_lease(struct check *c, struct row_position position)
{
    struct row_lease l;
    enum status st = url_store_unreported_lease(c->f->db, position, &l);

    if (st == ST_OK && !l.out)
        fault(c, "host %u: an unreported page without its lease",
              position.host);
    return st;
}

/* A table with the keys of the queue. */
static enum status
check_apart(struct check *c, enum table table, enum row_state state)
{
    struct row_position position;
    struct str key, value;
    enum status st = tables_seek(c->f->db->tables, table, S(""), &key, &value);

    while (st == ST_OK) {
        if (!row_queue_position(&position, key))
            return url_store_corrupt(tables_name(table));
        if ((st = check_row(c, state, position, value)) == ST_OK &&
            state == ROW_UNREPORTED)
            st = check_lease(c, position);
        if (st == ST_OK)
            st = next(c, table, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

static void
equal(struct check *c, const char *what, uint64_t found, uint64_t counted)
{
    if (found != counted)
        fault(c, "%s: %llu found, %llu counted", what,
              (unsigned long long)found, (unsigned long long)counted);
}

static enum status
check_seen(struct check *c)
{
    const struct frontier_totals *t = &c->f->db->counters.totals;
    uint64_t n[ROW_UNREPORTED + 1] = {0}, all = 0;
    struct row_seen s;
    struct str key, value;
    enum status st =
        tables_seek(c->f->db->tables, TABLE_SEEN, S(""), &key, &value);

    for (; st == ST_OK; st = next(c, TABLE_SEEN, &key, &value)) {
        if (!row_seen_read(&s, value)) {
            fault(c, "seen: a garbled row");
            continue;
        }
        n[s.state]++;
        all++;
    }
    equal(c, "seen", all, t->seen);
    equal(c, "queued and leased",
          n[ROW_QUEUED] + n[ROW_LATER] + n[ROW_UNREPORTED],
          t->queued + t->leased);
    equal(c, "rows in the queues", c->pages, t->queued + t->leased);
    equal(c, "leased", c->leased, t->leased);
    equal(c, "held", n[ROW_HELD], t->held);
    equal(c, "rows that are held", c->held, t->held);
    equal(c, "done", n[ROW_DONE], t->done);
    equal(c, "failed", n[ROW_FAILED], t->failed);
    equal(c, "refused", n[ROW_REFUSED], t->refused);
    for (size_t i = 0; i < FRONTIER_CLASSES; i++)
        equal(c, "queued in a class", c->by_class[i], t->queued_by_priority[i]);
    return st == ST_NONE ? ST_OK : st;
}

/* Hosts of which the last URL is out, and has ended by a late report. */
static enum status
count_empty(struct check *c)
{
    size_t n = schedule_out(c->f->sched, NULL, 0);
    uint32_t *ids;
    struct host *h;
    enum status st = ST_OK;

    arena_reset(c->f->db->scratch);
    ids = arena_raw(c->f->db->scratch, n * sizeof *ids);
    schedule_out(c->f->sched, ids, n);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        if ((st = url_store_host(c->f->db, ids[i], &h)) == ST_OK)
            c->active += h->row.queued == 0;
    return st;
}

static enum status
check_leases(struct check *c)
{
    struct host *h;
    struct str key, value;
    uint64_t unreported = 0;
    enum status st =
        tables_seek(c->f->db->tables, TABLE_LEASES, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(c->f->db->tables, TABLE_LEASES, &key, &value)) {
        if (!row_is_host_key(key)) {
            unreported++;
            continue;
        }
        if (url_store_host(c->f->db, row_be32(key), &h) != ST_OK ||
            !h->row.lease.out)
            fault(c, "host %u: a lease that is none", row_be32(key));
        c->out_n++;
    }
    if (st != ST_NONE || (st = count_empty(c)) != ST_OK)
        return st;
    equal(c, "leases of unreported pages", unreported, c->unreported);
    equal(c, "hosts with a clock", c->active, schedule_hosts(c->f->sched));
    equal(c, "hosts of which something is out", c->out_n,
          schedule_out(c->f->sched, NULL, 0));
    return ST_OK;
}

static enum status
check_hosts(struct check *c)
{
    const struct frontier_totals *t = &c->f->db->counters.totals;
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    struct row_key name;
    struct str key, value, id;
    uint64_t hosts = 0, pending = 0, rows = 0;
    enum status st =
        tables_seek(c->f->db->tables, TABLE_HOSTS, S(""), &key, &value);

    for (; st == ST_OK; st = next(c, TABLE_HOSTS, &key, &value)) {
        if (!row_host_read(&row, value, room))
            return url_store_corrupt("hosts");
        hosts++;
        rows += row.queued;
        c->active += row.queued > 0;
        pending += row.robots.pending;
        name = row_name_key(row.name);
        if (tables_get(c->f->db->tables, TABLE_NAMES, row_bytes(&name), &id) !=
                ST_OK ||
            row_be32(id) != row_be32(key))
            fault(c, "%.*s: not found by its name", STRF(row.name));
        for (size_t i = 0; i < row.url_classes.n; i++)
            for (size_t k = 0; k < i; k++)
                if (room[i].kind == room[k].kind)
                    fault(c, "%.*s: two URL classes of one kind",
                          STRF(row.name));
    }
    equal(c, "rows of the hosts' queues", c->rows, rows);
    equal(c, "hosts", hosts, t->hosts);
    equal(c, "hosts waiting for another's robots.txt", pending, c->robots_rows);
    return st == ST_NONE ? ST_OK : st;
}

/* The log and the filter against the tables. */
static enum status
check_link(void *self, const struct candidate *link)
{
    struct check *c = self;
    struct str url;
    struct row_seen_key key;

    arena_reset(c->f->db->scratch);
    url = row_queued_url(&link->q, link->authority, c->f->db->scratch);
    key = row_seen_key(c->f->db->keys, link->authority, url);
    if (memcmp(key.bytes, link->key.bytes, sizeof key.bytes) != 0)
        fault(c, "%.*s: waits under the key of another URL", STRF(url));
    if (link->sequence > c->f->db->counters.sequence)
        fault(c, "%.*s: waits with a number nobody gave", STRF(url));
    c->links++;
    return ST_OK;
}

static enum status
check_links(struct check *c)
{
    enum status st = intake_each(c->f->in, check_link, c);

    equal(c, "links that wait", c->links, intake_waiting(c->f->in));
    return st;
}

static enum status
check_filter(struct check *c)
{
    struct row_seen_key k;
    struct str key, value;
    enum status st = ST_NONE;

    if (intake_has_filter(c->f->in))
        st = tables_seek(c->f->db->tables, TABLE_SEEN, S(""), &key, &value);
    for (; st == ST_OK;
         st = tables_next(c->f->db->tables, TABLE_SEEN, &key, &value)) {
        if (key.n != sizeof k.bytes)
            return url_store_corrupt("seen");
        memcpy(k.bytes, key.p, sizeof k.bytes);
        if (intake_filter_lacks(c->f->in, &k))
            fault(c, "seen: the filter lacks a URL");
    }
    return st == ST_NONE ? ST_OK : st;
}

/* Every date belongs to a page that is known to be fetched again then. */
static enum status
check_due(struct check *c)
{
    struct row_revisit v;
    struct row_seen_key seen;
    struct str key, value;
    enum status st =
        tables_seek(c->f->db->tables, TABLE_DUE, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(c->f->db->tables, TABLE_DUE, &key, &value)) {
        uint64_t due_ms;

        if (!row_due_page(&due_ms, &seen, key))
            return url_store_corrupt("due");
        st = url_store_revisit_get(c->f->db, seen, &v);
        if (st != ST_OK && st != ST_NONE)
            return st;
        if (st == ST_NONE || v.due_ms != due_ms)
            fault(c, "a date of a page that is not fetched again then");
    }
    return st == ST_NONE ? ST_OK : st;
}

static uint64_t
rows_of(const struct frontier *f, int table)
{
    return tables_rows(f->db->tables, table, table + 1);
}

enum status
frontier_check(struct frontier *f, struct buf *out, uint64_t *faults)
{
    struct check c = {.f = f, .out = out};
    enum status st;

    if (f->db->reader) {
        st = tables_check(f->db->tables, out, faults);
        if (st != ST_BUSY && (st != ST_OK || *faults > 0))
            return st; /* LMDB must not come near it */
    }
    schedule_settle(f->sched);
    c.progress = progress_begin(
        "check", "rows",
        rows_of(f, TABLE_QUEUE) + rows_of(f, TABLE_LATER) +
            rows_of(f, TABLE_HELD) + rows_of(f, TABLE_UNREPORTED) +
            rows_of(f, TABLE_SEEN) + rows_of(f, TABLE_HOSTS));
    if ((st = check_queue(&c)) == ST_OK && (st = check_later(&c)) == ST_OK &&
        (st = check_apart(&c, TABLE_HELD, ROW_HELD)) == ST_OK &&
        (st = check_apart(&c, TABLE_UNREPORTED, ROW_UNREPORTED)) == ST_OK &&
        (st = check_seen(&c)) == ST_OK)
        st = check_hosts(&c);
    if (st == ST_OK)
        st = check_leases(&c);
    if (st == ST_OK)
        st = check_due(&c);
    if (st == ST_OK && (st = check_links(&c)) == ST_OK)
        st = check_filter(&c);
    progress_end(c.progress);
    *faults = c.faults;
    return st;
}
