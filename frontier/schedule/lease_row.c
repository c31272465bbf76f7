/* lease_row.c -- who has what of a host, and when a crawler last called. */
#include "base/hash.h"
#include "schedule_inside.h"

struct crawler *
schedule_crawler(struct schedule *sched, uint64_t id)
{
    struct crawler *c;

    for (size_t i = 0; i < sched->crawlers_n; i++)
        if (sched->crawlers[i].id == id)
            return &sched->crawlers[i];
    if (sched->crawlers_n == SCHEDULE_CRAWLERS_MAX)
        return NULL; /* works, but without the memory of its last call */
    c = &sched->crawlers[sched->crawlers_n++];
    *c = (struct crawler){.id = id};
    return c;
}

bool
schedule_answers(const struct frontier_done *d, const struct row_lease *l)
{
    return l->out && l->crawler == d->crawler &&
           (d->call == 0 || d->call == l->call) &&
           (frontier_is_rules(d->kind) ? d->kind == l->kind
                                       : !frontier_is_rules(l->kind)) &&
           l->url_hash == hash64(d->url);
}

/* Nothing of the host is out any more; the caller has moved the URL. */
void
schedule_lease_ended(struct schedule *sched, struct host *h)
{
    h->row.lease = (struct row_lease){0};
    url_store_host_changed(sched->db, h);
}
