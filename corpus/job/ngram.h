/* ngram.h -- what job ngram counts, for who counts n-grams another way. */
#ifndef CORPUS_NGRAM_H
#define CORPUS_NGRAM_H

enum {
    NGRAM_REJECTED,
    NGRAM_SENTENCES,
    NGRAM_NGRAMS,
    NGRAM_UNTAGGED,
    NGRAM_KEYS,
    NGRAM_WRITTEN
};

#endif
