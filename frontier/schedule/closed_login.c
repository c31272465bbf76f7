/* closed_login.c -- redirects to a login that lets no visitor through.
 *
 * Each post of a forum has links to answer, quote and report it, and each of
 * them leads to the login, with the address that it leads back to: two fetches
 * for nothing.  Where two logins of a host were pages and were not kept (one
 * may have met a site at work), and none led on (as those do that only give a
 * cookie), what leads to the next one has failed, and no more of them are
 * asked: scorers learn of its kind of page that it is of no use, as of one that
 * is for those who pay; it is no dead link.  The rest of a host's kinds, which
 * are counted together, say nothing of its login. */
#include "frontier/features/return_url.h"
#include "schedule_inside.h"

#define LOGINS_LEAST 2u

/* Of the kind of the login alone; NULL: none was met, or not apart. */
static const struct outcome_counts *
outcomes_of_kind(const struct host *h, struct str rest)
{
    uint32_t fine = url_class_kinds(rest).level[0];

    for (size_t i = 0; i < h->row.url_classes.n; i++)
        if (h->row.url_classes.item[i].kind == fine)
            return &h->row.url_classes.item[i].outcomes;
    return NULL;
}

bool
schedule_leads_to_closed_login(struct schedule *sched, const struct host *from,
                               struct str target)
{
    struct buf plain = {.arena = sched->db->arena};
    const struct outcome_counts *n;
    struct row_url to;

    if (!return_url_without(&plain, target) || !row_url_split(&to, target) ||
        !str_eq(to.authority, from->row.name))
        return false;
    n = outcomes_of_kind(from, to.rest);
    return n != NULL && n->n[CLASS_KEPT] + n->n[CLASS_REDIRECT] == 0 &&
           outcomes_there(n) >= LOGINS_LEAST;
}
