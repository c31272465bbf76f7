/* put.c -- links into the frontier: what was never seen is queued with its
 * score, what is queued already may rise.
 *
 * A batch is sorted by key, so that the lookups and inserts of a page's links
 * walk through `seen` in order; the queue gets them in the order of the page,
 * which is the order of discovery.  Links that differ from a queued one only by
 * being found in a better place raise it when that is worth a rewrite. */
#include <stdlib.h>

#include "inside.h"
#include "winnow/hash.h"
#include "winnow/log.h"

#define RAISE_LEAST (ROW_PRIORITY_MAX / 20) /* 0.05 of score */
/* Of the priority of http://x when https://x is known, and the reverse. */
#define TWIN_DIVISOR 64

enum found { REPEATED, FRESH, RAISED };

struct candidate {
    struct row_seen_key key;
    struct row_url url;
    size_t i; /* in links */
    enum found found;
    uint16_t priority;
    struct row_place was;
};

static int
by_key(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    int c = memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes);

    if (c != 0)
        return c;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

static int
by_order(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    return (a->i > b->i) - (a->i < b->i);
}

static double
score(struct frontier *f, const struct frontier_link *link,
      const struct link_signals *s)
{
    double x = f->oracle != NULL ? f->oracle(f->oracle_self, link->url)
                                 : f->scorer->score(s, &f->random);

    if (f->scored != NULL)
        f->scored(f->scored_self, link, x);
    return x;
}

/* Those that can be used, with key and priority. */
static size_t
gather(struct frontier *f, const struct frontier_link *links, size_t n,
       const struct frontier_parent *parent, struct candidate *c)
{
    const struct row_facts *p = &parent->facts;
    struct link_signals s = {.badness = p->badness,
                             .has_badness = p->has_badness,
                             .parent = p->parent,
                             .seed = p->seed,
                             .depth = p->depth};
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        struct candidate *now = &c[used];

        if (links[i].url.n > f->rules.url_size_max ||
            !row_url_split(&now->url, links[i].url))
            continue;
        s.boilerplate = links[i].boilerplate;
        s.relation = links[i].relation;
        now->key = row_seen_key(now->url.authority, links[i].url);
        now->i = i;
        now->priority = parent->priority
                            ? parent->priority
                            : scorer_priority(score(f, &links[i], &s));
        used++;
    }
    return used;
}

/* http://x and https://x are one page nearly always: who came second waits.
 * `sequence` is the URL's own place in line. */
static enum status
defer_twin(struct frontier *f, struct candidate *c, struct str url,
           uint64_t sequence)
{
    struct row_seen twin;
    struct row_seen_key key;
    struct str other;
    enum status st;

    other = arena_printf(f->scratch, "%s%.*s", c->url.https ? "http" : "https",
                         STRF(str_sub(url, c->url.https ? 5 : 4, url.n)));
    key = row_seen_key(c->url.authority, other);
    st = frontier_seen_get(f, key, &twin);
    if (st == ST_OK &&
        (twin.state != ROW_QUEUED || twin.place.sequence < sequence))
        c->priority = (uint16_t)(1 + c->priority / TWIN_DIVISOR);
    return st == ST_NONE ? ST_OK : st;
}

/* Is this one new, or queued with a clearly lower priority? */
static enum status
look_up(struct frontier *f, struct candidate *c, struct str url, bool steer)
{
    struct row_seen seen;
    struct host *h;
    enum status st = frontier_seen_get(f, c->key, &seen);

    c->found = st == ST_NONE ? FRESH : REPEATED;
    if (st == ST_NONE)
        return steer ? defer_twin(f, c, url, UINT64_MAX) : ST_OK;
    if (st != ST_OK || seen.state != ROW_QUEUED || f->scorer->once ||
        c->priority < seen.place.priority + RAISE_LEAST)
        return st;
    if (steer && (st = defer_twin(f, c, url, seen.place.sequence)) != ST_OK)
        return st;
    if (c->priority < seen.place.priority + RAISE_LEAST)
        return ST_OK;
    if ((st = frontier_host(f, seen.place.host, &h)) != ST_OK)
        return st;
    if (h->row.lease.out && h->row.lease.place.sequence == seen.place.sequence)
        return ST_OK; /* it is being fetched */
    c->found = RAISED;
    c->was = seen.place;
    return ST_OK;
}

static enum status
queue_one(struct frontier *f, const struct frontier_link *link,
          const struct frontier_parent *parent, struct candidate *c)
{
    struct row_queued q = {.kind = FRONTIER_PAGE, .facts = parent->facts};
    struct row_seen seen = {.state = ROW_QUEUED};
    struct row_queued old;
    struct host *h;
    enum status st =
        frontier_host_named(f, c->url.authority, link->domain, true, &h);

    if (st != ST_OK)
        return st;
    q.https = c->url.https;
    q.whole = !c->url.plain;
    q.rest = c->url.plain ? c->url.rest : link->url;
    q.facts.boilerplate = link->boilerplate;
    q.facts.relation = link->relation;
    seen.place =
        (struct row_place){h->id, c->was.shelf, c->priority, c->was.sequence};
    if (c->found == RAISED) {
        if ((st = frontier_queue_read(f, c->was, &old)) != ST_OK)
            return st;
        if (old.facts.depth < q.facts.depth)
            q.facts.depth = old.facts.depth;
        q.attempts = old.attempts;
        frontier_count_queued(f, c->was.priority, -1);
        if ((st = frontier_queue_remove(f, h, c->was)) != ST_OK)
            return st;
    } else {
        f->counters.totals.seen++;
        seen.place.shelf = frontier_shelf(f, h, &c->url.rest);
        seen.place.sequence = ++f->counters.sequence;
        if (seen.place.sequence > ROW_SEQUENCE_MAX) {
            log_error("frontier", "more URLs than the store can number");
            return ST_STORE;
        }
    }
    c->was = seen.place;
    frontier_count_queued(f, c->priority, 1);
    return frontier_queue_add(f, h, seen.place, &q);
}

enum status
frontier_put(struct frontier *f, const struct frontier_link *links, size_t n,
             const struct frontier_parent *parent, struct frontier_put *counts)
{
    struct candidate *c, *next;
    size_t used;
    enum status st = ST_OK;
    bool steer =
        f->scorer->defer && parent->priority == 0 && !parent->facts.seed;

    arena_reset(f->scratch);
    c = arena_raw(f->scratch, n * sizeof *c);
    used = gather(f, links, n, parent, c);
    counts->refused += n - used;
    f->counters.totals.links_refused += n - used;
    qsort(c, used, sizeof *c, by_key);
    for (size_t i = 0; i < used && st == ST_OK; i++) {
        c[i].was = (struct row_place){0};
        c[i].found = REPEATED;
        if (i == 0 || memcmp(c[i].key.bytes, c[i - 1].key.bytes,
                             sizeof c[i].key.bytes) != 0)
            st = look_up(f, &c[i], links[c[i].i].url, steer);
    }
    qsort(c, used, sizeof *c, by_order);
    for (next = c; next < c + used && st == ST_OK; next++) {
        counts->fresh += next->found == FRESH;
        counts->known += next->found != FRESH;
        if (next->found != REPEATED)
            st = queue_one(f, &links[next->i], parent, next);
    }
    if (st != ST_OK)
        return st;
    qsort(c, used, sizeof *c, by_key);
    for (next = c; next < c + used && st == ST_OK; next++) {
        struct row_seen seen = {.state = ROW_QUEUED, .place = next->was};

        if (next->found != REPEATED)
            st = frontier_seen_put(f, next->key, &seen);
    }
    return st;
}

enum status
frontier_seed(struct frontier *f, const struct frontier_link *links, size_t n,
              uint64_t now_ms, size_t *fresh)
{
    const struct frontier_parent by_hand = {.facts = {.seed = true}};
    struct frontier_put counts = {0};
    enum status st = frontier_put(f, links, n, &by_hand, &counts);

    (void)now_ms;
    *fresh = counts.fresh;
    return st;
}
