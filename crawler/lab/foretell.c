/* foretell.c -- see foretell.h.  The cut is looked for anew whenever there are
 * a fiftieth more links. */
#include "foretell.h"

#include "winnow/memory.h"

#include <stdlib.h>

#define CLASSES 1000u
#define FIRST_CUT 0.5 /* before anything was scored */
#define AGAIN 50u     /* part of the links that are new when it is sought */

struct chances { /* of the links so far, in classes of equal width */
    double links[CLASSES + 1], sum[CLASSES + 1];
    size_t n, next; /* links; as many when the cut is sought again */
    double cut;
};

static size_t
class_of(double chance)
{
    return !(chance > 0) ? 0
           : chance >= 1 ? CLASSES
                         : (size_t)(chance * CLASSES);
}

/* The cut with the best F1 if the chances are true. */
static double
best_cut(const struct chances *c)
{
    double told = 0, right = 0, kept = 0, best = 0;
    size_t cut = CLASSES;

    for (size_t i = 0; i <= CLASSES; i++)
        kept += c->sum[i];
    for (size_t i = CLASSES + 1; i-- > 0;) {
        told += c->links[i];
        right += c->sum[i];
        if (told > 0 && 2 * right / (told + kept) > best) {
            best = 2 * right / (told + kept);
            cut = i;
        }
    }
    return (double)cut / CLASSES;
}

static bool
foretold(struct chances *c, double chance)
{
    bool told = class_of(chance) >= class_of(c->cut);

    c->links[class_of(chance)]++;
    c->sum[class_of(chance)] += chance > 1 ? 1 : chance > 0 ? chance : 0;
    if (++c->n >= c->next) {
        c->cut = best_cut(c);
        c->next = c->n + 1 + c->n / AGAIN;
    }
    return told;
}

bool *
foretell(const struct sim_run *r, bool cross_only)
{
    struct chances *c = memory_need(calloc(1, sizeof *c));
    bool *told = memory_need(calloc(r->links_n + 1, sizeof *told));

    c->cut = FIRST_CUT;
    for (size_t i = 0; i < r->links_n; i++)
        if (!cross_only || r->link[i].cross)
            told[i] = foretold(c, (double)r->link[i].score);
    free(c);
    return told;
}
