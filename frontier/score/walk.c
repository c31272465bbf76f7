/* walk.c -- scorer `walk`: a random walk with jumps, as texrex's ClaraX makes
 * one to sample the pages of a web.
 *
 * Each step goes to any link of the page that was kept last, each with the same
 * chance, or, with the chance frontier.walk_jump, to a seed.  A page without
 * another link is a dead end: the walk goes to a seed, too, or back to the page
 * before it (frontier.walk_dead_end).  A page that is not kept is a step that
 * failed, and the walk stays where it was.
 *
 * Scores are bands: the links of the last page, seeds, links further back (the
 * latest pages first) and, in a jump, all links behind the seeds.  Pages are
 * numbered when their first link is scored; of a queued link only the linking
 * page's hash is known, which is looked up.  The band changes as the walk goes
 * on, so links are scored again before they are leased (`fresh`).
 *
 * Different from ClaraX: no page is fetched twice, so a walk does not return
 * into itself; with fetch.parallel above 1 there are as many walkers with one
 * stack; what is open when the frontier is closed lies behind all else later.
 */
#include "walk.h"

#include <stdlib.h>

#include "base/hashmap.h"
#include "winnow/hash.h"
#include "winnow/memory.h"
#include "winnow/opt.h"

#define STEPS_TOLD 20000 /* apart as priorities; later pages are alike */

struct walk {
    struct hashmap pages; /* number of a step by the hash of its page */
    uint64_t step;
    uint64_t seed; /* of chance */
    double jump;
    bool back;    /* from a dead end to the page before it */
    bool jumping; /* the next page is a seed */
    bool arrived; /* a page was kept: the next unknown one is that */
    struct random random;
};

struct visited {
    uint64_t page, step; /* step: from 1 */
};

static bool
is_used(const void *slot)
{
    return ((const struct visited *)slot)->step != 0;
}

static bool
is_page(const void *unused, const void *slot, const void *page)
{
    (void)unused;
    return ((const struct visited *)slot)->page == *(const uint64_t *)page;
}

static uint64_t
hash_of(const void *unused, const void *slot)
{
    (void)unused;
    return hash_mix(((const struct visited *)slot)->page);
}

static const struct hashmap_kind pages_kind = {sizeof(struct visited), is_used,
                                               is_page, hash_of, NULL};

enum status
walk_open(void **state, const struct opts *o)
{
    struct walk *w = memory_need(calloc(1, sizeof *w));

    hashmap_init(&w->pages, &pages_kind, NULL, 1024);
    w->seed = o->frontier_random_seed;
    w->random = random_seed(w->seed);
    w->jump = o->frontier_walk_jump;
    w->back = str_eq(o->frontier_walk_dead_end, S("backtrack"));
    *state = w;
    return ST_OK;
}

void
walk_close(void *state)
{
    struct walk *w = state;

    if (w == NULL)
        return;
    hashmap_free(&w->pages);
    free(w);
}

void
walk_learn(void *state, const struct scorer_lesson *n, struct buf *said)
{
    struct walk *w = state;

    (void)said;
    w->arrived = n->class == CLASS_KEPT;
    w->jumping = random_unit(&w->random) < w->jump;
}

/* The step that a link's page was; 0: none, or nobody knows. */
static uint64_t
step_of(struct walk *w, uint64_t page)
{
    struct visited *v;

    v = hashmap_find(&w->pages, &pages_kind, NULL, hash_mix(page), &page);
    if (is_used(v))
        return v->step;
    if (!w->arrived)
        return 0;
    w->arrived = false;
    v = hashmap_put(&w->pages, &pages_kind, NULL, hash_mix(page), &page);
    *v = (struct visited){page, ++w->step};
    return v->step;
}

/* A number of 0 to 1 that is the URL's own. */
static double
lot(const struct walk *w, const struct link_signals *s)
{
    uint64_t h = hash64(s->rest) ^ hash_mix(hash64(s->host) + w->seed);

    return (double)(hash_mix(h) >> 11) / 9007199254740992.0;
}

double
walk_score(const struct link_signals *s, const struct scorer_tools *t)
{
    struct walk *w = t->state;
    double chance = lot(w, s), depth;
    uint64_t step;

    if (s->seed)
        return 0.40 + 0.10 * chance;
    step = s->listed ? 0 : step_of(w, s->parent_page);
    depth = (double)(step < STEPS_TOLD ? step : STEPS_TOLD) / STEPS_TOLD;
    if (w->jumping)
        return 0.01 + 0.02 * depth;
    if (step > 0 && step == w->step)
        return 0.90 + 0.09 * chance;
    return (w->back ? 0.55 : 0.04) + 0.33 * depth;
}
