/* common.h -- one set of links for all that predict: those that every run has
 * scored.  Each crawl meets other links, and easy ones make anybody look good;
 * only on the same links do the figures of two scorers compare. */
#ifndef LAB_COMMON_H
#define LAB_COMMON_H

#include "experiment.h"

struct common {
    bool *is;    /* by link of the web */
    size_t n;    /* links of the set */
    size_t some; /* links that any run has scored */
};

/* Of the runs of all arms; those that know the web do not count, unless there
 * are no others. */
void common_make(struct common *c, const struct experiment *e);
void common_free(struct common *c);

#endif
