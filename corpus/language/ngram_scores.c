/* ngram_scores.c -- see ngram_scores.h.
 *
 * All n-grams are looked up first, and the rows that were found are added up
 * afterwards: two long loops without a branch that the processor would guess
 * wrongly, and the memory is asked for the rows before they are needed. */
#include "ngram_scores.h"

#include <string.h>

/* Without a branch: whether an n-gram is known cannot be guessed. */
static unsigned
find_rows(const struct language_row **rows, const struct language_group *g,
          const uint64_t *numbers, unsigned n)
{
    unsigned found = 0;

    for (unsigned i = 0; i < n; i++) {
        bool known;
        size_t at = tag_table_find(&g->ngrams, ngram_mix(numbers[i]), &known);

        rows[found] = &g->rows[at];
        __builtin_prefetch(rows[found]);
        found += known;
    }
    return found;
}

typedef uint16_t words __attribute__((vector_size(16), aligned(2), may_alias));

#define SIMD(p, i) (((words *)(void *)(p))[i])
#define SIMD_OF(p, i) (((const words *)(const void *)(p))[i])

/* Sums of the low and the high bytes of pairs.  They stand in variables, not
 * arrays: those would stay in memory. */
static void
add_rows(uint16_t *low, uint16_t *high, const struct language_row *const *rows,
         unsigned n)
{
    words low0 = {0}, low1 = {0}, low2 = {0}, low3 = {0};
    words high0 = {0}, high1 = {0}, high2 = {0}, high3 = {0};

    for (unsigned i = 0; i < n; i++) {
        const uint16_t *row = rows[i]->pairs;
        words a = SIMD_OF(row, 0), b = SIMD_OF(row, 1), c = SIMD_OF(row, 2),
              d = SIMD_OF(row, 3);

        low0 += a & 0xff;
        low1 += b & 0xff;
        low2 += c & 0xff;
        low3 += d & 0xff;
        high0 += a >> 8;
        high1 += b >> 8;
        high2 += c >> 8;
        high3 += d >> 8;
    }
    SIMD(low, 0) = low0;
    SIMD(low, 1) = low1;
    SIMD(low, 2) = low2;
    SIMD(low, 3) = low3;
    SIMD(high, 0) = high0;
    SIMD(high, 1) = high1;
    SIMD(high, 2) = high2;
    SIMD(high, 3) = high3;
}

unsigned
ngram_scores_add(int32_t scores[ROW], const struct language_group *g,
                 const uint64_t *numbers, unsigned n)
{
    const struct language_row *rows[NGRAMS_MAX];
    uint16_t low[ROW / 2], high[ROW / 2];
    int32_t zero;

    n = find_rows(rows, g, numbers, n);
    add_rows(low, high, rows, n);
    zero = (int32_t)n * WEIGHT_ZERO;
    for (unsigned i = 0; i < ROW / 2; i++) {
        scores[2 * i] += low[i] - zero;
        scores[2 * i + 1] += high[i] - zero;
    }
    return n;
}
