/* later.c -- what waits for a later time, and its way back into the queue. */
#include "schedule_inside.h"

#define PROMOTE_MAX 10000 /* rows of `later` moved by one call */

enum status
schedule_later_add(struct schedule *sched, uint64_t due_ms,
                   struct row_position position, const struct row_queued *q)
{
    struct row_key key = row_later_key(due_ms, position);

    if (due_ms < sched->later_ms)
        sched->later_ms = due_ms;
    row_queued_write(&sched->db->row, q);
    return tables_put(sched->db->tables, TABLE_LATER, row_bytes(&key),
                      buf_view(&sched->db->row));
}

enum status
schedule_later_remove(struct schedule *sched, uint64_t due_ms,
                      struct row_position position)
{
    struct row_key key = row_later_key(due_ms, position);
    enum status st =
        tables_delete(sched->db->tables, TABLE_LATER, row_bytes(&key));

    if (st == ST_NONE)
        return url_store_corrupt("later");
    return st == ST_OK ? schedule_later_peek(sched) : st;
}

enum status
schedule_later_peek(struct schedule *sched)
{
    struct row_position position;
    struct str key, value;
    enum status st =
        tables_seek(sched->db->tables, TABLE_LATER, S(""), &key, &value);

    sched->later_ms = SCHEDULER_NEVER;
    if (st == ST_OK && !row_later_position(&position, &sched->later_ms, key))
        return url_store_corrupt("later");
    return st == ST_NONE ? ST_OK : st;
}

/* The first row of `later` at `from` or behind goes into the queue of its
 * host.  ST_NONE: there is none. */
static enum status
promote_from(struct schedule *sched, struct str from)
{
    struct row_seen seen = {.state = ROW_QUEUED};
    struct row_queued q;
    struct str key, value, url;
    struct row_key at;
    struct host *h;
    uint64_t due_ms;
    enum status st =
        tables_seek(sched->db->tables, TABLE_LATER, from, &key, &value);

    if (st != ST_OK)
        return st;
    arena_reset(sched->db->scratch);
    if (!row_later_position(&seen.position, &due_ms, key) ||
        !row_queued_read(&q, arena_str(sched->db->scratch, value)))
        return url_store_corrupt("later");
    at = row_later_key(due_ms, seen.position);
    if ((st = url_store_host(sched->db, seen.position.host, &h)) != ST_OK ||
        (st = tables_delete(sched->db->tables, TABLE_LATER, row_bytes(&at))) !=
            ST_OK ||
        (st = url_store_queue_add(sched->db, h, seen.position, &q)) != ST_OK)
        return st;
    url = row_queued_url(&q, h->row.name, sched->db->scratch);
    return url_store_seen_put(
        sched->db, row_seen_key(sched->db->keys, h->row.name, url), &seen);
}

static enum status
promote_first(struct schedule *sched)
{
    enum status st = promote_from(sched, S(""));

    return st == ST_NONE ? url_store_corrupt("later") : st;
}

/* What waits for longer than any back-off was written by another clock. */
static enum status
promote_ahead(struct schedule *sched, uint64_t now_ms)
{
    struct row_key from = row_later_key(now_ms + SCHEDULE_BACKOFF_MAX_MS + 1,
                                        (struct row_position){0});
    enum status st = ST_OK;

    for (int i = 0; i < PROMOTE_MAX && st == ST_OK; i++)
        st = promote_from(sched, row_bytes(&from));
    sched->later_unchecked = st != ST_NONE;
    return st == ST_NONE ? schedule_later_peek(sched) : st;
}

enum status
schedule_later_promote(struct schedule *sched, uint64_t now_ms)
{
    enum status st =
        sched->later_unchecked ? promote_ahead(sched, now_ms) : ST_OK;

    for (int i = 0; i < PROMOTE_MAX && sched->later_ms <= now_ms && st == ST_OK;
         i++)
        if ((st = promote_first(sched)) == ST_OK)
            st = schedule_later_peek(sched);
    return st;
}
