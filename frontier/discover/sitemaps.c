/* sitemaps.c -- sitemaps and what they list, as links into the frontier.
 *
 * A robots.txt names sitemaps of its host (its owner here); a sitemap that is
 * an index names further ones.  Each is a row in the queue of the host it lies
 * on, of kind SITEMAP, fetched politely and once like a page, but no page of
 * the yield ratio.
 *
 * Who may speak for whom (sitemaps.org, "Sitemaps & Cross Submits"): a sitemap
 * lists URLs of the host it lies on and of the host whose robots.txt names it;
 * an index lists sitemaps under the registered domains of the two.  The rest is
 * refused and counted.
 *
 * A listed URL is as good as pages of its host have been so far, shrunk towards
 * PRIOR while little is known, and a little more or less by the sitemap's own
 * priority; a link on a good page is worth more.  Scorers that judge by links
 * alone (bfs, random) see a link from the first page of the host.
 *
 * Bounds: sitemaps.depth indexes inside each other, sitemaps.urls_max URLs a
 * host, ever. */
#include "frontier/inside.h"
#include "winnow/log.h"

#define PRIOR 0.4        /* share of kept pages expected of a new host */
#define PRIOR_WEIGHT 4.0 /* ... as if so many pages had said so */
#define HINT_SHARE 0.2   /* how much the sitemap's own priority decides */

/* The share of a host's judged pages that were kept. */
static double
yield(const struct row_host *h)
{
    double kept = h->causes.n[CAUSE_KEPT];
    double all = (double)causes_pages(&h->causes);

    return (kept + PRIOR * PRIOR_WEIGHT) / (all + PRIOR_WEIGHT);
}

uint16_t
frontier_hinted(uint16_t priority, const struct frontier_link *link)
{
    double hint = link->has_hint ? (double)link->hint : 0.5;

    return (uint16_t)(1 +
                      (priority - 1) * (1 - HINT_SHARE + HINT_SHARE * hint));
}

static struct frontier_parent
parent_of(const struct frontier *f, const struct host *owner, uint32_t host)
{
    struct frontier_parent p = {.owner = owner->id};

    p.facts.sitemap = true;
    p.facts.depth = 1;
    p.facts.parent_host = host;
    if (f->scorer->defer)
        p.priority =
            (uint16_t)(1 + yield(&owner->row) * (ROW_PRIORITY_MAX - 1));
    return p;
}

static enum status
queue(struct frontier *f, struct host *owner, struct host *lies_on,
      const struct frontier_link *links, size_t n, uint32_t depth,
      struct frontier_put *counts)
{
    struct frontier_parent p = parent_of(f, owner, lies_on->id);

    p.facts.redirects = depth;
    return n == 0 ? ST_OK : frontier_put(f, links, n, &p, counts);
}

/* Those that its robots.txt names; `owner` has just got it. */
enum status
frontier_sitemaps_named(struct frontier *f, struct host *owner,
                        const struct frontier_link *links, size_t n)
{
    struct frontier_put counts = {0};
    struct frontier_link *good = ARENA_ARRAY(f->arena, struct frontier_link, n);
    size_t good_n = 0;

    for (size_t i = 0; i < n && f->rules.sitemap_urls > 0; i++)
        if (links[i].kind == FRONTIER_SITEMAP)
            good[good_n++] = links[i];
    return queue(f, owner, owner, good, good_n, 0, &counts);
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
           (str_eq(url.authority, owner->row.name) ||
            str_eq(url.authority, lies_on->row.name));
}

/* The depth that the sitemap's own row has; 0 when it is gone. */
static enum status
depth_of(struct frontier *f, struct row_url url, struct str sitemap,
         uint32_t *depth)
{
    struct row_queued q;
    struct row_seen s;
    enum status st =
        frontier_seen_get(f, row_seen_key(url.authority, sitemap), &s);

    *depth = 0;
    if (st != ST_OK || s.state != ROW_QUEUED)
        return st == ST_NONE ? ST_OK : st;
    if ((st = frontier_queue_read(f, s.place, &q)) == ST_OK)
        *depth = q.facts.redirects;
    return st;
}

enum status
frontier_sitemap_put(struct frontier *f, struct str sitemap, struct str owner,
                     const struct frontier_link *links, size_t n,
                     uint64_t now_ms, struct frontier_put_counts *counts,
                     bool *enough)
{
    struct frontier_link *good = ARENA_ARRAY(f->arena, struct frontier_link, n);
    struct frontier_put put = {0};
    struct host *of, *on;
    struct row_url url;
    uint32_t depth;
    size_t good_n = 0;
    enum status st;

    (void)now_ms;
    *counts = (struct frontier_put_counts){0};
    *enough = true;
    if (!row_url_split(&url, sitemap))
        return ST_OK;
    if ((st = frontier_host_named(f, owner, S(""), false, &of)) != ST_OK ||
        (st = frontier_host_named(f, url.authority, S(""), false, &on)) !=
            ST_OK ||
        (st = depth_of(f, url, sitemap, &depth)) != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    for (size_t i = 0; i < n; i++) {
        bool index = links[i].kind == FRONTIER_SITEMAP;

        if (of->row.sitemap_urls + good_n < f->rules.sitemap_urls &&
            may_list(&links[i], of, on) &&
            (!index || depth + 1 <= f->rules.sitemap_depth))
            good[good_n++] = links[i];
    }
    counts->refused = n - good_n;
    f->counters.totals.links_refused += n - good_n;
    st = queue(f, of, on, good, good_n, depth + 1, &put);
    counts->fresh = put.fresh;
    counts->known = put.known;
    counts->refused += put.refused;
    of->row.sitemap_urls += put.fresh;
    frontier_host_changed(f, of);
    *enough = of->row.sitemap_urls >= f->rules.sitemap_urls;
    if (*enough)
        log_info("frontier",
                 "host=%.*s its sitemaps have given sitemaps.urls_max=%llu "
                 "URLs, no more are taken from them",
                 STRF(of->row.name), (unsigned long long)f->rules.sitemap_urls);
    return st;
}
