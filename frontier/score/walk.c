/* walk.c -- scorer `walk`: a random walk with jumps, as texrex's ClaraX makes
 * one to sample the pages of a web.
 *
 * A step goes to any link of the page before that was not tried from there yet,
 * each with the same chance, or, with the chance frontier.walk_jump, to a seed
 * that was not used yet (when all were: to any).  From a page without a link
 * left the walk goes to a seed, back to the page before, or nowhere
 * (frontier.walk_dead_end).  A page that is no document is a step that failed:
 * the walk stays where it was and tries another link.  It ends after
 * frontier.walk_steps steps, or when MET_AGAIN_MAX steps in a row have met
 * nothing that was not met before.
 *
 * A page may be met again, as often as chance will; what it said the first time
 * counts, so it is fetched once, or once more when frontier.walk_cache others
 * were fetched since (texrex's CacheSize).  Steps further back then go on with
 * the links that it has now.  There is one walk, however many transfers and
 * crawlers a job allows: one URL can be leased at a time, its target.
 *
 * The walk is durable as everything else here is: rows of `meta`, written in
 * the transaction that hands out the target (walk_rows.h).  Chance is counted
 * (draws), so a walk that is interrupted goes on as it would have without.
 */
#include "walk.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/opt.h"
#include "walk_rows.h"

#define TRIES_MAX 500u       /* in one call */
#define MET_AGAIN_MAX 10000u /* steps in a row */
#define HOPS_MAX 20u         /* of redirects */

enum dead_end { DEAD_END_JUMP, DEAD_END_BACK, DEAD_END_STOP };

struct walk {
    double jump;
    enum dead_end dead_end;
    uint64_t steps_max, seed; /* seed: of chance */
    uint64_t cache;           /* so many documents back is remembered */

    uint64_t depth, steps; /* steps: with those it went back from */
    uint64_t draws, met_again, hops;
    uint64_t seeds_n, unused_n;
    bool over;
    struct buf target; /* the URL it goes to; empty: none yet */
    uint64_t fetched;  /* documents */
    uint64_t since;    /* ... when the target was chosen */
    bool anew;         /* the target was known and is fetched again */
    bool changed;
    struct buf row;
};

enum status
walk_open(void **state, const struct opts *o)
{
    struct walk *w = memory_need(calloc(1, sizeof *w));

    w->seed = o->frontier_random_seed;
    w->jump = o->frontier_walk_jump;
    w->steps_max = o->frontier_walk_steps;
    w->cache = o->frontier_walk_cache;
    w->dead_end =
        str_eq(o->frontier_walk_dead_end, S("backtrack")) ? DEAD_END_BACK
        : str_eq(o->frontier_walk_dead_end, S("stop"))    ? DEAD_END_STOP
                                                          : DEAD_END_JUMP;
    *state = w;
    return ST_OK;
}

void
walk_close(void *state)
{
    struct walk *w = state;

    if (w == NULL)
        return;
    buf_free(&w->target);
    buf_free(&w->row);
    free(w);
}

/* ---- its state ---- */

enum status
walk_load(void *state, struct url_store *db)
{
    struct walk *w = state;
    struct str value = S("");
    struct unpack u;
    enum status st = tables_get(db->tables, TABLE_META, S("walk:"), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    u = (struct unpack){.left = value};
    if (st == ST_NONE)
        u.left = S("\0\0\0\0\0\0\0\0\0\0\0\0");
    w->depth = unpack_number(&u);
    w->steps = unpack_number(&u);
    w->draws = unpack_number(&u);
    w->met_again = unpack_number(&u);
    w->hops = unpack_number(&u);
    w->seeds_n = unpack_number(&u);
    w->unused_n = unpack_number(&u);
    w->over = unpack_number(&u) != 0;
    buf_clear(&w->target);
    buf_str(&w->target, unpack_text(&u));
    if (u.left.n == 0) /* a walk of an older version */
        u.left = S("\0\0\0");
    w->fetched = unpack_number(&u);
    w->since = unpack_number(&u);
    w->anew = unpack_number(&u) != 0;
    w->changed = false;
    return u.bad ? url_store_corrupt("meta") : ST_OK;
}

enum status
walk_save(void *state, struct url_store *db)
{
    struct walk *w = state;
    struct buf *b = &w->row;

    if (!w->changed)
        return ST_OK;
    buf_clear(b);
    pack_number(b, w->depth);
    pack_number(b, w->steps);
    pack_number(b, w->draws);
    pack_number(b, w->met_again);
    pack_number(b, w->hops);
    pack_number(b, w->seeds_n);
    pack_number(b, w->unused_n);
    pack_number(b, w->over);
    pack_text(b, buf_view(&w->target));
    pack_number(b, w->fetched);
    pack_number(b, w->since);
    pack_number(b, w->anew);
    w->changed = false;
    return tables_put(db->tables, TABLE_META, S("walk:"), buf_view(b));
}

/* ---- chance ---- */

static uint64_t
draw(struct walk *w)
{
    w->changed = true;
    return hash_mix(hash_mix(w->seed) + ++w->draws);
}

static bool
jumps(struct walk *w)
{
    return (double)(draw(w) >> 11) / 9007199254740992.0 < w->jump;
}

/* ---- seeds ---- */

enum status
walk_seeded(void *state, struct url_store *db, struct str url)
{
    struct walk *w = state;
    struct str known;
    uint64_t hash = hash64(url);
    enum status st = walk_row_get(db, 'h', hash, &known);

    if (st != ST_NONE)
        return st;
    buf_clear(&w->row);
    pack_number(&w->row, w->seeds_n);
    if ((st = walk_row_put(db, 'h', hash, buf_view(&w->row))) != ST_OK ||
        (st = walk_row_put(db, 'u', w->unused_n, buf_view(&w->row))) != ST_OK ||
        (st = walk_row_put(db, 'd', w->seeds_n, url)) != ST_OK)
        return st;
    w->seeds_n++;
    w->unused_n++;
    w->changed = true;
    return ST_OK;
}

/* The seed that is number n of those not used yet. */
static enum status
unused(struct url_store *db, uint64_t n, uint64_t *seed)
{
    struct str value;
    struct unpack u;
    enum status st = walk_row_get(db, 'u', n, &value);

    *seed = n;
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    u = (struct unpack){.left = value};
    *seed = unpack_number(&u);
    return ST_OK;
}

static enum status
use_all_again(struct walk *w, struct url_store *db)
{
    enum status st = ST_OK;

    for (uint64_t n = 0; n < w->seeds_n && st == ST_OK; n++)
        st = walk_row_drop(db, 'u', n);
    w->unused_n = w->seeds_n;
    return st;
}

static void
finish(struct walk *w, const char *why)
{
    w->over = w->changed = true;
    log_info("walk", "steps=%llu pages_on_the_stack=%llu over=\"%s\"",
             (unsigned long long)w->steps, (unsigned long long)w->depth, why);
}

static enum status
to_seed(struct walk *w, struct url_store *db)
{
    uint64_t n, seed, last;
    struct str url;
    enum status st = ST_OK;

    if (w->unused_n == 0)
        st = use_all_again(w, db);
    if (st != ST_OK || w->unused_n == 0) {
        if (st == ST_OK)
            finish(w, "there are no seeds");
        return st;
    }
    n = draw(w) % w->unused_n;
    if ((st = unused(db, n, &seed)) != ST_OK ||
        (st = unused(db, w->unused_n - 1, &last)) != ST_OK)
        return st;
    buf_clear(&w->row);
    pack_number(&w->row, last);
    if ((st = walk_row_put(db, 'u', n, buf_view(&w->row))) != ST_OK ||
        (st = walk_row_get(db, 'd', seed, &url)) != ST_OK)
        return st == ST_NONE ? url_store_corrupt("meta") : st;
    w->unused_n--;
    buf_clear(&w->target);
    buf_str(&w->target, url);
    return ST_OK;
}

/* ---- pages ---- */

static bool
is_document(enum verdict v)
{
    enum outcome_class class = verdict_teaches(v);

    return class == CLASS_KEPT || class == CLASS_EXACT || class == CLASS_NEAR;
}

enum status
walk_ended(void *state, struct url_store *db, const struct frontier_done *d)
{
    struct walk *w = state;
    bool redirect = d->outcome == OUTCOME_REDIRECT && d->links_n > 0;

    if (d->kind == FRONTIER_PAGE && d->outcome == OUTCOME_UNCHANGED) {
        w->changed = true;
        return walk_page_touch(db, &w->row, hash64(d->url), w->fetched++);
    }
    if (d->kind != FRONTIER_PAGE ||
        (!redirect &&
         (d->outcome != OUTCOME_FETCHED || !is_document(d->verdict))))
        return ST_OK;
    w->changed = true;
    w->fetched += !redirect;
    return walk_page_put(db, &w->row, redirect, w->fetched - 1, d);
}

/* ---- steps ---- */

/* The target is a document: the walk is there. */
static enum status
arrive(struct walk *w, struct url_store *db, const struct walk_page *p)
{
    struct walk_step s = {.page = hash64(p->url),
                          .epoch = db->now_ms / 1000,
                          .left_n = p->links_n};

    s.left = ARENA_ARRAY(db->arena, uint32_t, s.left_n);
    for (uint64_t i = 0; i < s.left_n; i++)
        s.left[i] = (uint32_t)i;
    w->steps++;
    return walk_step_put(db, &w->row, w->depth++, &s);
}

/* From a page without a link left. */
static enum status
from_dead_end(struct walk *w, struct url_store *db)
{
    switch (w->dead_end) {
    case DEAD_END_JUMP: return to_seed(w, db);
    case DEAD_END_BACK: return walk_row_drop(db, 's', --w->depth);
    case DEAD_END_STOP: finish(w, "a dead end"); break;
    }
    return ST_OK;
}

/* Where to now?  Afterwards there may be no target: ask again. */
static enum status
choose(struct walk *w, struct url_store *db)
{
    struct walk_page p;
    struct walk_step s;
    uint64_t n;
    enum status st;

    w->changed = true;
    w->hops = 0;
    w->since = w->fetched;
    if (w->steps_max > 0 && w->depth >= w->steps_max) {
        finish(w, "frontier.walk_steps");
        return ST_OK;
    }
    if (w->depth == 0 && w->steps > 0 && w->dead_end == DEAD_END_BACK) {
        finish(w, "back before the first page");
        return ST_OK;
    }
    if (w->depth == 0 || jumps(w))
        return to_seed(w, db);
    if ((st = walk_step_get(db, w->depth - 1, &s)) != ST_OK)
        return st;
    if (s.left_n == 0)
        return from_dead_end(w, db);
    if ((st = walk_page_get(db, s.page, &p)) != ST_OK)
        return st == ST_NONE ? url_store_corrupt("meta") : st;
    n = draw(w) % s.left_n;
    buf_clear(&w->target);
    buf_str(&w->target, walk_page_link(&p, s.left[n]));
    s.left[n] = s.left[--s.left_n];
    return walk_step_put(db, &w->row, w->depth - 1, &s);
}

static enum status
go_on(struct scorer_next *next, const struct row_seen *seen)
{
    next->kind = NEXT_URL;
    next->position = seen->position;
    next->queued = seen->state == ROW_QUEUED;
    return ST_OK;
}

/* Was it fetched for this step, or not long ago? */
static bool
is_remembered(const struct walk *w, const struct walk_page *p)
{
    return p->number >= w->since || w->fetched - p->number <= w->cache;
}

/* Where a redirect leads: there it goes. */
static enum status
hop(struct walk *w, const struct walk_page *p)
{
    w->anew = false;
    buf_clear(&w->target);
    buf_str(&w->target, walk_page_link(p, 0));
    return ST_OK;
}

/* The target has ended; *p: as what.  Is the walk there? */
static enum status
met(struct walk *w, struct url_store *db, struct row_seen_key key,
    struct row_seen *seen, const struct walk_page *p, struct scorer_next *next)
{
    struct str url = arena_str(db->arena, buf_view(&w->target));
    struct row_queued q = {.kind = FRONTIER_PAGE};
    enum status st;

    if (seen->state != ROW_DONE || p->redirect)
        return ST_OK;
    if (is_remembered(w, p))
        return arrive(w, db, p);
    if (w->anew) /* and is no document any more */
        return ST_OK;
    w->anew = true;
    st = url_store_queue_again(db, key, url, &q, seen);
    return st == ST_OK ? go_on(next, seen) : st;
}

/* What has become of the target?  It stays one while it waits or is out. */
static enum status
look(struct walk *w, struct url_store *db, struct scorer_next *next)
{
    struct str url = arena_str(db->arena, buf_view(&w->target));
    struct row_url parts;
    struct row_seen_key key = {{0}};
    struct row_seen seen = {.state = ROW_QUEUED};
    struct walk_page p;
    enum status st = ST_NONE;

    if (row_url_split(&parts, url)) {
        key = row_seen_key(db->keys, parts.authority, url);
        st = url_store_seen_get(db, key, &seen);
    }
    if (st == ST_OK && !row_has_ended(seen.state))
        return go_on(next, &seen);
    w->changed = true;
    if (st == ST_OK && (st = walk_page_get(db, hash64(url), &p)) == ST_OK) {
        if (p.redirect && ++w->hops < HOPS_MAX)
            return hop(w, &p);
        st = met(w, db, key, &seen, &p, next);
    }
    if (st == ST_OK && next->kind == NEXT_URL) /* once more */
        return ST_OK;
    w->anew = false;
    buf_clear(&w->target);
    return st == ST_NONE ? ST_OK : st; /* a step that failed */
}

enum status
walk_next(void *state, struct url_store *db, struct scorer_next *next)
{
    struct walk *w = state;
    bool fetched = w->target.n > 0; /* that was waited for */
    enum status st = ST_OK;

    next->kind = NEXT_LATER;
    for (unsigned i = 0; i < TRIES_MAX && st == ST_OK; i++) {
        uint64_t steps = w->steps;

        if (w->over) {
            next->kind = NEXT_NOTHING;
            break;
        }
        if (w->target.n == 0) {
            fetched = false;
            st = choose(w, db);
            continue;
        }
        if ((st = look(w, db, next)) != ST_OK || next->kind == NEXT_URL)
            break;
        if (fetched || w->target.n > 0)
            w->met_again = 0;
        else if (w->steps > steps && ++w->met_again >= MET_AGAIN_MAX)
            finish(w, "nothing new was met for 10,000 steps");
    }
    return st;
}

/* ---- for people ---- */

enum status
walk_print(const void *state, struct url_store *db, struct buf *out)
{
    const struct walk *w = state;
    enum status st = ST_OK;

    for (uint64_t n = w->depth; n-- > 0 && st == ST_OK;) {
        struct walk_step s = {0};
        struct walk_page p = {.url = STR("")};
        struct row_url parts = {0};

        arena_reset(db->arena);
        if ((st = walk_step_get(db, n, &s)) != ST_OK ||
            (st = walk_page_get(db, s.page, &p)) != ST_OK)
            break;
        (void)row_url_split(&parts, p.url);
        buf_printf(out, "%.*s\t%.*s\t%.*s\t%llu\t%llu\n", STRF(p.url),
                   STRF(p.id), STRF(parts.authority),
                   (unsigned long long)s.epoch, (unsigned long long)p.links_n);
    }
    return st;
}

/* All alike: whose turn it is, walk_next() says. */
double
walk_score(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return s->seed ? 0.5 : 0.25;
}
