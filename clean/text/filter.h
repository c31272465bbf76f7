/* filter.h -- what stage filter asks of a document: each question with the
 * document's value and the limit of the options, in the order in which they are
 * asked.  The first that is not met is the reason to reject. */
#ifndef CLEAN_FILTER_H
#define CLEAN_FILTER_H

#include "base/options/opt.h"
#include "clean/chain/document.h"

struct filter_limits {
    uint64_t chars_min, blocks_min, chars_all_min, blocks_all_min;
    double chars_share_min, blocks_share_min, language_margin, badness_max;
    double kinds_max;
    unsigned kinds; /* 1 << PAGE_x */
};

void filter_limits_of(struct filter_limits *l, const struct opts *o);

struct filter_check {
    enum verdict verdict; /* of a document that does not meet it */
    const char *what;     /* for people: "characters of text" */
    const char *option;   /* whose value the limit is; "": it is fixed */
    double value, limit;
    bool least; /* value >= limit is met, else value <= limit is */
    bool met;
};

#define FILTER_CHECKS_N 10u

/* Fills all; returns the index of the first that is not met, or
 * FILTER_CHECKS_N. */
size_t filter_checks(const struct filter_limits *l, const struct document *d,
                     struct filter_check out[FILTER_CHECKS_N]);

#endif
