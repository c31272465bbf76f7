/* shares.h -- how much of a page is in which language. */
#ifndef CLEAN_SHARES_H
#define CLEAN_SHARES_H

#include "assess.h"

struct word;

/* Set languages of *d: which share of its words stands in blocks of which
 * language, if that can be told; `main`: the profile that fits most of it;
 * `words`: what assessor_word() says of each of its types. */
void shares_set(const struct assessor *s, struct document *d, size_t main,
                const struct word *const *words);

#endif
