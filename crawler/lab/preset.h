/* preset.h -- the three experiments of "Focused Web Corpus Crawling" (Schaefer,
 * Barbaresi & Bildhauer, WAC-9 2014) on a recorded web: our tables beside the
 * published figures.
 *
 *   seeds   the yield of seeds against that of the crawl from them
 *   cyclic  five phases, each begun anew from good links, against a frontier
 *           that prioritises all the time
 *   links   badness and block value of a link as predictors of "kept" */
#ifndef LAB_PRESET_H
#define LAB_PRESET_H

#include "experiment.h"
#include "table.h"

struct preset {
    const char *name, *help;
    bool pages; /* its crawls have a budget of pages */
    /* `e` is prepared, with scorers that do not know the web; tables live in
     * `a`; plots are SVG.  Any status of sim_run(). */
    enum status (*run)(struct experiment *e, struct arena *a,
                       struct table_list *out, struct buf *plots);
};

/* Leave out scorers that know the web, and put bfs first. */
void preset_choose_scorers(struct experiment *e);

extern const struct preset preset_seeds, preset_cyclic, preset_links;
extern const struct preset *const preset_table[]; /* ended by NULL */

#endif
