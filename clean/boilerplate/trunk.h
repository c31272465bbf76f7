/* trunk.h -- the way from <body> down to the element that holds most of a
 * page's text, or its story, and where the blocks leave it.
 *
 * An article, its comments, its sidebar are branches; what a branch is like as
 * a whole says more of a block than its four innermost elements. */
#ifndef CLEAN_TRUNK_H
#define CLEAN_TRUNK_H

#include "winnow/arena.h"

#define TRUNK_BODY 1u /* the container of <body> is the first one */

struct trunk_blocks {
    const float *weight, *words;
    const uint32_t *container; /* the innermost */
    uint32_t n;
};

/* What a container holds, at any depth. */
struct trunk_sum {
    float weight, words;
    uint32_t blocks, first, last; /* blocks: how many, and which */
};

/* The containers of a page: parent[id] < id, but for <body>. */
struct trunk_tree {
    const uint32_t *parent;
    struct trunk_sum *sum;
    uint32_t n;
};

/* By container. */
struct trunk_way {
    uint32_t up;     /* steps from the tip up to where its way leaves */
    uint32_t below;  /* ... and from there down to it */
    uint32_t branch; /* the first container off the trunk; 0: on it */
};

struct trunk {
    struct trunk_way *way;
    uint32_t tip;
};

void trunk_tree(struct trunk_tree *tree, const struct trunk_blocks *b,
                const uint32_t *parent, uint32_t containers_n, struct arena *a);

/* The innermost container with two blocks and more than `share` (at least a
 * half) of all weight in it and each one round it. */
uint32_t trunk_heavy(const struct trunk_tree *tree, float share);

/* The innermost container that holds both. */
uint32_t trunk_common(const struct trunk_tree *tree, uint32_t one,
                      uint32_t other);

/* The trunk that ends in `tip`. */
void trunk_find(struct trunk *t, const struct trunk_tree *tree, uint32_t tip,
                struct arena *a);

#endif
