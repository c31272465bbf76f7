/* sim_watch.c -- what a run writes down, and what it tells scorer oracle. */
#include "base/memory.h"
#include "base/progress.h"
#include "crawler/visit/outcome.h"
#include "sim_inside.h"

#include <stdlib.h>

/* Room for one more. */
static void *
room(void *p, size_t *cap, size_t n, size_t size)
{
    if (n < *cap)
        return p;
    *cap = *cap ? 2 * *cap : 4096;
    return memory_need(realloc(p, *cap * size));
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

/* Links of pages; not those of seeds and redirects. */
void
sim_scored(void *sim, const struct frontier_link *link, double score)
{
    struct sim *s = sim;
    struct sim_run *r = s->run;
    uint32_t number;

    if (s->source == NULL || link < s->links || link >= s->links + s->links_n)
        return;
    number = s->links_number[link - s->links];
    if (!s->web->page[s->web->link[number].to].known)
        return;
    r->link = room(r->link, &s->links_cap, r->links_n, sizeof *r->link);
    r->link[r->links_n++] =
        (struct sim_link){.link = number,
                          .page = (uint32_t)(s->source - s->web->page),
                          .at = (uint32_t)r->fetches_n,
                          .score = (float)score};
}

void
sim_note(struct sim *s, const struct flight *f, const struct frontier_done *d,
         enum verdict reject, bool document)
{
    struct sim_run *r = s->run;
    bool kept = document && reject == VERDICT_NONE;

    if (s->setup->asked != NULL && f->page != WEB_NONE && d->contacted)
        s->setup->asked[f->page] = true;
    r->fetched_bytes += d->fetched_bytes;
    r->robots += d->kind == FRONTIER_ROBOTS && d->contacted;
    r->redirects += d->outcome == OUTCOME_REDIRECT;
    r->disallowed += d->outcome == OUTCOME_DISALLOWED;
    if (!outcome_is_page(d, &f->lease, s->setup->opts))
        return;
    r->fetch = room(r->fetch, &s->fetches_cap, r->fetches_n, sizeof *r->fetch);
    r->kept += kept;
    r->kept_bytes += d->kept_bytes;
    progress_add(s->setup->progress, 1);
    r->fetch[r->fetches_n++] =
        (struct sim_fetch){.page = f->page,
                           .depth = f->lease.depth,
                           .score = f->lease.score,
                           .reject = (uint8_t)reject,
                           .document = document,
                           .kept = kept,
                           .at_ms = f->end_ms - s->start_ms};
}
