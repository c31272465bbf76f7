/* running_text.h -- whether a block is running text or a fragment.
 *
 * Fragments are code, cells of tables, lines without a sentence, lists of names
 * or of things, lines of numbers.  They are as good a part of a page as its
 * paragraphs, but have neither the common words of their language nor their
 * order, so they say nothing for or against the text around them. */
#ifndef CLEAN_RUNNING_TEXT_H
#define CLEAN_RUNNING_TEXT_H

#include "clean/chain/document.h"

/* By element and counts of strip; a block that was never counted is running
 * text. */
bool running_text(const struct block *b);

/* A heading: a fragment that belongs to the running text after it. */
bool running_text_heading(const struct block *b);

#endif
