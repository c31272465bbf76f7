/* oracle.c -- see oracle.h.  The ceiling is a breadth-first search whose edges
 * cost 0 into a kept page and 1 into another (two queues), and sums up its
 * tree. */
#include "oracle.h"

#include <stdlib.h>

#include "base/memory.h"
#include "oracle_patterns.h"

struct search {
    const struct web *web;
    const bool *keepable, *open;
    uint32_t *home;   /* see home_pages() */
    uint32_t *parent; /* page; WEB_NONE: a seed */
    uint32_t *cost;   /* pages on the path that are not kept; WEB_NONE: far */
    uint32_t *order;  /* settled pages, nearest first */
    uint32_t *now;    /* to be looked at, at the present cost ... */
    uint32_t *later;  /* ... and at one more; a page may stand in both */
    size_t order_n, now_n, later_n;
    bool *settled;
};

static void *
array(const struct web *w, size_t size)
{
    return memory_need(calloc((size_t)w->urls.n + w->links_n + 1, size));
}

static void
reach(struct search *s, uint32_t page, uint32_t from, uint32_t cost)
{
    if (!s->open[page])
        return;
    cost += !s->keepable[page];
    if (s->settled[page] || s->cost[page] <= cost)
        return;
    s->cost[page] = cost;
    s->parent[page] = from;
    if (s->keepable[page])
        s->now[s->now_n++] = page;
    else
        s->later[s->later_n++] = page;
}

static void
settle(struct search *s, uint32_t page)
{
    const struct web *w = s->web;
    const struct web_page *p = &w->page[page];

    if (s->settled[page])
        return;
    s->settled[page] = true;
    s->order[s->order_n++] = page;
    if (p->target != WEB_NONE)
        reach(s, p->target, page, s->cost[page]);
    for (uint32_t i = 0; i < p->links_n; i++) {
        uint32_t to = w->link[p->links + i].to;

        reach(s, to, page, s->cost[page]);
        if (s->home != NULL && s->home[w->page[to].host] != WEB_NONE)
            reach(s, s->home[w->page[to].host], page, s->cost[page]);
    }
}

static void
search(struct search *s, const uint32_t *seed, size_t seeds_n)
{
    for (uint32_t i = 0; i < s->web->urls.n; i++)
        s->cost[i] = s->parent[i] = WEB_NONE;
    for (size_t i = 0; i < seeds_n; i++)
        reach(s, seed[i], WEB_NONE, 0);
    while (s->now_n + s->later_n > 0) {
        uint32_t *swap = s->now;

        for (size_t i = 0; i < s->now_n; i++) /* grows meanwhile */
            settle(s, s->now[i]);
        s->now = s->later;
        s->now_n = s->later_n;
        s->later = swap;
        s->later_n = 0;
    }
}

/* From the leaves to the seeds: what is kept behind a page, and how many pages
 * must be fetched for it. */
static void
sum_up(const struct search *s, float *worth)
{
    uint32_t *kept = array(s->web, sizeof *kept);
    uint32_t *pages = array(s->web, sizeof *pages);

    for (size_t i = s->order_n; i-- > 0;) {
        uint32_t page = s->order[i], up = s->parent[page];

        kept[page] += s->keepable[page];
        pages[page]++;
        worth[page] = s->keepable[page]
                          ? 1
                          : 0.9F * (float)kept[page] / (float)pages[page];
        if (up != WEB_NONE && kept[page] > 0) {
            kept[up] += kept[page];
            pages[up] += pages[page];
        }
    }
    free(kept);
    free(pages);
}

static bool
is_home_page(struct str url)
{
    return str_find(url, '/', str_find(url, ':', 0) + 3) + 1 == url.n;
}

/* The home page of each host that comes with the first link to it; WEB_NONE:
 * none is known, or the host has seeds.  NULL: no home pages come so. */
static uint32_t *
home_pages(const struct oracle_view *v)
{
    const struct web *w = v->web;
    uint32_t *home;

    if (!v->home_pages)
        return NULL;
    home = memory_need(calloc(w->hosts.n + (size_t)1, sizeof *home));
    for (uint32_t i = 0; i < w->hosts.n; i++)
        home[i] = WEB_NONE;
    for (uint32_t i = 0; i < w->urls.n; i++)
        if (w->page[i].known && is_home_page(w->urls.name[i]))
            home[w->page[i].host] = i;
    for (size_t i = 0; i < v->seeds_n; i++)
        home[w->page[v->seed[i]].host] = WEB_NONE;
    return home;
}

/* ---- the table ---- */

static void
knows_pages(float *worth, const struct oracle_view *v)
{
    for (uint32_t i = 0; i < v->web->urls.n; i++)
        worth[i] = v->keepable[i];
}

static void
knows_paths(float *worth, const struct oracle_view *v)
{
    const struct web *w = v->web;
    struct search s = {.web = w,
                       .keepable = v->keepable,
                       .open = v->open,
                       .home = home_pages(v),
                       .parent = array(w, sizeof *s.parent),
                       .cost = array(w, sizeof *s.cost),
                       .order = array(w, sizeof *s.order),
                       .now = array(w, sizeof *s.now),
                       .later = array(w, sizeof *s.later),
                       .settled = array(w, sizeof *s.settled)};

    search(&s, v->seed, v->seeds_n);
    sum_up(&s, worth);
    free(s.home);
    free(s.parent);
    free(s.cost);
    free(s.order);
    free(s.now);
    free(s.later);
    free(s.settled);
}

const struct oracle oracle_table[ORACLES_N] = {
    {"greedy", "oracle", "greedy oracle", "greedy oracle", knows_pages},
    {"ceiling", "foresight", "ceiling", "ceiling without delays", knows_paths},
    {"patterns", NULL, "patterns", "patterns", oracle_patterns},
};

size_t
oracle_find(struct str name)
{
    size_t i = 0;

    while (i < ORACLES_N && !str_eq(name, str_c(oracle_table[i].name)) &&
           (oracle_table[i].alias == NULL ||
            !str_eq(name, str_c(oracle_table[i].alias))))
        i++;
    return i;
}
