/* robots.c -- what came of fetching a robots.txt (RFC 9309), or a tdmrep.json.
 *
 * The frontier does not read the rules: it keeps the body with a version, says
 * when it must be fetched, and holds a host back while nobody knows them:
 *   2.3.1.1 it was fetched: kept until robots_ttl_seconds have passed;
 *   2.3.1.2 redirects are followed, five at most, then all is allowed.  A hop
 * is a row in the queue of the authority it leads to, before all pages, so it
 * is polite there and survives a crash; its owner waits; 2.3.1.3 unavailable
 * (4xx): the crawler reports an empty body; 2.3.1.4 unreachable: nothing is
 * allowed; asked again after a back-off. A robots.txt that was refused before
 * anybody was asked (an unknown name, an address out of bounds) does not hold
 * the pages back: they meet the same end, and then it is written down for each
 * of them.  Where a redirect led there, they would not: that one is
 * unreachable, also when it led to a host that the crawler leaves out
 * (scope.exclude).  Of such a host itself nothing is allowed for a minute:
 * another crawler may ask it, or the same one with another list, and has to
 * read its rules first.
 *
 * With politeness.tdmrep a robots.txt that is known is followed by
 * /.well-known/tdmrep.json, which also has redirects and waits its turn.  What
 * the crawler has read there is put before the text of the robots.txt, so that
 * both have one version and end together.  A host that has none, or keeps
 * failing, says nothing. */
#include "base/log.h"
#include "schedule_inside.h"

#define LEFT_OUT_MS 60000u
#define NOTHING_ALLOWED "User-agent: *\nDisallow: /\n"

static enum status
store_body(struct schedule *sched, uint32_t id, struct str body)
{
    struct row_key key = row_host_key(id);
    enum status st;

    if (body.n > 0)
        return tables_put(sched->db->tables, TABLE_ROBOTS, row_bytes(&key),
                          body);
    st = tables_delete(sched->db->tables, TABLE_ROBOTS, row_bytes(&key));
    return st == ST_NONE ? ST_OK : st;
}

static enum status
known(struct schedule *sched, struct host *owner,
      const struct frontier_robots *r, uint64_t now_ms)
{
    struct str body = str_sub(r->body, 0, SCHEDULE_ROBOTS_SIZE_MAX);
    struct row_host *h = &owner->row;

    h->robots.version = frontier_robots_version(body);
    h->robots.tdmrep = sched->rules.tdmrep;
    h->robots.fetched_ms = now_ms;
    h->robots.expiry_ms = now_ms + sched->rules.robots_ttl_ms;
    h->robots.status = r->status;
    h->robots.crawl_delay_ms = r->crawl_delay_ms;
    h->robots.unreachable = 0;
    h->robots.retry_ms = 0;
    sched->db->counters.totals.robots++;
    /* The new delay holds from the request that brought it. */
    if (r->crawl_delay_ms > 0 && h->next_contact_ms > 0) {
        uint64_t next = now_ms + schedule_delay(sched, h);

        if (next > h->next_contact_ms)
            h->next_contact_ms = next;
    }
    return store_body(sched, owner->id, body);
}

/* What a tdmrep.json says, before the text that is there. */
static enum status
known_tdmrep(struct schedule *sched, struct host *owner, struct str said)
{
    struct row_key key = row_host_key(owner->id);
    struct row_host *h = &owner->row;
    struct buf all = {.arena = sched->db->arena};
    struct str body = S("");
    enum status st;

    h->robots.tdmrep = false;
    h->robots.unreachable = 0;
    h->robots.retry_ms = 0;
    if (said.n == 0)
        return ST_OK;
    st = tables_get(sched->db->tables, TABLE_ROBOTS, row_bytes(&key), &body);
    if (st != ST_OK && st != ST_NONE)
        return st;
    buf_str(&all, str_sub(said, 0, SCHEDULE_TDMREP_SIZE_MAX));
    buf_str(&all, body);
    h->robots.version = frontier_robots_version(buf_view(&all));
    return store_body(sched, owner->id, buf_view(&all));
}

static void
unreachable(struct schedule *sched, struct host *owner,
            const struct frontier_done *d, uint64_t now_ms)
{
    struct row_host *h = &owner->row;
    uint64_t wait =
        schedule_backoff(sched, sched->rules.retry_ms, h->robots.unreachable);

    if (wait < d->retry_after_ms)
        wait = d->retry_after_ms;
    if (wait > SCHEDULE_BACKOFF_MAX_MS)
        wait = SCHEDULE_BACKOFF_MAX_MS;
    if (h->robots.unreachable < UINT32_MAX)
        h->robots.unreachable++;
    h->robots.retry_ms = now_ms + wait;
    if (d->kind == FRONTIER_TDMREP)
        return; /* robots.txt is known all the same */
    h->robots.expiry_ms = 0;
    h->robots.status = d->robots.status;
    h->robots.fetched_ms = now_ms;
}

static enum status
nothing_said(struct schedule *sched, struct host *owner,
             enum frontier_kind kind, uint64_t now_ms)
{
    const struct frontier_robots allow = {0};

    return kind == FRONTIER_TDMREP ? known_tdmrep(sched, owner, S(""))
                                   : known(sched, owner, &allow, now_ms);
}

/* Its crawler refuses the pages before it looks at the rules. */
static enum status
left_out(struct schedule *sched, struct host *owner, enum frontier_kind kind,
         uint64_t now_ms)
{
    const struct frontier_robots none = {.body = S(NOTHING_ALLOWED)};
    struct row_host *h = &owner->row;
    enum status st = kind == FRONTIER_TDMREP
                         ? known_tdmrep(sched, owner, S(""))
                         : known(sched, owner, &none, now_ms);

    h->robots.tdmrep = false;
    if (h->robots.expiry_ms > now_ms + LEFT_OUT_MS)
        h->robots.expiry_ms = now_ms + LEFT_OUT_MS;
    return st;
}

/* The next hop goes before everything into its authority's queue. */
static enum status
follow(struct schedule *sched, struct host *owner,
       const struct frontier_done *d, uint32_t hops, uint64_t now_ms)
{
    struct row_queued q = {.kind = d->kind, .owner = owner->id};
    struct row_url url;
    struct host *target;
    enum status st;

    if (hops >= SCHEDULE_ROBOTS_HOPS_MAX || d->links_n == 0 ||
        d->links[0].url.n > sched->rules.url_size_max ||
        !row_url_split(&url, d->links[0].url))
        return nothing_said(sched, owner, d->kind, now_ms);
    st = url_store_host_named(sched->db, url.authority, d->links[0].domain,
                              true, &target);
    if (st != ST_OK)
        return st;
    q.https = url.https;
    q.rest = url.rest;
    q.facts.redirects = hops + 1;
    owner->row.robots.pending = true;
    return url_store_queue_add(
        sched->db, target,
        (struct row_position){
            target->id, url_store_url_class(sched->db, target, NULL),
            ROW_PRIORITY_ROBOTS, ++sched->db->counters.sequence},
        &q);
}

static enum status
settle_tdmrep(struct schedule *sched, struct host *owner,
              const struct frontier_done *d, uint32_t hops, uint64_t now_ms)
{
    if (d->outcome == OUTCOME_REDIRECT)
        return follow(sched, owner, d, hops, now_ms);
    if (d->outcome == OUTCOME_ROBOTS_DONE && !d->robots.unreachable)
        return known_tdmrep(sched, owner, d->robots.body);
    if ((d->outcome != OUTCOME_RETRY && d->outcome != OUTCOME_ROBOTS_DONE) ||
        owner->row.robots.unreachable >= sched->rules.retries)
        return known_tdmrep(sched, owner, S(""));
    unreachable(sched, owner, d, now_ms);
    return ST_OK;
}

static enum status
settle(struct schedule *sched, struct host *owner,
       const struct frontier_done *d, uint32_t hops, uint64_t now_ms,
       struct schedule_found *found)
{
    if (d->verdict == VERDICT_OUT_OF_SCOPE && !d->contacted && hops == 0)
        return left_out(sched, owner, d->kind, now_ms);
    if (d->kind == FRONTIER_TDMREP)
        return settle_tdmrep(sched, owner, d, hops, now_ms);
    switch (d->outcome) {
    case OUTCOME_ROBOTS_DONE:
        if (!d->robots.unreachable) {
            enum status st = known(sched, owner, &d->robots, now_ms);

            if (st == ST_OK) { /* it may name sitemaps */
                found->by = SCHEDULE_ROBOTS;
                found->host = owner;
                found->links = d->links;
                found->links_n = d->links_n;
            }
            return st;
        }
        break;
    case OUTCOME_REDIRECT: return follow(sched, owner, d, hops, now_ms);
    case OUTCOME_RETRY: break;
    default:
        if (!d->contacted && hops == 0)
            return nothing_said(sched, owner, d->kind, now_ms);
    }
    unreachable(sched, owner, d, now_ms);
    return ST_OK;
}

/* Too late, but an answer: taken when nobody knows better. */
static enum status
late(struct schedule *sched, struct host *h, const struct frontier_done *d,
     uint64_t now_ms, struct schedule_found *found)
{
    struct row_url url;

    if (d->kind != FRONTIER_ROBOTS || d->outcome != OUTCOME_ROBOTS_DONE ||
        d->robots.unreachable || h->row.robots.pending ||
        schedule_needs(sched, &h->row, now_ms) != FRONTIER_ROBOTS ||
        !row_url_split(&url, d->url) || !str_eq(url.rest, S("/robots.txt")))
        return ST_OK;
    return settle(sched, h, d, 0, now_ms, found);
}

enum status
schedule_robots_done(struct schedule *sched, struct host *h,
                     const struct frontier_done *d, uint64_t now_ms,
                     struct schedule_found *found)
{
    const struct row_lease l = h->row.lease;
    struct host *owner = h;
    struct row_queued q = {0};
    enum status st = ST_OK;

    if (!schedule_answers(d, &l))
        return late(sched, h, d, now_ms, found);
    schedule_lease_ended(sched, h);
    if (d->outcome == OUTCOME_RETURNED)
        return ST_OK;
    if (l.position.sequence != 0) {
        if ((st = url_store_queue_read(sched->db, l.position, &q)) != ST_OK ||
            (st = url_store_queue_remove(sched->db, h, l.position)) != ST_OK ||
            (st = url_store_host(sched->db, l.owner, &owner)) != ST_OK)
            return st;
        owner->row.robots.pending = false;
    }
    if (d->outcome == OUTCOME_RETRY || d->robots.unreachable)
        log_info("frontier", "host=%.*s %s unreachable reason=%s tries=%u",
                 STRF(owner->row.name),
                 d->kind == FRONTIER_TDMREP ? "tdmrep.json" : "robots.txt",
                 verdict_name(d->verdict), owner->row.robots.unreachable + 1);
    st = settle(sched, owner, d, q.facts.redirects, now_ms, found);
    url_store_host_changed(sched->db, owner);
    return st;
}

enum status
schedule_robots(struct schedule *sched, struct str authority, struct arena *a,
                struct frontier_robots *out, uint64_t *version)
{
    struct row_key key;
    struct host *h;
    struct str body;
    enum status st =
        url_store_host_named(sched->db, authority, S(""), false, &h);

    *out = (struct frontier_robots){0};
    *version = 0;
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    *version = h->row.robots.version;
    out->status = h->row.robots.status;
    out->unreachable = h->row.robots.unreachable > 0;
    out->crawl_delay_ms = h->row.robots.crawl_delay_ms;
    key = row_host_key(h->id);
    st = tables_get(sched->db->tables, TABLE_ROBOTS, row_bytes(&key), &body);
    if (st == ST_OK)
        out->body = arena_str(a, body);
    return st == ST_NONE ? ST_OK : st;
}
