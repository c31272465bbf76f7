/* features_sum.h -- sums over a page's blocks that its features need. */
#ifndef CLEAN_FEATURES_SUM_H
#define CLEAN_FEATURES_SUM_H

#include "features.h"

#define FEATURE_LONG_WORDS 15u /* a block of running text */

/* Summed up per container or per value of a hash. */
struct feature_group {
    uint32_t blocks, words, long_words;
    float link_words;
};

/* Elements of one kind side by side: items of a list, comments, posts, rows,
 * but also paragraphs. */
struct feature_records {
    uint32_t members, words, dates;
};

struct feature_sums {
    const struct document *d;
    uint32_t n;
    enum language language;
    bool single; /* a language written without blanks */
    double words, bytes, link_words, long_words;
    uint32_t long_n, long_plain_n, longest;
    struct feature_group *container;    /* by container id */
    struct feature_group *path, *shape; /* by group id */
    struct feature_records *records;    /* by group id */
    uint32_t *records_of;               /* by container id: group id */
    uint32_t *rank;                     /* by container id: from 1 */
    struct features_place *place;
    uint32_t paths_n, shapes_n, records_n, sections_n;
    uint32_t *same_text;     /* blocks of the same text */
    uint32_t *article_words; /* by container id */
    uint32_t article_most;   /* the largest of them */
    float *link_share;
};

/* Everything in the document's arena.  d->blocks_n > 0 */
void feature_sums(struct feature_sums *x, const struct document *d);

#endif
