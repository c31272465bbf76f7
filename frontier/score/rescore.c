/* rescore.c -- a scorer that learns changes its mind: the best URLs of hosts
 * that are looked at are scored again and take the position that they deserve.
 */
#include "frontier/features/trap.h"
#include "scoring_inside.h"

#define CHANGE_LEAST 300u /* of 65534: 0.2 logit */

static enum status
move(struct scoring *sc, struct host *h, struct row_position from, uint16_t to,
     struct row_queued *q)
{
    struct row_seen seen = {.state = ROW_QUEUED, .position = from};
    struct str url;
    enum status st;

    arena_reset(sc->db->scratch);
    q->rest = arena_str(sc->db->scratch, q->rest);
    url = row_queued_url(q, h->row.name, sc->db->scratch);
    seen.position.priority = to;
    url_store_count_queued(sc->db, from.priority, -1);
    url_store_count_queued(sc->db, to, 1);
    if ((st = url_store_queue_remove(sc->db, h, from)) != ST_OK ||
        (st = url_store_queue_add(sc->db, h, seen.position, q)) != ST_OK)
        return st;
    return url_store_seen_put(sc->db, row_seen_key(h->row.name, url), &seen);
}

/* A URL was scored by an older model: does it still deserve its place?  It
 * keeps its URL class. */
enum status
scoring_rescore(struct scoring *sc, struct host *h,
                struct row_position position, bool upwards, bool *moved)
{
    struct link_signals s;
    struct row_queued q;
    uint16_t now;
    enum status st;

    *moved = false;
    if (position.priority == ROW_PRIORITY_ROBOTS)
        return ST_OK;
    if ((st = url_store_queue_read(sc->db, position, &q)) != ST_OK ||
        q.kind != FRONTIER_PAGE) /* a sitemap is no page to be judged */
        return st;
    s = scoring_signals(sc, &q, h->row.name);
    now = scorer_priority(sc->scorer->score(&s, &sc->tools));
    if (sc->traps && !s.seed)
        now = trap_priority(trap_of(q.rest, sc->year), now);
    if (now + CHANGE_LEAST > position.priority &&
        (!upwards || now < position.priority + CHANGE_LEAST ||
         position.priority <= ROW_PRIORITY_DEFERRED))
        return ST_OK;
    *moved = true;
    return move(sc, h, position, now, &q);
}

enum status
scoring_next(struct scoring *sc, struct scorer_next *next)
{
    struct row_queued q;
    struct host *h;
    enum status st = sc->scorer->next(sc->tools.state, sc->db, next);

    if (st != ST_OK || next->kind != NEXT_URL || !next->queued ||
        next->position.priority >= SCORING_NEXT_PRIORITY)
        return st;
    if ((st = url_store_host(sc->db, next->position.host, &h)) != ST_OK)
        return st;
    if (h->row.lease.out &&
        h->row.lease.position.sequence == next->position.sequence)
        return ST_OK; /* it is out */
    st = url_store_queue_read(sc->db, next->position, &q);
    return st == ST_OK ? move(sc, h, next->position, SCORING_NEXT_PRIORITY, &q)
                       : st;
}

enum status
scoring_follow(struct scoring *sc, struct host *h, size_t url_class)
{
    const struct url_class *s = &h->row.url_classes.item[url_class];
    bool moved;

    if (!sc->scorer->fresh || s->queued == 0)
        return ST_OK;
    return scoring_rescore(sc, h,
                           (struct row_position){h->id, (uint8_t)url_class,
                                                 s->head_priority,
                                                 s->head_sequence},
                           true, &moved);
}
