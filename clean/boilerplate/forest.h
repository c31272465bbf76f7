/* forest.h -- boosted trees that ask the same question in a whole level.
 *
 * Such oblivious trees (Kohavi 1994; boosted as in CatBoost, Prokhorenkova et
 * al. 2018) need no branches: the answers of a row are the bits of its leaf's
 * number.  An input is asked at few limits, so its values are cut into bins
 * first, and many rows are classified side by side, a byte each (simd_bins(),
 * simd_trees()).  The file is text, written by `winnow train`:
 *
 *     winnow forest 1
 *     inputs=N
 *     trees=N
 *     base=X
 *     then a line a tree: FOREST_DEPTH times an input and its limit, the first
 *     being the highest bit, then the values of the 2^FOREST_DEPTH leaves
 *
 * Sum of the leaves and base: the logit of P(boilerplate).  A leaf counts to
 * four decimals, FOREST_LEAF_MAX at most.  Read-only once it is made, shared by
 * threads. */
#ifndef CLEAN_FOREST_H
#define CLEAN_FOREST_H

#include "base/status.h"
#include "base/str.h"
#include "simd.h"

#define FOREST_DEPTH SIMD_TREE_DEPTH
#define FOREST_LEAVES SIMD_TREE_LEAVES
#define FOREST_LEAF_MAX 3.2767f
#define FOREST_ROWS SIMD_GROUP_ROWS
#define FOREST_GROUPS (SIMD_ROWS_MAX / SIMD_GROUP_ROWS)
#define FOREST_INPUTS_MAX 2048u
#define FOREST_TREES_MAX 4096u
#define FOREST_FILE_BYTES ((size_t)8 << 20)

struct forest_tree {
    uint16_t input[FOREST_DEPTH];
    float limit[FOREST_DEPTH], leaf[FOREST_LEAVES];
};

struct forest {
    uint32_t inputs_n, trees_n;
    float base;
    struct forest_tree *tree;

    /* The same for forest_run(), made by forest_pack(). */
    struct simd_tree *packed;
    uint32_t columns_n;         /* inputs that are asked */
    uint16_t *input, *limits_n; /* [columns_n] */
    float *limit;
};

/* ST_INVALID: an input is asked at more than SIMD_BINS_MAX limits; ST_NOMEM.
 * What is read from a file is packed. */
enum status forest_pack(struct forest *f);

/* ST_INVALID: *fault says why; static storage. */
enum status forest_parse(struct forest **out, struct str text,
                         const char **fault);

/* Reported with the path.  ST_IO: unreadable; ST_INVALID: no such file. */
enum status forest_load(struct forest **out, const char *path);
enum status forest_save(const struct forest *f, const char *path);
void forest_free(struct forest *f); /* NULL is allowed */

/* logit[groups * FOREST_ROWS]: of groups of FOREST_ROWS rows, FOREST_GROUPS at
 * most, each from from[g] on: column[input][row].  bins: room for
 * f->columns_n * SIMD_ROWS_MAX. */
void forest_run(const struct forest *f, const float *const *column,
                const uint32_t *from, uint32_t groups, uint8_t *bins,
                float *logit);

#endif
