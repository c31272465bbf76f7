/* sim_watch.c -- what a run writes down, and what it tells scorer oracle. */
#include "../outcome.h"
#include "sim_inside.h"

#include <stdlib.h>

/* Room for one more. */
static void *
room(void *p, size_t *cap, size_t n, size_t size)
{
    if (n < *cap)
        return p;
    *cap = *cap ? 2 * *cap : 4096;
    if ((p = realloc(p, *cap * size)) == NULL)
        abort();
    return p;
}

double
sim_oracle(void *sim, struct str url)
{
    const struct sim *s = sim;
    uint32_t i = intern_find(&s->web->urls, url);

    return i != INTERN_NONE && s->setup->worth != NULL
               ? (double)s->setup->worth[i]
               : 0;
}

void
sim_scored(void *sim, const struct frontier_link *link, double score)
{
    struct sim *s = sim;
    struct sim_run *r = s->run;
    uint32_t to;

    if (s->source == NULL)
        return;
    to = link >= s->links && link < s->links + s->links_n
             ? s->links_to[link - s->links]
             : intern_find(&s->web->urls, link->url);
    if (to == INTERN_NONE || !s->web->page[to].known)
        return;
    r->link = room(r->link, &s->links_cap, r->links_n, sizeof *r->link);
    r->link[r->links_n++] =
        (struct sim_link){.from = s->source->host,
                          .to = to,
                          .score = (float)score,
                          .badness = s->source->badness,
                          .has_badness = s->source->has_badness,
                          .boilerplate = link->boilerplate,
                          .cross = s->web->page[to].host != s->source->host};
}

void
sim_note(struct sim *s, const struct flight *f, const struct frontier_done *d,
         enum reject reject, bool document)
{
    struct sim_run *r = s->run;
    bool kept = document && reject == REJECT_NONE;

    r->fetched_bytes += d->fetched_bytes;
    r->robots += d->kind == FRONTIER_ROBOTS && d->contacted;
    r->redirects += d->outcome == OUTCOME_REDIRECT;
    r->disallowed += d->outcome == OUTCOME_DISALLOWED;
    if (!outcome_is_page(d, &f->lease, s->setup->opts))
        return;
    r->fetch = room(r->fetch, &s->fetches_cap, r->fetches_n, sizeof *r->fetch);
    r->kept += kept;
    r->kept_bytes += d->kept_bytes;
    r->fetch[r->fetches_n++] =
        (struct sim_fetch){.page = f->page,
                           .depth = f->lease.depth,
                           .score = f->lease.score,
                           .reject = (uint8_t)reject,
                           .document = document,
                           .kept = kept,
                           .at_ms = f->end_ms - SIM_START_MS};
}

/* A page under two URLs is kept under one: a link to either leads to what is
 * kept. */
static void
spread_over_contents(const struct web *w, bool *would)
{
    bool *kept = calloc(w->contents_n + (size_t)1, sizeof *kept);

    if (kept == NULL)
        abort();
    for (uint32_t i = 0; i < w->urls.n; i++)
        if (would[i] && w->page[i].content != WEB_NONE)
            kept[w->page[i].content] = true;
    for (uint32_t i = 0; i < w->urls.n; i++)
        if (w->page[i].content != WEB_NONE)
            would[i] = kept[w->page[i].content];
    free(kept);
}

enum status
sim_go_on(struct sim *s)
{
    struct sim_run *r = s->run;
    const struct web *w = s->web;
    bool *fetched = calloc(w->urls.n + (size_t)1, sizeof *fetched);
    enum reject reject;
    enum status st = ST_OK;

    r->would = calloc(w->urls.n + (size_t)1, sizeof *r->would);
    if (fetched == NULL || r->would == NULL)
        abort();
    for (size_t i = 0; i < r->fetches_n; i++) {
        fetched[r->fetch[i].page] = true;
        r->would[r->fetch[i].page] = r->fetch[i].kept;
    }
    for (uint32_t i = 0; i < w->urls.n && st == ST_OK; i++) {
        if (fetched[i] || !web_is_document(&w->page[i]))
            continue;
        st = sim_verdict(s, i, &reject);
        r->would[i] = st == ST_OK && reject == REJECT_NONE;
    }
    free(fetched);
    spread_over_contents(w, r->would);
    return st;
}
