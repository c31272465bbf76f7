/* queue.c -- rows of the queue, of what waits for a later time and of what an
 * operator holds; each URL class of a host knows how many are queued and which
 * is its best. */
#include "lowered.h"

void
url_store_count_queued(struct url_store *db, uint16_t priority, int by)
{
    db->counters.totals.queued += (uint64_t)(int64_t)by;
    db->counters.totals.queued_by_priority[row_priority_class(priority)] +=
        (uint64_t)(int64_t)by;
}

/* ---- queue ---- */

static void
count(struct url_store *db, const struct host *h, int by)
{
    db->hooks.queued(db->hooks.intake, &h->row, by);
}

void
url_store_coming(struct url_store *db, struct host *h, int by)
{
    h->coming += (uint64_t)(int64_t)by;
    count(db, h, by);
}

enum status
url_store_queue_add(struct url_store *db, struct host *h,
                    struct row_position position, const struct row_queued *q)
{
    row_queued_write(&db->row, q);
    return url_store_queue_add_row(db, h, position, buf_view(&db->row));
}

void
url_store_ended_once_less(struct url_store *db, enum row_state state)
{
    struct frontier_totals *t = &db->counters.totals;

    *(state == ROW_DONE     ? &t->done
      : state == ROW_FAILED ? &t->failed
                            : &t->refused) -= 1;
}

enum status
url_store_queue_again(struct url_store *db, struct row_seen_key key,
                      struct str url, struct row_queued *q, struct row_seen *s)
{
    struct row_url parts;
    struct host *h;
    enum row_state state = s->state;
    enum status st;

    if (!row_url_split(&parts, url))
        return url_store_corrupt("revisit");
    q->facts = s->facts;
    q->facts.redirects = 0;
    q->https = parts.https;
    q->rest = parts.rest;
    if ((st = url_store_host_named(db, parts.authority, S(""), false, &h)) !=
        ST_OK)
        return st == ST_NONE ? url_store_corrupt("names") : st;
    *s = (struct row_seen){
        .state = ROW_QUEUED,
        .position = {h->id, url_store_url_class(db, h, &parts.rest),
                     s->position.priority, ++db->counters.sequence}};
    url_store_ended_once_less(db, state);
    db->counters.totals.revisits += q->kind == FRONTIER_PAGE;
    url_store_count_queued(db, s->position.priority, 1);
    if ((st = url_store_queue_add(db, h, s->position, q)) != ST_OK)
        return st;
    return url_store_seen_put(db, key, s);
}

enum status
url_store_queue_add_row(struct url_store *db, struct host *h,
                        struct row_position position, struct str row)
{
    struct row_key key = row_queue_key(position);
    struct url_class *s = &h->row.url_classes.item[position.url_class];

    if (position.url_class >= h->row.url_classes.n)
        return url_store_corrupt("hosts");
    lowered_coming(db, position);
    h->row.queued++;
    if (h->coming > 0) /* it was counted when it was admitted */
        h->coming--;
    else
        count(db, h, 1);
    if (s->queued++ == 0 || position.priority > s->head_priority ||
        (position.priority == s->head_priority &&
         position.sequence < s->head_sequence)) {
        s->head_priority = position.priority;
        s->head_sequence = position.sequence;
    }
    url_store_host_changed(db, h);
    return tables_put(db->tables, TABLE_QUEUE, row_bytes(&key), row);
}

enum status
url_store_read_as_queued(struct url_store *db, enum table table,
                         const struct row_key *key, struct row_queued *q)
{
    struct str value;
    enum status st = tables_get(db->tables, table, row_bytes(key), &value);

    if (st == ST_NONE || (st == ST_OK && !row_queued_read(q, value)))
        return url_store_corrupt(tables_name(table));
    return st;
}

enum status
url_store_queue_read(struct url_store *db, struct row_position position,
                     struct row_queued *q)
{
    struct row_key key = row_queue_key(position);

    return url_store_read_as_queued(db, TABLE_QUEUE, &key, q);
}

enum status
url_store_waiting_read(struct url_store *db, const struct row_seen *s,
                       struct row_queued *q)
{
    enum table table = s->state == ROW_LATER        ? TABLE_LATER
                       : s->state == ROW_HELD       ? TABLE_HELD
                       : s->state == ROW_UNREPORTED ? TABLE_UNREPORTED
                                                    : TABLE_QUEUE;
    struct row_key key = s->state == ROW_LATER
                             ? row_later_key(s->due_ms, s->position)
                             : row_queue_key(s->position);

    return url_store_read_as_queued(db, table, &key, q);
}

static enum status
find_head(struct url_store *db, struct host *h, uint8_t url_class)
{
    struct row_key from = row_queue_url_class(h->id, url_class);
    struct url_class *s = &h->row.url_classes.item[url_class];
    struct row_position position;
    struct str key, value;
    enum status st =
        tables_seek(db->tables, TABLE_QUEUE, row_bytes(&from), &key, &value);

    s->head_priority = 0;
    s->head_sequence = 0;
    if (s->queued == 0)
        return ST_OK;
    if (st == ST_OK && !row_queue_position(&position, key))
        return url_store_corrupt("queue");
    if (st == ST_NONE || (st == ST_OK && (position.host != h->id ||
                                          position.url_class != url_class)))
        return url_store_corrupt("queue");
    if (st == ST_OK) {
        s->head_priority = position.priority;
        s->head_sequence = position.sequence;
    }
    return st;
}

enum status
url_store_queue_remove(struct url_store *db, struct host *h,
                       struct row_position position)
{
    struct row_key key = row_queue_key(position);
    struct url_class *s = &h->row.url_classes.item[position.url_class];
    enum status st;

    if (position.url_class >= h->row.url_classes.n)
        return url_store_corrupt("hosts");
    st = tables_delete(db->tables, TABLE_QUEUE, row_bytes(&key));
    if (st != ST_OK)
        return st == ST_NONE ? url_store_corrupt("queue") : st;
    h->row.queued--;
    count(db, h, -1);
    s->queued--;
    if (position.sequence == s->head_sequence)
        st = find_head(db, h, position.url_class);
    if (st == ST_OK)
        st = lowered_leaving(db, position);
    url_store_host_changed(db, h);
    return st;
}

/* A queued page out of the queue and into `seen` as refused. */
enum status
url_store_refuse(struct url_store *db, struct host *h,
                 struct row_position position, const struct row_queued *q,
                 enum verdict verdict, uint64_t now_ms)
{
    struct row_seen s = {.state = ROW_REFUSED,
                         .position = position,
                         .facts = q->facts,
                         .outcome = OUTCOME_OUT_OF_SCOPE,
                         .ended_ms = now_ms,
                         .verdict = verdict};
    struct str url = row_queued_url(q, h->row.name, db->arena);
    enum status st;

    url_store_count_queued(db, position.priority, -1);
    db->counters.totals.refused++;
    h->row.outcomes.n[CLASS_REFUSED]++;
    h->row.url_classes.item[position.url_class].outcomes.n[CLASS_REFUSED]++;
    if ((st = url_store_queue_remove(db, h, position)) != ST_OK)
        return st;
    url_store_host_changed(db, h);
    return url_store_seen_put(db, row_seen_key(db->keys, h->row.name, url), &s);
}

/* ---- held ---- */

enum status
url_store_held_add(struct url_store *db, struct host *h,
                   struct row_position position, struct str row)
{
    struct row_key key = row_queue_key(position);

    db->counters.totals.held++;
    url_store_host_changed(db, h); /* it may have got a URL class */
    return tables_put(db->tables, TABLE_HELD, row_bytes(&key), row);
}

enum status
url_store_held_remove(struct url_store *db, struct row_position position)
{
    struct row_key key = row_queue_key(position);
    enum status st = tables_delete(db->tables, TABLE_HELD, row_bytes(&key));

    db->counters.totals.held--;
    return st == ST_NONE ? url_store_corrupt("held") : st;
}

/* ---- classes ---- */

uint8_t
url_store_url_class(struct url_store *db, struct host *h,
                    const struct str *rest)
{
    struct url_class_kinds kinds;

    if (rest == NULL)
        return (uint8_t)url_class_find(&h->row.url_classes, NULL, db->arena);
    kinds = url_class_kinds(*rest);
    return (uint8_t)url_class_find(&h->row.url_classes, &kinds, db->arena);
}
