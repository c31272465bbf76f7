/* put.c -- links into the frontier: scored, known ones sorted out, the others
 * into the store or, when that is large, into the discovery log.
 *
 * A small store takes a page's links at once, so that the next lease may have
 * them.  From frontier.merge_from URLs on they wait to be merged in bulk
 * (pending.c); what the operator gives and the targets of redirects never
 * wait. */
#include "base/hash.h"
#include "frontier/features/trap.h"
#include "frontier/features/url_language.h"
#include "intake_inside.h"
#include "known.h"
#include "pending.h"
#include "quota.h"

#define HINT_SHARE 0.2 /* how much the sitemap's own priority decides */
#define TIE 200.0      /* ... between equals: 0.003 of score */

/* The chance that the link will be kept, for who watches. */
static double
chance(struct intake *in, const struct candidate *c, double score)
{
    struct url_class_kinds kinds = url_class_kinds(c->q.rest);
    struct host *h;

    if (scoring_scorer(in->sc)->now == NULL)
        return score;
    if (url_store_host_named(in->db, c->authority, S(""), false, &h) == ST_OK)
        return scoring_chance(
            in->sc, &h->row,
            url_class_find(&h->row.url_classes, &kinds, in->db->arena),
            scorer_priority(score));
    return scoring_chance_of_unknown(in->sc, c->authority, c->domain, score);
}

static uint16_t
priority(struct intake *in, const struct frontier_link *link,
         const struct candidate *c, size_t links_n)
{
    struct link_signals s = scoring_signals(in->sc, &c->q, c->authority);
    double x;

    s.links_n = links_n;
    x = scoring_score(in->sc, &s, link->url);
    if (scoring_is_watched(in->sc))
        scoring_tell(in->sc, link, chance(in, c, x));
    return scorer_priority(x);
}

/* What a sitemap says of a link. */
static void
read_entry(const struct frontier_link *link, const struct row_parent *parent,
           struct row_queued *q)
{
    if (link->kind == FRONTIER_SITEMAP) {
        q->kind = FRONTIER_SITEMAP;
        q->owner = parent->owner;
    } else {
        q->facts.nesting = 0;
    }
    q->facts.lastmod_ms = link->lastmod_ms;
    q->facts.has_hint = link->has_hint;
    q->facts.hint = link->hint;
}

static double
hint(const struct frontier_link *link)
{
    return link->has_hint ? (double)link->hint : 0.5;
}

static uint16_t
hinted(uint16_t priority, const struct frontier_link *link)
{
    return (uint16_t)(1 + (priority - 1) *
                              (1 - HINT_SHARE + HINT_SHARE * hint(link)));
}

static uint16_t
tie(uint16_t priority, const struct frontier_link *link)
{
    double less = TIE * (1 - hint(link));

    return (uint16_t)(priority > less + 1 ? priority - less : 1);
}

/* Of what a sitemap lists. */
static uint16_t
listed(struct intake *in, const struct frontier_link *link,
       const struct candidate *c, const struct row_parent *parent)
{
    if (scoring_scorer(in->sc)->listed && link->kind == FRONTIER_PAGE)
        return tie(priority(in, link, c, 0), link);
    return hinted(parent->priority, link);
}

/* Link number i of n.  False: it cannot be used. */
static bool
read_link(struct intake *in, const struct frontier_link *link, size_t i,
          size_t n, const struct row_parent *parent, struct candidate *c)
{
    struct row_url url;

    if (link->url.n > in->rules.url_size_max || !row_url_split(&url, link->url))
        return false;
    *c = (struct candidate){
        .key = row_seen_key(in->db->keys, url.authority, link->url),
        .authority = url.authority,
        .domain = str_sub(link->domain, 0, ROW_AUTHORITY_MAX),
        .links = 1,
        .firm = parent->facts.seed || (parent->priority != 0 &&
                                       !parent->facts.sitemap && !parent->home),
        .q = {.kind = FRONTIER_PAGE,
              .facts = parent->facts,
              .https = url.https,
              .rest = url.rest},
        .steer = scoring_scorer(in->sc)->defer &&
                 (parent->priority == 0 || parent->facts.sitemap) &&
                 !parent->facts.seed,
    };
    if (parent->facts.sitemap)
        read_entry(link, parent, &c->q);
    c->q.facts.boilerplate = link->boilerplate;
    c->q.facts.relation = link->relation;
    if (parent->priority == 0 && !parent->facts.sitemap) {
        c->q.facts.features = link_features_of(link->anchor, i, n);
        c->q.facts.features.within = link->within;
        c->q.facts.features.language =
            (uint8_t)scoring_language(in->sc, link->language, link->words);
        c->q.facts.features.path =
            link->path.n > 0 ? (uint16_t)(hash64(link->path) | 1) : 0;
        c->q.facts.features.level = parent->facts.features.level;
        c->q.facts.features.url_class = parent->facts.features.url_class;
    } else if (parent->facts.seed || parent->facts.sitemap) {
        c->q.facts.features.language =
            (uint8_t)scoring_language(in->sc, link->language, link->words);
    }
    c->priority = !parent->priority        ? priority(in, link, c, n)
                  : !parent->facts.sitemap ? parent->priority
                                           : listed(in, link, c, parent);
    if (in->rules.traps && !parent->facts.seed && c->q.kind == FRONTIER_PAGE)
        c->trap = trap_of(url.rest, in->year);
    if (parent->priority == 0 || parent->facts.sitemap)
        c->priority = trap_priority(c->trap, c->priority);
    return true;
}

/* Does the cache say that this link changes nothing? */
static bool
is_known(struct intake *in, const struct candidate *c)
{
    uint16_t known = known_get(in->known, &c->key);

    return known != KNOWN_NOT && !merge_raises(in, c->priority, known);
}

/* Of a page's new links those that are taken: frontier.page_links_max. */
static size_t
cut(struct intake *in, const struct row_parent *parent, struct candidate *c,
    size_t n, struct row_link_counts *counts)
{
    size_t dropped, left;

    if (parent->priority != 0 || parent->facts.seed)
        return n;
    left = quota_best(c, n, in->rules.page_links, &dropped);
    counts->known += n - left - dropped;
    counts->refused += dropped;
    in->db->counters.totals.links_dropped += dropped;
    return left;
}

/* Those that can be used and may change something. */
static size_t
gather(struct intake *in, const struct frontier_link *links, size_t n,
       const struct row_parent *parent, struct candidate *c,
       struct row_link_counts *counts)
{
    size_t used = 0, left = 0;

    for (size_t i = 0; i < n; i++)
        if (read_link(in, &links[i], i, n, parent, &c[used]))
            known_prefetch(in->known, &c[used++].key);
    counts->refused += n - used;
    in->db->counters.totals.links_refused += n - used;
    for (size_t i = 0; i < used; i++) {
        if (is_known(in, &c[i])) {
            counts->own += candidate_is_own(&c[i]);
            continue;
        }
        c[i].sequence = ++in->db->counters.sequence;
        if (left < i)
            c[left] = c[i];
        left++;
    }
    counts->known += used - left;
    return cut(in, parent, c, left, counts);
}

enum status
intake_put(struct intake *in, const struct frontier_link *links, size_t n,
           const struct row_parent *parent, struct row_link_counts *counts)
{
    struct candidate *c, **all;
    enum status st = ST_OK;

    if (n > 0 && !url_store_has_room(in->db) && !parent->facts.seed &&
        (parent->priority == 0 || parent->facts.sitemap))
        return ST_FULL;
    arena_reset(in->db->scratch);
    c = arena_raw(in->db->scratch, n * sizeof *c);
    n = gather(in, links, n, parent, c, counts);
    if (in->db->counters.totals.seen < in->rules.merge_from ||
        parent->priority != 0 || parent->facts.seed) {
        all = arena_raw(in->db->scratch, n * sizeof *all);
        for (size_t i = 0; i < n; i++)
            all[i] = &c[i];
        return intake_merge(in, all, n, counts);
    }
    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if (is_known(in, &c[i])) { /* by an earlier link of these */
            counts->known++;
            counts->own += candidate_is_own(&c[i]);
            continue;
        }
        counts->fresh++;
        if (candidate_is_own(&c[i])) {
            counts->own++;
            counts->own_fresh++;
        }
        known_set(in->known, &c[i].key, c[i].priority);
        st = pending_add(in->pending, &c[i]);
    }
    return st;
}
