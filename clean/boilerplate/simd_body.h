/* simd_body.h -- the loops of simd.h, compiled once for each instruction
 * set: SIMD_NAME(simd_add) says under which name.  Vectors are GCC's, which
 * a compiler without such registers takes apart again. */
#include "simd.h"

#include <math.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef float floats
    __attribute__((vector_size(32), aligned(4), may_alias)); /* anywhere */

/* Macros, since a function with vectors in its type has another calling
 * convention for each instruction set. */
#define LOAD(p) (*(const floats *)(const void *)(p))
#define STORE(p, v) (*(floats *)(void *)(p) = (v))

typedef int32_t ints
    __attribute__((vector_size(32), aligned(4), may_alias)); /* anywhere */

/* exp(x) for x in +-80, with a relative error below 1e-6: two to the power of
 * the rounded quotient times a polynomial (Taylor, degree 6) of the rest. */
#define EXP_POLYNOMIAL(f)                                                      \
    (1 + (f) * (1 + (f) * (0.5f + (f) * (1.6666667e-1f +                       \
                                         (f) * (4.1666667e-2f +                \
                                                (f) * (8.3333333e-3f +         \
                                                       (f)*1.3888889e-3f))))))
#define EXP_ROUND(x) ((x)*1.44269504f + 128.5f) /* then cut, less 128 */
#define EXP_REST(x, n) (((x) - (n)*0.693359375f) + (n)*2.12194440e-4f)
#define EXP_LIMIT 80.0f

/* The lesser of x and limit where `mask` is all ones, else x. */
#define CHOOSE_SIMD(mask, a, b)                                                \
    ((floats)(((mask) & (ints)(a)) | (~(mask) & (ints)(b))))

/* Sums stand in variables, not arrays: those would stay in memory.  Two chains
 * of four vectors each hide the latency of the additions. */
static inline void
add_simd(float *sums, const struct simd_term *term, uint32_t n, uint32_t offset)
{
    floats a0 = LOAD(sums), a1 = LOAD(sums + 8), a2 = LOAD(sums + 16),
           a3 = LOAD(sums + 24);
    floats b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    uint32_t i = 0;

    for (; i + 1 < n; i += 2) {
        const float *u = term[i].weight + offset;
        const float *v = term[i + 1].weight + offset;
        float x = term[i].x, y = term[i + 1].x;

        a0 += LOAD(u) * x;
        a1 += LOAD(u + 8) * x;
        a2 += LOAD(u + 16) * x;
        a3 += LOAD(u + 24) * x;
        b0 += LOAD(v) * y;
        b1 += LOAD(v + 8) * y;
        b2 += LOAD(v + 16) * y;
        b3 += LOAD(v + 24) * y;
    }
    if (i < n) {
        const float *u = term[i].weight + offset;
        float x = term[i].x;

        a0 += LOAD(u) * x;
        a1 += LOAD(u + 8) * x;
        a2 += LOAD(u + 16) * x;
        a3 += LOAD(u + 24) * x;
    }
    STORE(sums, a0 + b0);
    STORE(sums + 8, a1 + b1);
    STORE(sums + 16, a2 + b2);
    STORE(sums + 24, a3 + b3);
}

void
SIMD_NAME(simd_add)(float *sums, uint32_t hidden, const struct simd_term *term,
                    uint32_t n)
{
    for (uint32_t from = 0; from < hidden; from += SIMD_N)
        add_simd(sums + from, term, n, from);
}

static inline void
tanh_simd(float *out, const float *z)
{
    const floats limit = (floats){0} + EXP_LIMIT;
    floats x = LOAD(z) * 2, rest, power;
    ints whole;

    x = CHOOSE_SIMD(x > limit, limit, x);
    x = CHOOSE_SIMD(x < -limit, -limit, x);
    whole = __builtin_convertvector(EXP_ROUND(x), ints) - 128;
    rest = EXP_REST(x, __builtin_convertvector(whole, floats));
    power = (floats)((whole + 127) << 23);
    STORE(out, 1 - 2 / (1 + EXP_POLYNOMIAL(rest) * power));
}

void
SIMD_NAME(simd_tanh)(float *z, uint32_t n)
{
    for (uint32_t h = 0; h < n; h += 8)
        tanh_simd(z + h, z + h);
}

void
SIMD_NAME(simd_output)(float *sum, const float *z, const float *out, uint32_t n)
{
    floats sums = {0};
    float y[8];

    for (uint32_t h = 0; h < n; h += 8) {
        tanh_simd(y, z + h);
        sums += LOAD(y) * LOAD(out + h);
    }
    for (int k = 0; k < 8; k++)
        *sum += sums[k];
}

static inline float
clipped(const struct simd_inputs *to, const struct simd_row *row, uint32_t at)
{
    float x = row->value[at];

    x = x < to->high[at] ? x : to->high[at];
    x = x > to->low[at] ? x : to->low[at];
    return x - to->at_zero[at];
}

/* Sixty-four sums: eight chains of additions hide their latency. */
static inline void
sparse_64(float *sums, const struct simd_inputs *to, const struct simd_row *row,
          uint32_t offset)
{
    floats a0 = LOAD(sums), a1 = LOAD(sums + 8), a2 = LOAD(sums + 16),
           a3 = LOAD(sums + 24), a4 = LOAD(sums + 32), a5 = LOAD(sums + 40),
           a6 = LOAD(sums + 48), a7 = LOAD(sums + 56);

    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t at = row->at[i];
        const float *w = to->weight + (size_t)at * to->stride + offset;
        float x = clipped(to, row, at);

        a0 += LOAD(w) * x;
        a1 += LOAD(w + 8) * x;
        a2 += LOAD(w + 16) * x;
        a3 += LOAD(w + 24) * x;
        a4 += LOAD(w + 32) * x;
        a5 += LOAD(w + 40) * x;
        a6 += LOAD(w + 48) * x;
        a7 += LOAD(w + 56) * x;
    }
    STORE(sums, a0);
    STORE(sums + 8, a1);
    STORE(sums + 16, a2);
    STORE(sums + 24, a3);
    STORE(sums + 32, a4);
    STORE(sums + 40, a5);
    STORE(sums + 48, a6);
    STORE(sums + 56, a7);
}

/* Thirty-two: the chains are of every other input. */
static inline void
sparse_32(float *sums, const struct simd_inputs *to, const struct simd_row *row,
          uint32_t offset)
{
    floats a0 = LOAD(sums), a1 = LOAD(sums + 8), a2 = LOAD(sums + 16),
           a3 = LOAD(sums + 24);
    floats b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};

    for (uint32_t i = 0; i < row->n; i += 2) {
        uint32_t at = row->at[i], next = i + 1 < row->n ? row->at[i + 1] : at;
        const float *w = to->weight + (size_t)at * to->stride + offset;
        const float *v = to->weight + (size_t)next * to->stride + offset;
        float x = clipped(to, row, at);
        float y = i + 1 < row->n ? clipped(to, row, next) : 0;

        a0 += LOAD(w) * x;
        a1 += LOAD(w + 8) * x;
        a2 += LOAD(w + 16) * x;
        a3 += LOAD(w + 24) * x;
        b0 += LOAD(v) * y;
        b1 += LOAD(v + 8) * y;
        b2 += LOAD(v + 16) * y;
        b3 += LOAD(v + 24) * y;
    }
    STORE(sums, a0 + b0);
    STORE(sums + 8, a1 + b1);
    STORE(sums + 16, a2 + b2);
    STORE(sums + 24, a3 + b3);
}

void
SIMD_NAME(simd_sparse)(float *sums, uint32_t hidden,
                       const struct simd_inputs *to, const struct simd_row *row)
{
    uint32_t from = 0;

    for (; from + 64 <= hidden; from += 64)
        sparse_64(sums + from, to, row, from);
    for (; from < hidden; from += 32)
        sparse_32(sums + from, to, row, from);
}

void
SIMD_NAME(simd_forward)(const float *weight, const float *bias, uint32_t in,
                        uint32_t hidden, const float *x, float *z)
{
    const float *x1 = x + in, *x2 = x1 + in, *x3 = x2 + in;

    for (uint32_t from = 0; from < hidden; from += 16) {
        floats a0 = LOAD(bias + from), b0 = LOAD(bias + from + 8);
        floats a1 = a0, b1 = b0, a2 = a0, b2 = b0, a3 = a0, b3 = b0;
        const float *w = weight + from;

        for (uint32_t i = 0; i < in; i++, w += hidden) {
            floats u = LOAD(w), v = LOAD(w + 8);

            a0 += u * x[i];
            b0 += v * x[i];
            a1 += u * x1[i];
            b1 += v * x1[i];
            a2 += u * x2[i];
            b2 += v * x2[i];
            a3 += u * x3[i];
            b3 += v * x3[i];
        }
        STORE(z + from, a0);
        STORE(z + from + 8, b0);
        STORE(z + hidden + from, a1);
        STORE(z + hidden + from + 8, b1);
        STORE(z + 2 * hidden + from, a2);
        STORE(z + 2 * hidden + from + 8, b2);
        STORE(z + 3 * hidden + from, a3);
        STORE(z + 3 * hidden + from + 8, b3);
    }
}

void
SIMD_NAME(simd_backward)(float *slope, uint32_t in, uint32_t hidden,
                         const float *x, const float *back)
{
    const float *x1 = x + in, *x2 = x1 + in, *x3 = x2 + in;
    const float *back1 = back + hidden, *back2 = back1 + hidden,
                *back3 = back2 + hidden;

    for (uint32_t from = 0; from < hidden; from += 16) {
        floats a0 = LOAD(back + from), b0 = LOAD(back + from + 8);
        floats a1 = LOAD(back1 + from), b1 = LOAD(back1 + from + 8);
        floats a2 = LOAD(back2 + from), b2 = LOAD(back2 + from + 8);
        floats a3 = LOAD(back3 + from), b3 = LOAD(back3 + from + 8);
        float *w = slope + from;

        for (uint32_t i = 0; i < in; i++, w += hidden) {
            STORE(w,
                  LOAD(w) + a0 * x[i] + a1 * x1[i] + a2 * x2[i] + a3 * x3[i]);
            STORE(w + 8, LOAD(w + 8) + b0 * x[i] + b1 * x1[i] + b2 * x2[i] +
                             b3 * x3[i]);
        }
    }
}

void
SIMD_NAME(simd_move)(float *value, const float *slope, float *m, float *v,
                     size_t n, float rate, float decay, float scale)
{
    for (size_t i = 0; i < n; i++) {
        float g = slope[i] + decay * value[i];

        m[i] = 0.9f * m[i] + 0.1f * g;
        v[i] = 0.999f * v[i] + 0.001f * g * g;
        value[i] -= rate * m[i] / (sqrtf(v[i] * scale) + 1e-8f);
    }
}

#ifdef __AVX2__
/* The leaves that eight rows reach.  The last three answers say which place in
 * an octet of leaves, so that one permutation looks up eight rows; the first
 * three say which octet. */
static inline __m256
leaves_8(const float *leaf, const floats *x, const floats *limit)
{
    ints place = ((ints)(x[3] > limit[3]) & 4) | ((ints)(x[4] > limit[4]) & 2) |
                 ((ints)(x[5] > limit[5]) & 1);
    __m256 octet[8];

    for (int k = 0; k < 8; k++)
        octet[k] = _mm256_permutevar8x32_ps(_mm256_loadu_ps(leaf + 8 * k),
                                            (__m256i)place);
    for (int level = 3, n = 4; level-- > 0; n /= 2)
        for (int k = 0; k < n; k++)
            octet[k] =
                _mm256_blendv_ps(octet[2 * k], octet[2 * k + 1],
                                 (__m256)(ints)(x[level] > limit[level]));
    return octet[0];
}

void
SIMD_NAME(simd_trees)(float *sums, const struct simd_tree *tree, uint32_t n,
                      const float *const *column, const uint32_t *from,
                      uint32_t groups)
{
    for (const struct simd_tree *end = tree + n; tree < end; tree++) {
        floats limit[SIMD_TREE_DEPTH];

        for (uint32_t k = 0; k < SIMD_TREE_DEPTH; k++)
            limit[k] = _mm256_set1_ps(tree->limit[k]);
        for (uint32_t r = 0; r < groups * SIMD_TREE_ROWS; r += 8) {
            uint32_t row = from[r / SIMD_TREE_ROWS] + r % SIMD_TREE_ROWS;
            floats of_row[SIMD_TREE_DEPTH];

            for (uint32_t k = 0; k < SIMD_TREE_DEPTH; k++)
                of_row[k] = LOAD(column[tree->input[k]] + row);
            STORE(sums + r,
                  LOAD(sums + r) + (floats)leaves_8(tree->leaf, of_row, limit));
        }
    }
}
#else
void
SIMD_NAME(simd_trees)(float *sums, const struct simd_tree *tree, uint32_t n,
                      const float *const *column, const uint32_t *from,
                      uint32_t groups)
{
    for (const struct simd_tree *end = tree + n; tree < end; tree++) {
        for (uint32_t r = 0; r < groups * SIMD_TREE_ROWS; r += 8) {
            uint32_t row = from[r / SIMD_TREE_ROWS] + r % SIMD_TREE_ROWS;
            ints leaf = {0};

            for (uint32_t k = 0; k < SIMD_TREE_DEPTH; k++) {
                const floats limit = (floats){0} + tree->limit[k];

                leaf = leaf + leaf -
                       (ints)(LOAD(column[tree->input[k]] + row) > limit);
            }
            for (uint32_t i = 0; i < 8; i++)
                sums[r + i] += tree->leaf[leaf[i]];
        }
    }
}
#endif
