/* ngram_scores.h -- the weights of n-grams, added to the scores of languages.
 */
#ifndef CORPUS_NGRAM_SCORES_H
#define CORPUS_NGRAM_SCORES_H

#include "language_model.h"

enum { NGRAMS_MAX = 256 }; /* in one call: their weights fit sixteen bits */

/* Those of n n-grams by their numbers; what is not known adds nothing.  How
 * many are known. */
unsigned ngram_scores_add(int32_t scores[ROW], const struct language_group *g,
                          const uint64_t *numbers, unsigned n);

/* The same, for any processor and for AVX2. */
unsigned ngram_scores_plain(int32_t scores[ROW], const struct language_group *g,
                            const uint64_t *numbers, unsigned n);
unsigned ngram_scores_wide(int32_t scores[ROW], const struct language_group *g,
                           const uint64_t *numbers, unsigned n);

#endif
