/* ngram_scores_body.h -- the loops of ngram_scores.c, compiled once for each
 * instruction set as NGRAM_SCORES_NAME.
 *
 * All n-grams are looked up first, and the rows that were found are added up
 * afterwards: two long loops without a branch that the processor would guess
 * wrongly, and the memory is asked for the rows before they are needed. */
#include "ngram_scores.h"

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

/* GCC's vectors, which a compiler without such registers takes apart. */
typedef uint16_t words __attribute__((vector_size(32), aligned(2), may_alias));

#define SIMD(p, i) (((words *)(void *)(p))[i])
#define SIMD_OF(p, i) (((const words *)(const void *)(p))[i])

/* Sums of the pairs, in which the high bytes' run over, and of the high bytes.
 * They stand in variables, not arrays: those would stay in memory. */
static void
add_rows(uint16_t *pairs, uint16_t *high,
         const struct language_row *const *rows, unsigned n)
{
    words pairs0 = {0}, pairs1 = {0}, high0 = {0}, high1 = {0};

    for (unsigned i = 0; i < n; i++) {
        words a = SIMD_OF(rows[i]->pairs, 0), b = SIMD_OF(rows[i]->pairs, 1);

        pairs0 += a;
        pairs1 += b;
        high0 += a >> 8;
        high1 += b >> 8;
    }
    SIMD(pairs, 0) = pairs0;
    SIMD(pairs, 1) = pairs1;
    SIMD(high, 0) = high0;
    SIMD(high, 1) = high1;
}

unsigned
NGRAM_SCORES_NAME(int32_t scores[ROW], const struct language_group *g,
                  const uint64_t *numbers, unsigned n)
{
    const struct language_row *rows[NGRAMS_MAX];
    uint16_t pairs[ROW / 2], high[ROW / 2];
    int32_t zero;

    n = find_rows(rows, g, numbers, n);
    add_rows(pairs, high, rows, n);
    zero = (int32_t)n * WEIGHT_ZERO;
    for (unsigned i = 0; i < ROW / 2; i++) {
        scores[2 * i] += (uint16_t)(pairs[i] - (high[i] << 8)) - zero;
        scores[2 * i + 1] += high[i] - zero;
    }
    return n;
}
