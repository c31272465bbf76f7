/* shape.c -- see shape.h.  Pure. */
#include "shape.h"

#include "winnow/hash.h"

#define BAD_LEAST 3u    /* so many wasted fetches make a shape bad ... */
#define BAD_RATIO 2u    /* ... when they are more than so many useful ones */
#define WASTE_WEIGHT 2u /* one wasted fetch against one useful one */
#define SHAPE_SIZE 256u /* bytes of a path that count */

uint32_t
shape_id(struct str rest)
{
    char out[SHAPE_SIZE];
    size_t n = 0, end = 0, slash = 0, dot = 0;
    bool digit = false;

    while (end < rest.n && rest.p[end] != '?' && rest.p[end] != '#')
        end++;
    for (size_t i = 0; i < end; i++) {
        if (rest.p[i] == '/')
            slash = i + 1;
        else if (rest.p[i] == '.')
            dot = i;
    }
    for (size_t i = 0; i < slash && n < sizeof out - 1; i++) {
        if (!ascii_digit(rest.p[i]))
            out[n++] = rest.p[i];
        else if (i == 0 || !ascii_digit(rest.p[i - 1]))
            out[n++] = '0';
    }
    for (size_t i = slash; i < end && !digit; i++)
        digit = ascii_digit(rest.p[i]);
    for (size_t i = slash; digit && i < end && n < sizeof out - 1; i++) {
        if (ascii_digit(rest.p[i]))
            break;
        out[n++] = rest.p[i];
    }
    if (n < sizeof out - 1)
        out[n++] = digit ? '0' : '*';
    for (size_t i = dot > slash ? dot : end; i < end && n < sizeof out - 1; i++)
        out[n++] = rest.p[i];
    if (end < rest.n && rest.p[end] == '?') /* a query is a page of its own */
        out[n++] = '?';
    return (uint32_t)hash64(str_n(out, n));
}

static const struct shape *
find(const struct shapes *s, uint32_t id)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->item[i].id == id)
            return &s->item[i];
    return NULL;
}

static struct shape *
add(struct shapes *s, uint32_t id)
{
    struct shape *least = &s->item[0];

    if (s->n < SHAPES_MAX) {
        least = &s->item[s->n++];
    } else {
        for (size_t i = 1; i < s->n; i++)
            if (s->item[i].useful + s->item[i].wasted <
                least->useful + least->wasted)
                least = &s->item[i];
    }
    *least = (struct shape){.id = id};
    return least;
}

void
shapes_note(struct shapes *s, uint32_t id, bool wasted)
{
    const struct shape *known = find(s, id);
    struct shape *now = known ? &s->item[known - s->item] : add(s, id);

    if (wasted)
        now->wasted++;
    else
        now->useful++;
}

static bool
bad(const struct shape *s)
{
    return s->wasted >= BAD_LEAST && s->wasted > BAD_RATIO * s->useful;
}

uint16_t
shapes_priority(const struct shapes *s, uint32_t id, uint16_t priority)
{
    const struct shape *known = find(s, id);
    uint64_t useful;

    if (known == NULL || !bad(known) || priority == 0)
        return priority;
    useful = 1 + (uint64_t)known->useful;
    return (uint16_t)(1 + (priority - 1u) * useful /
                              (useful + WASTE_WEIGHT * known->wasted));
}

uint64_t
shapes_bad_wasted(const struct shapes *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (bad(&s->item[i]))
            n += s->item[i].wasted;
    return n;
}
