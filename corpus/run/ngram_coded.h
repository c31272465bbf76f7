/* ngram_coded.h -- job ngram, with numbers in the place of words.
 *
 * The lines are those of map, combine and reduce, in another order. */
#ifndef CORPUS_NGRAM_CODED_H
#define CORPUS_NGRAM_CODED_H

#include "stage.h"

enum ngram_coded {
    NGRAM_CODED_DONE,
    NGRAM_CODED_FAILED, /* reported */
    NGRAM_CODED_NOT     /* not for this stage, or not in this memory: nothing
                           was made, nothing counted */
};

enum ngram_coded ngram_coded_run(const struct stage_run *r,
                                 struct job_totals *totals);

#endif
