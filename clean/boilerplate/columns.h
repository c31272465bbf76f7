/* columns.h -- the features of a page's blocks, input by input, as forests read
 * them: column[input][block].
 *
 * What is said of a block, of the one before and of the one after it are the
 * same numbers, one place on; so they are stored once. */
#ifndef CLEAN_COLUMNS_H
#define CLEAN_COLUMNS_H

#include "context.h"
#include "features.h"

struct columns {
    const float *input[FEATURES_N + CONTEXT_N]; /* [n], FOREST_ROWS more are
                                                   readable */
    uint32_t n;
    size_t stride; /* from the end of one input to that of the next */
};

/* All but what the context pass sees; memory from `a`. */
void columns_make(struct columns *c, const struct features *f, struct arena *a);

/* That, too. */
void columns_add_context(struct columns *c, float (*extra)[CONTEXT_N],
                         struct arena *a);

#endif
