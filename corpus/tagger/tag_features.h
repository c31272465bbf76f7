/* tag_features.h -- what the perceptron sees of a token, as numbers. */
#ifndef CORPUS_TAG_FEATURES_H
#define CORPUS_TAG_FEATURES_H

#include "base/arena.h"
#include "clean/text/letters.h"

enum { TAG_FEATURES = 26, WORD_BYTES_MAX = 96 };

/* A word of the sentence, looked at once. */
struct tag_word {
    struct str small;   /* in small letters, at most WORD_BYTES_MAX bytes */
    uint64_t hash;      /* of it */
    uint64_t suffix[4]; /* of its last 1 to 4 letters */
    uint64_t prefix[2]; /* of its first 2 and 3 */
    uint64_t shape;     /* its kinds of letters, runs taken together */
};

/* n words with two empty ones on both sides: the first is at [2]. */
struct tag_word *tag_words(const struct letters *l, struct arena *a,
                           const struct str *words, size_t n);

/* The features of words[i] (i from 2 on) behind these two tags (UPOS_N: none);
 * TAG_FEATURES of them. */
void tag_features(const struct tag_word *words, size_t i, unsigned before,
                  unsigned before2, uint64_t keys[TAG_FEATURES]);

#endif
