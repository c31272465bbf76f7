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
/* The bins of thirty-two rows.  Packing leaves fours of them in its own order.
 */
static inline void
bin_32(uint8_t *bins, const float *limit, uint32_t n, const float *a,
       const float *b)
{
    const floats x0 = LOAD(a), x1 = LOAD(a + 8), x2 = LOAD(b), x3 = LOAD(b + 8);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    ints n0 = {0}, n1 = {0}, n2 = {0}, n3 = {0};
    __m256i bin;

    for (uint32_t i = 0; i < n; i++) {
        const floats at = (floats){0} + limit[i];

        n0 -= x0 > at;
        n1 -= x1 > at;
        n2 -= x2 > at;
        n3 -= x3 > at;
    }
    bin = _mm256_packs_epi16(_mm256_packs_epi32((__m256i)n0, (__m256i)n1),
                             _mm256_packs_epi32((__m256i)n2, (__m256i)n3));
    _mm256_storeu_si256((__m256i *)(void *)bins,
                        _mm256_permutevar8x32_epi32(bin, order));
}

void
SIMD_NAME(simd_bins)(const struct simd_limits *to, const float *const *column,
                     const uint32_t *from, uint32_t groups, uint8_t *bins)
{
    const float *limit = to->limit;

    for (uint32_t i = 0; i < to->inputs_n; i++) {
        const float *x = column[to->input[i]];

        for (uint32_t g = 0; g < groups; g += 2) {
            bin_32(bins, limit, to->limits_n[i], x + from[g], x + from[g + 1]);
            bins += 2 * SIMD_GROUP_ROWS;
        }
        limit += to->limits_n[i];
    }
}

/* Sixteen leaves a register, twice side by side. */
static inline void
load_leaves(__m256i *quarter, const uint8_t *leaf)
{
    for (int k = 0; k < 4; k++)
        quarter[k] = _mm256_broadcastsi128_si256(
            _mm_loadu_si128((const __m128i *)(const void *)(leaf + 16 * k)));
}

/* The leaves of thirty-two rows: half and upper say in which quarter. */
static inline __m256i
find_leaves(const __m256i *quarter, __m256i place, __m256i half, __m256i upper)
{
    __m256i of[4];

    for (int k = 0; k < 4; k++)
        of[k] = _mm256_shuffle_epi8(quarter[k], place);
    return _mm256_blendv_epi8(_mm256_blendv_epi8(of[0], of[1], upper),
                              _mm256_blendv_epi8(of[2], of[3], upper), half);
}

/* Unpacking has left eights of rows in its own order. */
static inline void
add_wider(int32_t *sums, __m256i *part)
{
    int16_t of[32];

    _mm256_storeu_si256((__m256i *)(void *)of,
                        _mm256_permute2x128_si256(part[0], part[1], 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(of + 16),
                        _mm256_permute2x128_si256(part[0], part[1], 0x31));
    for (int k = 0; k < 32; k++)
        sums[k] += of[k];
    part[0] = part[1] = _mm256_setzero_si256();
}

#define OVER(level)                                                            \
    _mm256_cmpgt_epi8(                                                         \
        _mm256_loadu_si256(                                                    \
            (const __m256i *)(const void *)(of_rows + tree->column[level] *    \
                                                          (size_t)rows)),      \
        _mm256_set1_epi8(tree->over[level]))
#define BIT(level, bit) _mm256_and_si256(OVER(level), _mm256_set1_epi8(bit))

static inline void
add_tree(__m256i *part, const struct simd_tree *tree, const uint8_t *bins,
         uint32_t rows)
{
    __m256i low[4], high[4];

    load_leaves(low, tree->low);
    load_leaves(high, tree->high);
    for (uint32_t r = 0; r < rows; r += 32, part += 2) {
        const uint8_t *of_rows = bins + r;
        __m256i half = OVER(0), upper = OVER(1);
        __m256i place = _mm256_or_si256(_mm256_or_si256(BIT(2, 8), BIT(3, 4)),
                                        _mm256_or_si256(BIT(4, 2), BIT(5, 1)));
        __m256i l = find_leaves(low, place, half, upper),
                h = find_leaves(high, place, half, upper);

        part[0] = _mm256_add_epi16(part[0], _mm256_unpacklo_epi8(l, h));
        part[1] = _mm256_add_epi16(part[1], _mm256_unpackhi_epi8(l, h));
    }
}

void
SIMD_NAME(simd_trees)(const struct simd_tree *tree, uint32_t n,
                      const uint8_t *bins, uint32_t rows, int32_t *sums)
{
    __m256i part[SIMD_ROWS_MAX / 16];

    memset(part, 0, sizeof part);
    for (const struct simd_tree *end = tree + n; tree < end; tree++) {
        add_tree(part, tree, bins, rows);
        if (!tree->last)
            continue;
        for (uint32_t r = 0; r < rows; r += 32)
            add_wider(sums + r, part + r / 16);
    }
}
#undef OVER
#undef BIT
#else
void
SIMD_NAME(simd_bins)(const struct simd_limits *to, const float *const *column,
                     const uint32_t *from, uint32_t groups, uint8_t *bins)
{
    const float *limit = to->limit;

    memset(bins, 0, (size_t)to->inputs_n * groups * SIMD_GROUP_ROWS);
    for (uint32_t i = 0; i < to->inputs_n; i++) {
        for (uint32_t g = 0; g < groups; g++) {
            const float *x = column[to->input[i]] + from[g];

            for (uint32_t k = 0; k < to->limits_n[i]; k++)
                for (uint32_t r = 0; r < SIMD_GROUP_ROWS; r++)
                    bins[r] = (uint8_t)(bins[r] + (x[r] > limit[k]));
            bins += SIMD_GROUP_ROWS;
        }
        limit += to->limits_n[i];
    }
}

void
SIMD_NAME(simd_trees)(const struct simd_tree *tree, uint32_t n,
                      const uint8_t *bins, uint32_t rows, int32_t *sums)
{
    for (const struct simd_tree *end = tree + n; tree < end; tree++) {
        for (uint32_t r = 0; r < rows; r += 32) {
            uint8_t place[32] = {0};

            for (uint32_t d = 0; d < SIMD_TREE_DEPTH; d++) {
                const uint8_t *bin = bins + tree->column[d] * rows + r;
                const uint8_t over = (uint8_t)tree->over[d];

                for (uint32_t k = 0; k < 32; k++)
                    place[k] = (uint8_t)(2 * place[k] + (bin[k] > over));
            }
            for (uint32_t k = 0; k < 32; k++)
                sums[r + k] +=
                    (int8_t)tree->high[place[k]] * 256 + tree->low[place[k]];
        }
    }
}
#endif
