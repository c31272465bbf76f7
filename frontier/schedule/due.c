/* due.c -- when a host may be asked, and the scheduler's entry that says so. */
#include "schedule_inside.h"

uint64_t
schedule_own_delay(const struct schedule *sched, const struct row_host *h)
{
    uint32_t i = sched->delays.arena == NULL
                     ? PATTERN_NONE
                     : pattern_set_host(&sched->delays.patterns, h->name);

    return i == PATTERN_NONE ? sched->rules.delay_ms : sched->delays.ms[i];
}

uint64_t
schedule_delay(const struct schedule *sched, const struct row_host *h)
{
    uint64_t crawl_delay = h->robots.crawl_delay_ms,
             delay = schedule_own_delay(sched, h);
    double response = sched->rules.response_factor * (double)h->response_ms;

    if (response > (double)sched->rules.response_delay_max_ms)
        response = (double)sched->rules.response_delay_max_ms;
    if (crawl_delay > sched->rules.crawl_delay_max_ms)
        crawl_delay = sched->rules.crawl_delay_max_ms;
    delay = crawl_delay > delay ? crawl_delay : delay;
    return response > (double)delay ? (uint64_t)response : delay;
}

/* Is a robots.txt queued that another host asked for? */
static bool
asked_by_others(const struct row_host *h)
{
    for (size_t i = 0; i < h->url_classes.n; i++)
        if (h->url_classes.item[i].head_priority == ROW_PRIORITY_ROBOTS)
            return true;
    return false;
}

uint64_t
schedule_pages_left(const struct schedule *sched, const struct row_host *h)
{
    uint64_t most = sched->rules.host_pages, had = outcomes_pages(&h->outcomes);

    if (most == 0 || asked_by_others(h))
        return UINT64_MAX;
    return had < most ? most - had : 0;
}

/* A robots.txt that another host asked for is fetched before its own: it needs
 * no permission, and two hosts that redirect to each other must not wait for
 * each other. */
static uint64_t
own_due(const struct schedule *sched, const struct row_host *h)
{
    uint64_t due = h->next_contact_ms,
             doubted = schedule_time_lost_until(sched, h);

    due = doubted > due ? doubted : due;
    if (schedule_paused(sched, h->name) != NULL ||
        schedule_pages_left(sched, h) == 0)
        return SCHEDULER_NEVER;
    if (!asked_by_others(h) && sched->rules.robots) {
        if (h->robots.pending)
            return SCHEDULER_NEVER;
        due = h->robots.retry_ms > due ? h->robots.retry_ms : due;
    }
    return due;
}

uint64_t
schedule_due(const struct schedule *sched, const struct row_host *h)
{
    uint64_t due = own_due(sched, h);
    uint64_t address = addresses_due(sched->addresses, h->address);

    return address > due ? address : due;
}

enum frontier_kind
schedule_needs(const struct schedule *sched, const struct row_host *h,
               uint64_t now_ms)
{
    if (!sched->rules.robots || asked_by_others(h))
        return FRONTIER_PAGE;
    if (h->robots.version == 0 || h->robots.expiry_ms <= now_ms)
        return FRONTIER_ROBOTS;
    return h->robots.tdmrep && sched->rules.tdmrep ? FRONTIER_TDMREP
                                                   : FRONTIER_PAGE;
}

uint64_t
schedule_backoff(struct schedule *sched, uint64_t base_ms, uint64_t n)
{
    uint64_t ms = base_ms;

    while (n-- > 0 && ms < SCHEDULE_BACKOFF_MAX_MS)
        ms *= 2;
    ms = (uint64_t)((double)ms * (0.75 + 0.5 * random_unit(sched->random)));
    return ms < SCHEDULE_BACKOFF_MAX_MS ? ms : SCHEDULE_BACKOFF_MAX_MS;
}

/* `head`: its best URL; NULL: nothing is queued. */
static void
set_entry(struct schedule *sched, uint32_t id, const struct row_host *row,
          const struct scoring_head *head)
{
    struct scheduler_entry e = {.host = id, .out = row->lease.out};

    if (head != NULL) {
        e.priority = head->effective;
        e.sequence = head->position.sequence;
    } else if (!row->lease.out) {
        scheduler_drop(sched->scheduler, id);
        return;
    }
    e.fetched = row->fetched > UINT32_MAX ? UINT32_MAX : (uint32_t)row->fetched;
    e.full = !row->lease.out && schedule_pages_left(sched, row) == 0;
    e.due_ms = row->lease.out ? row->lease.deadline_ms : own_due(sched, row);
    scheduler_set(sched->scheduler, &e);
}

void
schedule_host(struct schedule *sched, uint32_t id, const struct row_host *row)
{
    struct scoring_head head;
    bool queued = scoring_head(sched->sc, id, row, &head);

    set_entry(sched, id, row, queued ? &head : NULL);
}

void
schedule_settle(struct schedule *sched)
{
    for (struct host *h = sched->db->stale; h != NULL; h = h->stale_next) {
        schedule_host(sched, h->id, &h->row);
        h->stale = false;
    }
    sched->db->stale = NULL;
}

uint32_t *
schedule_hosts_out(struct schedule *sched, size_t *n)
{
    uint32_t *ids;

    schedule_settle(sched);
    *n = scheduler_out_n(sched->scheduler);
    ids = arena_raw(sched->db->arena, *n * sizeof *ids);
    scheduler_out(sched->scheduler, ids, *n);
    return ids;
}

/* The model has changed: what does the host's best URL count for now? */
static enum status
lower_head(struct schedule *sched, struct host *h, bool *lowered)
{
    struct scoring_head head;
    bool queued = scoring_head(sched->sc, h->id, &h->row, &head);
    enum status st = ST_OK;

    *lowered = false;
    if (queued)
        st = scoring_rescore(sched->sc, h, head.position, false, lowered);
    if (st != ST_OK)
        return st;
    if (*lowered)
        url_store_host_leased(sched->db, h); /* for schedule_settle() */
    else
        set_entry(sched, h->id, &h->row, queued ? &head : NULL);
    schedule_settle(sched);
    return ST_OK;
}

bool
schedule_best(struct schedule *sched, size_t *left, struct host **out,
              enum status *st)
{
    uint32_t id, best;
    bool lowered = false;

    *st = ST_OK;
    while (scheduler_best(sched->scheduler, &id)) {
        if ((*st = url_store_host(sched->db, id, out)) != ST_OK)
            return false;
        if (!scoring_scorer(sched->sc)->fresh || *left == 0)
            return true;
        --*left;
        if ((*st = lower_head(sched, *out, &lowered)) != ST_OK)
            return false;
        if (!lowered && scheduler_best(sched->scheduler, &best) && best == id)
            return true;
    }
    return false;
}
