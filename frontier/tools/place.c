/* place.c -- the place of a queued URL, as numbers and as text. */
#include "base/clock.h"
#include "frontier/features/trap.h"
#include "frontier/parts.h"
#include "frontier_tools.h"

enum status
frontier_place(struct frontier *f, struct str url, struct frontier_place *out,
               struct buf *why)
{
    struct row_url parts;
    struct row_seen s;
    struct row_queued q;
    struct host *h;
    enum status st;

    *out = (struct frontier_place){0};
    if (!row_url_split(&parts, url))
        return ST_NONE;
    st = url_store_seen_get(
        f->db, row_seen_key(f->db->keys, parts.authority, url), &s);
    if (st != ST_OK)
        return st;
    if (s.state != ROW_QUEUED)
        return ST_NONE;
    if ((st = url_store_host_named(f->db, parts.authority, S(""), false, &h)) !=
            ST_OK ||
        (st = url_store_queue_read(f->db, s.position, &q)) != ST_OK)
        return st;
    out->priority = scorer_score(scoring_effective(
        f->sc, &h->row, s.position.url_class, s.position.priority));
    if (schedule_settings(f->sched).traps && q.kind == FRONTIER_PAGE &&
        !q.facts.seed)
        out->trap = trap_of(parts.rest, trap_year(clock_wall_ms()));
    if (why != NULL)
        scoring_explain(f->sc, &h->row, s.position.url_class, &q, why);
    return ST_OK;
}
