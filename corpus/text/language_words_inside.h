/* language_words_inside.h -- what this folder asks of a list besides. */
#ifndef CORPUS_LANGUAGE_WORDS_INSIDE_H
#define CORPUS_LANGUAGE_WORDS_INSIDE_H

#include "clean/text/letters.h"
#include "language_words.h"

/* The classes of letters; as long as the list. */
const struct letters *language_words_letters(const struct language_words *l);

#endif
