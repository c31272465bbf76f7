/* ngram_scores_wide.c -- ngram_scores.c for AVX2 (the flags stand in
 * CMakeLists.txt); called only where the processor has it. */
#ifdef __x86_64__
#define NGRAM_SCORES_NAME ngram_scores_wide
#include "ngram_scores_body.h"
#else
typedef int ngram_scores_wide_is_for_x86_64_only;
#endif
