/* features_sum.h -- sums over a page's blocks that its features need. */
#ifndef CLEAN_FEATURES_SUM_H
#define CLEAN_FEATURES_SUM_H

#include "dom_path.h"
#include "features.h"

#define FEATURE_DOM_PATHS 3
#define FEATURE_LONG_WORDS 15u /* a block of running text */

/* Summed up per container or per value of a hash; `row` is what a block in it
 * is told, the same for all of them (made in features.c). */
struct feature_group {
    uint32_t blocks, words, long_words;
    float link_words;
    float row[4];
};

/* Elements of one kind side by side: items of a list, comments, posts, rows,
 * but also paragraphs. */
struct feature_records {
    uint32_t members, words, dates;
    float row[3]; /* as of a feature_group */
};

/* Whose text it is, at any depth below a container. */
struct feature_voice {
    float links, stops, pronouns, commas;
    uint32_t dates, bylines, comments, sentences, titles;
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
    uint32_t *parent;        /* by container id */
    struct dom_path_tree tree;
    struct dom_path
        dom_path[FEATURE_DOM_PATHS]; /* two of weight, one of the story */
    struct feature_voice *voice;     /* by container id */
    uint32_t tip_members;            /* of what most children of a tip are */
    float tip_words;                 /* ... and how many words they hold */
    float heaviest;                  /* weight of the heaviest branch */
    float *link_share;
};

/* Everything in the document's arena.  d->blocks_n > 0 */
void feature_sums(struct feature_sums *x, const struct document *d);

/* features_dom_path.c: of all the above the DOM paths, voices and the tip, and
 * what is told of them of a block and of the page. */
struct row;
void feature_dom_paths(struct feature_sums *x);
void feature_dom_path_row(const struct feature_sums *x, uint32_t i,
                          struct row *r);
void feature_tip_row(const struct feature_sums *x, struct row *r);

#endif
