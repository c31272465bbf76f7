/* conllu.h -- annotated sentences in CoNLL-U: words, lemmas, UPOS, XPOS. */
#ifndef CORPUS_CONLLU_H
#define CORPUS_CONLLU_H

#include "tagger.h"

struct conllu_sentence {
    struct str *words, *lemmas, *xpos; /* xpos: "" where there is none */
    uint8_t *tags;
    size_t n;
};

struct conllu {
    struct conllu_sentence *sentences;
    size_t n, words_n;
};

/* Read a file's bytes behind what *c has; everything in `a`, the bytes must
 * stay.  `upos_only`: its language-specific tags (column 5) are passed over.
 * Words of several syntactic words, empty nodes and comments are passed over;
 * so are words whose tag is none of UPOS, with their sentence.  0: fine, else
 * the first line that has too few columns. */
unsigned conllu_read(struct conllu *c, struct arena *a, struct str bytes,
                     bool upos_only);

#endif
