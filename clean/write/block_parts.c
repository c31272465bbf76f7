/* block_parts.c -- see block_parts.h. */
#include "block_parts.h"

static bool
is_open(const struct part_walk *w, uint32_t part)
{
    for (uint32_t k = 0; k < w->open_n; k++)
        if (w->open[k] == part)
            return true;
    return false;
}

/* Whether an item or quote around a block is written; inner: it is the
 * innermost item. */
static bool
is_written(const struct part_walk *w, uint32_t part, bool inner)
{
    const struct page_part *p = &w->d->parts[part];

    if (p->form == FORM_QUOTE || is_open(w, part))
        return true;
    return p->form == FORM_ITEM && part > w->latest && (inner || p->ordered);
}

/* Innermost first, as they are found; of too many the outermost and the
 * innermost are taken. */
struct part_step
part_step(const struct part_walk *w, uint32_t part)
{
    struct part_step step = {.n = 0};
    uint32_t found[OPEN_PARTS_MAX], n = 0;
    bool inner = true;

    for (; part != 0; part = w->d->parts[part].parent) {
        if (is_written(w, part, inner)) {
            if (n == OPEN_PARTS_MAX)
                memmove(&found[1], &found[2], (--n - 1) * sizeof *found);
            found[n++] = part;
        }
        inner &= w->d->parts[part].form != FORM_ITEM;
    }
    while (n > 0)
        step.around[step.n++] = found[--n];
    while (step.same < step.n && step.same < w->open_n &&
           step.around[step.same] == w->open[step.same])
        step.same++;
    return step;
}

void
part_walk_take(struct part_walk *w, const struct part_step *step)
{
    for (uint32_t k = step->same; k < step->n; k++) {
        uint32_t part = step->around[k];

        w->open[k] = part;
        if (w->d->parts[part].form == FORM_ITEM && part > w->latest)
            w->latest = part;
    }
    w->open_n = step->n;
}

bool
part_step_goes_on(const struct part_walk *w, const struct part_step *step,
                  uint32_t k)
{
    const struct page_part *ended, *p;

    if (k != step->same || k >= w->open_n || k >= step->n)
        return false;
    ended = &w->d->parts[w->open[k]];
    p = &w->d->parts[step->around[k]];
    return ended->form == FORM_ITEM && p->form == FORM_ITEM &&
           ended->list == p->list;
}
