/* lease_describe.c -- a host's lease as its crawler is told of it. */
#include "base/hash.h"
#include "frontier/store/lowered.h"
#include "schedule_inside.h"

struct str
schedule_rules_url(struct arena *a, enum frontier_kind kind,
                   struct str authority, bool https)
{
    return arena_printf(
        a, "%s://%.*s%s", https ? "https" : "http", STRF(authority),
        kind == FRONTIER_TDMREP ? "/.well-known/tdmrep.json" : "/robots.txt");
}

/* What a conditional request needs, if the page was fetched before. */
static enum status
describe_revisit(struct schedule *sched, const struct host *h, struct arena *a,
                 struct frontier_lease *out)
{
    struct row_revisit v;
    enum status st = url_store_revisit_get(
        sched->db, row_seen_key(sched->db->keys, h->row.name, out->url), &v);

    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    out->revisit = v.times;
    out->etag = arena_str(a, v.etag);
    out->last_modified = arena_str(a, v.last_modified);
    return ST_OK;
}

/* Its own robots.txt or tdmrep.json. */
static void
describe_rules(const struct host *h, struct arena *a,
               struct frontier_lease *out)
{
    const struct row_lease *l = &h->row.lease;

    out->url = schedule_rules_url(a, l->kind, h->row.name, false);
    if (hash64(out->url) != l->url_hash)
        out->url = schedule_rules_url(a, l->kind, h->row.name, true);
    if (l->kind == FRONTIER_TDMREP)
        out->robots_version = h->row.robots.version;
    out->owner = out->authority;
    out->score = 1;
}

/* What stands in its row of the queue. */
static void
describe_queued(struct schedule *sched, const struct host *h,
                const struct row_queued *q, struct arena *a,
                struct frontier_lease *out)
{
    const struct row_lease *l = &h->row.lease;

    out->url = row_queued_url(q, h->row.name, a);
    out->score =
        frontier_is_rules(l->kind)
            ? 1
            : (float)scoring_chance(sched->sc, &h->row, l->position.url_class,
                                    lowered_priority(sched->db, l->position));
    out->explored = l->explored;
    out->home_page = q->facts.features.path == LINK_PATH_HOME;
    out->depth = q->facts.depth;
    out->redirects = q->facts.redirects;
    out->attempts = q->attempts;
    out->parent_badness = q->facts.badness;
    out->boilerplate = q->facts.boilerplate;
    out->lastmod_ms = q->facts.lastmod_ms;
}

/* Strings are in `a`; `q` is its row of the queue (NULL: to be read). */
enum status
schedule_describe(struct schedule *sched, const struct host *h,
                  const struct row_queued *q, struct arena *a,
                  struct frontier_lease *out)
{
    const struct row_lease *l = &h->row.lease;
    struct row_queued read;
    struct host *owner;
    enum status st;

    *out = (struct frontier_lease){.kind = l->kind,
                                   .call = l->call,
                                   .authority = arena_str(a, h->row.name),
                                   .address_known =
                                       sched->rules.address_delay_ms == 0 ||
                                       h->row.address != ADDRESS_UNKNOWN};
    if (l->position.sequence == 0) {
        describe_rules(h, a, out);
        return ST_OK;
    }
    if (q == NULL) {
        if ((st = url_store_queue_read(sched->db, l->position, &read)) != ST_OK)
            return st;
        q = &read;
    }
    describe_queued(sched, h, q, a, out);
    if (l->kind != FRONTIER_PAGE) {
        if ((st = url_store_host(sched->db, l->owner, &owner)) != ST_OK)
            return st;
        out->owner = arena_str(a, owner->row.name);
    }
    if (frontier_is_rules(l->kind))
        return ST_OK;
    if (sched->rules.robots)
        out->robots_version = h->row.robots.version;
    return describe_revisit(sched, h, a, out);
}
