/* unmet.c -- hosts that are likely to be leased next and whose addresses nobody
 * knows: who leases looks their names up while other transfers run.
 *
 * Each is told once, as far as a table of the last ones remembers, so that a
 * call costs nothing while the same hosts wait at the head. */
#include "schedule_inside.h"

/* Without its port; "": an address needs no lookup. */
static struct str
name_of(struct str authority)
{
    size_t n = authority.n;

    if (n == 0 || authority.p[0] == '[')
        return S("");
    while (n > 0 && ascii_digit(authority.p[n - 1]))
        n--;
    return n > 0 && authority.p[n - 1] == ':' ? str_sub(authority, 0, n - 1)
                                              : authority;
}

enum status
schedule_unmet(struct schedule *sched, struct arena *a, struct str *out,
               size_t *n)
{
    struct scheduler_entry e[SCHEDULE_UNMET_MAX];
    size_t heads = scheduler_first(sched->scheduler, e, SCHEDULE_UNMET_MAX);
    struct host *h;
    enum status st = ST_OK;

    *n = 0;
    for (size_t i = 0; i < heads && st == ST_OK; i++) {
        uint32_t *told = &sched->told[e[i].host % SCHEDULE_TOLD];
        struct str name;

        if (*told == e[i].host)
            continue;
        *told = e[i].host;
        if ((st = url_store_host(sched->db, e[i].host, &h)) != ST_OK)
            break;
        name = name_of(h->row.name);
        if (h->row.address == ADDRESS_UNKNOWN && name.n > 0)
            out[(*n)++] = arena_str(a, name);
    }
    return st;
}
