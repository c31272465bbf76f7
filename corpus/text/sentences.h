/* sentences.h -- where the sentences of a text end.
 *
 * One pass over UTF-8 without memory of its own: only at stops, exclamation and
 * question marks (of any script) and at line ends is there anything to decide,
 * from the words on both sides and what a word list knows of them.  Linear in
 * the text; bytes that are no UTF-8 are taken as letters. */
#ifndef CORPUS_SENTENCES_H
#define CORPUS_SENTENCES_H

#include <stdbool.h>

#include "language_words.h"

enum sentences_flag {
    /* Every line end is the end of a sentence.  Without it a line goes on in
     * the next one, unless that is empty or begins with the mark of a list. */
    SENTENCES_LINES = 1 << 0,
    /* A quotation of several sentences is not cut. */
    SENTENCES_QUOTES = 1 << 1
};

struct sentences {
    const struct language_words *words;
    struct str text;
    size_t at; /* the next sentence is looked for from here */
    unsigned flags;
};

/* The list and the text must be there as long as *it is used. */
void sentences_begin(struct sentences *it, const struct language_words *words,
                     struct str text, unsigned flags);

/* The next sentence, without white space around it: a part of the text, never
 * empty.  Together they are all of the text but white space.  False: that was
 * the last one. */
bool sentences_next(struct sentences *it, struct str *sentence);

#endif
