/* intake.c -- see intake.h: opening, and its part of a transaction. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/options/opt.h"
#include "filter.h"
#include "frontier/features/trap.h"
#include "intake_inside.h"
#include "known.h"
#include "pending.h"
#include "quota.h"

static struct intake_rules
rules_of(const struct opts *o)
{
    return (struct intake_rules){
        .url_size_max = o->frontier_url_size_max,
        .merge_from = o->frontier_merge_from,
        .merge_bytes = o->frontier_merge_mib << 20,
        .merge_ms = o->frontier_merge_seconds * 1000,
        .page_links = o->frontier_page_links_max,
        .host_queue = o->frontier_host_queue_max,
        .domain_queue = o->frontier_domain_queue_max,
        .sitemap_urls =
            str_eq(o->sitemaps_use, S("off")) ? 0 : o->sitemaps_urls_max,
        .sitemap_depth = o->sitemaps_depth,
        .revisit_ms = o->recrawl_interval_seconds * 1000,
        .sync = !str_eq(o->frontier_sync, S("none")),
        .traps = o->traps_lower,
        .home_pages = o->frontier_home_pages,
    };
}

enum status
intake_open(struct intake **out, struct url_store *db, struct scoring *sc,
            const struct intake_asks *ask, const struct opts *o)
{
    struct intake *in = memory_need(calloc(1, sizeof *in));

    in->db = db;
    in->sc = sc;
    in->ask = *ask;
    in->rules = rules_of(o);
    if (scoring_scorer(sc)->next != NULL) { /* a walk along links */
        in->rules.merge_from = UINT64_MAX;  /* one may be next at once */
        in->rules.home_pages = false;
    }
    in->year = trap_year(db->now_ms);
    in->known = known_new(db->reader ? 0 : o->frontier_cache_mib << 20);
    if (!db->reader && (in->rules.domain_queue > 0 || in->rules.home_pages))
        in->domains = domains_new();
    db->hooks.intake = in;
    db->hooks.seen = intake_seen;
    db->hooks.queued = intake_queued;
    *out = in;
    return ST_OK;
}

void
intake_close(struct intake *in)
{
    if (in == NULL)
        return;
    pending_close(in->pending);
    bloom_close(in->filter);
    bloom_close(in->filling);
    known_free(in->known);
    domains_free(in->domains);
    free(in);
}

enum status
intake_load(struct intake *in)
{
    pending_close(in->pending);
    in->pending = NULL;
    return pending_open(&in->pending, in->db->dir, in);
}

bool
intake_is_loaded(const struct intake *in)
{
    return in->pending != NULL;
}

/* ---- transactions ---- */

enum status
intake_begin(struct intake *in)
{
    return intake_filter_begin(in);
}

enum status
intake_write(struct intake *in)
{
    return pending_commit(in->pending);
}

void
intake_committed(struct intake *in)
{
    if (!in->db->reader)
        pending_committed(in->pending);
    known_commit(in->known);
}

void
intake_abort(struct intake *in)
{
    pending_abort(in->pending);
    known_abort(in->known);
}

/* ---- links that wait ---- */

uint64_t
intake_waiting(const struct intake *in)
{
    return in->pending != NULL ? pending_n(in->pending) : 0;
}

enum status
intake_each(struct intake *in,
            enum status (*take)(void *self, const struct candidate *c),
            void *self)
{
    return pending_each(in->pending, take, self);
}

enum status
intake_wait(struct intake *in, const struct candidate *c)
{
    return pending_add(in->pending, c);
}

enum status
intake_merge_due(struct intake *in)
{
    return in->slice.leases ? ST_OK : pending_merge(in->pending, 0);
}

bool
intake_wanted(struct intake *in, bool starved)
{
    return pending_wanted(in->pending, starved);
}

enum status
intake_feed(struct intake *in)
{
    return pending_feed(in->pending);
}

enum status
intake_maintain(struct intake *in)
{
    return pending_maintain(in->pending);
}

uint64_t
intake_due(const struct intake *in, uint64_t now_ms)
{
    return pending_due(in->pending, now_ms);
}

bool
intake_behind(const struct intake *in)
{
    return pending_behind(in->pending);
}

/* ---- slices ---- */

void
intake_set_slice(struct intake *in, uint64_t ms, size_t rows, bool leases)
{
    in->slice = (struct intake_slice){0};
    if (ms > 0)
        in->slice = (struct intake_slice){
            .until_ms = clock_steady_ms() + ms, .rows = rows, .leases = leases};
}

/* ---- for people, and for checks ---- */

struct intake_limits
intake_limits(const struct intake *in)
{
    return (struct intake_limits){in->rules.url_size_max, in->rules.host_queue};
}

bool
intake_has_filter(const struct intake *in)
{
    return in->filter != NULL;
}

bool
intake_filter_lacks(const struct intake *in, const struct row_seen_key *key)
{
    return !bloom_has(in->filter, filter_key(key));
}
