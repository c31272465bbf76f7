/* preset.c -- which presets there are, and whom they compare. */
#include "preset.h"

const struct preset *const preset_table[] = {&preset_seeds, &preset_cyclic,
                                             &preset_links, NULL};

void
preset_choose_scorers(struct experiment *e)
{
    struct str chosen[EXPERIMENT_SCORERS_MAX];
    size_t n = 1;

    chosen[0] = S("bfs");
    for (size_t i = 0; i < e->scorers_n && n < EXPERIMENT_SCORERS_MAX; i++)
        if (oracle_find(e->scorer[i]) == ORACLES_N &&
            !str_eq(e->scorer[i], S("bfs")))
            chosen[n++] = e->scorer[i];
    memcpy(e->scorer, chosen, n * sizeof *chosen);
    e->scorers_n = n;
}
