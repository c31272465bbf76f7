/* order_learn.h -- makes a table of word order (word_order.h) out of texts. */
#ifndef CLEAN_ORDER_LEARN_H
#define CLEAN_ORDER_LEARN_H

#include "clean/text/words.h"
#include "word_order.h"

/* `words`: all words of the texts, one text after the other; text i goes from
 * its word start[i] to start[i + 1] (start[texts_n] is the end).  `skip`: words
 * that get no line of their own. */
struct order_sample {
    const struct words *words, *skip;
    const uint32_t *start;
    size_t texts_n;
};

/* A table of at most `words_n` words.  `elsewhere`: what kinds of text that are
 * not in the sample have of the excess and of the common words of those that
 * are (0 to 1).  NULL: fewer than two texts.  Memory from `a`. */
struct word_order *order_learn(const struct order_sample *s, uint32_t words_n,
                               double elsewhere, struct arena *a);

#endif
