/* simd.h -- the inner loops of networks and trees, several numbers at a time.
 *
 * Each call runs with AVX2 and FMA where the processor has them, else with what
 * the compiler's target offers; results differ in the last bits only, those of
 * trees not at all.
 * Counts of hidden units are multiples of SIMD_N (when learning, of 16; then
 * simd_add() also writes sums up to the next multiple).  Pure, thread-safe. */
#ifndef CLEAN_SIMD_H
#define CLEAN_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIMD_N 32u
#define SIMD_ROWS 4u

/* An input that counts, and the weights from it to all hidden units. */
struct simd_term {
    const float *weight;
    float x;
};

/* Inputs of which only some are not 0. */
struct simd_row {
    const float *value;
    const uint16_t *at; /* where those stand */
    uint32_t n;
};

/* Their weights, `stride` numbers a row, and the range of values outside of
 * which more changes nothing; at_zero is 0 brought into it. */
struct simd_inputs {
    const float *weight, *low, *high, *at_zero;
    uint32_t stride;
};

/* Limits at which values are cut into bins: those of the inputs that count,
 * ascending, one input's behind the other's. */
struct simd_limits {
    uint32_t inputs_n;
    const uint16_t *input, *limits_n;
    const float *limit;
};

/* An oblivious tree over bins: level d asks whether the bin in column[d] is
 * above over[d]; level 0 gives the highest bit of the number of the leaf.  Leaf
 * k counts for (int8_t)high[k] * 256 + low[k].  Trees up to one that is `last`
 * add up to less than 2^15. */
#define SIMD_TREE_DEPTH 6u
#define SIMD_TREE_LEAVES (1u << SIMD_TREE_DEPTH)
#define SIMD_GROUP_ROWS 16u
#define SIMD_ROWS_MAX 128u /* of a call */
#define SIMD_BINS_MAX 127u
struct simd_tree {
    uint16_t column[SIMD_TREE_DEPTH];
    int8_t over[SIMD_TREE_DEPTH];
    bool last;
    uint8_t low[SIMD_TREE_LEAVES], high[SIMD_TREE_LEAVES];
};

#define SIMD_CALLS(X)                                                          \
    /* sums[h] += term[i].weight[h] * term[i].x for all i */                   \
    X(simd_add,                                                                \
      (float *sums, uint32_t hidden, const struct simd_term *term,             \
       uint32_t n),                                                            \
      (sums, hidden, term, n))                                                 \
    /* z[h] = tanh(z[h]), to a relative error of about 1e-6 */                 \
    X(simd_tanh, (float *z, uint32_t n), (z, n))                               \
    /* *sum += tanh(z[h]) * out[h] for all h */                                \
    X(simd_output, (float *sum, const float *z, const float *out, uint32_t n), \
      (sum, z, out, n))                                                        \
    /* sums[h] += weight[i * stride + h] * clipped value[i], for the inputs i  \
     * that stand in `row` */                                                  \
    X(simd_sparse,                                                             \
      (float *sums, uint32_t hidden, const struct simd_inputs *to,             \
       const struct simd_row *row),                                            \
      (sums, hidden, to, row))                                                 \
    /* For SIMD_ROWS rows x of `in` inputs: z = bias + x times weight */       \
    X(simd_forward,                                                            \
      (const float *weight, const float *bias, uint32_t in, uint32_t hidden,   \
       const float *x, float *z),                                              \
      (weight, bias, in, hidden, x, z))                                        \
    /* slope += transposed x times back, of as many rows */                    \
    X(simd_backward,                                                           \
      (float *slope, uint32_t in, uint32_t hidden, const float *x,             \
       const float *back),                                                     \
      (slope, in, hidden, x, back))                                            \
    /* One step of Adam; scale corrects the bias of v */                       \
    X(simd_move,                                                               \
      (float *value, const float *slope, float *m, float *v, size_t n,         \
       float rate, float decay, float scale),                                  \
      (value, slope, m, v, n, rate, decay, scale))                             \
    /* The bins of groups of SIMD_GROUP_ROWS rows, an even number of them,     \
     * group g from row from[g] on; those of an input stand together, rows in  \
     * their order */                                                          \
    X(simd_bins,                                                               \
      (const struct simd_limits *to, const float *const *column,               \
       const uint32_t *from, uint32_t groups, uint8_t *bins),                  \
      (to, column, from, groups, bins))                                        \
    /* sums[row] += the leaves that it reaches in n trees; `rows` is a         \
     * multiple of 32 */                                                       \
    X(simd_trees,                                                              \
      (const struct simd_tree *tree, uint32_t n, const uint8_t *bins,          \
       uint32_t rows, int32_t *sums),                                          \
      (tree, n, bins, rows, sums))

#define SIMD_DECLARE(name, parameters, arguments)                              \
    void name parameters;                                                      \
    void name##_plain parameters;                                              \
    void name##_wide parameters;
SIMD_CALLS(SIMD_DECLARE)
#undef SIMD_DECLARE

float simd_exp(float x); /* one number; within +-80 */

#endif
