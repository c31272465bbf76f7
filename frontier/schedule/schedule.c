/* schedule.c -- see schedule.h: opening, and its part of a transaction. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/options/opt.h"
#include "schedule_inside.h"

#define PATIENCE_DELAYS 2u /* how far patience looks, unless told */

/* Asked for where a reservation of text and data mining counts. */
static bool
wants_tdmrep(const struct opts *o)
{
    if (!str_eq(o->politeness_tdmrep, S("auto")))
        return str_eq(o->politeness_tdmrep, S("on"));
    return str_eq(o->clean_rights, S("training")) ||
           str_eq(o->clean_rights, S("none-reserved"));
}

static struct schedule_rules
rules_of(const struct opts *o)
{
    return (struct schedule_rules){
        .delay_ms = o->politeness_delay_ms,
        .random_delay_ms = o->politeness_random_delay_ms,
        .crawl_delay_max_ms = o->politeness_crawl_delay_max_ms,
        .explore = o->frontier_explore,
        .patience = o->frontier_patience,
        .patience_ms = o->frontier_patience_ms > 0
                           ? o->frontier_patience_ms
                           : PATIENCE_DELAYS * o->politeness_delay_ms,
        .robots = o->politeness_robots,
        .tdmrep = wants_tdmrep(o),
        .home_instead = o->frontier_home_instead,
        .learn_duplicates = o->frontier_learn_duplicates,
        .robots_ttl_ms = o->politeness_robots_ttl_seconds * 1000,
        .retries = o->politeness_retries,
        .retry_ms = o->politeness_retry_ms,
        .lease_ms = o->frontier_lease_seconds * 1000,
        .redirects_max = o->fetch_redirects_max,
        .url_size_max = o->frontier_url_size_max,
        .host_unreported_max = o->frontier_host_unreported_max,
        .host_pages = o->limits_host_pages,
        .response_factor = o->politeness_response_factor,
        .response_delay_max_ms = o->politeness_response_delay_max_ms,
        .address_delay_ms = o->politeness_address_delay_ms,
        .address_loopback = o->politeness_address_loopback,
        .traps = o->traps_lower,
        .growth_pages = o->traps_growth_pages,
        .growth_delay_ms = o->traps_growth_delay_ms,
        .revisit_ms = o->recrawl_interval_seconds * 1000,
        .revisit_min_ms = o->recrawl_interval_min_seconds * 1000,
        .revisit_max_ms = o->recrawl_interval_max_seconds * 1000,
    };
}

static void
read_delays(struct own_delays *d, const struct opt_list *list)
{
    struct str *host;

    if (list->n == 0)
        return;
    d->arena = arena_new();
    d->ms = ARENA_ARRAY(d->arena, uint64_t, list->n);
    host = ARENA_ARRAY(d->arena, struct str, list->n);
    for (size_t i = 0; i < list->n; i++)
        (void)opt_delay(list->item[i], d->arena, &host[i], &d->ms[i]);
    pattern_set_init(&d->patterns, d->arena, host, (uint32_t)list->n);
}

enum status
schedule_open(struct schedule **out, struct url_store *db, struct scoring *sc,
              struct random *random, const struct opts *o)
{
    struct schedule *sched = memory_need(calloc(1, sizeof *sched));

    sched->db = db;
    sched->sc = sc;
    sched->random = random;
    sched->rules = rules_of(o);
    read_delays(&sched->delays, &o->politeness_delays);
    sched->later_ms = SCHEDULER_NEVER;
    sched->revisit_due_ms = SCHEDULER_NEVER;
    sched->unreported_ms = SCHEDULER_NEVER;
    sched->latest_ms = sched->opened_ms = db->now_ms;
    sched->unchecked = true;
    sched->addresses = addresses_new();
    sched->scheduler = scheduler_new();
    db->hooks.scheduler = sched;
    db->hooks.cut_dates = schedule_clocks_cut;
    *out = sched;
    return ST_OK;
}

void
schedule_close(struct schedule *sched)
{
    if (sched == NULL)
        return;
    schedule_control_forget(sched);
    arena_free(sched->delays.arena);
    hosts_named_free(&sched->names);
    addresses_free(sched->addresses);
    scheduler_free(sched->scheduler);
    free(sched);
}

/* ---- the start ---- */

/* A host of which something is out, and the call that took it. */
static void
load_lease(struct schedule *sched, uint32_t id, const struct row_host *row)
{
    struct crawler *c;

    schedule_host(sched, id, row);
    if (row->lease.out && !sched->db->reader &&
        (c = schedule_crawler(sched, row->lease.crawler)) != NULL &&
        row->lease.call > c->call)
        c->call = c->committed_call = row->lease.call;
}

static enum status
load_out(struct schedule *sched, uint32_t id)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;

    if (url_store_host_load(sched->db, id, &row, room) != ST_OK)
        return url_store_corrupt("leases");
    load_lease(sched, id, &row);
    return ST_OK;
}

static enum status
load_hosts(struct schedule *sched, bool first)
{
    struct str key, value;
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    enum status st =
        tables_seek(sched->db->tables, TABLE_HOSTS, S(""), &key, &value);

    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_HOSTS, &key, &value)) {
        if (!row_host_read(&row, value, room))
            return url_store_corrupt("hosts");
        load_lease(sched, row_be32(key), &row);
        if (first)
            sched->db->hooks.queued(sched->db->hooks.intake, &row,
                                    (int64_t)row.queued);
    }
    if (st == ST_NONE)
        st = tables_seek(sched->db->tables, TABLE_LEASES, S(""), &key, &value);
    for (; st == ST_OK;
         st = tables_next(sched->db->tables, TABLE_LEASES, &key, &value))
        if (row_is_host_key(key) &&
            (st = load_out(sched, row_be32(key))) != ST_OK)
            return st;
    return st == ST_NONE ? ST_OK : st;
}

enum status
schedule_load(struct schedule *sched, uint64_t now_ms)
{
    enum status st;

    if ((st = schedule_control_load(sched)) == ST_OK &&
        (st = schedule_addresses_load(sched, now_ms)) == ST_OK &&
        (st = load_hosts(sched, true)) == ST_OK &&
        (st = schedule_unreported_peek(sched)) == ST_OK &&
        (st = schedule_later_peek(sched)) == ST_OK)
        st = schedule_revisit_peek(sched);
    return st;
}

void
schedule_clear(struct schedule *sched)
{
    schedule_control_forget(sched);
    addresses_free(sched->addresses);
    scheduler_free(sched->scheduler);
    sched->addresses = addresses_new();
    sched->scheduler = scheduler_new();
}

enum status
schedule_time_lost(struct schedule *sched, uint64_t now_ms)
{
    enum status st;

    sched->time_lost_ms = now_ms;
    st = schedule_addresses_hold(sched, now_ms);
    return st == ST_OK ? load_hosts(sched, false) : st;
}

/* ---- transactions ---- */

static void
put_back(void *self, uint32_t id, const struct row_host *row)
{
    struct schedule *sched = self;

    if (row != NULL)
        schedule_host(sched, id, row);
    else
        scheduler_drop(sched->scheduler, id);
}

enum status
schedule_rollback(struct schedule *sched)
{
    enum status st;

    if ((st = schedule_control_load(sched)) == ST_OK && sched->told_anew)
        st = load_hosts(sched, false);
    sched->told_anew = false;
    if (st == ST_OK &&
        (st = url_store_hosts_rollback(sched->db, put_back, sched)) == ST_OK &&
        (st = schedule_unreported_peek(sched)) == ST_OK &&
        (st = schedule_later_peek(sched)) == ST_OK)
        st = schedule_revisit_peek(sched);
    return st;
}

void
schedule_aborted(struct schedule *sched)
{
    for (size_t i = 0; i < sched->crawlers_n; i++)
        sched->crawlers[i].call = sched->crawlers[i].committed_call;
}

void
schedule_committed(struct schedule *sched)
{
    sched->told_anew = false;
    for (size_t i = 0; i < sched->crawlers_n; i++)
        sched->crawlers[i].committed_call = sched->crawlers[i].call;
}

/* ---- settings, figures ---- */

void
schedule_set_budget(struct schedule *sched, uint64_t pages)
{
    sched->budget = pages;
}

void
schedule_set_patience(struct schedule *sched, double share)
{
    sched->rules.patience = share;
    sched->rules.all_patient = true;
}

void
schedule_totals(const struct schedule *sched, struct frontier_totals *out,
                uint64_t now_ms)
{
    scheduler_count(sched->scheduler, now_ms, &out->hosts_ready,
                    &out->hosts_waiting);
    out->hosts_full = scheduler_full_n(sched->scheduler);
    out->hosts_out = scheduler_out_n(sched->scheduler) + sched->unreported_n;
    out->idle_ms = sched->idle_ms;
    for (size_t i = 0; i < sched->crawlers_n; i++)
        out->idle_slots += sched->crawlers[i].idle_slots;
}

struct schedule_settings
schedule_settings(const struct schedule *sched)
{
    return (struct schedule_settings){.traps = sched->rules.traps,
                                      .robots = sched->rules.robots,
                                      .revisits = sched->rules.revisit_ms > 0};
}

size_t
schedule_out(const struct schedule *sched, uint32_t *ids, size_t max)
{
    return scheduler_out(sched->scheduler, ids, max);
}

size_t
schedule_hosts(const struct schedule *sched)
{
    return scheduler_len(sched->scheduler);
}

uint64_t
schedule_address_due(const struct schedule *sched, uint64_t address)
{
    return addresses_due(sched->addresses, address);
}
