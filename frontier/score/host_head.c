/* host_head.c -- the URL classes of a host in the frontier: where a URL goes,
 * and which of their best URLs is the best one now.
 *
 * Statistics move whole URL classes: the rows stay where they are, the choice
 * among the heads is made anew each time. */
#include "frontier/features/trap.h"
#include "frontier/store/lowered.h"
#include "scoring_inside.h"

static uint64_t
bad_wasted(const struct row_host *h)
{
    uint64_t n = 0;

    for (size_t i = 0; i < h->url_classes.n; i++)
        if (scorer_bad_url_class(&h->url_classes.item[i].outcomes))
            n += outcomes_wasted(&h->url_classes.item[i].outcomes);
    return n;
}

struct scorer_yields
scoring_yields(const struct scoring *sc, const struct row_host *h)
{
    const struct scorer_host host = {h->name, h->domain, &h->outcomes};
    struct scorer_yields y = {.host = &h->outcomes};

    if (sc->scorer->now != NULL)
        y.bad_wasted = bad_wasted(h);
    if (sc->scorer->host == NULL)
        return y;
    y.host_score = sc->scorer->host(&host, &sc->tools);
    y.queued = outcomes_there(&h->outcomes) > 0 ? h->queued : UINT64_MAX;
    for (size_t i = 0; i < h->url_classes.n; i++)
        link_rot_add(&y.link_rot, &h->url_classes.item[i].outcomes);
    return y;
}

/* Has the host, or this kind of its pages, had its share? */
static bool
over_cap(const struct scoring *sc, const struct row_host *h, size_t url_class)
{
    const struct outcome_counts *c = &h->url_classes.item[url_class].outcomes;

    return (sc->host_pages > 0 &&
            outcomes_pages(&h->outcomes) >= sc->host_pages) ||
           (sc->shape_pages > 0 && outcomes_pages(c) >= sc->shape_pages);
}

static uint16_t
effective(const struct scoring *sc, const struct row_host *h, size_t url_class,
          uint16_t priority, struct scorer_yields y)
{
    if (priority == ROW_PRIORITY_ROBOTS || priority == 0)
        return priority;
    if (over_cap(sc, h, url_class))
        priority = trap_priority(TRAP_CAP, priority);
    if (sc->scorer->now == NULL)
        return priority;
    y.url_class = &h->url_classes.item[url_class].outcomes;
    y.url_class_queued = h->url_classes.item[url_class].queued;
    return scorer_priority(
        sc->scorer->now(scorer_score(priority), &y, &sc->tools));
}

uint16_t
scoring_effective(const struct scoring *sc, const struct row_host *h,
                  size_t url_class, uint16_t priority)
{
    return effective(sc, h, url_class, priority, scoring_yields(sc, h));
}

double
scoring_chance(const struct scoring *sc, const struct row_host *h,
               size_t url_class, uint16_t priority)
{
    struct scorer_yields y;

    if (sc->scorer->chance == NULL)
        return scorer_score(scoring_effective(sc, h, url_class, priority));
    y = scoring_yields(sc, h);
    y.url_class = &h->url_classes.item[url_class].outcomes;
    return sc->scorer->chance(scorer_score(priority), &y, &sc->tools);
}

/* Is x to be fetched before y?  A tie is the better link's, then the older's.
 */
static bool
before(const struct scoring_head *x, const struct scoring_head *y)
{
    /* cppcheck-suppress ctuuninitvar -- none is asked about before it is set */
    if (x->effective != y->effective)
        return x->effective > y->effective;
    if (x->priority != y->priority)
        return x->priority > y->priority;
    return x->position.sequence < y->position.sequence;
}

/* The best of any of its URL classes: of each with the same chance. */
void
scoring_any_head(const struct scoring *sc, const struct host *h,
                 struct row_position *out)
{
    uint64_t filled = 0;

    for (size_t i = 0; i < h->row.url_classes.n; i++) {
        const struct url_class *s = &h->row.url_classes.item[i];

        if (s->queued > 0 && random_below(sc->tools.random, ++filled) == 0)
            *out = lowered_head(sc->db, h->id, i, s).position;
    }
}

bool
scoring_head(const struct scoring *sc, uint32_t id, const struct row_host *h,
             struct scoring_head *out)
{
    const struct scorer_yields yields = scoring_yields(sc, h);
    bool found = false;

    for (size_t i = 0; i < h->url_classes.n; i++) {
        const struct url_class *s = &h->url_classes.item[i];
        struct lowered_head best;
        struct scoring_head head;

        if (s->queued == 0)
            continue;
        best = lowered_head(sc->db, id, i, s);
        head =
            (struct scoring_head){best.position, best.priority,
                                  effective(sc, h, i, best.priority, yields)};
        if (found && !before(&head, out))
            continue;
        *out = head;
        found = true;
    }
    return found;
}
