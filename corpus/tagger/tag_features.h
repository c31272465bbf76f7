/* tag_features.h -- what the perceptron sees of a token, as numbers. */
#ifndef CORPUS_TAG_FEATURES_H
#define CORPUS_TAG_FEATURES_H

#include "base/arena.h"
#include "clean/text/letters.h"

enum { TAG_FEATURES = 26, XPOS_FEATURES = 28, WORD_BYTES_MAX = 96 };

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

/* The features for a language-specific tag of words[i], which has this UPOS;
 * `after` is that of the next word (UPOS_N: there is none), before and before2
 * are the language-specific tags in front of it (XPOS_NONE: none). */
void xpos_features(const struct tag_word *words, size_t i, unsigned upos,
                   unsigned after, unsigned before, unsigned before2,
                   uint64_t keys[XPOS_FEATURES]);

#endif
