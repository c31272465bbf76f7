/* columns.c -- see columns.h. */
#include "columns.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "forest.h"

/* Four numbers of each of four rows, to where they stand below each other. */
static inline void
turn_4(float *to, size_t stride, const float *from, size_t width)
{
#ifdef __SSE2__
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + width),
           c = _mm_loadu_ps(from + 2 * width),
           d = _mm_loadu_ps(from + 3 * width);

    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + stride, b);
    _mm_storeu_ps(to + 2 * stride, c);
    _mm_storeu_ps(to + 3 * stride, d);
#else
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            to[i * stride + k] = from[k * width + i];
#endif
}

/* Rows of `width` numbers into columns; what is not turned by fours is turned
 * one by one. */
static void
turn(float *to, size_t stride, const float *from, size_t width, size_t n)
{
    const size_t rows = n / 4 * 4, inputs = width / 4 * 4;

    for (size_t r = 0; r < rows; r += 4) {
        const float *row = from + r * width;

        for (size_t i = 0; i < inputs; i += 4)
            turn_4(to + i * stride + r, stride, row + i, width);
        for (size_t i = inputs; i < width; i++)
            for (size_t k = 0; k < 4; k++)
                to[i * stride + r + k] = row[k * width + i];
    }
    for (size_t r = rows; r < n; r++)
        for (size_t i = 0; i < width; i++)
            to[i * stride + r] = from[r * width + i];
}

/* Columns with zeros before and after the n numbers of each. */
static float *
columns_of(const struct columns *c, const float *from, size_t width,
           struct arena *a)
{
    float *to = arena_raw(a, width * c->stride * sizeof *to);

    for (size_t i = 0; i < width; i++) {
        float *column = to + i * c->stride;

        column[0] = 0;
        memset(column + 1 + c->n, 0, (c->stride - 1 - c->n) * sizeof *column);
    }
    turn(to + 1, c->stride, from, width, c->n);
    return to + 1;
}

static void
name_columns(struct columns *c, uint32_t at, const float *first, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        c->input[at + i] = first + i * c->stride;
}

/* One number for all blocks. */
static float *
page_columns(const struct columns *c, const float *value, struct arena *a)
{
    float *to = arena_raw(a, FEATURES_PAGE_N * c->stride * sizeof *to);

    for (size_t i = 0; i < FEATURES_PAGE_N; i++)
        for (size_t k = 0; k < c->stride; k++)
            to[i * c->stride + k] = value[i];
    return to;
}

void
columns_make(struct columns *c, const struct features *f, struct arena *a)
{
    const uint32_t local_n = FEATURES_LOCAL_N;
    float *local;

    c->n = f->n;
    /* An odd number of cache lines, so that columns do not share their places
     * in the cache. */
    c->stride = (((size_t)f->n + 2 + FOREST_ROWS + 15) / 16 | 1) * 16;
    local = columns_of(c, f->local[0], local_n, a);
    name_columns(c, 0, local, local_n);
    name_columns(c, local_n, local - 1, local_n);
    name_columns(c, 2 * local_n, local + 1, local_n);
    name_columns(c, 3 * local_n,
                 columns_of(c, f->around[0], FEATURES_AROUND_N, a),
                 FEATURES_AROUND_N);
    name_columns(c, 3 * local_n + FEATURES_AROUND_N,
                 page_columns(c, f->page, a), FEATURES_PAGE_N);
}

void
columns_add_context(struct columns *c, float (*extra)[CONTEXT_N],
                    struct arena *a)
{
    name_columns(c, FEATURES_N, columns_of(c, extra[0], CONTEXT_N, a),
                 CONTEXT_N);
}
