#include "scorer_way.h"

#include <stddef.h>

#include "scorer.tbl.h"

enum way { RANKS, CHOOSES };

static const struct {
    const char *name;
    enum way way;
} scorers[] = {
#define SCORER(scorer_name, its_way) {.name = #scorer_name, .way = its_way},
    FRONTIER_SCORERS(SCORER, SCORER)
#undef SCORER
};

bool
scorer_chooses(struct str name)
{
    for (size_t i = 0; i < sizeof scorers / sizeof *scorers; i++)
        if (str_eq(name, str_c(scorers[i].name)))
            return scorers[i].way == CHOOSES;
    return false;
}
