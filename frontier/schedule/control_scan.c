/* control_scan.c -- what an operator's pattern of URLs does to those that are
 * queued.
 *
 * DELETE and PAUSE move them into the table `held`, from where RESUME brings
 * them back; what is deleted becomes refused when the store is compacted
 * (PURGE):
 *
 *   held  queue key  -> as in queue
 *
 * A held URL is in no URL class, so that choosing what to lease costs no more
 * than before; it keeps its place in line.  A scan goes through the rows of
 * the hosts that can match, a piece with each call, and its rule says
 * "unfinished" until all are through: what a killed process left is finished by
 * later leases.  Until then, and for what comes back from a lease or a retry, a
 * URL is looked at when it is chosen; new links are when they come in
 * (merge.c). */
#include "base/log.h"
#include "base/url/host.h"
#include "frontier/features/pattern.h"
#include "schedule_inside.h"

struct swept { /* a row */
    struct row_position position;
    struct row_queued q;
    struct str row, url;
    struct host *h;
};

/* ---- held ---- */

static enum status
hold(struct schedule *sched, const struct swept *s)
{
    const struct row_seen seen = {.state = ROW_HELD, .position = s->position};
    enum status st;

    sched->db->counters.totals.deleted +=
        schedule_deleted(sched, s->url) != NULL;
    url_store_count_queued(sched->db, s->position.priority, -1);
    if ((st = url_store_queue_remove(sched->db, s->h, s->position)) != ST_OK ||
        (st = url_store_held_add(sched->db, s->h, s->position, s->row)) !=
            ST_OK)
        return st;
    return url_store_seen_put(
        sched->db, row_seen_key(sched->db->keys, s->h->row.name, s->url),
        &seen);
}

static enum status
into_queue(struct schedule *sched, const struct swept *s)
{
    enum status st;

    url_store_count_queued(sched->db, s->position.priority, 1);
    st = url_store_held_remove(sched->db, s->position);
    return st == ST_OK
               ? url_store_queue_add_row(sched->db, s->h, s->position, s->row)
               : st;
}

static enum status
release(struct schedule *sched, const struct swept *s)
{
    const struct row_seen seen = {.state = ROW_QUEUED, .position = s->position};
    enum status st = into_queue(sched, s);

    if (st != ST_OK)
        return st;
    return url_store_seen_put(
        sched->db, row_seen_key(sched->db->keys, s->h->row.name, s->url),
        &seen);
}

/* For good: only that it was seen stays. */
static enum status
purge(struct schedule *sched, const struct swept *s, struct control_change *c,
      uint64_t now_ms)
{
    enum status st = into_queue(sched, s);

    c->urls++;
    return st == ST_OK ? url_store_refuse(sched->db, s->h, s->position, &s->q,
                                          VERDICT_DELETED, now_ms)
                       : st;
}

/* ---- one row ---- */

static enum status
read_row(struct schedule *sched, struct swept *s, struct row_position position,
         struct str value)
{
    enum status st = url_store_host(sched->db, position.host, &s->h);

    if (st != ST_OK)
        return st;
    if (position.url_class >= s->h->row.url_classes.n)
        return url_store_corrupt("hosts");
    arena_reset(sched->db->scratch);
    s->position = position;
    s->row = arena_str(sched->db->scratch, value); /* a change moves it */
    if (!row_queued_read(&s->q, s->row))
        return url_store_corrupt("queue");
    s->url = row_queued_url(&s->q, s->h->row.name, sched->db->scratch);
    return ST_OK;
}

static enum status
sweep_row(struct schedule *sched, struct row_position position,
          struct str value, struct control_change *c, uint64_t now_ms)
{
    struct swept s;
    enum status st = read_row(sched, &s, position, value);

    if (st != ST_OK)
        return st;
    if (c->action == CONTROL_RESUME) {
        if (schedule_held_by(sched, s.url) != NULL)
            return ST_OK;
        c->urls++;
        return release(sched, &s);
    }
    if (c->action == CONTROL_PURGE)
        return schedule_deleted(sched, s.url) == NULL ||
                       (c->pattern.n > 0 && !pattern_url(c->pattern, s.url))
                   ? ST_OK
                   : purge(sched, &s, c, now_ms);
    if (frontier_is_rules(s.q.kind) || !pattern_url(c->pattern, s.url) ||
        row_is_out(&s.h->row, s.position))
        return ST_OK;
    c->urls++;
    if (c->action != CONTROL_LOOK)
        return hold(sched, &s);
    if (c->sample != NULL && c->sample_n++ < CONTROL_SAMPLE_MAX) {
        buf_str(c->sample, s.url);
        buf_char(c->sample, '\n');
    }
    return ST_OK;
}

enum status
schedule_hold_chosen(struct schedule *sched, struct row_position position,
                     bool *held)
{
    struct row_key key = row_queue_key(position);
    struct str value;
    struct swept s;
    enum status st;

    *held = false;
    if (!schedule_has_url_rules(sched))
        return ST_OK;
    st = tables_get(sched->db->tables, TABLE_QUEUE, row_bytes(&key), &value);
    if (st != ST_OK)
        return st == ST_NONE ? url_store_corrupt("queue") : st;
    if ((st = read_row(sched, &s, position, value)) != ST_OK)
        return st;
    *held =
        !frontier_is_rules(s.q.kind) && schedule_held_by(sched, s.url) != NULL;
    return *held ? hold(sched, &s) : ST_OK;
}

/* ---- many rows ---- */

/* The hosts whose rows are looked at.  What RESUME brings back is what no other
 * rule holds: of all, unless its pattern names one. */
static enum status
hosts_of(struct schedule *sched, const struct control_change *c,
         struct hosts_named *out)
{
    struct str one = pattern_single(c->pattern);

    *out = (struct hosts_named){.all = true};
    if (c->pattern.n == 0 ||
        (c->action == CONTROL_RESUME && !pattern_of_urls(c->pattern) &&
         host_without_port(one).n == one.n))
        return ST_OK;
    return hosts_named_find(&sched->names, sched->db, c->pattern, out);
}

/* Can the pattern match nothing of this row's host?  Then *at is the first row
 * of the next one that it may match; empty: there is none. */
static enum status
pass_over(struct schedule *sched, const struct control_change *c,
          const struct hosts_named *hosts, struct row_position position,
          struct row_key *at, bool *passed)
{
    size_t i = 0;
    struct host *h;
    enum status st;

    *passed = false;
    if (hosts->all) {
        if (c->pattern.n == 0 || c->action == CONTROL_RESUME ||
            pattern_of_urls(c->pattern))
            return ST_OK;
        st = url_store_host(sched->db, position.host, &h);
        *passed = st == ST_OK && !pattern_host(c->pattern, h->row.name);
        *at = *passed ? row_queue_url_class(position.host + 1, 0) : *at;
        return st;
    }
    while (i < hosts->n && hosts->id[i] < position.host)
        i++;
    *passed = i == hosts->n || hosts->id[i] > position.host;
    at->n = *passed ? 0 : at->n;
    if (*passed && i < hosts->n)
        *at = row_queue_url_class(hosts->id[i], 0);
    return ST_OK;
}

enum status
schedule_control_scan(struct schedule *sched, struct control_change *c,
                      size_t rows, uint64_t now_ms)
{
    enum table table = c->action == CONTROL_RESUME || c->action == CONTROL_PURGE
                           ? TABLE_HELD
                           : TABLE_QUEUE;
    struct row_key at = {.n = c->next_n};
    struct row_position position;
    struct hosts_named hosts;
    struct str key, value;
    bool passed;
    enum status st = hosts_of(sched, c, &hosts);

    if (st != ST_OK)
        return st;
    memcpy(at.bytes, c->next, c->next_n);
    c->next_n = 0;
    if (!hosts.all && hosts.n == 0)
        return ST_OK;
    if (!hosts.all && at.n == 0)
        at = row_queue_url_class(hosts.id[0], 0);
    for (size_t i = 0; i < rows; i++) {
        st =
            tables_seek(sched->db->tables, table, row_bytes(&at), &key, &value);
        if (st != ST_OK)
            return st == ST_NONE ? ST_OK : st;
        if (!row_queue_position(&position, key))
            return url_store_corrupt(tables_name(table));
        st = pass_over(sched, c, &hosts, position, &at, &passed);
        if (st != ST_OK || (passed && at.n == 0))
            return st;
        if (passed)
            continue;
        if ((st = sweep_row(sched, position, value, c, now_ms)) != ST_OK)
            return st;
        position.sequence++; /* the key behind it */
        at = row_queue_key(position);
    }
    memcpy(c->next, at.bytes, at.n);
    c->next_n = at.n;
    return ST_OK;
}
