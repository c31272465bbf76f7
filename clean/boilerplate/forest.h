/* forest.h -- boosted trees that ask the same question in a whole level.
 *
 * Such oblivious trees (Kohavi 1994; boosted as in CatBoost, Prokhorenkova et
 * al. 2018) need no branches: the answers of a row are the bits of its leaf's
 * number, so many rows are classified side by side (simd_trees()).  The file is
 * text, written by `winnow train`:
 *
 *     winnow forest 1
 *     inputs=N
 *     trees=N
 *     base=X
 *     then a line a tree: FOREST_DEPTH times an input and its limit, the first
 *     being the highest bit, then the values of the 2^FOREST_DEPTH leaves
 *
 * Sum of the leaves and base: the logit of P(boilerplate).  Read-only once it
 * is made, shared by threads. */
#ifndef CLEAN_FOREST_H
#define CLEAN_FOREST_H

#include "base/status.h"
#include "base/str.h"
#include "simd.h"

#define FOREST_DEPTH SIMD_TREE_DEPTH
#define FOREST_LEAVES (1u << FOREST_DEPTH)
#define FOREST_ROWS SIMD_TREE_ROWS
#define FOREST_GROUPS 8u
#define FOREST_INPUTS_MAX 2048u
#define FOREST_TREES_MAX 4096u
#define FOREST_FILE_BYTES ((size_t)8 << 20)

struct forest {
    uint32_t inputs_n, trees_n;
    float base;
    struct simd_tree *tree;
};

/* ST_INVALID: *fault says why; static storage. */
enum status forest_parse(struct forest **out, struct str text,
                         const char **fault);

/* Reported with the path.  ST_IO: unreadable; ST_INVALID: no such file. */
enum status forest_load(struct forest **out, const char *path);
enum status forest_save(const struct forest *f, const char *path);
void forest_free(struct forest *f); /* NULL is allowed */

/* logit[groups * FOREST_ROWS]: of groups of FOREST_ROWS rows, each from
 * from[g] on: column[input][row]. */
void forest_run(const struct forest *f, const float *const *column,
                const uint32_t *from, uint32_t groups,
                float *logit);

#endif
