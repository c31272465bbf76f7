/* home_instead.c -- the home page of a host in place of its first page, when
 * that is gone (frontier.home_instead).
 *
 * What leads to a host is often dead, and so is the next of it: a host that is
 * met by dead links sinks although nothing is known of it.  Its home page is
 * there nearly always and leads to the rest.  It is queued like the page that
 * is gone, but known as what nobody has linked (LINK_PATH_HOME), as those of
 * frontier.home_pages are; once a host, and only where something has answered,
 * so that it costs few fetches. */
#include "schedule_inside.h"

static bool
is_first(const struct host *h, const struct row_queued *gone)
{
    const struct outcome_counts *n = &h->row.outcomes;

    return gone->kind == FRONTIER_PAGE && n->n[CLASS_ERROR] == 1 &&
           outcomes_there(n) == 0 && !str_eq(gone->rest, S("/"));
}

static uint16_t
priority(const struct schedule *sched, const struct host *h,
         const struct row_queued *home, struct str url)
{
    struct link_signals s = scoring_signals(sched->sc, home, h->row.name);

    return scorer_priority(scoring_score(sched->sc, &s, url));
}

void
schedule_home_instead(struct schedule *sched, const struct host *h,
                      const struct row_queued *gone,
                      struct schedule_found *found)
{
    struct row_queued home = *gone;
    struct link_features *f = &home.facts.features;
    struct str url;

    if (!sched->rules.home_instead ||
        scoring_scorer(sched->sc)->learn == NULL || !is_first(h, gone))
        return;
    home.rest = S("/");
    f->path = LINK_PATH_HOME;
    f->anchor_n = f->words = f->within = 0;
    f->language = 0;
    url = row_queued_url(&home, h->row.name, sched->db->arena);
    *found = (struct schedule_found){
        .by = SCHEDULE_HOME,
        .links = &found->target,
        .links_n = 1,
        .parent = {.facts = home.facts,
                   .priority = priority(sched, h, &home, url),
                   .home = true},
        .target = {.url = url,
                   .domain = h->row.domain,
                   .kind = FRONTIER_PAGE,
                   .boilerplate = home.facts.boilerplate,
                   .relation = home.facts.relation}};
}
