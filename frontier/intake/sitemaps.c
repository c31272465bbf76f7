/* sitemaps.c -- sitemaps and what they list, as links into the frontier.
 *
 * A robots.txt names sitemaps of its host (its owner here); a sitemap that is
 * an index names further ones.  Each is a row in the queue of the host it lies
 * on, of kind SITEMAP, fetched politely like a page, but no page of the yield
 * ratio.
 *
 * Who may speak for whom (sitemaps.org, "Sitemaps & Cross Submits"): a sitemap
 * lists URLs of the host it lies on and of the host whose robots.txt names it,
 * and of either with or without www.; an index lists sitemaps under the
 * registered domains of the two.  The rest is refused, counted and told.
 *
 * Scorer learned judges a listed URL as it does any link, without a linking
 * page; the sitemap's own priority only decides between equals.  With the
 * others it is as good as pages of its host have been so far, shrunk towards
 * PRIOR while little is known, and a little more or less by the sitemap's own
 * priority; a link on a good page is worth more.  Scorers that judge by links
 * alone (bfs, random) see a link from the first page of the host.
 *
 * With recrawl.interval_seconds a sitemap is read again as often as it changes,
 * and a page that it says has changed since it was fetched is due when it may
 * be (revisit.c).
 *
 * Bounds: sitemaps.depth indexes inside each other, sitemaps.urls_max URLs a
 * host, ever. */
#include "base/log.h"
#include "intake_inside.h"

#define PRIOR 0.4        /* share of kept pages expected of a new host */
#define PRIOR_WEIGHT 4.0 /* ... as if so many pages had said so */

/* The share of a host's judged pages that were kept. */
static double
yield(const struct row_host *h)
{
    double kept = h->outcomes.n[CLASS_KEPT];
    double all = (double)outcomes_pages(&h->outcomes);

    return (kept + PRIOR * PRIOR_WEIGHT) / (all + PRIOR_WEIGHT);
}

static struct row_parent
parent_of(const struct intake *in, const struct host *owner, uint32_t host)
{
    struct row_parent p = {.owner = owner->id};

    p.facts.sitemap = true;
    p.facts.depth = 1;
    p.facts.parent_host = host;
    if (scoring_scorer(in->sc)->defer)
        p.priority =
            (uint16_t)(1 + yield(&owner->row) * (ROW_PRIORITY_MAX - 1));
    return p;
}

static enum status
queue(struct intake *in, struct host *owner, struct host *lies_on,
      const struct frontier_link *links, size_t n, uint32_t depth,
      struct row_link_counts *counts)
{
    struct row_parent p = parent_of(in, owner, lies_on->id);

    p.facts.nesting = depth;
    return n == 0 ? ST_OK : intake_put(in, links, n, &p, counts);
}

/* Those that its robots.txt names; `owner` has just got it. */
enum status
intake_sitemaps_named(struct intake *in, struct host *owner,
                      const struct frontier_link *links, size_t n)
{
    struct row_link_counts counts = {0};
    struct frontier_link *good =
        ARENA_ARRAY(in->db->arena, struct frontier_link, n);
    size_t good_n = 0;

    for (size_t i = 0; i < n && in->rules.sitemap_urls > 0; i++)
        if (links[i].kind == FRONTIER_SITEMAP)
            good[good_n++] = links[i];
    return queue(in, owner, owner, good, good_n, 0, &counts);
}

/* One robots.txt is often served by a.nl and by www.a.nl, and its sitemap lists
 * those of one of them: whichever of the two names it first. */
static bool
same_site(struct str a, struct str b)
{
    const struct str www = STR("www.");

    if (str_starts(a, www))
        a = str_sub(a, www.n, a.n);
    if (str_starts(b, www))
        b = str_sub(b, www.n, b.n);
    return str_eq(a, b);
}

static bool
may_list(const struct frontier_link *link, const struct host *owner,
         const struct host *lies_on)
{
    struct row_url url;

    if (link->kind == FRONTIER_SITEMAP)
        return str_eq(link->domain, owner->row.domain) ||
               str_eq(link->domain, lies_on->row.domain);
    return row_url_split(&url, link->url) &&
           (same_site(url.authority, owner->row.name) ||
            same_site(url.authority, lies_on->row.name));
}

/* A page may have changed since it was fetched. */
static enum status
note_change(struct intake *in, const struct frontier_link *link,
            uint64_t now_ms)
{
    struct row_url url;

    if (in->rules.revisit_ms == 0 || link->lastmod_ms == 0 ||
        !row_url_split(&url, link->url))
        return ST_OK;
    return in->ask.listed(in->ask.self,
                          row_seen_key(in->db->keys, url.authority, link->url),
                          link->lastmod_ms, now_ms);
}

/* The depth that the sitemap's own row has; 0 when it is gone. */
static enum status
depth_of(struct intake *in, struct row_url url, struct str sitemap,
         uint32_t *depth)
{
    struct row_queued q;
    struct row_seen s;
    enum status st = url_store_seen_get(
        in->db, row_seen_key(in->db->keys, url.authority, sitemap), &s);

    *depth = 0;
    if (st != ST_OK || s.state != ROW_QUEUED)
        return st == ST_NONE ? ST_OK : st;
    if ((st = url_store_queue_read(in->db, s.position, &q)) == ST_OK)
        *depth = q.facts.nesting;
    return st;
}

struct sitemap { /* one that is being read */
    struct host *owner, *lies_on;
    uint32_t depth;
};

/* Those of the links that may come in, into good[n]. */
static enum status
choose(struct intake *in, const struct sitemap *m,
       const struct frontier_link *links, size_t n, uint64_t now_ms,
       struct frontier_link *good, size_t *good_n)
{
    uint64_t left = in->rules.sitemap_urls;
    enum status st = ST_OK;

    left -=
        m->owner->row.sitemap_urls < left ? m->owner->row.sitemap_urls : left;
    *good_n = 0;
    for (size_t i = 0; i < n && st == ST_OK; i++) {
        bool index = links[i].kind == FRONTIER_SITEMAP;

        if (!may_list(&links[i], m->owner, m->lies_on))
            continue;
        st = index ? ST_OK : note_change(in, &links[i], now_ms);
        if (*good_n < left &&
            (!index || m->depth + 1 <= in->rules.sitemap_depth))
            good[(*good_n)++] = links[i];
    }
    return st;
}

/* So many more of its owner's URLs are known.  True: they are enough. */
static bool
count(struct intake *in, const struct sitemap *m, size_t fresh)
{
    struct row_host *owner = &m->owner->row;
    bool full;

    owner->sitemap_urls += fresh;
    url_store_host_changed(in->db, m->owner);
    full = owner->sitemap_urls >= in->rules.sitemap_urls;
    if (full && fresh > 0)
        log_info("frontier",
                 "host=%.*s its sitemaps have given sitemaps.urls_max=%llu "
                 "URLs, no more are taken from them",
                 STRF(owner->name), (unsigned long long)in->rules.sitemap_urls);
    return full && in->rules.revisit_ms == 0; /* else their dates count */
}

enum status
intake_sitemap_put(struct intake *in, struct str sitemap, struct str owner,
                   const struct frontier_link *links, size_t n, uint64_t now_ms,
                   struct row_link_counts *counts, bool *enough)
{
    struct frontier_link *good =
        ARENA_ARRAY(in->db->arena, struct frontier_link, n);
    struct row_link_counts put = {0};
    struct sitemap m;
    struct row_url url;
    size_t good_n;
    enum status st;

    *counts = (struct row_link_counts){0};
    *enough = true;
    links = intake_spelled(in, links, n);
    owner = intake_spelled_authority(in, owner);
    if (!row_url_split(&url, sitemap))
        return ST_OK;
    if ((st = url_store_host_named(in->db, owner, S(""), false, &m.owner)) !=
            ST_OK ||
        (st = url_store_host_named(in->db, url.authority, S(""), false,
                                   &m.lies_on)) != ST_OK ||
        (st = depth_of(in, url, sitemap, &m.depth)) != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    if ((st = choose(in, &m, links, n, now_ms, good, &good_n)) != ST_OK)
        return st;
    in->db->counters.totals.links_refused += n - good_n;
    if (good_n < n && m.owner->row.sitemap_urls < in->rules.sitemap_urls)
        log_info("frontier",
                 "sitemap=%.*s of=%.*s refused=%zu of %zu: of other hosts, or "
                 "deeper than sitemaps.depth",
                 STRF(sitemap), STRF(owner), n - good_n, n);
    st = queue(in, m.owner, m.lies_on, good, good_n, m.depth + 1, &put);
    counts->fresh = put.fresh;
    counts->known = put.known;
    counts->refused = n - good_n + put.refused;
    *enough = count(in, &m, put.fresh);
    return st;
}
