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

/* Numbers past the last block are read, too. */
static void
turn_zero(float *to, size_t stride, size_t width, size_t from, size_t end)
{
    for (size_t i = 0; i < width; i++)
        memset(to + i * stride + from, 0, (end - from) * sizeof *to);
}

/* The first `held` numbers of each column are left to columns_hold(). */
static float *
room(const struct columns *c, size_t width, size_t held, struct arena *a)
{
    float *to = arena_raw(a, width * c->stride * sizeof *to);

    turn_zero(to, c->stride, width, held, c->stride);
    return to;
}

static void
name_columns(struct columns *c, uint32_t at, const float *first, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        c->input[at + i] = first + i * c->stride;
}

/* One number for all blocks. */
static float *
page_columns(const struct columns *c, struct arena *a)
{
    float *to = arena_raw(a, FEATURES_PAGE_N * c->stride * sizeof *to);

    for (size_t i = 0; i < FEATURES_PAGE_N; i++)
        for (size_t k = 0; k < c->stride; k++)
            to[i * c->stride + k] = c->f->page[i];
    return to;
}

void
columns_open(struct columns *c, const struct features *f, struct arena *a)
{
    const uint32_t width = FEATURES_LOCAL_N;
    const size_t n = f->n < COLUMNS_ROWS ? f->n : COLUMNS_ROWS;

    c->f = f;
    c->extra = NULL;
    c->first = c->n = 0;
    /* An odd number of cache lines, so that columns do not share their places
     * in the cache. */
    c->stride = ((n + 2 + FOREST_ROWS + 15) / 16 | 1) * 16;
    c->local = room(c, width, n + 2, a);
    c->around = room(c, FEATURES_AROUND_N, n, a);
    name_columns(c, 0, c->local + 1, width);
    name_columns(c, width, c->local, width);
    name_columns(c, 2 * width, c->local + 2, width);
    name_columns(c, 3 * width, c->around, FEATURES_AROUND_N);
    name_columns(c, 3 * width + FEATURES_AROUND_N, page_columns(c, a),
                 FEATURES_PAGE_N);
}

/* The block before the first one and the one after the last stand there, too:
 * place k is block first + k - 1. */
static void
hold_local(struct columns *c)
{
    const size_t width = FEATURES_LOCAL_N;
    const size_t before = c->first > 0, end = c->first + c->n;
    const size_t n = before + c->n + (end < c->f->n);

    turn_zero(c->local, c->stride, width, 0, 1);
    turn(c->local + 1 - before, c->stride, c->f->local[c->first - before],
         width, n);
    turn_zero(c->local, c->stride, width, 1 - before + n, c->n + 2);
}

static void
hold_context(struct columns *c)
{
    turn(c->context, c->stride, c->extra[c->first], CONTEXT_N, c->n);
}

void
columns_hold(struct columns *c, uint32_t first)
{
    if (c->n > 0 && c->first == first)
        return;
    c->first = first;
    c->n = c->f->n - first < COLUMNS_ROWS ? c->f->n - first : COLUMNS_ROWS;
    hold_local(c);
    turn(c->around, c->stride, c->f->around[first], FEATURES_AROUND_N, c->n);
    if (c->extra != NULL)
        hold_context(c);
}

void
columns_add_context(struct columns *c, float (*extra)[CONTEXT_N],
                    struct arena *a)
{
    c->extra = extra;
    c->context = room(c, CONTEXT_N, c->n, a);
    name_columns(c, FEATURES_N, c->context, CONTEXT_N);
    if (c->n > 0)
        hold_context(c);
}
