/* learned_case.h -- a crawl for Dutch that learns. */
#ifndef LEARNED_CASE_H
#define LEARNED_CASE_H

#include "frontier_help.h"

#define T0 ((uint64_t)1700000000000)

static inline struct opts
dutch(void)
{
    static struct str code = STR("nl");
    struct opts o = help_opts();

    o.clean_language = (struct opt_list){&code, 1};
    o.frontier_scorer = (struct str)STR("learned");
    o.politeness_delay_ms = 0;
    return o;
}

#endif
