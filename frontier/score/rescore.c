/* rescore.c -- a scorer that learns changes its mind: the best URLs of hosts
 * that are looked at are scored again and count for what they deserve. */
#include "frontier/features/trap.h"
#include "frontier/store/lowered.h"
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
    return url_store_seen_put(
        sc->db, row_seen_key(sc->db->keys, h->row.name, url), &seen);
}

/* Who remembers what URLs count for is to hear of it, as of a row. */
static void
tell_intake(struct scoring *sc, const struct host *h,
            struct row_position position, const struct row_queued *q)
{
    struct row_seen seen = {.state = ROW_QUEUED, .position = position};
    struct row_seen_key key;

    arena_reset(sc->db->scratch);
    key = row_seen_key(sc->db->keys, h->row.name,
                       row_queued_url(q, h->row.name, sc->db->scratch));
    sc->db->hooks.seen(sc->db->hooks.intake, &key, &seen, false);
}

/* What a queued page deserves by now. */
static uint16_t
deserved(const struct scoring *sc, const struct host *h,
         const struct row_queued *q)
{
    struct link_signals s = scoring_signals(sc, q, h->row.name);
    uint16_t now = scorer_priority(sc->scorer->score(&s, &sc->tools));

    return sc->traps && !s.seed ? trap_priority(trap_of(q->rest, sc->year), now)
                                : now;
}

enum status
scoring_rescore(struct scoring *sc, struct host *h,
                struct row_position position, bool upwards, bool *changed)
{
    struct row_queued q;
    uint16_t now, counts;
    enum status st;

    *changed = false;
    if (position.priority == ROW_PRIORITY_ROBOTS ||
        row_is_out(&h->row, position)) /* its lease says where it is */
        return ST_OK;
    if ((st = url_store_queue_read(sc->db, position, &q)) != ST_OK ||
        q.kind != FRONTIER_PAGE) /* a sitemap is no page to be judged */
        return st;
    now = deserved(sc, h, &q);
    counts = lowered_priority(sc->db, position);
    if (now + CHANGE_LEAST > counts &&
        (!upwards || now < counts + CHANGE_LEAST ||
         counts <= ROW_PRIORITY_DEFERRED))
        return ST_OK;
    *changed = true;
    if (now <= position.priority &&
        (st = lowered_set(sc->db, position, now)) != ST_FULL) {
        if (st == ST_OK)
            tell_intake(sc, h, position, &q);
        return st;
    }
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
    if (row_is_out(&h->row, next->position))
        return ST_OK;
    st = url_store_queue_read(sc->db, next->position, &q);
    return st == ST_OK ? move(sc, h, next->position, SCORING_NEXT_PRIORITY, &q)
                       : st;
}

enum status
scoring_follow(struct scoring *sc, struct host *h, size_t url_class)
{
    const struct url_class *s = &h->row.url_classes.item[url_class];
    struct lowered_head head;
    bool changed;

    if (!sc->scorer->fresh || s->queued == 0)
        return ST_OK;
    head = lowered_head(sc->db, h->id, url_class, s);
    return scoring_rescore(sc, h, head.position, true, &changed);
}
