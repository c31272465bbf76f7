/* closed_login.c -- redirects to a login that lets no visitor through.
 *
 * Each post of a forum has links to answer, quote and report it, and each of
 * them leads to the login, with the address that it leads back to: two fetches
 * for nothing.  Where a login of a host was a page and was not kept, and none
 * led on (as those do that only give a cookie), what leads to the next one has
 * failed: scorers learn that of its kind of page. */
#include "frontier/features/return_url.h"
#include "schedule_inside.h"

bool
schedule_leads_to_closed_login(struct schedule *sched, struct host *from,
                               struct str target)
{
    struct buf plain = {.arena = sched->db->arena};
    const struct outcome_counts *n;
    struct row_url to;
    uint8_t of;

    if (!return_url_without(&plain, target) || !row_url_split(&to, target) ||
        !str_eq(to.authority, from->row.name))
        return false;
    of = url_store_url_class(sched->db, from, &to.rest); /* may be new */
    n = &from->row.url_classes.item[of].outcomes;
    return n->n[CLASS_KEPT] + n->n[CLASS_REDIRECT] == 0 &&
           outcomes_there(n) > 0;
}
