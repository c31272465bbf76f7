/* merge.c -- see merge.h.  Everything happens in the order of some table's
 * keys: look-ups and `seen` by URL (a host's URLs are neighbours there), the
 * queue by host; so each page of the store is read and written once, however
 * many links a batch has.
 *
 * Links that differ from a queued one only by being found in a better place
 * raise it when that is worth a rewrite. */
#include "merge.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "filter.h"
#include "frontier/features/trap.h"
#include "frontier/store/lowered.h"
#include "home_pages.h"
#include "known.h"
#include "quota.h"

#define PREFETCH 8u /* so far ahead memory of cache and filter is asked for */

static int
by_position(const void *x, const void *y)
{
    const struct row_position *a = &(*(struct candidate *const *)x)->was,
                              *b = &(*(struct candidate *const *)y)->was;

    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    if (a->url_class != b->url_class)
        return a->url_class < b->url_class ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* ---- what is known of them ---- */

struct merge_batch {
    struct intake *in;
    struct candidate **c;
    size_t from, to; /* those of the present host */
};

static enum status
get(struct intake *in, struct row_seen_key key, struct row_seen *seen)
{
    if (in->filter != NULL && !bloom_has(in->filter, filter_key(&key)))
        return ST_NONE;
    return url_store_seen_get(in->db, key, seen);
}

/* Is the twin among the candidates, and an earlier one? */
static bool
earlier_beside(const struct merge_batch *b, const struct candidate *c)
{
    const struct row_seen_key *twin = &c->twin;
    size_t from = b->from, to = b->to;

    while (from < to) {
        size_t i = from + (to - from) / 2;
        int way = memcmp(b->c[i]->key.bytes, twin->bytes, sizeof twin->bytes);

        if (way == 0)
            return b->c[i]->sequence < c->sequence;
        if (way < 0)
            from = i + 1;
        else
            to = i;
    }
    return false;
}

/* http://x and https://x are one page nearly always: who came second waits.
 * `sequence` is the URL's own place in line. */
static enum status
defer_twin(const struct merge_batch *b, struct candidate *c, uint64_t sequence)
{
    struct row_seen twin;
    enum status st = get(b->in, c->twin, &twin);

    if ((st == ST_OK &&
         (twin.state != ROW_QUEUED || twin.position.sequence < sequence)) ||
        (st == ST_NONE && earlier_beside(b, c)))
        c->priority = (uint16_t)(1 + c->priority / ROW_TWIN_PART);
    return st == ST_NONE ? ST_OK : st;
}

/* What an operator has said of URLs like this new one: not wanted, or not now.
 */
static void
obey(struct intake *in, struct candidate *c)
{
    struct str url;

    c->found = FRESH;
    c->held = false;
    if (!in->ask.has_url_rules(in->ask.self))
        return;
    url = row_queued_url(&c->q, c->authority, in->db->scratch);
    if (in->ask.is_deleted(in->ask.self, url)) {
        in->db->counters.totals.links_refused++;
        c->found = REPEATED;
    } else {
        c->held = in->ask.is_held(in->ask.self, url);
    }
}

/* Is this one new, or queued with a clearly lower priority? */
static enum status
look_up(const struct merge_batch *b, struct candidate *c)
{
    struct intake *in = b->in;
    struct row_seen seen;
    uint16_t counts;
    enum status st = get(in, c->key, &seen);

    c->found = REPEATED;
    if (st == ST_NONE) {
        obey(in, c);
        return c->steer && c->found == FRESH ? defer_twin(b, c, c->sequence)
                                             : ST_OK;
    }
    if (st != ST_OK || seen.state != ROW_QUEUED)
        return st;
    counts = lowered_priority(in->db, seen.position);
    if (!merge_raises(in, c->priority, counts))
        return ST_OK;
    if (c->steer && (st = defer_twin(b, c, seen.position.sequence)) != ST_OK)
        return st;
    if (!merge_raises(in, c->priority, counts))
        return ST_OK;
    if ((st = url_store_host(in->db, seen.position.host, &c->host)) != ST_OK)
        return st;
    if (row_is_out(&c->host->row, seen.position))
        return ST_OK; /* it is being fetched */
    c->found = RAISED;
    c->was = seen.position;
    return ST_OK;
}

/* The memory that look_up() is going to need. */
static void
prefetch(const struct intake *in, const struct candidate *c)
{
    if (in->filter == NULL)
        return;
    bloom_prefetch(in->filter, filter_key(&c->key));
    if (c->steer)
        bloom_prefetch(in->filter, filter_key(&c->twin));
}

static enum status
look_up_all(struct merge_batch *b, size_t n)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < n && i < PREFETCH; i++)
        prefetch(b->in, b->c[i]);
    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if (i == b->to)
            for (b->from = i;
                 b->to < n && candidate_same_host(b->c[i], b->c[b->to]);)
                b->to++;
        if (i + PREFETCH < n)
            prefetch(b->in, b->c[i + PREFETCH]);
        st = look_up(b, b->c[i]);
    }
    return st;
}

/* ---- into the tables ---- */

/* New URLs get their host, or there is no room for them. */
static enum status
admit(struct intake *in, struct candidate **c, size_t n,
      struct row_link_counts *counts)
{
    size_t dropped = 0;
    enum status st = ST_OK;

    for (size_t i = 0, to; i < n && st == ST_OK; i = to) {
        for (to = i + 1; to < n && candidate_same_host(c[i], c[to]);)
            to++;
        st = quota_admit(in, c + i, to - i, &dropped);
    }
    counts->refused += dropped;
    return st;
}

/* Its place in the queue. */
static enum status
find_position(struct intake *in, struct candidate *c)
{
    if (c->sequence > ROW_SEQUENCE_MAX) {
        log_error("frontier", "more URLs than the store can number");
        return ST_STORE;
    }
    c->was =
        (struct row_position){c->host->id,
                              (uint8_t)url_class_find(&c->host->row.url_classes,
                                                      &c->kinds, in->db->arena),
                              c->priority, c->sequence};
    return ST_OK;
}

/* Counted; said at the first one of a kind, then at every power of ten. */
static void
note_trap(struct intake *in, const struct candidate *c)
{
    enum trap t = c->trap;
    uint64_t n;

    if (t == TRAP_NONE)
        return;
    n = ++in->db->counters.totals.traps[t];
    while (n % 10 == 0)
        n /= 10;
    if (n == 1)
        log_info("frontier",
                 "trap=%s urls=%llu host=%.*s rest=%.*s %s: goes "
                 "to the back",
                 trap_name(t),
                 (unsigned long long)in->db->counters.totals.traps[t],
                 STRF(c->authority), STRF(c->q.rest), trap_meaning(t));
}

/* A page of the same host has led to it. */
static void
note_opened(const struct candidate *c)
{
    struct row_host *h = &c->host->row;
    const struct row_facts *p = &c->q.facts;

    if (p->parent_host != c->host->id || p->sitemap ||
        p->features.url_class >= h->url_classes.n)
        return;
    h->url_classes.item[p->features.url_class].outcomes.n[CLASS_OPENED]++;
    h->outcomes.n[CLASS_OPENED]++;
}

static enum status
enqueue_held(struct intake *in, const struct candidate *c)
{
    if (c->row.n > 0)
        return url_store_held_add(in->db, c->host, c->was, c->row);
    row_queued_write(&in->db->row, &c->q);
    return url_store_held_add(in->db, c->host, c->was, buf_view(&in->db->row));
}

static enum status
enqueue(struct intake *in, struct candidate *c)
{
    struct row_queued old;
    enum status st;

    if (c->found == FRESH) {
        in->db->counters.totals.seen++;
        note_opened(c);
        note_trap(in, c);
        if (c->held) {
            url_store_coming(in->db, c->host, -1);
            return enqueue_held(in, c);
        }
    } else {
        struct row_position was = c->was;

        if ((st = url_store_queue_read(in->db, was, &old)) != ST_OK)
            return st;
        if (old.facts.depth < c->q.facts.depth)
            c->q.facts.depth = old.facts.depth;
        c->q.attempts = old.attempts;
        c->q.kind = old.kind;
        c->q.owner = old.owner;
        if (c->q.facts.lastmod_ms == 0)
            c->q.facts.lastmod_ms = old.facts.lastmod_ms;
        if (old.kind == FRONTIER_SITEMAP)
            c->q.facts = old.facts;
        url_store_count_queued(in->db, was.priority, -1);
        if ((st = url_store_queue_remove(in->db, c->host, was)) != ST_OK)
            return st;
        c->was.priority = c->priority;
        c->row = S("");
    }
    url_store_count_queued(in->db, c->priority, 1);
    return c->row.n > 0
               ? url_store_queue_add_row(in->db, c->host, c->was, c->row)
               : url_store_queue_add(in->db, c->host, c->was, &c->q);
}

static enum status
note_seen(struct intake *in, const struct candidate *c)
{
    struct row_seen seen = {.state = ROW_QUEUED, .position = c->was};

    seen.position.priority = c->priority;
    if (c->found == RAISED)
        return url_store_seen_put(in->db, c->key, &seen);
    if (c->held)
        seen.state = ROW_HELD;
    return url_store_seen_add(in->db, c->key, &seen);
}

/* They are no links of the page that is merged. */
static enum status
merge_home_pages(struct intake *in, struct home_pages *homes)
{
    struct row_link_counts own = {0};
    enum status st = intake_merge_sorted(in, homes->c, homes->n, &own);

    in->db->counters.totals.home_pages += own.fresh;
    return st;
}

enum status
intake_merge_sorted(struct intake *in, struct candidate **c, size_t n,
                    struct row_link_counts *counts)
{
    struct merge_batch b = {.in = in, .c = c};
    struct home_pages homes = {0};
    size_t changed = 0, fresh = 0;
    enum status st = look_up_all(&b, n);

    if (st == ST_OK)
        st = admit(in, c, n, counts);
    if (st == ST_OK && in->rules.home_pages)
        home_pages_of(&homes, in, c, n);
    for (size_t i = 0; i < n && st == ST_OK; i++) {
        if (candidate_is_own(c[i])) {
            counts->own++;
            counts->own_fresh += c[i]->found == FRESH;
        }
        if (c[i]->found == REPEATED)
            continue;
        if (c[i]->found == FRESH)
            st = find_position(in, c[i]);
        fresh += c[i]->found == FRESH;
        c[changed++] = c[i];
    }
    if (st != ST_OK)
        return st;
    counts->fresh += fresh;
    counts->known += n - fresh;
    for (size_t i = 0; i < changed && st == ST_OK; i++) {
        if (i + PREFETCH < changed) {
            known_prefetch(in->known, &c[i + PREFETCH]->key);
            if (in->filter != NULL)
                bloom_prefetch(in->filter, filter_key(&c[i + PREFETCH]->key));
        }
        st = note_seen(in, c[i]);
    }
    qsort(c, changed, sizeof *c, by_position);
    for (size_t i = 0; i < changed && st == ST_OK; i++)
        st = enqueue(in, c[i]);
    return st == ST_OK && homes.n > 0 ? merge_home_pages(in, &homes) : st;
}

enum status
intake_merge(struct intake *in, struct candidate **c, size_t n,
             struct row_link_counts *counts)
{
    struct buf room = {0};
    size_t left;

    candidate_sort(c, n);
    left = candidate_join(c, n);
    for (size_t i = 0; i < left; i++)
        candidate_prepare(c[i], in->db->keys, &room);
    buf_free(&room);
    counts->known += n - left;
    return intake_merge_sorted(in, c, left, counts);
}
