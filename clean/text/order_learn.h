/* order_learn.h -- makes a table of word order (word_order.h) out of texts. */
#ifndef CLEAN_ORDER_LEARN_H
#define CLEAN_ORDER_LEARN_H

#include "word_order.h"
#include "words.h"

/* `words`: all words of the texts, one text after the other; text i goes from
 * its word start[i] to start[i + 1] (start[texts_n] is the end).  `skip`: words
 * that get no class of their own.  NULL: fewer than two texts.  Memory from
 * `a`. */
struct word_order *order_learn(const struct words *words,
                               const struct words *skip, const uint32_t *start,
                               size_t texts_n, uint32_t words_n,
                               struct arena *a);

#endif
