/* frontier_case.h -- one frontier, its options, its folder and an arena: what
 * each test of the frontier's promises begins and ends with. */
#ifndef FRONTIER_CASE_H
#define FRONTIER_CASE_H

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
tear_down(void)
{
    if (f != NULL)
        help_check(f);
    frontier_close(f);
    f = NULL;
    folder_remove(dir);
    opts_free(&o);
    arena_free(a);
}

static inline struct frontier_totals
totals(uint64_t now)
{
    struct frontier_totals t;

    frontier_totals(f, &t, now);
    return t;
}

static inline bool
leased(uint64_t now, const char *url)
{
    return str_eq(help_lease(f, now, a, NULL).url, str_c(url));
}

/* Fetch `url` (leased before) with links of these badnesses. */
static inline void
fetch_with(const char *url, uint64_t now, double badness,
           const struct frontier_link *links, size_t n)
{
    struct frontier_done d = help_done(str_c(url), OUTCOME_FETCHED, now);

    d.has_badness = true;
    d.badness = (float)badness;
    d.links = links;
    d.links_n = n;
    help_report(f, &d, now);
}

#endif
