/* queue.c -- rows of the queue and of what waits for a later time; each URL
 * class of a host knows how many it has and which is its best. */
#include "frontier/discover/quota.h"
#include "winnow/hash.h"
#include "winnow/log.h"

#define PROMOTE_MAX 10000 /* rows of `later` moved by one call */

size_t
frontier_class(uint16_t priority)
{
    size_t c = (size_t)priority * FRONTIER_CLASSES / (ROW_PRIORITY_MAX + 1);

    return FRONTIER_CLASSES - 1 -
           (c < FRONTIER_CLASSES ? c : FRONTIER_CLASSES - 1);
}

void
frontier_count_queued(struct frontier *f, uint16_t priority, int by)
{
    f->counters.totals.queued += (uint64_t)(int64_t)by;
    f->counters.totals.queued_by_priority[frontier_class(priority)] +=
        (uint64_t)(int64_t)by;
}

struct str
frontier_queued_url(const struct row_queued *q, struct str authority,
                    struct arena *a)
{
    struct str scheme = q->https ? S("https://") : S("http://");
    char *p;

    if (q->whole)
        return arena_str(a, q->rest);
    p = arena_raw(a, scheme.n + authority.n + q->rest.n + 1);
    memcpy(p, scheme.p, scheme.n);
    memcpy(p + scheme.n, authority.p, authority.n);
    memcpy(p + scheme.n + authority.n, q->rest.p, q->rest.n);
    p[scheme.n + authority.n + q->rest.n] = '\0';
    return str_n(p, scheme.n + authority.n + q->rest.n);
}

/* ---- queue ---- */

struct str
frontier_domain(const struct row_host *h)
{
    return h->domain.n > 0 ? h->domain : h->name;
}

static void
count(struct frontier *f, const struct host *h, int by)
{
    if (f->domains != NULL)
        domains_add(f->domains, frontier_domain(&h->row), by);
}

void
frontier_coming(struct frontier *f, struct host *h, int by)
{
    h->coming += (uint64_t)(int64_t)by;
    count(f, h, by);
}

enum status
frontier_queue_add(struct frontier *f, struct host *h,
                   struct row_position position, const struct row_queued *q)
{
    row_queued_write(&f->row, q);
    return frontier_queue_add_row(f, h, position, buf_view(&f->row));
}

enum status
frontier_queue_add_row(struct frontier *f, struct host *h,
                       struct row_position position, struct str row)
{
    struct row_key key = row_queue_key(position);
    struct url_class *s = &h->row.url_classes.item[position.url_class];

    if (position.url_class >= h->row.url_classes.n)
        return frontier_corrupt("hosts");
    h->row.queued++;
    if (h->coming > 0) /* it was counted when it was admitted */
        h->coming--;
    else
        count(f, h, 1);
    if (s->queued++ == 0 || position.priority > s->head_priority ||
        (position.priority == s->head_priority &&
         position.sequence < s->head_sequence)) {
        s->head_priority = position.priority;
        s->head_sequence = position.sequence;
    }
    frontier_host_changed(f, h);
    return tables_put(f->tables, TABLE_QUEUE, row_bytes(&key), row);
}

enum status
frontier_queue_read(struct frontier *f, struct row_position position,
                    struct row_queued *q)
{
    struct row_key key = row_queue_key(position);
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_QUEUE, row_bytes(&key), &value);

    if (st == ST_NONE || (st == ST_OK && !row_queued_read(q, value)))
        return frontier_corrupt("queue");
    return st;
}

static enum status
find_head(struct frontier *f, struct host *h, uint8_t url_class)
{
    struct row_key from = row_queue_url_class(h->id, url_class);
    struct url_class *s = &h->row.url_classes.item[url_class];
    struct row_position position;
    struct str key, value;
    enum status st =
        tables_seek(f->tables, TABLE_QUEUE, row_bytes(&from), &key, &value);

    s->head_priority = 0;
    s->head_sequence = 0;
    if (s->queued == 0)
        return ST_OK;
    if (st == ST_OK && !row_queue_position(&position, key))
        return frontier_corrupt("queue");
    if (st == ST_NONE || (st == ST_OK && (position.host != h->id ||
                                          position.url_class != url_class)))
        return frontier_corrupt("queue");
    if (st == ST_OK) {
        s->head_priority = position.priority;
        s->head_sequence = position.sequence;
    }
    return st;
}

enum status
frontier_queue_remove(struct frontier *f, struct host *h,
                      struct row_position position)
{
    struct row_key key = row_queue_key(position);
    struct url_class *s = &h->row.url_classes.item[position.url_class];
    enum status st;

    if (position.url_class >= h->row.url_classes.n)
        return frontier_corrupt("hosts");
    st = tables_delete(f->tables, TABLE_QUEUE, row_bytes(&key));
    if (st != ST_OK)
        return st == ST_NONE ? frontier_corrupt("queue") : st;
    h->row.queued--;
    count(f, h, -1);
    s->queued--;
    if (position.sequence == s->head_sequence)
        st = find_head(f, h, position.url_class);
    frontier_host_changed(f, h);
    return st;
}

/* A queued page out of the queue and into `seen` as refused. */
enum status
frontier_refuse(struct frontier *f, struct host *h,
                struct row_position position, const struct row_queued *q,
                struct str reason, uint64_t now_ms)
{
    struct row_seen s = {.state = ROW_REFUSED,
                         .position = position,
                         .facts = q->facts,
                         .outcome = OUTCOME_OUT_OF_SCOPE,
                         .ended_ms = now_ms,
                         .reason = reason};
    struct str url = frontier_queued_url(q, h->row.name, f->arena);
    enum status st;

    frontier_count_queued(f, position.priority, -1);
    f->counters.totals.refused++;
    h->row.outcomes.n[CLASS_REFUSED]++;
    h->row.url_classes.item[position.url_class].outcomes.n[CLASS_REFUSED]++;
    if ((st = frontier_queue_remove(f, h, position)) != ST_OK)
        return st;
    frontier_host_changed(f, h);
    return frontier_seen_put(f, row_seen_key(h->row.name, url), &s);
}

/* ---- later ---- */

enum status
frontier_later_add(struct frontier *f, uint64_t due_ms,
                   struct row_position position, const struct row_queued *q)
{
    struct row_key key = row_later_key(due_ms, position);

    if (due_ms < f->later_ms)
        f->later_ms = due_ms;
    row_queued_write(&f->row, q);
    return tables_put(f->tables, TABLE_LATER, row_bytes(&key),
                      buf_view(&f->row));
}

enum status
frontier_later_read(struct frontier *f, uint64_t due_ms,
                    struct row_position position, struct row_queued *q)
{
    struct row_key key = row_later_key(due_ms, position);
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_LATER, row_bytes(&key), &value);

    if (st == ST_NONE || (st == ST_OK && !row_queued_read(q, value)))
        return frontier_corrupt("later");
    return st;
}

enum status
frontier_later_remove(struct frontier *f, uint64_t due_ms,
                      struct row_position position)
{
    struct row_key key = row_later_key(due_ms, position);
    enum status st = tables_delete(f->tables, TABLE_LATER, row_bytes(&key));

    if (st == ST_NONE)
        return frontier_corrupt("later");
    return st == ST_OK ? frontier_later_peek(f) : st;
}

enum status
frontier_later_peek(struct frontier *f)
{
    struct row_position position;
    struct str key, value;
    enum status st = tables_seek(f->tables, TABLE_LATER, S(""), &key, &value);

    f->later_ms = SCHEDULER_NEVER;
    if (st == ST_OK && !row_later_position(&position, &f->later_ms, key))
        return frontier_corrupt("later");
    return st == ST_NONE ? ST_OK : st;
}

/* The first row of `later` at `from` or behind goes into the queue of its
 * host.  ST_NONE: there is none. */
static enum status
promote_from(struct frontier *f, struct str from, uint64_t now_ms)
{
    struct row_seen seen = {.state = ROW_QUEUED};
    struct row_queued q;
    struct str key, value, url;
    struct row_key at;
    struct host *h;
    uint64_t due_ms;
    enum status st = tables_seek(f->tables, TABLE_LATER, from, &key, &value);

    if (st != ST_OK)
        return st;
    arena_reset(f->scratch);
    if (!row_later_position(&seen.position, &due_ms, key) ||
        !row_queued_read(&q, arena_str(f->scratch, value)))
        return frontier_corrupt("later");
    at = row_later_key(due_ms, seen.position);
    if ((st = frontier_host(f, seen.position.host, &h)) != ST_OK ||
        (st = tables_delete(f->tables, TABLE_LATER, row_bytes(&at))) != ST_OK ||
        (st = frontier_queue_add(f, h, seen.position, &q)) != ST_OK)
        return st;
    url = frontier_queued_url(&q, h->row.name, f->scratch);
    if (frontier_deleted(f, url) != NULL) {
        f->counters.totals.deleted++;
        return frontier_refuse(f, h, seen.position, &q, S("deleted"), now_ms);
    }
    return frontier_seen_put(f, row_seen_key(h->row.name, url), &seen);
}

static enum status
promote_first(struct frontier *f, uint64_t now_ms)
{
    enum status st = promote_from(f, S(""), now_ms);

    return st == ST_NONE ? frontier_corrupt("later") : st;
}

/* What waits for longer than any back-off was written by another clock. */
static enum status
promote_ahead(struct frontier *f, uint64_t now_ms)
{
    struct row_key from = row_later_key(now_ms + FRONTIER_BACKOFF_MAX_MS + 1,
                                        (struct row_position){0});
    enum status st = ST_OK;

    for (int i = 0; i < PROMOTE_MAX && st == ST_OK; i++)
        st = promote_from(f, row_bytes(&from), now_ms);
    f->later_unchecked = st != ST_NONE;
    return st == ST_NONE ? frontier_later_peek(f) : st;
}

enum status
frontier_later_promote(struct frontier *f, uint64_t now_ms)
{
    enum status st = f->later_unchecked ? promote_ahead(f, now_ms) : ST_OK;

    for (int i = 0; i < PROMOTE_MAX && f->later_ms <= now_ms && st == ST_OK;
         i++)
        if ((st = promote_first(f, now_ms)) == ST_OK)
            st = frontier_later_peek(f);
    return st;
}
