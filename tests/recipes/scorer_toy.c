/* scorer_toy.c -- the scorer of the recipe in DESIGN.md: short URLs first. */
#include "scorer.h"

static double
by_length(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return 1 / (1 + (double)s->rest.n);
}

const struct scorer scorer_toy = {
    .name = "toy", .help = "short URLs first", .score = by_length};
