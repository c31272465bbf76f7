/* queue.c -- rows of the queue and of what waits for a later time; each shelf
 * of a host knows how many it has and which is its best. */
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
frontier_queue_add(struct frontier *f, struct host *h, struct row_place place,
                   const struct row_queued *q)
{
    row_queued_write(&f->row, q);
    return frontier_queue_add_row(f, h, place, buf_view(&f->row));
}

enum status
frontier_queue_add_row(struct frontier *f, struct host *h,
                       struct row_place place, struct str row)
{
    struct row_key key = row_queue_key(place);
    struct shelf *s = &h->row.shelves.item[place.shelf];

    if (place.shelf >= h->row.shelves.n)
        return frontier_corrupt("hosts");
    h->row.queued++;
    if (h->coming > 0) /* it was counted when it was admitted */
        h->coming--;
    else
        count(f, h, 1);
    if (s->queued++ == 0 || place.priority > s->head_priority ||
        (place.priority == s->head_priority &&
         place.sequence < s->head_sequence)) {
        s->head_priority = place.priority;
        s->head_sequence = place.sequence;
    }
    frontier_host_changed(f, h);
    return tables_put(f->tables, TABLE_QUEUE, row_bytes(&key), row);
}

enum status
frontier_queue_read(struct frontier *f, struct row_place place,
                    struct row_queued *q)
{
    struct row_key key = row_queue_key(place);
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_QUEUE, row_bytes(&key), &value);

    if (st == ST_NONE || (st == ST_OK && !row_queued_read(q, value)))
        return frontier_corrupt("queue");
    return st;
}

static enum status
find_head(struct frontier *f, struct host *h, uint8_t shelf)
{
    struct row_key from = row_queue_shelf(h->id, shelf);
    struct shelf *s = &h->row.shelves.item[shelf];
    struct row_place place;
    struct str key, value;
    enum status st =
        tables_seek(f->tables, TABLE_QUEUE, row_bytes(&from), &key, &value);

    s->head_priority = 0;
    s->head_sequence = 0;
    if (s->queued == 0)
        return ST_OK;
    if (st == ST_OK && !row_queue_place(&place, key))
        return frontier_corrupt("queue");
    if (st == ST_NONE ||
        (st == ST_OK && (place.host != h->id || place.shelf != shelf)))
        return frontier_corrupt("queue");
    if (st == ST_OK) {
        s->head_priority = place.priority;
        s->head_sequence = place.sequence;
    }
    return st;
}

enum status
frontier_queue_remove(struct frontier *f, struct host *h,
                      struct row_place place)
{
    struct row_key key = row_queue_key(place);
    struct shelf *s = &h->row.shelves.item[place.shelf];
    enum status st;

    if (place.shelf >= h->row.shelves.n)
        return frontier_corrupt("hosts");
    st = tables_delete(f->tables, TABLE_QUEUE, row_bytes(&key));
    if (st != ST_OK)
        return st == ST_NONE ? frontier_corrupt("queue") : st;
    h->row.queued--;
    count(f, h, -1);
    s->queued--;
    if (place.sequence == s->head_sequence)
        st = find_head(f, h, place.shelf);
    frontier_host_changed(f, h);
    return st;
}

/* A queued page out of the queue and into `seen` as refused. */
enum status
frontier_refuse(struct frontier *f, struct host *h, struct row_place place,
                const struct row_queued *q, struct str reason, uint64_t now_ms)
{
    struct row_seen s = {.state = ROW_REFUSED,
                         .place = place,
                         .facts = q->facts,
                         .outcome = OUTCOME_OUT_OF_SCOPE,
                         .ended_ms = now_ms,
                         .reason = reason};
    struct str url = frontier_queued_url(q, h->row.name, f->arena);
    enum status st;

    frontier_count_queued(f, place.priority, -1);
    f->counters.totals.refused++;
    h->row.causes.n[CAUSE_REFUSED]++;
    h->row.shelves.item[place.shelf].causes.n[CAUSE_REFUSED]++;
    if ((st = frontier_queue_remove(f, h, place)) != ST_OK)
        return st;
    frontier_host_changed(f, h);
    return frontier_seen_put(f, row_seen_key(h->row.name, url), &s);
}

/* ---- later ---- */

enum status
frontier_later_add(struct frontier *f, uint64_t due_ms, struct row_place place,
                   const struct row_queued *q)
{
    struct row_key key = row_later_key(due_ms, place);

    if (due_ms < f->later_ms)
        f->later_ms = due_ms;
    row_queued_write(&f->row, q);
    return tables_put(f->tables, TABLE_LATER, row_bytes(&key),
                      buf_view(&f->row));
}

enum status
frontier_later_read(struct frontier *f, uint64_t due_ms, struct row_place place,
                    struct row_queued *q)
{
    struct row_key key = row_later_key(due_ms, place);
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_LATER, row_bytes(&key), &value);

    if (st == ST_NONE || (st == ST_OK && !row_queued_read(q, value)))
        return frontier_corrupt("later");
    return st;
}

enum status
frontier_later_remove(struct frontier *f, uint64_t due_ms,
                      struct row_place place)
{
    struct row_key key = row_later_key(due_ms, place);
    enum status st = tables_delete(f->tables, TABLE_LATER, row_bytes(&key));

    if (st == ST_NONE)
        return frontier_corrupt("later");
    return st == ST_OK ? frontier_later_peek(f) : st;
}

enum status
frontier_later_peek(struct frontier *f)
{
    struct row_place place;
    struct str key, value;
    enum status st = tables_seek(f->tables, TABLE_LATER, S(""), &key, &value);

    f->later_ms = AGENDA_NEVER;
    if (st == ST_OK && !row_later_place(&place, &f->later_ms, key))
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
    if (!row_later_place(&seen.place, &due_ms, key) ||
        !row_queued_read(&q, arena_str(f->scratch, value)))
        return frontier_corrupt("later");
    at = row_later_key(due_ms, seen.place);
    if ((st = frontier_host(f, seen.place.host, &h)) != ST_OK ||
        (st = tables_delete(f->tables, TABLE_LATER, row_bytes(&at))) != ST_OK ||
        (st = frontier_queue_add(f, h, seen.place, &q)) != ST_OK)
        return st;
    url = frontier_queued_url(&q, h->row.name, f->scratch);
    if (frontier_deleted(f, url) != NULL) {
        f->counters.totals.deleted++;
        return frontier_refuse(f, h, seen.place, &q, S("deleted"), now_ms);
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
                                        (struct row_place){0});
    enum status st = ST_OK;

    for (int i = 0; i < PROMOTE_MAX && st == ST_OK; i++)
        st = promote_from(f, row_bytes(&from), now_ms);
    f->later_ahead = st != ST_NONE;
    return st == ST_NONE ? frontier_later_peek(f) : st;
}

enum status
frontier_later_promote(struct frontier *f, uint64_t now_ms)
{
    enum status st = f->later_ahead ? promote_ahead(f, now_ms) : ST_OK;

    for (int i = 0; i < PROMOTE_MAX && f->later_ms <= now_ms && st == ST_OK;
         i++)
        if ((st = promote_first(f, now_ms)) == ST_OK)
            st = frontier_later_peek(f);
    return st;
}
