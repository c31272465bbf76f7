/* schedule_case.h -- what the tests of the schedule ask of the one frontier of
 * frontier_case.h, in virtual time. */
#ifndef SCHEDULE_CASE_H
#define SCHEDULE_CASE_H

#include "frontier_case.h"

static inline void
reopen(uint64_t now)
{
    frontier_close(f);
    open_it(now);
}

static inline struct frontier_lease
lease(uint64_t now)
{
    return help_lease(f, now, a, NULL);
}

static inline bool
nothing_at(uint64_t now)
{
    return lease(now).url.n == 0;
}

static inline void
done_at(struct str url, uint64_t now, const char *address)
{
    struct frontier_done d = help_done(url, OUTCOME_FETCHED, now);

    d.address = str_c(address);
    help_report(f, &d, now);
}

#endif
