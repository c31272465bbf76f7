/* sim.c -- see sim.h: clock and slots, and opening and closing the stores.
 *
 * One transaction of frontier and index spans COMMIT_EVERY fetches: nothing
 * must survive a crash here, and both stores lie in a temporary folder.
 * Threads: several runs may go on at once over one web. */
#include "sim_inside.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawler/scratch/scratch.h"
#include "web_about.h"

#include <math.h>
#include <stdlib.h>

enum { COMMIT_EVERY = 256, MAP_GIB = 16 };

/* ---- a fetch begins ---- */

/* A home page that the frontier has added may be out of scope, which of links
 * is settled before it hears of them. */
static bool
admitted(const struct sim *s, uint32_t page)
{
    return s->setup->admitted == NULL || s->setup->admitted[page];
}

/* Does the record say what is there?  Of a host it knows no page of, it knows
 * no robots.txt either. */
static bool
recorded(const struct sim *s, const struct flight *f, bool robots)
{
    return robots ? f->host != INTERN_NONE && s->recorded[f->host]
                  : f->page != WEB_NONE && s->web->page[f->page].known &&
                        admitted(s, f->page);
}

/* What cannot be reached costs nothing: it ends at once. */
static enum status
end_at_once(struct sim *s, const struct flight *f)
{
    s->since_commit++;
    return sim_finish(s, f);
}

/* Take the lease: it is on its way, or ended (and reported). */
static enum status
start(struct sim *s, const struct frontier_lease *lease)
{
    size_t at = (s->flight_at + s->flights_n) % s->flights_max;
    struct flight *f = &s->flight[at];
    bool robots = lease->kind == FRONTIER_ROBOTS;
    struct str host = robots ? lease->owner : lease->authority;

    f->lease = *lease;
    f->fault = VERDICT_NONE;
    buf_clear(&f->url);
    buf_str(&f->url, lease->url);
    f->page = robots ? WEB_NONE : intern_find(&s->web->urls, lease->url);
    f->host = intern_find(&s->web->hosts, host);
    f->end_ms = s->now_ms;
    f->recorded = recorded(s, f, robots);
    if (!f->recorded)
        return end_at_once(s, f);
    if (!robots && !sim_robots_allow(s, f)) {
        f->fault = VERDICT_DISALLOWED;
        return end_at_once(s, f);
    }
    f->end_ms += s->setup->fetch_ms;
    if (s->setup->rate > 0)
        s->slot_ms =
            fmax(s->slot_ms, (double)s->now_ms) + 1000 / s->setup->rate;
    s->flights_n++;
    return ST_OK;
}

/* ---- time goes on ---- */

static enum status
commit(struct sim *s, bool begin)
{
    enum status st;

    s->since_commit = 0;
    if ((st = frontier_commit(s->frontier)) != ST_OK ||
        (st = index_commit(s->index)) != ST_OK || !begin)
        return st;
    st = frontier_begin(s->frontier);
    return st == ST_OK ? index_begin(s->index) : st;
}

/* Report the fetches that have ended by now. */
static enum status
land(struct sim *s)
{
    enum status st = ST_OK;

    while (s->flights_n > 0 && s->flight[s->flight_at].end_ms <= s->now_ms &&
           st == ST_OK) {
        st = sim_finish(s, &s->flight[s->flight_at]);
        s->flight_at = (s->flight_at + 1) % s->flights_max;
        s->flights_n--;
        s->idle_ms = s->now_ms;
        s->since_commit++;
    }
    return st == ST_OK && s->since_commit >= COMMIT_EVERY ? commit(s, true)
                                                          : st;
}

/* Go on to `at_ms`, or to the end of the next fetch. */
static void
wait_until(struct sim *s, uint64_t at_ms)
{
    uint64_t end =
        s->flights_n > 0 ? s->flight[s->flight_at].end_ms : UINT64_MAX;

    s->now_ms = at_ms < end ? at_ms : end;
}

/* May another fetch start now?  Else time has moved. */
static bool
has_slot(struct sim *s)
{
    uint64_t pages = s->setup->pages_max;

    if (s->flights_n == s->flights_max ||
        (pages > 0 && s->run->fetches_n + s->flights_n >= pages)) {
        wait_until(s, UINT64_MAX);
        return false;
    }
    if (s->setup->rate > 0 && s->slot_ms > (double)s->now_ms) {
        wait_until(s, (uint64_t)ceil(s->slot_ms));
        return false;
    }
    return true;
}

/* Nothing is due: wait as the frontier says.  True: as long as a crawl waits
 * at most (limits.wait_seconds), and nothing is under way. */
static bool
idle(struct sim *s, uint64_t wake_ms)
{
    uint64_t most = s->setup->opts->limits_wait_seconds * 1000;

    if (s->flights_n == 0 &&
        (wake_ms == 0 || s->now_ms - s->idle_ms + wake_ms > most))
        return true;
    wait_until(s, wake_ms == 0 ? UINT64_MAX : s->now_ms + wake_ms);
    return false;
}

static enum status
crawl(struct sim *s)
{
    struct frontier_lease *lease;
    uint64_t wake_ms;
    size_t n;
    enum status st;

    for (;;) {
        arena_reset(s->arena);
        if ((st = land(s)) != ST_OK)
            return st;
        if (s->setup->pages_max > 0 && s->run->fetches_n >= s->setup->pages_max)
            return ST_OK;
        if (!has_slot(s))
            continue;
        st = frontier_lease(s->frontier, SIM_CRAWLER, 0, 1, s->now_ms, s->arena,
                            &lease, &n, &wake_ms);
        if (st == ST_OK && n > 0)
            st = start(s, lease);
        if (st != ST_OK)
            return st;
        if (n == 0 && idle(s, wake_ms)) {
            s->run->ended = true;
            return ST_OK;
        }
    }
}

/* ---- opening and closing ---- */

static void
write_lesson(void *file, struct str lesson)
{
    fprintf(file, "%.*s\n", STRF(lesson));
}

static enum status
open_stores(struct sim *s, const struct scratch *folder)
{
    const struct opts *o = s->setup->opts;
    const struct store_options store = {.map_gib = MAP_GIB, .sync = S("none")};
    struct scratch queue = {.path = ""}, prints = {.path = ""};
    enum status st;

    if ((st = scratch_folder(folder, "frontier", &queue)) != ST_OK ||
        (st = scratch_folder(folder, "dedup", &prints)) != ST_OK ||
        (st = frontier_open(&s->frontier, queue.path, o, s->now_ms)) != ST_OK ||
        (st = index_open(&s->index, prints.path, o->dedup_near, &store)) !=
            ST_OK)
        return st;
    if (str_eq(o->frontier_scorer, S("oracle")))
        frontier_set_greedy_oracle(s->frontier, sim_oracle, s);
    frontier_set_patience(s->frontier, s->setup->patience);
    if (s->setup->watch_links)
        frontier_set_scored(s->frontier, sim_scored, s);
    if (s->setup->lessons != NULL)
        frontier_set_lesson(s->frontier, write_lesson, s->setup->lessons);
    if ((st = frontier_begin(s->frontier)) != ST_OK)
        return st;
    return index_begin(s->index);
}

static enum status
add_seeds(struct sim *s)
{
    const struct web *w = s->web;
    struct frontier_link *link =
        ARENA_ARRAY(s->arena, struct frontier_link, s->setup->seeds_n);
    size_t fresh;
    enum status st = frontier_hello(s->frontier, SIM_CRAWLER, s->now_ms);

    for (size_t i = 0; i < s->setup->seeds_n; i++) {
        uint32_t page = s->setup->seed[i];

        link[i].url = w->urls.name[page];
        link[i].domain = w->host[w->page[page].host].domain;
        link[i].words = link_words_of(s->setup->link_words, S(""), link[i].url);
    }
    return st == ST_OK ? frontier_seed(s->frontier, link, s->setup->seeds_n,
                                       s->now_ms, &fresh)
                       : st;
}

static enum status
remember(struct sim *s)
{
    enum verdict reject;
    enum status st = ST_OK;

    for (size_t i = 0; i < s->setup->before_n && st == ST_OK; i++)
        st = sim_verdict(s, s->setup->before[i], &reject);
    return st;
}

static void
close_stores(struct sim *s)
{
    frontier_close(s->frontier);
    index_close(s->index);
    for (uint32_t i = 0; i < s->web->hosts.n; i++)
        robots_free(s->robots[i]);
    for (size_t i = 0; i < s->flights_max; i++)
        buf_free(&s->flight[i].url);
    free(s->robots);
    free(s->flight);
    free(s->recorded);
    arena_free(s->arena);
}

/* A record knows no addresses and no sitemaps, all hosts have one delay, and
 * nothing need be durable.  Links never wait to be taken in bulk: where no time
 * passes between two fetches, those ten seconds would be a good part of the
 * crawl. */
static struct opts
options(const struct opts *o)
{
    struct opts own = *o;

    own.frontier_map_gib = MAP_GIB;
    own.frontier_sync = S("none");
    own.frontier_merge_from = UINT64_MAX;
    own.output_disk_free_mib = 0;
    own.politeness_address_delay_ms = 0;
    own.politeness_delays = (struct opt_list){0};
    own.sitemaps_use = S("off");
    own.politeness_tdmrep = S("off");
    return own;
}

enum status
sim_run(struct sim_run *out, const struct sim_setup *with)
{
    const struct opts own = options(with->opts);
    struct sim_setup own_setup = *with;
    const struct sim_setup *setup = &own_setup;
    struct sim s = {.setup = setup,
                    .web = setup->web,
                    .run = out,
                    .arena = arena_new(),
                    .agent = robots_token(setup->web->agent),
                    .start_ms = web_start_ms(setup->web),
                    .flights_max = setup->opts->fetch_parallel};
    const struct fingerprint_scheme scheme = fingerprint_scheme_of(with->opts);
    struct scratch folder = {.path = ""};
    struct frontier_totals totals;
    enum status st;

    fingerprint_scheme_text(&scheme, s.scheme);
    s.now_ms = s.idle_ms = s.start_ms;
    own_setup.opts = &own;
    *out = (struct sim_run){0};
    s.robots =
        memory_need(calloc(setup->web->hosts.n + (size_t)1, sizeof(*s.robots)));
    s.flight = memory_need(calloc(s.flights_max, sizeof *s.flight));
    s.recorded = memory_need(
        calloc(setup->web->hosts.n + (size_t)1, sizeof *s.recorded));
    for (uint32_t i = 0; i < setup->web->urls.n; i++)
        if (setup->web->page[i].known)
            s.recorded[setup->web->page[i].host] = true;
    if ((st = scratch_make(&folder)) == ST_OK &&
        (st = open_stores(&s, &folder)) == ST_OK &&
        (st = remember(&s)) == ST_OK && (st = add_seeds(&s)) == ST_OK &&
        (st = crawl(&s)) == ST_OK) {
        frontier_totals(s.frontier, &totals, s.now_ms);
        out->idle_ms = totals.idle_ms;
        st = commit(&s, false);
    }
    out->ms = s.now_ms - s.start_ms;
    close_stores(&s);
    scratch_remove(&folder);
    if (st != ST_OK)
        sim_free(out);
    return st;
}

void
sim_free(struct sim_run *r)
{
    free(r->fetch);
    free(r->link);
    *r = (struct sim_run){0};
}
