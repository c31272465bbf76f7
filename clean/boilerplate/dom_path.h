/* dom_path.h -- the way from <body> down to the element that holds most of a
 * page's text, or its story, and where the blocks leave it.
 *
 * An article, its comments, its sidebar are branches; what a branch is like as
 * a whole says more of a block than its four innermost elements. */
#ifndef CLEAN_DOM_PATH_H
#define CLEAN_DOM_PATH_H

#include "base/arena.h"

#define DOM_PATH_BODY 1u /* the container of <body> is the first one */

struct dom_path_blocks {
    const float *weight, *words;
    const uint32_t *container; /* the innermost */
    uint32_t n;
};

/* What a container holds, at any depth. */
struct dom_path_sum {
    float weight, words;
    uint32_t blocks, first, last; /* blocks: how many, and which */
};

/* The containers of a page: parent[id] < id, but for <body>. */
struct dom_path_tree {
    const uint32_t *parent;
    struct dom_path_sum *sum;
    uint32_t n;
};

/* By container. */
struct dom_path_way {
    uint32_t up;     /* steps from the tip up to where its way leaves */
    uint32_t below;  /* ... and from there down to it */
    uint32_t branch; /* the first container off the path; 0: on it */
};

struct dom_path {
    struct dom_path_way *way;
    uint32_t tip;
};

void dom_path_tree(struct dom_path_tree *tree, const struct dom_path_blocks *b,
                   const uint32_t *parent, uint32_t containers_n,
                   struct arena *a);

/* The innermost container with two blocks and more than `share` (at least a
 * half) of all weight in it and each one round it. */
uint32_t dom_path_heavy(const struct dom_path_tree *tree, float share);

/* The innermost container that holds both. */
uint32_t dom_path_common(const struct dom_path_tree *tree, uint32_t one,
                         uint32_t other);

/* The path that ends in `tip`. */
void dom_path_find(struct dom_path *t, const struct dom_path_tree *tree,
                   uint32_t tip, struct arena *a);

#endif
