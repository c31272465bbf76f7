/* columns.h -- the features of a page's blocks, input by input, as forests read
 * them: column[input][block].
 *
 * What is said of a block, of the one before and of the one after it are the
 * same numbers, one place on; so they are stored once. */
#ifndef CLEAN_COLUMNS_H
#define CLEAN_COLUMNS_H

#include "context.h"
#include "features.h"

/* Blocks that are turned together: more would leave the second-level cache, and
 * pages have up to tens of thousands. */
#define COLUMNS_ROWS 256u

struct columns {
    const float *input[FEATURES_N + CONTEXT_N]; /* FOREST_ROWS more than n are
                                                   readable */
    uint32_t first, n;                          /* blocks that it holds */

    const struct features *f;
    float (*extra)[CONTEXT_N]; /* NULL: none, or not yet */
    float *local, *around, *context;
    size_t stride;
};

/* For a page; it holds none yet.  Memory from `a`. */
void columns_open(struct columns *c, const struct features *f, struct arena *a);

/* From now on with what the context pass sees. */
void columns_add_context(struct columns *c, float (*extra)[CONTEXT_N],
                         struct arena *a);

/* Hold block `first` and those behind it, COLUMNS_ROWS at most. */
void columns_hold(struct columns *c, uint32_t first);

#endif
