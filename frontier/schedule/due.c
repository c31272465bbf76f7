/* due.c -- when a host may be asked, and the scheduler's entry that says so. */
#include "frontier/inside.h"

uint64_t
frontier_delay(const struct frontier *f, const struct row_host *h)
{
    uint64_t crawl_delay = h->robots.crawl_delay_ms, delay = f->rules.delay_ms;
    double response = f->rules.response_factor * (double)h->response_ms;

    if (response > (double)f->rules.response_delay_max_ms)
        response = (double)f->rules.response_delay_max_ms;
    if (crawl_delay > f->rules.crawl_delay_max_ms)
        crawl_delay = f->rules.crawl_delay_max_ms;
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

/* A robots.txt that another host asked for is fetched before its own: it needs
 * no permission, and two hosts that redirect to each other must not wait for
 * each other. */
static uint64_t
own_due(const struct frontier *f, const struct row_host *h)
{
    uint64_t due = h->next_contact_ms, doubted = frontier_time_lost_until(f, h);

    due = doubted > due ? doubted : due;
    if (frontier_paused(f, h->name) != NULL)
        return SCHEDULER_NEVER;
    if (!asked_by_others(h) && f->rules.robots) {
        if (h->robots.pending)
            return SCHEDULER_NEVER;
        due = h->robots.retry_ms > due ? h->robots.retry_ms : due;
    }
    return due;
}

uint64_t
frontier_due(const struct frontier *f, const struct row_host *h)
{
    uint64_t due = own_due(f, h);
    uint64_t address = addresses_due(f->addresses, h->address);

    return address > due ? address : due;
}

bool
frontier_needs_robots(const struct frontier *f, const struct row_host *h,
                      uint64_t now_ms)
{
    return f->rules.robots && !asked_by_others(h) &&
           (h->robots.version == 0 || h->robots.expiry_ms <= now_ms);
}

uint64_t
frontier_backoff(struct frontier *f, uint64_t base_ms, uint64_t n)
{
    uint64_t ms = base_ms;

    while (n-- > 0 && ms < FRONTIER_BACKOFF_MAX_MS)
        ms *= 2;
    ms = (uint64_t)((double)ms * (0.75 + 0.5 * random_unit(&f->random)));
    return ms < FRONTIER_BACKOFF_MAX_MS ? ms : FRONTIER_BACKOFF_MAX_MS;
}

void
frontier_host_schedule(struct frontier *f, uint32_t id,
                       const struct row_host *row)
{
    struct scheduler_entry e = {.host = id, .out = row->lease.out};
    struct scoring_head head;

    if (scoring_head(f->sc, id, row, &head)) {
        e.priority = head.effective;
        e.sequence = head.position.sequence;
    } else if (!row->lease.out) {
        scheduler_drop(f->scheduler, id);
        return;
    }
    e.fetched = row->fetched > UINT32_MAX ? UINT32_MAX : (uint32_t)row->fetched;
    e.due_ms = row->lease.out ? row->lease.deadline_ms : own_due(f, row);
    scheduler_set(f->scheduler, &e);
}

void
frontier_hosts_settle(struct frontier *f)
{
    for (struct host *h = f->db->stale; h != NULL; h = h->stale_next) {
        frontier_host_schedule(f, h->id, &h->row);
        h->stale = false;
    }
    f->db->stale = NULL;
}

static void
put_back(void *self, uint32_t id, const struct row_host *row)
{
    struct frontier *f = self;

    if (row != NULL)
        frontier_host_schedule(f, id, row);
    else
        scheduler_drop(f->scheduler, id);
}

/* The scheduler as the store has it, for every host that was changed. */
enum status
frontier_hosts_rollback(struct frontier *f)
{
    return url_store_hosts_rollback(f->db, put_back, f);
}

static enum status
lower_head(struct frontier *f, struct host *h, bool *lowered)
{
    struct scoring_head head;

    *lowered = false;
    if (!scoring_head(f->sc, h->id, &h->row, &head))
        return ST_OK;
    return scoring_rescore(f->sc, h, head.position, false, lowered);
}

bool
frontier_best(struct frontier *f, size_t *left, struct host **out,
              enum status *st)
{
    uint32_t id, best;
    bool lowered = false;

    *st = ST_OK;
    while (scheduler_best(f->scheduler, &id)) {
        if ((*st = url_store_host(f->db, id, out)) != ST_OK)
            return false;
        if (!scoring_scorer(f->sc)->fresh || *left == 0)
            return true;
        --*left;
        if ((*st = lower_head(f, *out, &lowered)) != ST_OK)
            return false;
        frontier_hosts_settle(f);
        frontier_host_schedule(f, id, &(*out)->row); /* the model has changed */
        if (!lowered && scheduler_best(f->scheduler, &best) && best == id)
            return true;
    }
    return false;
}
