/* schedule_case.h -- one frontier in virtual time: what each test of the
 * schedule begins and ends with. */
#ifndef SCHEDULE_CASE_H
#define SCHEDULE_CASE_H

#include "frontier_help.h"

#define T0 ((uint64_t)1800000000000)

static struct frontier *f;
static struct opts o;
static struct arena *a;
static const char *dir;

static inline void
set_up(void)
{
    dir = help_folder();
    o = help_opts();
    a = arena_new();
}

static inline void
open_it(uint64_t now)
{
    CHECK(frontier_open(&f, dir, &o, now) == ST_OK);
}

static inline void
reopen(uint64_t now)
{
    frontier_close(f);
    open_it(now);
}

static inline void
tear_down(void)
{
    help_check(f);
    frontier_close(f);
    f = NULL;
    help_folder_remove(dir);
    opts_free(&o);
    arena_free(a);
}

static inline struct frontier_totals
totals(void)
{
    struct frontier_totals t;

    frontier_totals(f, &t, T0);
    return t;
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
