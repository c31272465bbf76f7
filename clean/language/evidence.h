/* evidence.h -- what a common word says for its language.
 *
 * The evidence of a word is the logarithm of its frequency in the language over
 * EVIDENCE_FLOOR, which is what it is taken for in languages that do not list
 * it.  Its sum over a text, compared between two languages, is their likelihood
 * ratio; per word, it tells how much of the text are common words. */
#ifndef CLEAN_EVIDENCE_H
#define CLEAN_EVIDENCE_H

#include <math.h>
#include <stdint.h>

#define EVIDENCE_FLOOR 1e-4

/* A word counts as often as the language has it, within reason: in code and
 * tables single letters are no words. */
#define EVIDENCE_OFTEN 3.0
#define EVIDENCE_OFTEN_MIN 3.0

/* `share`: relative frequency in the language. */
static inline double
evidence_of(double share)
{
    return fmax(0, log(share / EVIDENCE_FLOOR));
}

/* How many of `count` occurrences in `tokens_n` words count. */
static inline double
evidence_counted(uint32_t count, double share, uint32_t tokens_n)
{
    double most = EVIDENCE_OFTEN_MIN + EVIDENCE_OFTEN * share * tokens_n;

    return count < most ? count : most;
}

#endif
