/* ngram_scores.c -- see ngram_scores.h. */
#include "ngram_scores.h"

#define NGRAM_SCORES_NAME ngram_scores_plain
#include "ngram_scores_body.h"

unsigned
ngram_scores_add(int32_t scores[ROW], const struct language_group *g,
                 const uint64_t *numbers, unsigned n)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return ngram_scores_wide(scores, g, numbers, n);
#endif
    return ngram_scores_plain(scores, g, numbers, n);
}
