/* shelves.c -- the shelves of a host in the frontier: where a URL goes, and
 * which of their best URLs is the best one now.
 *
 * Statistics move whole shelves: the rows stay where they are, the choice among
 * the heads is made anew each time. */
#include "frontier/inside.h"
#include "frontier/signs/trap.h"

uint8_t
frontier_shelf(struct frontier *f, struct host *h, const struct str *rest)
{
    struct shelf_kinds kinds;

    if (rest == NULL)
        return (uint8_t)shelves_find(&h->row.shelves, NULL, f->arena);
    kinds = shelf_kinds(*rest);
    return (uint8_t)shelves_find(&h->row.shelves, &kinds, f->arena);
}

static uint64_t
bad_wasted(const struct row_host *h)
{
    uint64_t n = 0;

    for (size_t i = 0; i < h->shelves.n; i++)
        if (scorer_bad_shelf(&h->shelves.item[i].causes))
            n += causes_wasted(&h->shelves.item[i].causes);
    return n;
}

struct scorer_yields
frontier_yields(const struct frontier *f, const struct row_host *h)
{
    const struct scorer_host host = {h->name, h->domain, &h->causes};
    struct scorer_yields y = {.host = &h->causes};

    if (f->scorer->now != NULL)
        y.bad_wasted = bad_wasted(h);
    if (f->scorer->host == NULL)
        return y;
    y.host_score = f->scorer->host(&host, &f->tools);
    y.queued = causes_there(&h->causes) > 0 ? h->queued : UINT64_MAX;
    for (size_t i = 0; i < h->shelves.n; i++)
        alive_add(&y.alive, &h->shelves.item[i].causes);
    return y;
}

/* Has the host, or this kind of its pages, had its share? */
static bool
over_cap(const struct frontier *f, const struct row_host *h, size_t shelf)
{
    const struct causes *c = &h->shelves.item[shelf].causes;

    return (f->rules.host_pages > 0 &&
            causes_pages(&h->causes) >= f->rules.host_pages) ||
           (f->rules.shape_pages > 0 &&
            causes_pages(c) >= f->rules.shape_pages);
}

static uint16_t
effective(const struct frontier *f, const struct row_host *h, size_t shelf,
          uint16_t priority, struct scorer_yields y)
{
    if (priority == ROW_PRIORITY_ROBOTS || priority == 0)
        return priority;
    if (over_cap(f, h, shelf))
        priority = trap_priority(TRAP_CAP, priority);
    if (f->scorer->now == NULL)
        return priority;
    y.shelf = &h->shelves.item[shelf].causes;
    y.shelf_queued = h->shelves.item[shelf].queued;
    return scorer_priority(
        f->scorer->now(scorer_score(priority), &y, &f->tools));
}

uint16_t
frontier_effective(const struct frontier *f, const struct row_host *h,
                   size_t shelf, uint16_t priority)
{
    return effective(f, h, shelf, priority, frontier_yields(f, h));
}

double
frontier_chance(const struct frontier *f, const struct row_host *h,
                size_t shelf, uint16_t priority)
{
    struct scorer_yields y;

    if (f->scorer->chance == NULL)
        return scorer_score(frontier_effective(f, h, shelf, priority));
    y = frontier_yields(f, h);
    y.shelf = &h->shelves.item[shelf].causes;
    return f->scorer->chance(scorer_score(priority), &y, &f->tools);
}

/* Is x to be fetched before y?  A tie is the better link's, then the older's.
 */
static bool
before(const struct frontier_head *x, const struct frontier_head *y)
{
    if (x->effective != y->effective)
        return x->effective > y->effective;
    if (x->place.priority != y->place.priority)
        return x->place.priority > y->place.priority;
    return x->place.sequence < y->place.sequence;
}

/* The best of any of its shelves: of each with the same chance. */
void
frontier_any_head(struct frontier *f, const struct host *h,
                  struct row_place *out)
{
    uint64_t filled = 0;

    for (size_t i = 0; i < h->row.shelves.n; i++) {
        const struct shelf *s = &h->row.shelves.item[i];

        if (s->queued > 0 && random_below(&f->random, ++filled) == 0)
            *out = (struct row_place){h->id, (uint8_t)i, s->head_priority,
                                      s->head_sequence};
    }
}

bool
frontier_head(const struct frontier *f, uint32_t id, const struct row_host *h,
              struct frontier_head *out)
{
    const struct scorer_yields yields = frontier_yields(f, h);
    bool found = false;

    for (size_t i = 0; i < h->shelves.n; i++) {
        const struct shelf *s = &h->shelves.item[i];
        struct frontier_head head = {
            .place = {id, (uint8_t)i, s->head_priority, s->head_sequence},
            .effective = effective(f, h, i, s->head_priority, yields)};

        if (s->queued == 0 || (found && !before(&head, out)))
            continue;
        *out = head;
        found = true;
    }
    return found;
}
